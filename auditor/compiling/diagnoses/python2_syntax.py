"""python2-syntax: statements and literals that Python 3 gave up, proven by writing them as Python 3 does."""

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from auditor.compiling.diagnoses.lines import Statement, Token
from auditor.compiling.diagnoses.reading import Found, Reading
from auditor.model import Edit

KIND = "python2-syntax"
# Any of the constructs has one of these; a text without them need not be looked through.
_SIGNS = re.compile(
    r"\b(?:print|exec)\b|\bexcept\b[^\n]*,|\braise\b[^\n]*,|`|<>|\d[lL]\b|\b0\d|\b[uU][rR][\"']"
    r"|\blambda\s*\(|\bdef\s+\w+\s*\([^\n]*\("
)
_LONG = re.compile(r"(0[xX][0-9a-fA-F]+|\d+)[lL]$")
_OCTAL = re.compile(r"0\d+[lL]?$")
_VALUE_KINDS = frozenset({"name", "number", "string", "open-string"})
_NOT_A_VALUE = frozenset({"in", "is", "and", "or", "if", "else", "for", "import", "as"})


def find_python2_syntax(reading: Reading) -> Found | None:
    """The first such construct; the repair writes all of them as Python 3 does."""
    scan = reading.scan
    if not _SIGNS.search(reading.text):
        return None
    constructs: list[tuple[Token, str, list[Edit]]] = []
    for statement in scan.statements:
        tokens = scan.tokens_of(statement)
        for rewrite in REWRITES:
            constructs.extend(rewrite(tokens, statement, reading))
    if not constructs:
        return None
    constructs.sort(key=lambda construct: construct[0].start)
    edits = sorted((edit for _, _, several in constructs for edit in several), key=lambda edit: (edit.start, edit.end))
    # One construct inside another is mended with it or not at all; then the first alone is the proof.
    if any(left.end > right.start for left, right in pairwise(edits)):
        edits = [edit for _, _, several in constructs[:1] for edit in several]
    token, construct, _ = constructs[0]
    return reading.proven(KIND, (token.start, token.end), {"construct": construct}, edits, past=token.end)


def _simple_starts(tokens: tuple[Token, ...]) -> Iterator[int]:
    """Where simple statements begin: at the line's head, after `;` and after a header's colon."""
    yield 0
    for at, token in enumerate(tokens[:-1]):
        if token.depth == 0 and token.text in {";", ":"}:
            yield at + 1


def _simple_end(tokens: tuple[Token, ...], start: int) -> int:
    """The index after the simple statement that begins at `start`."""
    end = start
    while end < len(tokens) and not (tokens[end].text == ";" and tokens[end].depth == 0):
        end += 1
    return end


def _print(tokens: tuple[Token, ...], _: Statement, reading: Reading) -> Iterator[tuple[Token, str, list[Edit]]]:
    for start in _simple_starts(tokens):
        word = tokens[start]
        if word.text not in {"print", "exec"} or word.kind != "name":
            continue
        end = _simple_end(tokens, start)
        follows = tokens[start + 1] if start + 1 < end else None
        # `print (a)`, `print [a]` and `print -a` compile, whatever they then mean.
        if follows is None or follows.text in _NOT_A_VALUE:
            continue
        refused = word.start == reading.at and follows.text == "["
        if follows.kind not in _VALUE_KINDS and follows.text not in {"`", "{", ">>"} and not refused:
            continue
        last = tokens[end - 1]
        if follows.text == ">>":
            # `print >>stream, value`: the stream becomes an argument.
            comma = next(
                (at for at in range(start + 2, end) if tokens[at].text == "," and tokens[at].depth == word.depth), None
            )
            if comma is None or comma + 1 >= end:
                continue
            stream = "".join(token.text for token in tokens[start + 2 : comma])
            yield (
                word,
                "print >>stream",
                [
                    Edit(word.end, tokens[comma + 1].start, "("),
                    Edit(last.end, last.end, f", file={stream})"),
                ],
            )
            continue
        trailing = last.text == ","
        gap = Edit(word.end, follows.start, "(")
        close = Edit(last.start, last.end, ', end=" ")') if trailing else Edit(last.end, last.end, ")")
        yield word, f"{word.text} statement", [gap, close]


