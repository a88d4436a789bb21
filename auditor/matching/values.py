"""What a name or an expression is known to be: constants through local flow, the one expression a name stands for."""

from typing import TYPE_CHECKING

from auditor.matching.tree import Node, Tree

if TYPE_CHECKING:
    import libcst as cst

    from auditor.matching.flow import Flow
    from auditor.matching.flow_definitions import Definition

_STRINGS = frozenset({"Str", "SomeStr"})
LITERALS = frozenset({"Str", "Num", "Const"})
# Folding stops here, counted in steps from a name to its value and from an operation to its operands.
_DEPTH = 12
_LONGEST_STRING = 10_000
_WIDEST_SHIFT = 64


class Values:
    """Constants and symbolic values of one text, worked out on demand."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._flow: Flow | None = None
        self._constants: dict[int, Node | None] = {}
        self._times: dict[int, dict[str, int]] = {}
        self._globals: dict[str, list[Node]] | None = None

    def flow(self) -> "Flow":
        """Reaching definitions of the whole text."""
        if self._flow is None:
            from auditor.matching.flow import analyse  # noqa: PLC0415 - few texts have a name that is asked after

            self._flow = analyse(self.tree.root.cst)
        return self._flow

    def constant(self, node: Node, depth: int = 0) -> Node | None:
        """The literal that an expression always is: a `Str`, `Num` or `Const` node, a `SomeStr`, or None."""
        if node.kind in LITERALS:
            return node
        if depth > _DEPTH:
            return None
        known = node.index >= 0 and node.index in self._constants
        if known:
            return self._constants[node.index]
        if node.index >= 0:
            self._constants[node.index] = None  # a name that is defined by itself is no constant
        value = self._fold(node, depth)
        if node.index >= 0:
            self._constants[node.index] = value
        return value

    def _fold(self, node: Node, depth: int) -> Node | None:
        if node.kind == "Name":
            return self._name(node, depth)
        if node.kind == "Bin":
            left, right = (self.constant(kid, depth + 1) for kid in node.kids)
            if left is None or right is None:
                repeated = node.value == "*" and _STRINGS & {part.kind for part in (left, right) if part is not None}
                return _literal(node, "SomeStr", "") if repeated else None
            return _operate(node, left, right)
        if node.kind == "Unary" and node.value == "+":
            return self.constant(node.kids[0], depth + 1)
        if node.kind == "Unary" and node.value == "-":
            inner = self.constant(node.kids[0], depth + 1)
            if inner is not None and inner.kind == "Num" and inner.value.startswith("int "):
                return _literal(node, "Num", f"int -{inner.value[4:]}")
        if node.kind in {"FStr", "StrConcat"}:
            return self._joined(node, depth)
        return None

    def _joined(self, node: Node, depth: int) -> Node | None:
        text = ""
        for kid in node.kids:
            if kid.kind == "FText":
                text += kid.value
                continue
            value = self.constant(kid, depth + 1)
            if value is None or value.kind != "Str" or len(text) > _LONGEST_STRING:
                return None
            text += value.value
        return _literal(node, "Str", text)

    def _name(self, node: Node, depth: int) -> Node | None:
        if node.cst is None:
            return None
        found = self.own_definitions(node)
        if not found:
            return self._global(node, depth)
        if len(found) == 1 and not self._surely_bound(found[0], node):
            return None
        values = []
        for definition in found:
            if definition.kind != "assign" or definition.axis or definition.value is None:
                return None
            value = self.tree.node_of(definition.value)
            constant = self.constant(value, depth + 1) if value is not None else None
            if constant is None:
                return None
            values.append(constant)
        first = values[0]
        if all(self.tree.shape_of(value) == self.tree.shape_of(first) for value in values[1:]):
            return first
        if all(value.kind in {"Str", "SomeStr"} for value in values):
            return _literal(node, "SomeStr", "")
        return None

    def _surely_bound(self, definition: "Definition", node: Node) -> bool:
        """Whether the only definition of a name is on every way to a read: in no branch or loop beside it."""
        bound = self.tree.node_of(definition.node)
        if bound is None:
            return True
        for around in bound.ancestors():
            if around.kind in {"Def", "Class", "Lambda"}:
                break
            if around.kind in {"If", "For", "While", "Match"} and not around.start <= node.start < around.end:
                return False
            if around.kind == "Block" and around.start <= node.start < around.end:
                break
        return True

    def definitions(self, node: Node) -> "list[Definition]":
        """The definitions that may reach a name, without those that only stand for "from outside"."""
        return [found for found in self.flow().definitions_of(node.cst) if found.kind != "outside"]

    def own_definitions(self, node: Node) -> "list[Definition]":
        """The definitions that may reach a name, if they are made in the function that reads it.

        One that is made in a function around counts if that function gives the name only once: who knows when the inner
        one is called.
        """
        found = self.definitions(node)
        function = self.tree.function_of(node)
        for definition in found:
            bound = self.tree.node_of(definition.node)
            if bound is None:
                return []
            outer = self.tree.function_of(bound)
            if outer is not function and (outer.kind == "Class" or self._times_bound(outer, node.value) != 1):
                return []
        return found

    def _times_bound(self, function: Node, name: str) -> int:
        """How many assignments, loops and the like of a function bind a name."""
        counts = self._times.get(function.index)
        if counts is None:
            counts = self._times[function.index] = {}
            for bound in self.tree.bindings_in(function):
                counts[bound] = counts.get(bound, 0) + 1
        return counts.get(name, 0)

    def _global(self, node: Node, depth: int) -> Node | None:
        """A name of the module that is assigned once and for all, read inside a function."""
        if self.tree.function_of(node) is self.tree.root:
            return None
        value = None if self._hidden(node) else self.global_value(node.value)
        return self.constant(value, depth + 1) if value is not None else None

    def _hidden(self, node: Node) -> bool:
        """Whether a function around binds the name, so that it is not the module's."""
        return self.tree.scope_of(node) is not self.tree.root

    def global_value(self, name: str) -> Node | None:
        """The right-hand side of the only assignment to a name in the whole module."""
        if self._globals is None:
            found: dict[str, list[Node]] = {}
            for statement in self.tree.of_kind("Assign", "AnnAssign", "AugAssign", "For", "WithItem", "Walrus"):
                for target in statement.kids[:-1]:
                    if target.kind == "Name":
                        found.setdefault(target.value, []).append(statement)
            self._globals = found
        statements = self._globals.get(name, [])
        if len(statements) != 1:
            return None
        only = statements[0]
        if only.kind not in {"Assign", "AnnAssign"} or only.parent is not self.tree.root:
            return None
        value = only.kids[-1]
        return None if value.kind == "Absent" else value

    def annotations(self, node: Node) -> list[Node]:
        """The types that a name is annotated with: as a parameter around it, or where it is assigned."""
        for around in node.ancestors():
            if around.kind == "Def":
                for param in around.kids[1].kids:
                    if param.kids and param.kids[0].value == node.value and param.kids[1].kind != "Absent":
                        return [param.kids[1]]
        return [
            statement.kids[1]
            for statement in self.tree.of_kind("AnnAssign")
            if statement.kids[0].kind == "Name" and statement.kids[0].value == node.value
        ]

    def symbol(self, node: Node) -> Node | None:
        """The expression that a name stands for, if exactly one assignment of it arrives."""
        if node.kind != "Name" or node.cst is None:
            return None
        if self.own_definitions(node):
            value: cst.CSTNode | None = self.flow().only_value(node.cst)
            return self.tree.node_of(value) if value is not None else None
        if self.tree.function_of(node) is not self.tree.root and not self._hidden(node):
            return self.global_value(node.value)
        return None


