"""Two trees laid on each other: where they differ in names alone, the pairs of names in their order."""

import ast
from collections.abc import Iterator
from typing import Any

from auditor.structure.normal import FIELDS, constant, field_of

# Fields that hold a name which code may choose freely.
_NAMED = frozenset({
    (ast.Name, "id"), (ast.arg, "arg"),
    (ast.FunctionDef, "name"), (ast.AsyncFunctionDef, "name"), (ast.ClassDef, "name"),
    (ast.ExceptHandler, "name"), (ast.alias, "asname"), (ast.MatchAs, "name"), (ast.MatchStar, "name"),
    (ast.MatchMapping, "rest"), (ast.Global, "names"), (ast.Nonlocal, "names"),
})  # fmt: skip


def name_pairs(before: ast.AST, after: ast.AST) -> list[tuple[str, str]] | None:
    """The names of two trees in order, side by side, or `None` where the trees differ in anything else."""
    pairs: list[tuple[str, str]] = []
    stack: list[tuple[Any, Any]] = [(before, after)]
    while stack:
        left, right = stack.pop()
        kind = type(left)
        if kind is not type(right):
            return None
        if kind is list:
            if len(left) != len(right):
                return None
            stack.extend(reversed(list(zip(left, right, strict=True))))
        elif kind is ast.Constant:
            if constant(left.value) != constant(right.value):
                return None
        elif isinstance(left, ast.AST):
            for name in reversed(FIELDS.get(kind, ())):
                one, other = field_of(left, name), field_of(right, name)
                if (kind, name) in _NAMED:
                    ones, others = (one, other) if isinstance(one, list) else ([one], [other])
                    if len(ones) != len(others) or any(
                        (a is None) != (b is None) for a, b in zip(ones, others, strict=True)
                    ):
                        return None
                    pairs.extend((a, b) for a, b in zip(ones, others, strict=True) if a is not None)
                else:
                    stack.append((one, other))
        elif left != right:
            return None
    return pairs


def is_renaming(before: ast.AST, pairs: list[tuple[str, str]]) -> bool:
    """Whether the pairs give every name that the tree binds one new name of its own, and leave all others."""
    forth: dict[str, str] = {}
    back: dict[str, str] = {}
    for old, new in pairs:
        if forth.setdefault(old, new) != new or back.setdefault(new, old) != old:
            return False
    bound = set(_bound(before))
    return all(old == new or old in bound for old, new in forth.items())


def _bound(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Store):
                yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar):
            if node.name:
                yield node.name
        elif isinstance(node, ast.alias):
            if node.asname:
                yield node.asname
        elif isinstance(node, ast.MatchMapping) and node.rest:
            yield node.rest
