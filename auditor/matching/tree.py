"""A compact tree over a libcst tree: kinds, values and exact offsets, in an order that makes every subtree a slice.

libcst's nodes hold every blank and comma, which makes them dear to walk. A `Node` keeps what a pattern can speak of and
points back at the libcst node it stands for. Nodes are numbered as they are finished (children first), so the nodes of
a subtree are neighbours in `Tree.nodes`, and nothing that walks a tree needs to recurse.
"""

from bisect import bisect_right
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# A libcst node, of whatever class.
Origin = Any

# Kinds that are statements; `Block` holds them. Every other kind is an expression or a part of one.
STATEMENTS = frozenset({
    "ExprStmt", "Assign", "AnnAssign", "AugAssign", "Return", "Raise", "Del", "Pass", "Break", "Continue", "Global",
    "Nonlocal", "Assert", "Import", "ImportFrom", "TypeAlias", "If", "While", "For", "Try", "With", "Def", "Class",
    "Match",
})  # fmt: skip
EXPRESSIONS = frozenset({
    "Name", "Attr", "Call", "Sub", "Str", "FStr", "StrConcat", "Num", "Const", "Bin", "Cmp", "Unary", "Tuple", "List",
    "Set", "Dict", "Comp", "Lambda", "IfExp", "Await", "Yield", "YieldFrom", "Walrus", "Dots",
})  # fmt: skip
# Assignments are statements in Python, yet a pattern such as `$X = f(...)` is matched and placed like an expression.
ASSIGNMENTS = frozenset({"Assign", "AnnAssign", "AugAssign"})

# A name is the same name where it is defined, imported, read, named by a keyword or spelt out in a string.
_ROLE = {"Ident": "Name", "Text": "Name", "Dotted": "Name"}
_BINDERS = frozenset({"Assign", "AnnAssign", "AugAssign", "For", "WithItem", "Walrus", "Handler"})


def _targets(node: "Node") -> "tuple[Node, ...]":
    """What a statement binds names in; attributes and items bind none."""
    if node.kind == "Assign":
        parts = node.kids[:-1]
    elif node.kind in {"WithItem", "Handler"}:
        parts = node.kids[1:2]
    else:
        parts = node.kids[:1]
    return tuple(part for part in parts if part.kind in {"Name", "Tuple", "List", "Star"})


class Node:
    """One node: `kids` in an order fixed by its kind (see `lowering`), `start` and `end` offsets in the code.

    `first` and `index` bound the slice of `Tree.nodes` that holds the subtree. `cst` is the libcst node (None for what
    has none of its own). `shape` is filled on demand, see `Tree.shape_of`.
    """

    __slots__ = ("cst", "end", "first", "index", "kids", "kind", "parent", "shape", "start", "value")

    def __init__(
        self, kind: str, value: str, kids: "tuple[Node, ...]", start: int, end: int, first: int, index: int, cst: Origin
    ) -> None:
        self.kind = kind
        self.value = value
        self.kids = kids
        self.start = start
        self.end = end
        self.first = first
        self.index = index
        self.cst = cst
        self.parent: Node | None = None
        self.shape: int | None = None
        for kid in kids:
            kid.parent = self

    def __repr__(self) -> str:
        return f"<{self.kind} {self.value!r} {self.start}-{self.end}>"

    def ancestors(self) -> "Iterator[Node]":
        """The nodes around this one, nearest first."""
        around = self.parent
        while around is not None:
            yield around
            around = around.parent


def absent() -> Node:
    """What stands in the place of a child that the code does not have."""
    return Node("Absent", "", (), -1, -1, -1, -1, None)


