"""From libcst's names, numbers, strings and displays to nodes."""

import re
from collections.abc import Sequence

import libcst as cst

from auditor.matching.lowering_reader import Misread, Origin, Reader
from auditor.matching.tree import Node

_STRING = re.compile(r"""([A-Za-z]*)('''|\"""|'|")""")


class Atoms(Reader):
    """Reads names, literals and what stands between brackets."""

    # Names, numbers, strings

    def ident(self, origin: Origin) -> Node:
        """A name that is no expression of its own: an attribute, a keyword, a name that is defined."""
        start = self.token(origin.value)
        return self.node("Ident", origin.value, (), start, len(self.nodes), origin)

    def dotted(self, origin: Origin) -> Node:
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

    def _name(self, origin: Origin, start: int) -> Node:
        self.token(origin.value)
        kind = "Const" if origin.value in {"True", "False", "None"} else "Name"
        return self.node(kind, origin.value, (), start, len(self.nodes), origin)

    def _ellipsis(self, origin: Origin, start: int) -> Node:
        self.token("...")
        return self.node("Dots", "", (), start, len(self.nodes), origin)

    def _number(self, origin: Origin, start: int) -> Node:
        self.token(origin.value)
        return self.node("Num", number_value(origin.value), (), start, len(self.nodes), origin)

    def _string(self, origin: Origin, start: int) -> Node:
        self.token(origin.value)
        return self.node("Str", string_content(origin.value), (), start, len(self.nodes), origin)

    def _formatted(self, origin: Origin, start: int) -> Node:
        first = len(self.nodes)
        self.token(origin.start)
        kids = self._parts(origin.parts)
        if not self.code.startswith(origin.end, self.pos):
            raise Misread("the parser's tree and the text differ")
        self.pos += len(origin.end)
        return self.node("FStr", "", kids, start, first, origin)

    def _parts(self, parts: Sequence[Origin]) -> list[Node]:
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

    def _concatenated(self, origin: Origin, start: int) -> Node:
        first = len(self.nodes)
        parts: list[Origin] = []
        right = origin
        while isinstance(right, cst.ConcatenatedString):
            parts.append(right.left)
            right = right.right
        parts.append(right)
        kids = [self.expression(part) for part in parts]
        return self.node("StrConcat", "", kids, start, first, origin)

    # Collections

    def elements(self, elements: Sequence[Origin]) -> list[Node]:
        """Elements of a display, with the commas between them."""
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

    def _pair(self, origin: Origin, start: int) -> Node:
        first = len(self.nodes)
        key = self.expression(origin.key)
        self.token(":")
        return self.node("Pair", "", (key, self.expression(origin.value)), start, first, origin)

    def _tuple(self, origin: Origin, start: int) -> Node:
        first = len(self.nodes)
        return self.node("Tuple", "", self.elements(origin.elements), start, first, origin)

    def _displayed(self, origin: Origin, start: int) -> Node:
        kind, opening, closing = _DISPLAYS[type(origin)]
        first = len(self.nodes)
        self.token(opening)
        kids = self.elements(origin.elements)
        self.token(closing)
        return self.node(kind, "", kids, start, first, origin)

    def _comprehension(self, origin: Origin, start: int) -> Node:
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

    def _clause(self, clause: Origin) -> list[Node]:
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


_DISPLAYS: dict[type, tuple[str, str, str]] = {
    cst.List: ("List", "[", "]"),
    cst.Set: ("Set", "{", "}"),
    cst.Dict: ("Dict", "{", "}"),
}
_COMPREHENSIONS: dict[type, tuple[str, str, str]] = {
    cst.ListComp: ("list", "[", "]"), cst.SetComp: ("set", "{", "}"), cst.DictComp: ("dict", "{", "}"),
    cst.GeneratorExp: ("gen", "", ""),
}  # fmt: skip
