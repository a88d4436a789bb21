"""A tolerant scanner: tokens, logical lines and brackets of a text that need not be Python, the same on every host.

It never fails. What no rule of Python's lexer fits becomes a token of its own kind, a string without an end runs to the
end of its line, and an open bracket ends where a line can only start a statement. Time is linear in the text.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

TokenKind = Literal["name", "number", "string", "open-string", "open", "close", "operator", "other"]

# Possessive repeats: a string without an end is read once, not once for every way to split it.
_TOKEN = re.compile(
    r"""
    (?:[ \t\f]|\\\n)*+
    (?:
    (?P<newline>\n)
  | (?P<comment>\#[^\n]*)
  | (?P<string>
        (?P<prefix>[A-Za-z]{0,2})
        (?: (?P<closed>
                \"\"\"[^"\\]*+(?:(?:\\[\s\S]|"(?!""))[^"\\]*+)*+\"\"\"
              | '''[^'\\]*+(?:(?:\\[\s\S]|'(?!''))[^'\\]*+)*+'''
              | "(?!"")[^"\\\n]*+(?:\\[\s\S][^"\\\n]*+)*+"
              | '(?!'')[^'\\\n]*+(?:\\[\s\S][^'\\\n]*+)*+'
            )
          | (?P<open_triple>\"\"\"|''')[\s\S]*
          | ["'][^\n]*
        )
    )
  | (?P<number>(?:\d|\.\d)(?:[eE][-+](?=\d)|[\w.])*+)
  | (?P<name>[^\W\d]\w*+)
  | (?P<open>[(\[{])
  | (?P<close>[)\]}])
  | (?P<operator>\.\.\.|\*\*=?|//=?|>>=?|<<=?|<>|[-+*/%&|^@=<>!:]=|->|[-+*/%&|^@=<>~,:.;`])
  | (?P<other>[\s\S])
    )
    """,
    re.VERBOSE,
)
_STRING_PREFIX = frozenset(
    {"", "b", "br", "f", "fr", "r", "rb", "rf", "rt", "t", "tr", "u", "ur"},
)
_NEWLINE = re.compile("\n")
# Words that start a statement and can stand nowhere inside brackets.
_STARTS_ONLY = frozenset(
    {
        "assert", "break", "class", "continue", "def", "del", "elif", "except", "finally", "global", "import",
        "nonlocal", "pass", "raise", "return", "try", "while", "with",
    }
)  # fmt: skip
_PAIR = {")": "(", "]": "[", "}": "{"}
CLOSER = {"(": ")", "[": "]", "{": "}"}
COMPOUND = frozenset(
    {"async", "case", "class", "def", "elif", "else", "except", "finally", "for", "if", "match", "try", "while", "with"}
)


class Token(NamedTuple):
    """A piece of code, `start` to `end` in the text; `depth` counts the brackets that are open before it."""

    kind: TokenKind
    text: str
    start: int
    end: int
    depth: int


@dataclass(frozen=True, slots=True)
class Statement:
    """A logical line: the tokens `first` to `last` (excluded), the physical lines `line` to `last_line` (0-based).

    `indent` is its leading white space as written, `width` its columns with tabs to eight, `narrow` with tabs to one:
    two lines of which one is further in by one count and not by the other are what CPython calls inconsistent.
    """

    first: int
    last: int
    line: int
    last_line: int
    indent: str
    width: int
    narrow: int
    start: int
    end: int
    head: str
    is_header: bool


@dataclass(frozen=True, slots=True)
class Scan:
    """What the scanner saw. `unclosed`, `unmatched` and `crossed` are indices of tokens.

    `crossed` pairs an opener with the closer of another kind that ended it. `shaded` are the spans of strings and
    comments, where no character is code.
    """

    text: str
    line_starts: Sequence[int]
    tokens: tuple[Token, ...]
    statements: tuple[Statement, ...]
    comments: tuple[tuple[int, int], ...]
    unclosed: tuple[int, ...]
    unmatched: tuple[int, ...]
    crossed: tuple[tuple[int, int], ...]
    deepest: int
    _statement_lines: Sequence[int] = field(repr=False, default=())

    def line_of(self, offset: int) -> int:
        """The 0-based line of an offset."""
        return bisect_right(self.line_starts, offset) - 1

    def line_text(self, line: int) -> str:
        """The text of a 0-based line without its end."""
        start, end = self.line_span(line)
        return self.text[start:end]

    def line_span(self, line: int) -> tuple[int, int]:
        """Offsets of a 0-based line without its end."""
        start = self.line_starts[line]
        end = self.line_starts[line + 1] - 1 if line + 1 < len(self.line_starts) else len(self.text)
        return start, end

    def offset(self, line: int, column: int) -> int:
        """The offset of a 1-based line and column, kept inside the text."""
        line = min(max(line, 1), len(self.line_starts))
        start, end = self.line_span(line - 1)
        return min(start + max(column, 1) - 1, end)

    def statement_at(self, line: int) -> int | None:
        """The index of the statement that holds a 0-based line, else of the last one above it."""
        index = bisect_right(self._statement_lines, line) - 1
        return index if index >= 0 else None

    def tokens_of(self, statement: Statement) -> tuple[Token, ...]:
        """The tokens of a statement."""
        return self.tokens[statement.first : statement.last]

    def shaded(self) -> list[tuple[int, int]]:
        """Spans of strings and comments, in order."""
        strings = ((token.start, token.end) for token in self.tokens if token.kind in {"string", "open-string"})
        return sorted([*strings, *self.comments])


def widths(indent: str) -> tuple[int, int]:
    """Columns of leading white space with tabs to eight and with tabs to one, as CPython's tokenizer counts both."""
    wide = narrow = 0
    for mark in indent:
        if mark == " ":
            wide, narrow = wide + 1, narrow + 1
        elif mark == "\t":
            wide, narrow = (wide // 8 + 1) * 8, narrow + 1
        elif mark == "\f":
            wide = narrow = 0
    return wide, narrow


def _lexemes(text: str) -> Iterator[tuple[str, int, int]]:
    """Every piece of the text but blanks: newlines and comments included."""
    match = _TOKEN.match
    at, size = 0, len(text)
    budget = 2 * size  # characters to look through for nested strings: many that never end must not cost a square
    while at < size:
        found = match(text, at)
        if found is None:  # nothing but blanks is left
            return
        kind = found.lastgroup or "other"
        start, end = found.start(kind), found.end()
        if kind == "string":
            prefix = found["prefix"].lower()
            if prefix not in _STRING_PREFIX:
                kind, end = "name", start + len(prefix)
            elif found["closed"] is None:
                kind = "open-string"
            elif ("f" in prefix or "t" in prefix) and budget > 0:
                body = text[start:end]
                if body.count("{") != body.count("}"):
                    nested_end, cost = _nested_end(text, start + len(prefix))
                    budget -= cost
                    end = max(end, nested_end)
        yield kind, start, end
        at = end


def _nested_end(text: str, quote_at: int) -> tuple[int, int]:
    """Where a formatted string ends by the rules of Python 3.12, under which its fields may hold its own quotes.

    Answers the end, 0 where it is none of these, and how many characters were looked at.
    """
    quote = text[quote_at] * 3 if text.startswith(text[quote_at] * 3, quote_at) else text[quote_at]
    depth, at, limit = 0, quote_at + len(quote), min(len(text), quote_at + 4000)
    inner: list[str] = []
    nested = False
    while at < limit:
        mark = text[at]
        if mark == "\\" and depth == 0:
            at += 2
            continue
        if inner:
            if text.startswith(inner[-1], at):
                at += len(inner.pop())
                continue
        elif depth == 0:
            if text.startswith(quote, at):
                return (at + len(quote) if nested else 0), at - quote_at
            if mark == "\n" and len(quote) == 1:
                return 0, at - quote_at
            if mark in "{}":
                if text.startswith(mark * 2, at):
                    at += 2
                    continue
                depth += mark == "{"
        elif mark in "\"'":
            nested = nested or text.startswith(quote, at)
            inner.append(mark * 3 if text.startswith(mark * 3, at) else mark)
            at += len(inner[-1])
            continue
        elif mark == "{":
            depth += 1
        elif mark == "}":
            depth -= 1
        elif mark == "\n" and len(quote) == 1:
            nested = True
        if inner and mark == "\n" and len(inner[-1]) == 1:
            return 0, at - quote_at
        at += 1
    return 0, at - quote_at


def _from_the_top(stack: Sequence[int]) -> range:
    """Indices of the innermost brackets; a closer that fits none of so many fits none, and time stays linear."""
    return range(len(stack) - 1, max(len(stack) - 32, 0) - 1, -1)


def scan(text: str) -> Scan:
    """Read a text."""
    starts = [0, *(found.end() for found in _NEWLINE.finditer(text))]
    tokens: list[Token] = []
    comments: list[tuple[int, int]] = []
    statements: list[Statement] = []
    stack: list[int] = []
    unclosed: list[int] = []
    unmatched: list[int] = []
    crossed: list[tuple[int, int]] = []
    first = 0
    line_open = True  # the next lexeme is its line's first
    deepest = 0

    def close_statement() -> None:
        nonlocal first
        if first == len(tokens):
            return
        start = tokens[first].start
        line = bisect_right(starts, start) - 1
        indent = text[starts[line] : start]
        wide, narrow = widths(indent)
        head = tokens[first].text
        if head == "async" and len(tokens) - first > 1:
            head = tokens[first + 1].text
        last = tokens[-1]
        statements.append(
            Statement(
                first,
                len(tokens),
                line,
                bisect_right(starts, max(last.end - 1, start)) - 1,
                indent,
                wide,
                narrow,
                start,
                last.end,
                head,
                last.text == ":" and last.kind == "operator",
            )
        )
        first = len(tokens)

    for kind, start, end in _lexemes(text):
        if kind == "newline":
            line_open = True
            if not stack:
                close_statement()
            continue
        if kind == "comment":
            comments.append((start, end))
            continue
        word = text[start:end]
        if line_open and stack and kind == "name" and word in _STARTS_ONLY:
            unclosed.extend(stack)
            stack.clear()
            close_statement()
        line_open = False
        if kind == "close":
            index = next((at for at in _from_the_top(stack) if tokens[stack[at]].text == _PAIR[word]), None)
            if index is not None:
                unclosed.extend(stack[index + 1 :])
                del stack[index:]
            elif stack:
                crossed.append((stack.pop(), len(tokens)))
            else:
                unmatched.append(len(tokens))
        tokens.append(Token(kind, word, start, end, len(stack)))  # type: ignore[arg-type]  # the groups are the kinds
        if kind == "open":
            stack.append(len(tokens) - 1)
            deepest = max(deepest, len(stack))
    unclosed.extend(stack)
    close_statement()
    return Scan(
        text,
        starts,
        tuple(tokens),
        tuple(statements),
        tuple(comments),
        tuple(sorted(unclosed)),
        tuple(unmatched),
        tuple(crossed),
        deepest,
        [statement.line for statement in statements],
    )