def _literal(node: Node, kind: str, value: str) -> Node:
    made = Node(kind, value, (), node.start, node.end, -1, -1, node.cst)
    made.parent = node.parent
    return made


def integer_of(node: Node) -> int | None:
    """The whole number that a literal is."""
    if node.kind == "Num" and node.value.startswith("int "):
        return int(node.value[4:], 16) if len(node.value) < 4000 else None
    return None


def _operate(node: Node, left: Node, right: Node) -> Node | None:
    if node.value == "+" and left.kind in _STRINGS and right.kind in _STRINGS:
        if left.kind == right.kind == "Str" and len(left.value) + len(right.value) <= _LONGEST_STRING:
            return _literal(node, "Str", left.value + right.value)
        return _literal(node, "SomeStr", "")
    if node.value == "*" and _STRINGS & {left.kind, right.kind}:
        return _literal(node, "SomeStr", "")
    one, other = integer_of(left), integer_of(right)
    if one is None or other is None or max(abs(one), abs(other)) > 1 << 64:
        return None
    if node.value == "+":
        return _number(node, one + other)
    if node.value == "-":
        return _number(node, one - other)
    if node.value == "*":
        return _number(node, one * other)
    if node.value in {"<<", ">>"} and 0 <= other < _WIDEST_SHIFT:
        return _number(node, one << other if node.value == "<<" else one >> other)
    return None


def _number(node: Node, value: int) -> Node:
    return _literal(node, "Num", f"int {value:x}")
