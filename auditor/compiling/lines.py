"""Logical lines of text that may be damaged: strings and brackets are followed, but no fault swallows the rest."""

import re
from dataclasses import dataclass

_PIECE = re.compile(
    r"""
    (?P<comment>\#.*)
    |(?P<long>\"{3}|'{3})
    |(?P<short>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
    |(?P<half>["'])
    |(?P<open>[(\[{])
    |(?P<close>[)\]}])
    """,
    re.VERBOSE,
)
_LONG_END = {
    '"""': re.compile(r'(?:[^"\\]|\\.|"(?!""))*+"""', re.DOTALL),
    "'''": re.compile(r"(?:[^'\\]|\\.|'(?!''))*+'''", re.DOTALL),
}
# A short string that backslashes carry over lines.
_SHORT_END = {
    '"': re.compile(r'(?:[^"\\\n]|\\.)*+"', re.DOTALL),
    "'": re.compile(r"(?:[^'\\\n]|\\.)*+'", re.DOTALL),
}
_INDENT = re.compile(r"[ \t\f]*")
_COMPOUND = re.compile(r"(?:async\s+)?(?:if|elif|else|while|for|try|except|finally|with|def|class|match|case)\b")
_ENDS_IN_COLON = re.compile(r":[ \t]*(?:#.*)?\Z")
# What can only begin a statement, even on a line inside brackets.
_ONLY_A_STATEMENT = re.compile(
    r"(?:async\s+)?(?:def|class)\s+\w+\s*[(:\[]"
    r"|(?:return|raise|del|assert|global|nonlocal)\b"
    r"|(?:pass|break|continue)\s*(?:\#.*)?\Z"
    r"|import\s+\w|from\s+[\w.]+\s+import\b"
    r"|@\w[\w.]*"
    r"|(?:try|finally|else)\s*:\s*(?:\#.*)?\Z"
    r"|(?:(?:async\s+)?(?:for|with)|if|elif|while|except)\b.*:\s*(?:\#.*)?\Z"
    r"|[\w.]+\s*=(?!=).*[^,\s]\s*\Z"
)
_TAB = 8
# Physical lines looked at for each one of the text; a text of brackets that never close would ask for far more.
_LOOKS = 20


@dataclass(frozen=True, slots=True)
class Line:
    """One logical line: physical lines `first` to `last` (included), counted from 0.

    `indent` is the width of its margin, tabs to the next multiple of eight as CPython counts them, `margin` its length
    in characters. `whole` is false where a string or a bracket in it never ends.
    """

    first: int
    last: int
    indent: int
    margin: int
    text: str
    whole: bool = True


def is_header(text: str) -> bool:
    """Whether a logical line opens a suite on the lines below it."""
    return bool(_COMPOUND.match(text)) and bool(_ENDS_IN_COLON.search(text, text.rfind("\n") + 1))


def logical_lines(code: str) -> list[Line]:
    """The logical lines of a text, without blank lines and comments; every other line is in exactly one of them.

    An open bracket ends where a line at or left of the statement's margin can only start a statement; a long string
    that never closes ends with its line. Never raises.
    """
    return _Splitter(code).split()


def _width(margin: str) -> int:
    return len(margin.rpartition("\f")[2].expandtabs(_TAB))


class _Splitter:
    """One pass over the physical lines of a text."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.physical = code.split("\n")
        self.starts = [0]
        for line in self.physical:
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.looks = _LOOKS * len(self.physical) + 10_000
        self.odd = {mark: code.count(mark) % 2 == 1 for mark in _LONG_END}

    def split(self) -> list[Line]:
        lines = []
        at = 0
        while at < len(self.physical):
            text = self.physical[at]
            margin = _INDENT.match(text)
            size = margin.end() if margin else 0
            if size == len(text.rstrip()) or text[size : size + 1] in {"", "#"}:
                at += 1
                continue
            indent = _width(text[:size])
            last, whole = self._end(at, size, indent)
            body = "\n".join([text[size:], *self.physical[at + 1 : last + 1]])
            lines.append(Line(at, last, indent, size, body, whole))
            at = last + 1
        return lines

    def _end(self, first: int, column: int, indent: int) -> tuple[int, bool]:
        """The last physical line of the logical line that begins there, and whether it is whole."""
        depth = 0
        at, whole = first, True
        while True:
            text = self.physical[at]
            carried = False
            while True:
                found = _PIECE.search(text, column)
                if found is None:
                    carried = text.endswith("\\")
                    break
                column = found.end()
                kind = found.lastgroup
                if kind == "open":
                    depth += 1
                elif kind == "close":
                    depth = max(depth - 1, 0)
                elif kind == "long":
                    after = self._after_long(at, column, found[0], indent)
                    if after is None:
                        return at, False
                    at, column = after
                    text = self.physical[at]
                elif kind == "half":
                    ending = _SHORT_END[found[0]].match(self.code, self.starts[at] + column)
                    if ending is None:
                        whole = False
                        break
                    at += self.code.count("\n", ending.start(), ending.end())
                    text, column = self.physical[at], ending.end() - self.starts[at]
                elif kind == "comment":
                    break
            if (depth == 0 and not carried) or at + 1 >= len(self.physical):
                break
            self.looks -= 1
            if depth and (self.looks < 0 or self._starts_statement(at + 1, indent)):
                return self._cut(first, at, indent), False
            at, column = at + 1, 0
        if depth:
            return self._cut(first, at, indent), False
        return at, whole

    def _after_long(self, line: int, column: int, mark: str, indent: int) -> tuple[int, int] | None:
        """Line and column behind a long string's end, or `None` where it has none of its own."""
        found = _LONG_END[mark].match(self.code, self.starts[line] + column)
        if found is None:
            return None
        last = line + self.code.count("\n", found.start(), found.end())
        if self.odd[mark] and any(self._starts_statement(inside, indent) for inside in range(line + 1, last + 1)):
            return None
        return last, found.end() - self.starts[last]

    def _starts_statement(self, line: int, indent: int) -> bool:
        text = self.physical[line]
        margin = _INDENT.match(text)
        size = margin.end() if margin else 0
        return _ONLY_A_STATEMENT.match(text, size) is not None and _width(text[:size]) <= indent

    def _cut(self, first: int, last: int, indent: int) -> int:
        """Where a line with an open bracket ends: behind the lines that stand further right, unless it is a header."""
        if is_header(self.physical[first].strip()):
            return first
        for line in range(first + 1, last + 1):
            text = self.physical[line]
            margin = _INDENT.match(text)
            size = margin.end() if margin else 0
            if text.strip() and _width(text[:size]) <= indent:
                return line - 1
        return last