def _except(tokens: tuple[Token, ...], statement: Statement, _: Reading) -> Iterator[tuple[Token, str, list[Edit]]]:
    """`except Kind, name:`."""
    if statement.head != "except" or not statement.is_header:
        return
    commas = [token for token in tokens if token.text == "," and token.depth == 0]
    if len(commas) == 1 and len(tokens) > 4 and tokens[-2].kind == "name" and tokens[-3] is commas[0]:
        yield commas[0], "except Kind, name", [Edit(commas[0].start, commas[0].end, " as")]


def _raise(tokens: tuple[Token, ...], _: Statement, __: Reading) -> Iterator[tuple[Token, str, list[Edit]]]:
    """`raise Kind, message`."""
    for start in _simple_starts(tokens):
        if tokens[start].text != "raise":
            continue
        end = _simple_end(tokens, start)
        comma = next((token for token in tokens[start:end] if token.text == "," and token.depth == 0), None)
        if comma is not None and tokens[end - 1] is not comma:
            follows = next(token for token in tokens if token.start >= comma.end)
            yield (
                comma,
                "raise Kind, message",
                [
                    Edit(comma.start, follows.start, "("),
                    Edit(tokens[end - 1].end, tokens[end - 1].end, ")"),
                ],
            )


def _backticks(tokens: tuple[Token, ...], _: Statement, __: Reading) -> Iterator[tuple[Token, str, list[Edit]]]:
    """`` `value` `` for `repr(value)`."""
    marks = [at for at, token in enumerate(tokens) if token.text == "`"]
    if len(marks) % 2 or not marks:
        return
    for first, second in zip(marks[::2], marks[1::2], strict=True):
        alone = first == 0 and second == len(tokens) - 1
        if second > first + 1 and not alone:
            opening, closing = tokens[first], tokens[second]
            yield (
                opening,
                "backticks",
                [
                    Edit(opening.start, opening.end, "repr("),
                    Edit(closing.start, closing.end, ")"),
                ],
            )


def _unequal(tokens: tuple[Token, ...], _: Statement, __: Reading) -> Iterator[tuple[Token, str, list[Edit]]]:
    """`<>`."""
    for token in tokens:
        if token.text == "<>":
            yield token, "<>", [Edit(token.start, token.end, "!=")]


def _literals(tokens: tuple[Token, ...], _: Statement, __: Reading) -> Iterator[tuple[Token, str, list[Edit]]]:
    """`0777`, `10L`, `ur"…"`."""
    for token in tokens:
        if token.kind == "number":
            long = _LONG.match(token.text)
            if _OCTAL.match(token.text) and not set(token.text) & set("89") and set(token.text) != {"0"}:
                meant = "0o" + token.text[1:].rstrip("lL")
                yield token, "octal literal", [Edit(token.start, token.end, meant)]
            elif long:
                yield token, "long literal", [Edit(token.start, token.end, long[1])]
        elif token.kind == "string" and token.text[:2].lower() == "ur":
            yield token, "ur-string", [Edit(token.start, token.start + 1, "")]


def _unpacked_parameters(
    tokens: tuple[Token, ...], statement: Statement, _: Reading
) -> Iterator[tuple[Token, str, list[Edit]]]:
    """`def f(a, (b, c)):` and `lambda (a, b): …`."""
    for at, token in enumerate(tokens):
        if token.text == "lambda" and at + 1 < len(tokens) and tokens[at + 1].text == "(":
            close = next(
                (other for other in tokens[at + 2 :] if other.kind == "close" and other.depth == tokens[at + 1].depth),
                None,
            )
            if close is not None:
                yield (
                    token,
                    "unpacked parameter",
                    [
                        Edit(tokens[at + 1].start, tokens[at + 1].end, " "),
                        Edit(close.start, close.end, ""),
                    ],
                )
    if statement.head != "def" or len(tokens) < 6:
        return
    for at in range(3, len(tokens)):
        if tokens[at].text == "(" and tokens[at].depth == 1 and tokens[at - 1].text in {"(", ","}:
            close = next((other for other in tokens[at + 1 :] if other.kind == "close" and other.depth == 1), None)
            if close is not None:
                yield (
                    tokens[at],
                    "unpacked parameter",
                    [
                        Edit(tokens[at].start, tokens[at].end, ""),
                        Edit(close.start, close.end, ""),
                    ],
                )


REWRITES: tuple[Callable[[tuple[Token, ...], Statement, Reading], Iterator[tuple[Token, str, list[Edit]]]], ...] = (
    _print,
    _except,
    _raise,
    _backticks,
    _unequal,
    _literals,
    _unpacked_parameters,
)
