"""What tells of names in a tree, as one list: what stands under a node is a slice, and nothing is walked twice."""

import ast

# Fields that hold no code, or (type parameters) none on the oldest host; and those that hold words and numbers.
_NO_CODE = frozenset({
    "ctx", "op", "ops", "type_params", "type_ignores", "type_comment",
    "id", "attr", "name", "arg", "asname", "module", "level", "is_async", "simple", "conversion", "kind", "rest",
    "kwd_attrs", "str",
})  # fmt: skip
_LEAVES = (ast.Name, ast.Constant, ast.Global, ast.Nonlocal)
# Expressions with names of their own.
OWN_SCOPES = frozenset({ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp})
# What binds, calls, reaches into something or opens a scope, besides names.
_TELLING = frozenset({
    ast.Assign, ast.AnnAssign, ast.Attribute, ast.Call, ast.Subscript, ast.arg, ast.alias, ast.FunctionDef,
    ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler, ast.MatchAs, ast.MatchStar, ast.MatchMapping,
    ast.Try, ast.TryStar, ast.With, ast.AsyncWith, *OWN_SCOPES,
})  # fmt: skip
# Those under which is looked most.
_PARTS = frozenset({*ast.stmt.__subclasses__(), ast.Call, *OWN_SCOPES})


class _Fields(dict[type, tuple[str, ...]]):
    """The fields of each kind of node that hold nodes, the last one first; none of what is no node."""

    def __missing__(self, kind: type) -> tuple[str, ...]:
        fields = kind._fields[::-1] if issubclass(kind, ast.AST) and not issubclass(kind, _LEAVES) else ()
        self[kind] = tuple(field for field in fields if field not in _NO_CODE)
        return self[kind]


LAST_FIRST = _Fields()


class Flat:
    """The nodes of a tree that tell of names, each before those under it; of names themselves those that are bound.

    A node that stands twice is found where it stands last.
    """

    __slots__ = ("_parts", "nodes")

    def __init__(self, tree: ast.AST) -> None:
        self.nodes: list[ast.AST] = []
        self._parts: dict[int, slice] = {}
        nodes = self.nodes
        stack: list[object] = [tree]
        while stack:
            item = stack.pop()
            kind = item.__class__
            if kind is ast.Name:
                if item.ctx.__class__ is not ast.Load:  # type: ignore[attr-defined]  # told by its kind
                    nodes.append(item)  # type: ignore[arg-type]  # so is this
                continue
            if kind is tuple:  # the end of a part
                self._parts[item[0]] = slice(item[1], len(nodes))  # type: ignore[index]  # told by its kind
                continue
            if kind in _PARTS:
                stack.append((id(item), len(nodes)))
            if kind in _TELLING:
                nodes.append(item)  # type: ignore[arg-type]  # all that tells is a node
            for field in LAST_FIRST[kind]:
                value = getattr(item, field)
                if value.__class__ is list:
                    stack += value[::-1]
                else:
                    stack.append(value)

    def under(self, node: ast.AST) -> list[ast.AST]:
        """What tells of names in a node, itself included, in the order of the text's tree."""
        part = self._parts.get(id(node))
        return Flat(node).nodes if part is None else self.nodes[part]
