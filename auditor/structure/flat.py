"""A tree laid out as one list, so that what stands under a node is a slice and nothing is walked twice."""

import ast

# Fields that hold no code, or (type parameters) none on the oldest host; and those that hold words and numbers.
_NO_CODE = frozenset({
    "ctx", "op", "ops", "type_params", "type_ignores", "type_comment",
    "id", "attr", "name", "arg", "asname", "module", "level", "is_async", "simple", "conversion", "kind", "rest",
    "kwd_attrs",
})  # fmt: skip
_LEAVES = (ast.Name, ast.Constant, ast.Global, ast.Nonlocal)
# What stands for the fields of a thing that is no node.
_NO_NODE = ("",)
_FIELDS: dict[type, tuple[str, ...]] = {}


class Flat:
    """The nodes of a tree, each before those under it; a node that stands twice is found where it stands last."""

    __slots__ = ("_ends", "_starts", "nodes")

    def __init__(self, tree: ast.AST) -> None:
        self.nodes: list[ast.AST] = []
        self._starts: dict[int, int] = {}
        self._ends: list[int] = []
        nodes, starts, ends = self.nodes, self._starts, self._ends
        stack: list[object] = [tree]
        while stack:
            item = stack.pop()
            kind = type(item)
            if kind is int:
                ends[item] = len(nodes)  # type: ignore[call-overload]  # told by its kind
                continue
            fields = _FIELDS.get(kind)
            if fields is None:
                fields = _FIELDS[kind] = _fields_of(kind)
            if fields is _NO_NODE:
                continue
            index = len(nodes)
            nodes.append(item)  # type: ignore[arg-type]  # all else that has fields is a node
            starts[id(item)] = index
            ends.append(index + 1)
            if not fields:
                continue
            stack.append(index)
            for field in fields:
                value = getattr(item, field, None)
                if value.__class__ is list:
                    stack += value[::-1]
                elif value is not None:
                    stack.append(value)

    def under(self, node: ast.AST) -> list[ast.AST]:
        """A node and all that stands under it, in the order of the text's tree."""
        index = self._starts[id(node)]
        return self.nodes[index : self._ends[index]]


def _fields_of(kind: type) -> tuple[str, ...]:
    """The fields of a kind of node that hold nodes, the last one first."""
    return code_fields(kind)[::-1] if issubclass(kind, ast.AST) else _NO_NODE


def code_fields(kind: type[ast.AST]) -> tuple[str, ...]:
    """The fields of a kind of node that hold nodes, in their order."""
    return () if issubclass(kind, _LEAVES) else tuple(field for field in kind._fields if field not in _NO_CODE)
