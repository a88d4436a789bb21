"""Edits that turn syntax newer than the oldest host into older syntax of the same shape, so that any host can judge it.

Lines stay, and columns stay but for the closing bracket put into `except A, B:`. What is replaced says the same to a
compiler's checks: a type parameter's list goes, `type X = …` is an assignment, an f-string that only 3.12 reads is a
call with its fields as arguments, so that a `yield` or an `await` in them is judged where it stands.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from types import MappingProxyType

from auditor.compiling.compiler import try_compile
from auditor.compiling.syntax import Use, uses_of
from auditor.compiling.tokens import Tokens
from auditor.model import Edit, apply_edits

_LINE = re.compile(r"([^\r\n]*)(\r\n?|\n|\Z)")
_VISIBLE = re.compile(r"[^\r\n]")
_PARAMETER = re.compile(r"\*{0,2}\s*[^\W\d]\w*\s*(?P<rest>[:=].*)?\Z", re.DOTALL)


def newer_edits(code: str) -> tuple[Edit, ...]:
    """Edits that leave no syntax newer than 3.11 in the text, in order, of equal length wherever they can be.

    Never raises. Where a newer part is itself malformed it stays as it is, so that the compiler rejects it.
    """
    tokens = Tokens(code)
    uses = list(uses_of(tokens))
    edits = [edit for use in uses if use.feature in _REWRITES for edit in _REWRITES[use.feature](tokens, use)]
    in_strings = frozenset(use.first for use in uses if use.feature in _IN_STRINGS)
    if in_strings:
        edits.extend(_formatted(tokens, in_strings))
    kept = []
    done = -1
    for edit in sorted(edits, key=lambda edit: (edit.start, -edit.end)):
        if edit.start >= done:  # else it lies in what an edit before it has replaced
            kept.append(edit)
            done = edit.end
    return tuple(kept)


def rewrite_newer(code: str) -> str:
    """The text with its syntax newer than 3.11 rewritten, line by line; the text itself where there is none."""
    return apply_edits(code, newer_edits(code))


def _blanked(text: str) -> str:
    return _VISIBLE.sub(" ", text)


def _word(tokens: Tokens, use: Use) -> Iterator[Edit]:
    """`type` or `lazy` as a statement of its own, so that what follows keeps its column."""
    word = tokens.all[use.first]
    yield Edit(word.start, word.end, "0  ;")


def _type_parameters(tokens: Tokens, use: Use) -> Iterator[Edit]:
    start, end = tokens.all[use.first].start, tokens.all[use.last - 1].end
    if not _are_parameters(tokens, use.first + 1, use.last - 1):
        return
    # Outside brackets a line goes on only behind a backslash.
    lines = _LINE.findall(tokens.code[start:end])
    parts = []
    for text, line_end in lines:
        blank = _blanked(text)
        parts.append((blank[:-1] + "\\" if line_end else blank) + line_end)
    yield Edit(start, end, "".join(parts))


def _are_parameters(tokens: Tokens, first: int, last: int) -> bool:
    """Whether tokens are a list of different type parameters whose bounds and defaults are expressions."""
    names = set()
    begin = first
    commas = [index for index in tokens.children(first, last) if tokens.all[index].text == ","]
    for end in [*commas, last]:
        if begin == end and end == last and commas:
            break
        text = tokens.code[tokens.all[begin].start : tokens.all[end].start]
        found = _PARAMETER.match(text.strip())
        if not found or not _are_expressions(tokens, begin, end):
            return False
        name = next(token.text for token in tokens.all[begin:end] if token.kind == "name")
        if name in names:
            return False
        names.add(name)
        begin = end + 1
    return True


def _are_expressions(tokens: Tokens, first: int, last: int) -> bool:
    """Whether a parameter's bound and default, if any, can be read as expressions."""
    marks = [index for index in tokens.children(first, last) if tokens.all[index].text in {":", "="}]
    for mark, end in zip(marks, [*marks, last][1:], strict=True):
        expression = tokens.code[tokens.all[mark].end : tokens.all[end].start]
        if try_compile(rewrite_newer(f"_[{expression}\n]")) is not None:
            return False
    return True


def _blank(tokens: Tokens, use: Use) -> Iterator[Edit]:
    token = tokens.all[use.first]
    yield Edit(token.start, token.end, " " * len(token.text))


def _except(tokens: Tokens, use: Use) -> Iterator[Edit]:
    first = use.first + 1
    if tokens.all[first].text == "*":
        first += 1
    start, colon = tokens.all[first].start, tokens.all[use.last - 1]
    end = tokens.all[use.last - 2].end
    if colon.text != ":" or start >= end:
        return
    if start > tokens.all[first - 1].end and tokens.code[start - 1] == " ":
        yield Edit(start - 1, start, "(")
    else:
        yield Edit(start, start, "(")
    yield Edit(end, end + 1, ")") if tokens.code[end] == " " else Edit(end, end, ")")


