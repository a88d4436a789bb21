"""Which lines of a text are Python by themselves: what tells code with a fault from text that never was code."""

import re
from dataclasses import dataclass
from typing import Literal

from auditor.compiling.diagnoses.lines import Scan, Statement, Token
from auditor.compiling.diagnoses.reading import Reading

LineKind = Literal["blank", "comment", "code", "weak", "bad"]

# Of a longer text the first statements are enough to tell what it is.
MOST_STATEMENTS = 150

_CODE_HEADS = frozenset(
    {
        "@", "assert", "await", "class", "continue", "def", "del", "for", "from", "global", "if", "import", "nonlocal",
        "pass", "raise", "return", "try", "while", "with", "yield", "elif", "else", "except", "finally", "break",
    }
)  # fmt: skip
_FRAMES = {
    "elif": ("if 1: pass\n", ""), "else": ("if 1: pass\n", ""), "except": ("try: pass\n", ""),
    "finally": ("try: pass\n", ""), "@": ("", "\ndef f(): pass"), "try": ("", "\nfinally: pass"),
}  # fmt: skip
_OPERATOR_WORDS = frozenset({"if", "for", "and", "or", "in", "is", "not", "from", "else", "lambda", "await"})
_CALL = re.compile(r"[\w)\]]\(")
_STORE = re.compile(r"(?<![=!<>])=(?!=)")


@dataclass(frozen=True, slots=True)
class Survey:
    """The kind of every physical line. `code` says something only Python-like languages say and compiles alone.

    `weak` compiles too, but a number, a name, a string or `a: b` may stand in any text.
    """

    lines: tuple[LineKind, ...]
    code: int
    weak: int
    bad: int

    @property
    def written(self) -> int:
        """Lines that hold more than blanks and comments."""
        return self.code + self.weak + self.bad

    def code_before(self, line: int) -> int:
        """Lines of code above a 0-based line."""
        return self.lines[:line].count("code")


def survey(reading: Reading) -> Survey:
    """Judge each statement of a text alone."""
    scan = reading.scan
    kinds: list[LineKind] = ["blank"] * len(scan.line_starts)
    for start, _ in scan.comments:
        kinds[scan.line_of(start)] = "comment"
    for statement in scan.statements[:MOST_STATEMENTS]:
        kind = _kind_of(reading, statement)
        for line in range(statement.line, statement.last_line + 1):
            kinds[line] = kind
    return Survey(tuple(kinds), kinds.count("code"), kinds.count("weak"), kinds.count("bad"))


def _kind_of(reading: Reading, statement: Statement) -> LineKind:
    if not stands_alone(reading, statement):
        return "bad"
    return "code" if is_substantive(reading.scan, statement) else "weak"


def stands_alone(reading: Reading, statement: Statement) -> bool:
    """Whether a statement compiles without the lines around it."""
    text = reading.text[statement.start : statement.end]
    head = reading.scan.tokens[statement.first].text
    before, after = _FRAMES.get(head, ("", ""))
    if statement.is_header:
        after = " pass" + after
    return reading.provable and reading.judge.parses(before + text + after)


def is_substantive(scan: Scan, statement: Statement) -> bool:
    """Whether a statement does something: stores, calls, or opens with a keyword."""
    if opens_with_keyword(scan, statement):
        return True
    text = scan.text[statement.start : statement.end]
    if _CALL.search(text):
        return True
    tokens = scan.tokens_of(statement)
    return any(token.kind == "operator" and token.depth == 0 and _STORE.search(token.text) for token in tokens)


def opens_with_keyword(scan: Scan, statement: Statement) -> bool:
    """Whether a statement opens with a word that only statements of code open with."""
    return scan.tokens[statement.first].text in _CODE_HEADS


def is_attempt(scan: Scan, statement: Statement) -> bool:
    """Whether a statement that does not compile was yet written as code: a keyword's line, a binding, a call."""
    tokens = scan.tokens_of(statement)
    head = tokens[0].text
    if tokens[-1].text == ":":
        head = head.lower()  # `While x < 3:`, written with a capital
    if head in _CODE_HEADS and (len(tokens) > 1 and _follows_keyword(head, tokens[1:])):
        return True
    if len(tokens) > 1 and tokens[0].kind == "name":
        for at, token in enumerate(tokens[1:8], 1):
            if token.text == "=" and token.depth == 0:
                return True
            if token.text == "(" and token.depth == 0 and tokens[at - 1].end == token.start:
                return True
            if token.text not in {".", ",", "["} and token.kind not in {"name", "number", "close"}:
                return False
            if token.kind == "name" and tokens[at - 1].kind == "name":
                return False
    return False


def _follows_keyword(head: str, rest: tuple[Token, ...]) -> bool:
    """Whether a word that opens a statement is followed as Python has it, and not as a sentence goes on."""
    if head == "import":
        return rest[0].kind == "name" and (len(rest) == 1 or rest[1].kind != "name" or rest[1].text == "as")
    if head == "from":
        return any(token.text == "import" for token in rest) or (len(rest) > 2 and rest[1].text == ".")
    if head in {"def", "class", "@", "return", "raise", "assert", "del", "yield", "await"}:
        return not (len(rest) > 1 and rest[0].kind == rest[1].kind == "name" and rest[1].text not in _OPERATOR_WORDS)
    return rest[-1].text == ":" or any(token.kind in {"open", "operator"} for token in rest)
