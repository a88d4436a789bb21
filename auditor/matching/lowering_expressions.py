"""From libcst's operators, calls, functions and the rest of its expressions to nodes."""

from collections.abc import Callable, Sequence

import libcst as cst

from auditor.matching.lowering_atoms import Atoms
from auditor.matching.lowering_reader import Origin
from auditor.matching.tree import Node, absent

_STAR_KINDS = {"*": "Star", "**": "DStar"}


class Expressions(Atoms):
    """Reads expressions."""

    def expression(self, origin: Origin) -> Node:
        """Read one expression, its parentheses included; chains that grow to the left are read without recursion."""
        self.descend()
        waiting: list[tuple[Origin, int, int]] = []
        first = len(self.nodes)
        while True:
            outside = self.skip()
            for _ in origin.lpar:
                self.token("(")
            kind = type(origin)
            field = _LEFT.get(kind)
            waiting.append((origin, outside, self.skip()))
            if field is None:
                break
            origin = getattr(origin, field)
        node: Node | None = None
        while waiting:
            origin, outside, start = waiting.pop()
            if node is None:
                handler = _HANDLERS.get(type(origin))
                node = handler(self, origin, start) if handler else self.opaque(origin)
            else:
                node = _FINISH[type(origin)](self, origin, start, first, node)
            if origin.rpar:
                for _ in origin.rpar:
                    self.token(")")
                if node.kind in {"Tuple", "Comp"} and node.value in {"", "gen"}:
                    # The parentheses of a tuple and of a generator are its own.
                    node.start, node.end = outside, self.pos
        self.depth -= 1
        return node if node is not None else absent()

    # Operators

    def _attribute(self, origin: Origin, start: int, first: int, left: Node) -> Node:
        self.token(".")
        return self.node("Attr", "", (left, self.ident(origin.attr)), start, first, origin)

    def _call(self, origin: Origin, start: int, first: int, left: Node) -> Node:
        self.token("(")
        kids = [left, *self.arguments(origin.args)]
        self.token(")")
        return self.node("Call", "", kids, start, first, origin)

    def arguments(self, args: Sequence[Origin]) -> list[Node]:
        """Arguments of a call, or the bases of a class, with the commas between them."""
        kids: list[Node] = []
        for arg in args:
            begin, first = self.skip(), len(self.nodes)
            if arg.star:
                self.token(arg.star)
                value = self.expression(arg.value)
                kids.append(self.node(_STAR_KINDS[arg.star], "", (value,), begin, first, arg))
            elif arg.keyword is not None:
                keyword = self.ident(arg.keyword)
                self.token("=")
                value = self.expression(arg.value)
                kids.append(self.node("Kwarg", "", (keyword, value), begin, first, arg))
            else:
                kids.append(self.expression(arg.value))
            self.optional(",")
        return kids

    def _subscript(self, origin: Origin, start: int, first: int, left: Node) -> Node:
        self.token("[")
        kids: list[Node] = []
        outer = len(self.nodes)
        opened = self.skip()
        for element in origin.slice:
            begin, inner = self.skip(), len(self.nodes)
            part = element.slice
            if isinstance(part, cst.Index):
                if part.star:
                    self.token("*")
                    kids.append(self.node("Star", "", (self.expression(part.value),), begin, inner, part))
                else:
                    kids.append(self.expression(part.value))
            else:
                bounds = [self.maybe(part.lower)]
                self.token(":")
                bounds.append(self.maybe(part.upper))
                self.optional(":")
                bounds.append(self.maybe(part.step))
                kids.append(self.node("Slice", "", bounds, begin, inner, part))
            if self.optional(",") and len(origin.slice) == 1:
                kids = [self.node("Tuple", "", kids, opened, outer, None)]
        if len(kids) > 1:
            kids = [self.node("Tuple", "", kids, opened, outer, None)]
        self.token("]")
        return self.node("Sub", "", (left, *kids), start, first, origin)

    def _binary(self, origin: Origin, start: int, first: int, left: Node) -> Node:
        operator = OPERATORS[type(origin.operator)]
        self.token(operator)
        return self.node("Bin", operator, (left, self.expression(origin.right)), start, first, origin)

    def _comparison(self, origin: Origin, start: int, first: int, left: Node) -> Node:
        kids, operators = [left], []
        for target in origin.comparisons:
            kind = type(target.operator)
            words = _TWO_WORDS.get(kind)
            if words:
                for word in words:
                    self.token(word)
                operators.append(" ".join(words))
            elif kind is cst.NotEqual:
                self.token(target.operator.value)
                operators.append("!=")
            else:
                self.token(OPERATORS[kind])
                operators.append(OPERATORS[kind])
            kids.append(self.expression(target.comparator))
        return self.node("Cmp", ",".join(operators), kids, start, first, origin)

    def _unary(self, origin: Origin, start: int) -> Node:
        first = len(self.nodes)
        operator = OPERATORS[type(origin.operator)]
        self.token(operator)
        return self.node("Unary", operator, (self.expression(origin.expression),), start, first, origin)

    # The rest

    def _lambda(self, origin: Origin, start: int) -> Node:
        first = len(self.nodes)
        self.token("lambda")
        params = self.parameters(origin.params)
        self.token(":")
        return self.node("Lambda", "", (params, self.expression(origin.body)), start, first, origin)

    def parameters(self, origin: Origin) -> Node:
        """Parameters in the order in which they are written."""
        start, first = self.skip(), len(self.nodes)
        kids: list[Node] = [self._parameter(param) for param in origin.posonly_params]
        if origin.posonly_params:
            self.token("/")
            self.optional(",")
        kids.extend(self._parameter(param) for param in origin.params)
        if isinstance(origin.star_arg, cst.Param):
            kids.append(self._parameter(origin.star_arg, "*"))
        elif isinstance(origin.star_arg, cst.ParamStar):
            begin = self.token("*")
            kids.append(self.node("KeywordOnly", "", (), begin, len(self.nodes), origin.star_arg))
            self.optional(",")
        kids.extend(self._parameter(param) for param in origin.kwonly_params)
        if origin.star_kwarg is not None:
            kids.append(self._parameter(origin.star_kwarg, "**"))
        return self.node("Params", "", kids, start, first, origin)

    def _parameter(self, origin: Origin, star: str = "") -> Node:
        start, first = self.skip(), len(self.nodes)
        if star:
            self.token(star)
        name = self.ident(origin.name)
        annotation = absent()
        if origin.annotation is not None:
            self.token(":")
            annotation = self.expression(origin.annotation.annotation)
        default = absent()
        if origin.default is not None:
            self.token("=")
            default = self.expression(origin.default)
        made = self.node("Param", star, (name, annotation, default), start, first, origin)
        self.optional(",")
        return made

    def _conditional(self, origin: Origin, start: int) -> Node:
        first = len(self.nodes)
        body = self.expression(origin.body)
        self.token("if")
        test = self.expression(origin.test)
        self.token("else")
        return self.node("IfExp", "", (test, body, self.expression(origin.orelse)), start, first, origin)

    def _await(self, origin: Origin, start: int) -> Node:
        first = len(self.nodes)
        self.token("await")
        return self.node("Await", "", (self.expression(origin.expression),), start, first, origin)

    def _yield(self, origin: Origin, start: int) -> Node:
        first = len(self.nodes)
        self.token("yield")
        if isinstance(origin.value, cst.From):
            self.token("from")
            return self.node("YieldFrom", "", (self.expression(origin.value.item),), start, first, origin)
        return self.node("Yield", "", (self.maybe(origin.value),), start, first, origin)

    def _walrus(self, origin: Origin, start: int) -> Node:
        first = len(self.nodes)
        target = self.expression(origin.target)
        self.token(":=")
        return self.node("Walrus", "", (target, self.expression(origin.value)), start, first, origin)


