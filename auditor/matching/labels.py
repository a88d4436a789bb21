"""`requires:` of taint rules: labels joined by `and`, `or`, `not`, read and never run."""

import ast
from collections.abc import Callable
from functools import lru_cache

# The label of a source that has none, and what a sink asks for that asks for nothing.
PLAIN = "__SOURCE__"
_DEEPEST = 20


@lru_cache(maxsize=1000)
def read_labels(text: str) -> ast.expr:
    """The expression; raises `ValueError` for anything but labels, `and`, `or`, `not` and brackets."""
    try:
        made = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, RecursionError, MemoryError):
        raise ValueError("is no expression of labels") from None
    _check(made, 0)
    return made


def _check(node: ast.expr, depth: int) -> None:
    if depth > _DEEPEST:
        raise ValueError("is nested too deeply")
    if isinstance(node, ast.BoolOp):
        for value in node.values:
            _check(value, depth + 1)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        _check(node.operand, depth + 1)
    elif not isinstance(node, ast.Name):
        raise ValueError("has more than labels, and, or, not")  # noqa: TRY004 — the text is wrong, not a type


def holds(node: ast.expr, has: Callable[[str], bool]) -> bool:
    """Whether an expression of labels is true, `has` telling of each label whether it is there."""
    if isinstance(node, ast.BoolOp):
        test = all if isinstance(node.op, ast.And) else any
        return test(holds(value, has) for value in node.values)
    if isinstance(node, ast.UnaryOp):
        return not holds(node.operand, has)
    return isinstance(node, ast.Name) and has(node.id)
