"""The tokens of any text, the same on every interpreter, f-strings taken apart as Python 3.12 and later read them.

Nothing is rejected: what is no token is an `error` token, a bracket without its partner stays alone. A statement is a
range of tokens; brackets are known by their partners, so that a walk over a statement can step over what is nested.
"""

import keyword
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

Kind = Literal[
    "name", "number", "string", "op", "newline", "comment",
    "fstart", "fmiddle", "fend", "open", "close", "conversion", "debug", "colon", "error",
]  # fmt: skip


class Token(NamedTuple):
    """One token and where it stands in the text.

    Of an f-string or t-string: `fstart`, `fmiddle` (literal text), for each replacement field `open` and `close` around
    the tokens of its expression, `debug` (its `=`), `conversion` (`!r`) and `colon` before its format, `fend`.
    `newline` ends a logical line. A `comment` is kept only inside a field, where it is syntax of 3.12.
    """

    kind: Kind
    text: str
    start: int
    end: int


_NEXT = re.compile(
    r"""
    (?P<space>[ \t\f]+|\\(?:\r\n?|\n))
    |(?P<newline>\r\n?|\n)
    |(?P<comment>\#[^\r\n]*)
    |(?P<formatted>(?:[fFtT][rR]?|[rR][fFtT])(?:\"{3}|'{3}|["']))
    |(?P<string>(?:[bBuU]|[bB]?[rR]|[rR][bB])?(?:\"{3}|'{3}|["']))
    |(?P<name>[^\W\d]\w*)
    |(?P<number>(?:\d|\.\d)(?:[eE][+-]\d|[\w.])*)
    |(?P<op>\*\*=?|//=?|>>=?|<<=?|\.\.\.|->|:=|[-+*/%&|^@=!<>]=|[-+*/%&|^@=<>()\[\]{},:;.~])
    |(?P<error>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_BODY = {
    '"': re.compile(r'(?:[^"\\\r\n]|\\(?:\r\n|.))*+"', re.DOTALL),
    "'": re.compile(r"(?:[^'\\\r\n]|\\(?:\r\n|.))*+'", re.DOTALL),
    '"""': re.compile(r'(?:[^"\\]|\\.|"(?!""))*+"""', re.DOTALL),
    "'''": re.compile(r"(?:[^'\\]|\\.|'(?!''))*+'''", re.DOTALL),
}
# Literal text of an f-string up to a brace, its closing quote or, between single quotes, the line's end. A backslash
# keeps what follows from ending the text, but for a brace, which opens a field all the same (`\N{…}` is a character).
_ESCAPE = r"\\N\{[^{}\r\n]*\}|\\(?![{}])(?:\r\n|.)|\\"
_RAW_ESCAPE = r"\\(?![{}])(?:\r\n|.)|\\"
_QUOTES = ('"', "'", '"""', "'''")


def _literal(quote: str, escape: str, braces: str) -> re.Pattern[str]:
    mark = quote[0]
    text = rf"[^{mark}\\{{}}]|{mark}(?!{mark * 2})" if len(quote) == 3 else rf"[^{mark}\\{{}}\r\n]"
    return re.compile(rf"(?:{text}|{escape}{braces})*+", re.DOTALL)


_LITERAL = {
    (quote, raw): _literal(quote, _RAW_ESCAPE if raw else _ESCAPE, r"|\{\{|\}\}") for quote in _QUOTES for raw in (0, 1)
}
_FORMAT = {(quote, raw): _literal(quote, _RAW_ESCAPE if raw else _ESCAPE, "") for quote in _QUOTES for raw in (0, 1)}
_CONVERSION = re.compile(r"!(?!=)\w*")
_DEBUG = re.compile(r"=(?=(?:\s|#[^\r\n]*)*(?:[:}]|!(?!=)))")
_LINE_REST = re.compile(r"[^\r\n]*")

_PARTNERS = {")": "(", "]": "[", "}": "{"}
# CPython reads 149 f-strings in each other.
_MAX_FORMATTED = 150


class _Formatted:
    """An f-string that is being read: `fields` holds, for each open field, how many brackets were open at its brace."""

    __slots__ = ("fields", "in_format", "quote", "raw")

    def __init__(self, quote: str, *, raw: bool) -> None:
        self.quote = quote
        self.raw = raw
        self.fields: list[int] = []
        self.in_format = False


def tokens_of(code: str) -> list[Token]:
    """The tokens of a text, in order; never raises, linear in the text's length."""
    return list(_Reader(code).read())


class _Reader:
    """One pass over a text."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.at = 0
        self.brackets: list[str] = []
        self.formatted: list[_Formatted] = []

    def read(self) -> Iterator[Token]:
        size = len(self.code)
        while self.at < size:
            around = self.formatted[-1] if self.formatted else None
            if around is not None and (not around.fields or around.in_format):
                yield from self._read_literal(around)
            else:
                yield from self._read_code(around)

    def _token(self, kind: Kind, end: int) -> Token:
        token = Token(kind, self.code[self.at : end], self.at, end)
        self.at = end
        return token

    def _read_literal(self, around: _Formatted) -> Iterator[Token]:
        """Literal text of an f-string, or the format of a field, and the mark that ends it."""
        table = _FORMAT if around.in_format else _LITERAL
        found = table[around.quote, int(around.raw)].match(self.code, self.at)
        end = found.end() if found else self.at
        if end > self.at:
            yield self._token("fmiddle", end)
        mark = self.code[self.at : self.at + 1]
        if mark == "{":
            around.fields.append(len(self.brackets))
            around.in_format = False
            yield self._token("open", self.at + 1)
        elif mark == "}" and around.in_format:
            around.fields.pop()
            yield self._token("close", self.at + 1)
            around.in_format = bool(around.fields)
        elif self.code.startswith(around.quote, self.at):
            del self.brackets[around.fields[0] if around.fields else len(self.brackets) :]
            self.formatted.pop()
            yield self._token("fend", self.at + len(around.quote))
        elif mark == "}":
            yield self._token("error", self.at + 1)
        else:  # the line ends before the quotes close, or the text does
            self.formatted.pop()
            yield self._token("error", self.at)

    def _read_code(self, around: _Formatted | None) -> Iterator[Token]:
        found = _NEXT.match(self.code, self.at)
        kind = found.lastgroup if found else None
        if found is None or kind is None:  # pragma: no cover  the last alternative takes any character
            self.at += 1
        elif kind == "space":
            if around is not None and found[0][0] == "\\":
                yield self._token("comment", found.end())
            self.at = found.end()
        elif kind == "name":
            yield self._token("name", found.end())
        elif kind == "op":
            yield self._read_op(found, around)
        elif kind == "number":
            yield self._token("number", found.end())
        elif kind == "newline":
            if not self.brackets and around is None:
                yield self._token("newline", found.end())
            self.at = found.end()
        elif kind == "string":
            yield self._read_string(found)
        elif kind == "comment":
            if around is not None:
                yield self._token("comment", found.end())
            self.at = found.end()
        elif kind == "formatted" and len(self.formatted) < _MAX_FORMATTED:
            text = found[0]
            quote = text.lstrip("fFtTrR")
            self.formatted.append(_Formatted(quote, raw="r" in text.lower()))
            yield self._token("fstart", found.end())
        elif kind == "error" and found[0] == "!" and self._at_field_level(around):
            conversion = _CONVERSION.match(self.code, self.at)
            yield self._token("conversion", conversion.end() if conversion else found.end())
        else:
            yield self._token("error", found.end())

    def _at_field_level(self, around: _Formatted | None) -> bool:
        return around is not None and bool(around.fields) and len(self.brackets) == around.fields[-1]

    def _read_op(self, found: re.Match[str], around: _Formatted | None) -> Token:
        text = found[0]
        if around is not None and self._at_field_level(around):
            if text[0] == ":":
                around.in_format = True
                return self._token("colon", self.at + 1)
            if text == "}":
                around.fields.pop()
                around.in_format = bool(around.fields)
                return self._token("close", found.end())
            if text == "=" and _DEBUG.match(self.code, self.at):
                return self._token("debug", found.end())
        if text in "([{":
            self.brackets.append(text)
        elif text in _PARTNERS:
            floor = around.fields[-1] if around is not None and around.fields else 0
            if len(self.brackets) > floor and self.brackets[-1] == _PARTNERS[text]:
                self.brackets.pop()
            else:
                return self._token("error", found.end())
        return self._token("op", found.end())

    def _read_string(self, found: re.Match[str]) -> Token:
        quote = found[0].lstrip("bBuUrR")
        body = _BODY[quote].match(self.code, found.end())
        if body:
            return self._token("string", body.end())
        rest = _LINE_REST.match(self.code, self.at)
        return self._token("error", len(self.code) if len(quote) == 3 or rest is None else rest.end())


@dataclass(frozen=True, slots=True)
class Statement:
    """Tokens `first` (included) to `last` (excluded) of one statement, or of one clause's header up to its colon."""

    first: int
    last: int


_CLAUSES = frozenset({
    "if", "elif", "else", "while", "for", "try", "except", "finally", "with", "def", "class", "async",
})  # fmt: skip
_SOFT_CLAUSES = frozenset({"match", "case"})
# Keywords that are values; after any other keyword a bracket opens a display, not an index.
_VALUES = frozenset({"None", "True", "False"})


def is_operand(token: Token) -> bool:
    """Whether a bracket right after this token calls it or indexes it."""
    if token.kind == "name":
        return token.text in _VALUES or not keyword.iskeyword(token.text)
    return token.kind in {"string", "fend", "number"} or token.text in {")", "]", "}"}


class Tokens:
    """The tokens of a text with the partner of every bracket, brace of a field and start of an f-string."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.all = tokens_of(code)
        self.partner: dict[int, int] = {}
        openers: list[int] = []
        for index, token in enumerate(self.all):
            kind = token.kind
            if (kind == "op" and token.text in "([{") or kind in {"open", "fstart"}:
                openers.append(index)
            elif openers and ((kind == "op" and token.text in _PARTNERS) or kind in {"close", "fend"}):
                opener = openers.pop()
                self.partner[opener] = index

    def children(self, first: int, last: int) -> Iterator[int]:
        """Indexes from `first` to `last` (excluded), without what stands inside brackets and f-strings."""
        index = first
        while index < last:
            yield index
            index = self.partner.get(index, index) + 1

    def statements(self) -> Iterator[Statement]:
        """Every statement and every clause's header, in order."""
        begin = 0
        clause = soft = False
        lambdas = 0
        last = begin
        for index in self.children(0, len(self.all)):
            token = self.all[index]
            last = self.partner.get(index, index) + 1
            if index == begin:
                clause, soft, lambdas = token.text in _CLAUSES, token.text in _SOFT_CLAUSES, 0
            if token.kind == "newline" or token.text == ";":
                if begin < index:
                    yield Statement(begin, index)
                begin = index + 1
            elif token.text == "lambda":
                lambdas += 1
            elif token.text == ":":
                if lambdas:
                    lambdas -= 1
                elif clause or (soft and index > begin + 1):
                    yield Statement(begin, index + 1)
                    begin = index + 1
        if begin < last:
            yield Statement(begin, last)