OPERATORS: dict[type, str] = {
    cst.Add: "+", cst.Subtract: "-", cst.Multiply: "*", cst.Divide: "/", cst.FloorDivide: "//", cst.Modulo: "%",
    cst.Power: "**", cst.LeftShift: "<<", cst.RightShift: ">>", cst.BitOr: "|", cst.BitAnd: "&", cst.BitXor: "^",
    cst.MatrixMultiply: "@", cst.And: "and", cst.Or: "or", cst.Plus: "+", cst.Minus: "-", cst.BitInvert: "~",
    cst.Not: "not", cst.LessThan: "<", cst.GreaterThan: ">", cst.Equal: "==", cst.LessThanEqual: "<=",
    cst.GreaterThanEqual: ">=", cst.In: "in", cst.Is: "is",
    cst.AddAssign: "+=", cst.SubtractAssign: "-=", cst.MultiplyAssign: "*=", cst.MatrixMultiplyAssign: "@=",
    cst.DivideAssign: "/=", cst.ModuloAssign: "%=", cst.BitAndAssign: "&=", cst.BitOrAssign: "|=",
    cst.BitXorAssign: "^=", cst.LeftShiftAssign: "<<=", cst.RightShiftAssign: ">>=", cst.PowerAssign: "**=",
    cst.FloorDivideAssign: "//=",
}  # fmt: skip
_TWO_WORDS: dict[type, tuple[str, str]] = {cst.NotIn: ("not", "in"), cst.IsNot: ("is", "not")}

# The child that stands first in the text, for the kinds that grow to the left.
_LEFT: dict[type, str] = {
    cst.Attribute: "value", cst.Call: "func", cst.Subscript: "value", cst.BinaryOperation: "left",
    cst.BooleanOperation: "left", cst.Comparison: "left",
}  # fmt: skip
_FINISH: dict[type, Callable[[Expressions, Origin, int, int, Node], Node]] = {
    cst.Attribute: Expressions._attribute, cst.Call: Expressions._call, cst.Subscript: Expressions._subscript,  # noqa: SLF001 — its own
    cst.BinaryOperation: Expressions._binary, cst.BooleanOperation: Expressions._binary,  # noqa: SLF001
    cst.Comparison: Expressions._comparison,  # noqa: SLF001
}  # fmt: skip
_HANDLERS: dict[type, Callable[[Expressions, Origin, int], Node]] = {
    cst.Name: Expressions._name, cst.Ellipsis: Expressions._ellipsis, cst.Integer: Expressions._number,  # noqa: SLF001
    cst.Float: Expressions._number, cst.Imaginary: Expressions._number, cst.SimpleString: Expressions._string,  # noqa: SLF001
    cst.FormattedString: Expressions._formatted, cst.TemplatedString: Expressions._formatted,  # noqa: SLF001
    cst.ConcatenatedString: Expressions._concatenated, cst.UnaryOperation: Expressions._unary,  # noqa: SLF001
    cst.Tuple: Expressions._tuple, cst.List: Expressions._displayed, cst.Set: Expressions._displayed,  # noqa: SLF001
    cst.Dict: Expressions._displayed, cst.ListComp: Expressions._comprehension,  # noqa: SLF001
    cst.SetComp: Expressions._comprehension, cst.DictComp: Expressions._comprehension,  # noqa: SLF001
    cst.GeneratorExp: Expressions._comprehension, cst.Lambda: Expressions._lambda, cst.IfExp: Expressions._conditional,  # noqa: SLF001
    cst.Await: Expressions._await, cst.Yield: Expressions._yield, cst.NamedExpr: Expressions._walrus,  # noqa: SLF001
}  # fmt: skip