class Tree:
    """All nodes of one text, children before parents, with the indexes that matching asks for."""

    def __init__(self, code: str, nodes: list[Node]) -> None:
        self.code = code
        self.nodes = nodes
        self.root = nodes[-1]
        self.by_kind: dict[str, list[Node]] = {}
        for node in nodes:
            bucket = self.by_kind.get(node.kind)
            if bucket is None:
                self.by_kind[node.kind] = [node]
            else:
                bucket.append(node)
        self._by_cst: dict[int, Node] | None = None
        # Set while a rule with symbolic propagation is at work: the expression that a name stands for.
        self.symbol_of: Callable[[Node], Node | None] | None = None
        self._shapes: dict[tuple[object, ...], int] = {}
        self._bound: dict[int, frozenset[str]] = {}
        self._declarations: dict[tuple[int, str], list[int]] | None = None

    def of_kind(self, *kinds: str) -> list[Node]:
        """Nodes of some kinds, each kind in source order of their ends."""
        if len(kinds) == 1:
            return self.by_kind.get(kinds[0], [])
        return [node for kind in kinds for node in self.by_kind.get(kind, ())]

    def within(self, node: Node) -> list[Node]:
        """The node and all that is below it, children first."""
        if node.index < 0:
            return [node]
        return self.nodes[node.first : node.index + 1]

    def node_of(self, cst_node: object) -> Node | None:
        """The node that stands for a libcst node, or None for one that has no node of its own."""
        if self._by_cst is None:
            # Parents overwrite children, so a libcst node that several nodes point at gives the outermost.
            self._by_cst = {id(node.cst): node for node in self.nodes if node.cst is not None}
        return self._by_cst.get(id(cst_node))

    def function_of(self, node: Node) -> Node:
        """The nearest `Def`, `Lambda` or `Class` around a node whose body holds it, else the module's `Block`.

        A decorator, a default value and a base class stand outside the definition that they belong to.
        """
        child = node
        for around in node.ancestors():
            if around.kind in {"Def", "Class"} and child.kind in {"Block", "Params"} and child is not node:
                return around
            if around.kind == "Lambda":
                return around
            child = around
        return self.root

    def release(self) -> None:
        """Let go of the ties that hold the tree in a circle, so that its memory is free at once; it ends its use."""
        self.symbol_of = None
        for node in self.nodes:
            node.parent = None

    def shape_of(self, node: Node) -> int:
        """A number that two nodes share exactly if they are written alike, formatting and quotes aside."""
        if node.shape is not None:
            return node.shape
        for part in self.within(node):
            if part.shape is None:
                self._give_shape(part)
        if node.shape is None:  # an absent child, or a name that was resolved to another spelling
            stack = [node]
            while stack:
                part = stack[-1]
                waiting = [kid for kid in part.kids if kid.shape is None]
                if waiting:
                    stack.extend(waiting)
                    continue
                self._give_shape(part)
                stack.pop()
        return node.shape or 0

    def _give_shape(self, part: Node) -> None:
        role = _ROLE.get(part.kind, part.kind)
        if (
            role == "Str"
            and part.index >= 0
            and "b" in self.code[part.start : part.start + 2].lower().partition("'")[0].partition('"')[0]
        ):
            role = "Bytes"
        key = (role, part.value, *[kid.shape for kid in part.kids])
        part.shape = self._shapes.setdefault(key, len(self._shapes))

    def scope_of(self, name: Node) -> Node:
        """The function or module whose own a name is: where it is bound, as Python sees it."""
        function = self.function_of(name)
        while function is not self.root:
            if function.kind != "Class" and name.value in self._bound_in(function):
                return function
            function = self.function_of(function)
        return function

    def variable_of(self, name: Node) -> tuple[int, int]:
        """Which variable a name is: its scope, and how often it was declared there by then (`x: int = 1`)."""
        if self._declarations is None:
            self._declarations = {}
            for node in self.of_kind("AnnAssign"):
                target = node.kids[0]
                if target.kind == "Name" and node.kids[2].kind != "Absent":
                    key = (self.scope_of(target).index, target.value)
                    self._declarations.setdefault(key, []).append(target.start)
        scope = self.scope_of(name).index
        return scope, bisect_right(self._declarations.get((scope, name.value), ()), name.start)

    def bindings_in(self, function: Node) -> "Iterator[str]":
        """The names that the statements of a function (or of the module) bind, once for each time."""
        for node in self.within(function):
            if node.kind in _BINDERS and self.function_of(node) is function:
                for target in _targets(node):
                    yield from (part.value for part in self.within(target) if part.kind == "Name")

    def _bound_in(self, function: Node) -> frozenset[str]:
        """The names that a function binds itself."""
        known = self._bound.get(function.index)
        if known is not None:
            return known
        names: set[str] = set()
        given: set[str] = set()
        params = function.kids[1] if function.kind == "Def" else function.kids[0]
        names.update(param.kids[0].value for param in params.kids if param.kids)
        names.update(self.bindings_in(function))
        for node in self.within(function):
            if node.kind in {"Global", "Nonlocal"} and self.function_of(node) is function:
                given.update(kid.value for kid in node.kids)
        found = self._bound[function.index] = frozenset(names - given)
        return found

    def text_of(self, node: Node) -> str:
        """What a node stands for: the code, or the name that it was resolved to, or the content of a string."""
        if node.index < 0:
            if node.kind in {"Text", "Ident", "Name", "Dotted"}:
                return node.value
            if node.kind == "Attr":
                return ".".join(self.text_of(kid) for kid in node.kids)
        return self.code[node.start : node.end] if node.start >= 0 else ""
