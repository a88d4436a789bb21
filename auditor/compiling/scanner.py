"""A tolerant look at text that may not be Python: strings, comments, brackets and logical lines, in linear time."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

_TOKEN = re.compile(
    r"""
    (?P<string>(?<!\w)[rRbBuUfFtT]{1,3}(?=["'])|(?=["']))
      (?P<body>
        \"{3}(?>[^"\\]+|\\(?:.|\Z)|"(?!""))*+(?:\"{3}|\Z)
      | '{3}(?>[^'\\]+|\\(?:.|\Z)|'(?!''))*+(?:'{3}|\Z)
      | "(?>[^"\\\n]+|\\(?:.|\Z))*+"?
      | '(?>[^'\\\n]+|\\(?:.|\Z))*+'?
      )
    | (?P<comment>\#[^\n]*)
    | (?P<open>[(\[{])
    | (?P<close>[)\]}])
    | (?P<joined>\\\n)
    | (?P<newline>\n)
    """,
    re.VERBOSE | re.DOTALL,
)
_INDENT = re.compile(r"[ \t\f]*")


@dataclass(frozen=True, slots=True)
class LogicalLine:
    """One statement's lines, offsets in the text: `start` of its first line, `first` of its first visible character.

    `code_end` is where its code ends, trailing blanks and comment left out; `end` the line end behind it.
    """

    start: int
    first: int
    code_end: int
    end: int

    @property
    def indent(self) -> int:
        """The number of characters before the first visible one."""
        return self.first - self.start


@dataclass(frozen=True, slots=True)
class Scan:
    """What a text consists of; spans are offsets, starts included and ends excluded, a string's prefix its part.

    `lines` are the logical lines that hold code; comment lines and blank lines are none. `masked` is the text with the
    insides of strings and all of each comment made blank, of the same length and with the same line ends outside them.
    """

    lines: tuple[LogicalLine, ...]
    strings: tuple[tuple[int, int], ...]
    comments: tuple[tuple[int, int], ...]
    masked: str


def statements(code: str, at: int = 0) -> Iterator[LogicalLine]:
    """The logical lines from `at` on, where a line must start; lazy, so that a caller may stop and start elsewhere."""
    line_start = code_end = at
    depth = 0
    for token in _TOKEN.finditer(code, at):
        kind = token.lastgroup
        if kind == "newline":
            if depth == 0:
                yield from _statement(code, line_start, code_end, token.start())
                line_start = code_end = token.end()
        elif kind == "comment":
            # What stands before the comment is code, too, where it is not blank.
            code_end += len(code[code_end : token.start()].rstrip())
            if depth == 0:
                end = code.find("\n", token.end())
                yield from _statement(code, line_start, code_end, len(code) if end < 0 else end, commented=True)
                line_start = code_end = token.end()
        else:
            code_end = token.end()
            if kind == "open":
                depth += 1
            elif kind == "close":
                depth = max(depth - 1, 0)
    yield from _statement(code, line_start, code_end, len(code))


def _statement(
    code: str, line_start: int, code_end: int, end: int, *, commented: bool = False
) -> Iterator[LogicalLine]:
    if not commented:
        code_end += len(code[code_end:end].rstrip())
    found = _INDENT.match(code, line_start)
    first = found.end() if found else line_start
    if code_end > first:
        yield LogicalLine(line_start, first, code_end, end)


@lru_cache(maxsize=4)
def scan(code: str) -> Scan:
    """Read the text; never raises, whatever it holds."""
    strings: list[tuple[int, int]] = []
    comments: list[tuple[int, int]] = []
    masked: list[str] = []
    kept = 0
    for token in _TOKEN.finditer(code):
        kind = token.lastgroup
        start, end = token.span()
        if kind == "comment":
            comments.append((start, end))
            masked.extend((code[kept:start], " " * (end - start)))
            kept = end
        elif kind == "body":
            strings.append((start, end))
            inside, quote = _inside(token)
            closed = end - len(quote) >= inside and code.endswith(quote, inside, end)
            stop = end - len(quote) if closed else end
            masked.extend((code[kept:inside], "_" * (stop - inside)))
            kept = stop
    masked.append(code[kept:])
    return Scan(tuple(statements(code)), tuple(strings), tuple(comments), "".join(masked))


def _inside(token: re.Match[str]) -> tuple[int, str]:
    """Where a string's inside begins, and its quote."""
    body = token["body"]
    quote = body[:3] if body[:3] in ('"""', "'''") else body[0]
    return token.start("body") + len(quote), quote
