"""A tree laid out as one list, so that what stands under a node is a slice and nothing is walked twice."""

import ast

# Fields that hold no code, or (type parameters) none on the oldest host.
_LEFT_OUT = frozenset({"ctx", "op", "ops", "type_params", "type_ignores"})
_FIELDS: dict[type[ast.AST], tuple[str, ...]] = {}


class Flat:
    """The nodes of a tree, each before those under it; a node that stands twice is found where it stands last."""

    __slots__ = ("_ends", "_starts", "nodes")

    def __init__(self, tree: ast.AST) -> None:
        self.nodes: list[ast.AST] = []
        self._starts: dict[int, int] = {}
        self._ends: list[int] = []
        nodes, starts, ends = self.nodes, self._starts, self._ends
        stack: list[ast.AST | int] = [tree]
        while stack:
            item = stack.pop()
            if isinstance(item, int):
                ends[item] = len(nodes)
                continue
            index = len(nodes)
            nodes.append(item)
            starts[id(item)] = index
            ends.append(index + 1)
            kind = type(item)
            if kind is ast.Name or kind is ast.Constant:
                continue
            fields = _FIELDS.get(kind)
            if fields is None:
                fields = _FIELDS[kind] = tuple(field for field in reversed(kind._fields) if field not in _LEFT_OUT)
            stack.append(index)
            for field in fields:
                value = getattr(item, field, None)
                if value.__class__ is list:
                    stack.extend(each for each in reversed(value) if isinstance(each, ast.AST))
                elif isinstance(value, ast.AST):
                    stack.append(value)

    def under(self, node: ast.AST) -> list[ast.AST]:
        """A node and all that stands under it, in the order of the text's tree."""
        index = self._starts[id(node)]
        return self.nodes[index : self._ends[index]]