class _Malformed(Exception):  # noqa: N818  never leaves this module
    """An f-string that no version reads; it stays as it is."""


_STRINGS = frozenset({"string", "fstart"})
_MARKS = frozenset({"debug", "conversion", "colon", "close"})


def _run(tokens: Tokens, first: int) -> int:
    """The last token of the strings that stand next to each other from `first` on, which make one value."""
    last = tokens.partner.get(first, first)
    while last + 1 < len(tokens.all) and tokens.all[last + 1].kind in _STRINGS:
        last = tokens.partner.get(last + 1, last + 1)
    return last


def _runs(tokens: Tokens, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Runs of strings between two tokens that hold an f-string, without those nested in their fields."""
    index = first
    while index < last:
        if tokens.all[index].kind in _STRINGS:
            end = _run(tokens, index)
            if any(tokens.all[piece].kind == "fstart" for piece in tokens.children(index, end + 1)):
                yield index, end
            index = end
        index += 1


def _formatted(tokens: Tokens, used: frozenset[int]) -> Iterator[Edit]:
    """Runs of strings in which newer f-string syntax is used, as calls."""
    positions = sorted(used)
    for first, last in _runs(tokens, 0, len(tokens.all)):
        at = bisect_left(positions, first)
        if at < len(positions) and positions[at] <= last:
            with suppress(_Malformed):
                yield from list(_calls(tokens, first, last))


def _calls(tokens: Tokens, first: int, last: int) -> Iterator[Edit]:
    """One run, and all runs in its fields, each as one call of `f` that has the fields as arguments."""
    work = [(first, last)]
    while work:
        first, last = work.pop()
        for piece in tokens.children(first, last + 1):
            token = tokens.all[piece]
            end = tokens.partner.get(piece, piece)
            if token.kind == "fstart" and end == piece:
                raise _Malformed
            if token.kind == "string" and "b" in token.text[:2].lower():
                raise _Malformed
            text = _blanked(token.text)
            if piece == first:
                text = "f(" + text[2:]
            if piece == end == last:
                text = text[:-1] + ")"
            yield Edit(token.start, token.end, text)
            if end > piece:
                yield from _fields(tokens, piece + 1, end, work)
                closing = tokens.all[end]
                text = _blanked(closing.text)
                yield Edit(closing.start, closing.end, text[:-1] + ")" if end == last else text)


def _fields(tokens: Tokens, first: int, last: int, work: list[tuple[int, int]]) -> Iterator[Edit]:
    """Literal text and fields between two tokens; runs of strings inside the expressions are put to the work."""
    ranges = [(first, last)]
    while ranges:
        first, last = ranges.pop()
        for index in tokens.children(first, last):
            token = tokens.all[index]
            if token.kind != "open":
                yield Edit(token.start, token.end, _blanked(token.text))
                continue
            close = tokens.partner.get(index)
            if close is None:
                raise _Malformed
            mark = next(at for at in tokens.children(index + 1, close + 1) if tokens.all[at].kind in _MARKS)
            yield from _expression(tokens, index, mark)
            work.extend(_runs(tokens, index + 1, mark))
            if mark != close:
                ranges.append((mark + 1, close))
                yield Edit(tokens.all[close].start, tokens.all[close].end, " ")


def _expression(tokens: Tokens, opener: int, mark: int) -> Iterator[Edit]:
    """The braces around a field's expression turned into what an argument needs."""
    inside = [tokens.all[index] for index in tokens.children(opener + 1, mark)]
    words = [token.text for token in inside if token.kind != "comment"]
    if not words or words[0] == "**" or (words[0] == "*" and "," not in words) or "=" in words:
        raise _Malformed
    start, end = tokens.all[opener], tokens.all[mark]
    is_yield = words[0] == "yield"
    yield Edit(start.start, start.end, "(" if is_yield else " ")
    after = "),"[: len(end.text)] if is_yield else "" if words[-1] == "," else ","
    replacement = after + _blanked(end.text)[len(after) :]
    yield Edit(end.start, end.end, ")," if is_yield and len(end.text) == 1 else replacement)


# Feature → the edits that undo one use of it.
_REWRITES: Mapping[str, Callable[[Tokens, Use], Iterator[Edit]]] = MappingProxyType(
    {
        "type-statement": _word,
        "type-parameters": _type_parameters,
        "lazy-import": _word,
        "except-without-parentheses": _except,
        "comprehension-unpacking": _blank,
    }
)
_IN_STRINGS = frozenset({
    "f-string-quotes", "f-string-backslash", "f-string-comment", "f-string-line-break", "f-string-nesting",
    "f-string-conversion-blank", "template-string",
})  # fmt: skip
