"""From libcst expressions to nodes with offsets: each handler knows in what order its parts stand in the text.

Offsets are read off the text itself: blanks, comments and line ends are skipped, and every token is checked where it is
expected. libcst's own code generator loses a blank here and a parenthesis there; a text that does not hold what the
tree says is refused (`Misread`) instead of placed wrongly.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

import libcst as cst

from auditor.matching.tree import Node, absent

# Counted, not timed: deeper texts are refused before Python's own recursion limit is near.
MAX_DEPTH = 100

_TRIVIA = re.compile(r"(?:[ \t\f\r\n]+|\\\r?\n|#[^\n]*)*")
_BLANK_START = frozenset(" \t\f\r\n\\#")
_STRING = re.compile(r"""([A-Za-z]*)('''|\"""|'|")""")
_STAR_KINDS = {"*": "Star", "**": "DStar"}


class Misread(Exception):  # noqa: N818 — it names what happened, and never leaves this package
    """The text and the tree do not agree, or the tree is deeper than is read; `str()` says which."""


class Expressions:
    """Reads expressions; `pos` is the offset up to which the text has been read."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.pos = 0
        self.depth = 0
        self.nodes: list[Node] = []

    def node(self, kind: str, value: str, kids: Sequence[Node], start: int, first: int, origin: Any) -> Node:
        made = Node(kind, value, tuple(kids), start, self.pos, first, len(self.nodes), origin)
        self.nodes.append(made)
        return made

    def skip(self) -> int:
        """Move over blanks, comments and line ends; the offset after them."""
        pos = self.pos
        if pos < len(self.code) and self.code[pos] in _BLANK_START:
            found = _TRIVIA.match(self.code, pos)
            if found:
                self.pos = found.end()
        return self.pos

    def token(self, text: str) -> int:
        """Move over a token; the offset at which it stands."""
        start = self.skip()
        if not self.code.startswith(text, start):
            raise Misread("the parser's tree and the text differ")
        self.pos = start + len(text)
        return start

    def optional(self, text: str) -> bool:
        """Move over a token if it stands next; otherwise stay, so that a node does not end in blanks."""
        before = self.pos
        start = self.skip()
        if self.code.startswith(text, start):
            self.pos = start + len(text)
            return True
        self.pos = before
        return False

    def opaque(self, origin: Any) -> Node:
        """A part that no pattern looks into, as it is written."""
        start = self.skip()
        text = cst.Module([]).code_for_node(origin).strip()
        self.token(text)
        return self.node("Opaque", " ".join(text.split()), (), start, len(self.nodes), origin)

    def descend(self) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise Misread("nested too deeply")

    def expression(self, origin: Any) -> Node:
        """Read one expression, its parentheses included; chains that grow to the left are read without recursion."""
        self.descend()
        waiting: list[tuple[Any, int, int]] = []
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

    # Names, numbers, strings

    def ident(self, origin: Any) -> Node:
        """A name that is no expression of its own: an attribute, a keyword, a name that is defined."""
        start = self.token(origin.value)
        return self.node("Ident", origin.value, (), start, len(self.nodes), origin)

    def dotted(self, origin: Any) -> Node:
        """A dotted name in an import as one node."""
        self.depth += 1
        parts: list[str] = []
        while isinstance(origin, cst.Attribute):
            parts.append(origin.attr.value)
            origin = origin.value
        parts.append(origin.value)
        parts.reverse()
        start = self.token(parts[0])
        for part in parts[1:]:
            self.token(".")
            self.token(part)
        self.depth -= 1
        return self.node("Dotted", ".".join(parts), (), start, len(self.nodes), origin)

    def _name(self, origin: Any, start: int) -> Node:
        self.token(origin.value)
        kind = "Const" if origin.value in {"True", "False", "None"} else "Name"
        return self.node(kind, origin.value, (), start, len(self.nodes), origin)

    def _ellipsis(self, origin: Any, start: int) -> Node:
        self.token("...")
        return self.node("Dots", "", (), start, len(self.nodes), origin)

    def _number(self, origin: Any, start: int) -> Node:
        self.token(origin.value)
        return self.node("Num", number_value(origin.value), (), start, len(self.nodes), origin)

    def _string(self, origin: Any, start: int) -> Node:
        self.token(origin.value)
        return self.node("Str", string_content(origin.value), (), start, len(self.nodes), origin)

    def _formatted(self, origin: Any, start: int) -> Node:
        first = len(self.nodes)
        self.token(origin.start)
        kids = self._parts(origin.parts)
        if not self.code.startswith(origin.end, self.pos):
            raise Misread("the parser's tree and the text differ")
        self.pos += len(origin.end)
        return self.node("FStr", "", kids, start, first, origin)

    def _parts(self, parts: Sequence[Any]) -> list[Node]:
        kids: list[Node] = []
        for part in parts:
            begin = self.pos
            if hasattr(part, "expression"):
                first = len(self.nodes)
                self.token("{")
                inner = [self.expression(part.expression)]
                if part.equal is not None:
                    self.token("=")
                    self.skip()
                if part.conversion is not None:
                    self.token("!" + part.conversion)
                if part.format_spec is not None:
                    self.token(":")
                    inner.extend(self._parts(part.format_spec))
                self.token("}")
                kids.append(self.node("FExpr", part.conversion or "", inner, begin, first, part))
            else:
                if not self.code.startswith(part.value, begin):
                    raise Misread("the parser's tree and the text differ")
                self.pos = begin + len(part.value)
                kids.append(self.node("FText", part.value, (), begin, len(self.nodes), part))
        return kids

    def _concatenated(self, origin: Any, start: int) -> Node:
        first = len(self.nodes)
        parts: list[Any] = []
        right = origin
        while isinstance(right, cst.ConcatenatedString):
            parts.append(right.left)
            right = right.right
        parts.append(right)
        kids = [self.expression(part) for part in parts]
        return self.node("StrConcat", "", kids, start, first, origin)

    # Operators

    def _attribute(self, origin: Any, start: int, first: int, left: Node) -> Node:
        self.token(".")
        return self.node("Attr", "", (left, self.ident(origin.attr)), start, first, origin)

    def _call(self, origin: Any, start: int, first: int, left: Node) -> Node:
        self.token("(")
        kids = [left, *self.arguments(origin.args)]
        self.token(")")
        return self.node("Call", "", kids, start, first, origin)

    def arguments(self, args: Sequence[Any]) -> list[Node]:
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

    def _subscript(self, origin: Any, start: int, first: int, left: Node) -> Node:
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

    def maybe(self, origin: Any) -> Node:
        """An expression, or what stands in its place where there is none."""
        return absent() if origin is None else self.expression(origin)

    def _binary(self, origin: Any, start: int, first: int, left: Node) -> Node:
        operator = OPERATORS[type(origin.operator)]
        self.token(operator)
        return self.node("Bin", operator, (left, self.expression(origin.right)), start, first, origin)

    def _comparison(self, origin: Any, start: int, first: int, left: Node) -> Node:
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

    def _unary(self, origin: Any, start: int) -> Node:
        first = len(self.nodes)
        operator = OPERATORS[type(origin.operator)]
        self.token(operator)
        return self.node("Unary", operator, (self.expression(origin.expression),), start, first, origin)

    # Collections

    def elements(self, elements: Sequence[Any]) -> list[Node]:
        kids: list[Node] = []
        for element in elements:
            begin, first = self.skip(), len(self.nodes)
            if isinstance(element, cst.StarredElement):
                for _ in element.lpar:
                    self.token("(")
                self.token("*")
                kids.append(self.node("Star", "", (self.expression(element.value),), begin, first, element))
                for _ in element.rpar:
                    self.token(")")
            elif isinstance(element, cst.StarredDictElement):
                self.token("**")
                kids.append(self.node("DStar", "", (self.expression(element.value),), begin, first, element))
            elif isinstance(element, cst.DictElement):
                kids.append(self._pair(element, begin))
            else:
                kids.append(self.expression(element.value))
            self.optional(",")
        return kids

    def _pair(self, origin: Any, start: int) -> Node:
        first = len(self.nodes)
        key = self.expression(origin.key)
        self.token(":")
        return self.node("Pair", "", (key, self.expression(origin.value)), start, first, origin)

    def _tuple(self, origin: Any, start: int) -> Node:
        first = len(self.nodes)
        return self.node("Tuple", "", self.elements(origin.elements), start, first, origin)

    def _displayed(self, origin: Any, start: int) -> Node:
        kind, opening, closing = _DISPLAYS[type(origin)]
        first = len(self.nodes)
        self.token(opening)
        kids = self.elements(origin.elements)
        self.token(closing)
        return self.node(kind, "", kids, start, first, origin)

    def _comprehension(self, origin: Any, start: int) -> Node:
        kind, opening, closing = _COMPREHENSIONS[type(origin)]
        first = len(self.nodes)
        self.token(opening)
        self.skip()
        kids = [self._pair(origin, self.pos) if kind == "dict" else self.expression(origin.elt)]
        clause = origin.for_in
        while clause is not None:
            kids.extend(self._clause(clause))
            clause = clause.inner_for_in
        self.token(closing)
        return self.node("Comp", kind, kids, start, first, origin)

    def _clause(self, clause: Any) -> list[Node]:
        begin, first = self.skip(), len(self.nodes)
        if clause.asynchronous is not None:
            self.token("async")
        self.token("for")
        target = self.expression(clause.target)
        self.token("in")
        kids = [self.node("CompFor", "", (target, self.expression(clause.iter)), begin, first, clause)]
        for condition in clause.ifs:
            begin, first = self.skip(), len(self.nodes)
            self.token("if")
            kids.append(self.node("CompIf", "", (self.expression(condition.test),), begin, first, condition))
        return kids

    # The rest

    def _lambda(self, origin: Any, start: int) -> Node:
        first = len(self.nodes)
        self.token("lambda")
        params = self.parameters(origin.params)
        self.token(":")
        return self.node("Lambda", "", (params, self.expression(origin.body)), start, first, origin)

    def parameters(self, origin: Any) -> Node:
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

    def _parameter(self, origin: Any, star: str = "") -> Node:
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

    def _conditional(self, origin: Any, start: int) -> Node:
        first = len(self.nodes)
        body = self.expression(origin.body)
        self.token("if")
        test = self.expression(origin.test)
        self.token("else")
        return self.node("IfExp", "", (test, body, self.expression(origin.orelse)), start, first, origin)

    def _await(self, origin: Any, start: int) -> Node:
        first = len(self.nodes)
        self.token("await")
        return self.node("Await", "", (self.expression(origin.expression),), start, first, origin)

    def _yield(self, origin: Any, start: int) -> Node:
        first = len(self.nodes)
        self.token("yield")
        if isinstance(origin.value, cst.From):
            self.token("from")
            return self.node("YieldFrom", "", (self.expression(origin.value.item),), start, first, origin)
        return self.node("Yield", "", (self.maybe(origin.value),), start, first, origin)

    def _walrus(self, origin: Any, start: int) -> Node:
        first = len(self.nodes)
        target = self.expression(origin.target)
        self.token(":=")
        return self.node("Walrus", "", (target, self.expression(origin.value)), start, first, origin)


def number_value(text: str) -> str:
    """A spelling that equal numbers of one type share: `1_000` is `1000`, `0x10` is `16`, `1` is not `1.0`."""
    plain = text.replace("_", "").lower()
    try:
        if plain.endswith("j"):
            return f"imaginary {float(plain[:-1])!r}"
        if plain.startswith(("0x", "0o", "0b")):
            # A decimal of thousands of digits cannot be printed; its hexadecimal form always can.
            return f"int {int(plain, 0):x}"
        if plain.isdigit():
            return f"int {int(plain):x}" if len(plain) < 4000 else f"int {plain}"
        return f"float {float(plain)!r}"
    except ValueError:
        return plain


def string_content(text: str) -> str:
    """What stands between the quotes of one string literal, as written; its prefix is left out."""
    found = _STRING.match(text)
    if not found:
        return text
    return text[found.end() : len(text) - len(found[2])]


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
_DISPLAYS: dict[type, tuple[str, str, str]] = {
    cst.List: ("List", "[", "]"),
    cst.Set: ("Set", "{", "}"),
    cst.Dict: ("Dict", "{", "}"),
}
_COMPREHENSIONS: dict[type, tuple[str, str, str]] = {
    cst.ListComp: ("list", "[", "]"), cst.SetComp: ("set", "{", "}"), cst.DictComp: ("dict", "{", "}"),
    cst.GeneratorExp: ("gen", "", ""),
}  # fmt: skip

# The child that stands first in the text, for the kinds that grow to the left.
_LEFT: dict[type, str] = {
    cst.Attribute: "value", cst.Call: "func", cst.Subscript: "value", cst.BinaryOperation: "left",
    cst.BooleanOperation: "left", cst.Comparison: "left",
}  # fmt: skip
_FINISH: dict[type, Callable[[Any, Any, int, int, Node], Node]] = {
    cst.Attribute: Expressions._attribute, cst.Call: Expressions._call, cst.Subscript: Expressions._subscript,  # noqa: SLF001 — its own
    cst.BinaryOperation: Expressions._binary, cst.BooleanOperation: Expressions._binary,  # noqa: SLF001
    cst.Comparison: Expressions._comparison,  # noqa: SLF001
}  # fmt: skip
_HANDLERS: dict[type, Callable[[Any, Any, int], Node]] = {
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
