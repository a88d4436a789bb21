"""A fence and its definition side by side: which lines are the same, which words of the others are not."""

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from auditor.ledger.views.markup import label, text
from auditor.ledger.views.words import Lang

_WORD = re.compile(r"\s+|\w+|[^\w\s]")
# Longer runs of equal lines are folded but for their ends.
_FOLD, _KEPT = 10, 3
# A run of lines that only the file has is folded too: an excerpt need not repeat the function.
_ALONE = 12
_MOST = 3_000


@dataclass(frozen=True, slots=True)
class Side:
    """One side: its heading, the number of its first line, its lines."""

    title: str
    first: int
    lines: Sequence[str]


@dataclass(frozen=True, slots=True)
class _Row:
    """A row: `left` and `right` are indices of lines or nothing; `folded` says how many lines stand for it."""

    kind: str
    left: int | None = None
    right: int | None = None
    folded: int = 0


def side_by_side(left: Side, right: Side, lang: Lang) -> str:
    """An HTML table of two columns, read as one on a narrow screen. Nothing for texts too long to compare."""
    if len(left.lines) > _MOST or len(right.lines) > _MOST:
        return ""
    rows = "".join(_row(row, left, right, lang) for row in _folded(list(_rows(left.lines, right.lines))))
    return (
        f'<table class="sides"><thead><tr><th scope="col" colspan="2">{left.title}'
        f'<th scope="col" colspan="2">{right.title}<tbody>{rows}</table>'
    )


def _rows(left: Sequence[str], right: Sequence[str]) -> Iterator[_Row]:
    matcher = difflib.SequenceMatcher(
        None, [line.rstrip() for line in left], [line.rstrip() for line in right], autojunk=False
    )
    for kind, left_start, left_end, right_start, right_end in matcher.get_opcodes():
        if kind == "equal":
            yield from (_Row("eq", left_start + step, right_start + step) for step in range(left_end - left_start))
            continue
        paired = min(left_end - left_start, right_end - right_start)
        yield from (_Row("ch", left_start + step, right_start + step) for step in range(paired))
        yield from (_Row("lo", at, None) for at in range(left_start + paired, left_end))
        yield from (_Row("ro", None, at) for at in range(right_start + paired, right_end))


def _folded(rows: Sequence[_Row]) -> Iterator[_Row]:
    start = 0
    while start < len(rows):
        kind = rows[start].kind
        end = start
        while end < len(rows) and rows[end].kind == kind:
            end += 1
        most = {"eq": _FOLD, "ro": _ALONE}.get(kind, end - start)
        if end - start > most:
            yield from rows[start : start + _KEPT]
            yield (
                _Row("fold", folded=end - start - 2 * _KEPT)
                if kind == "eq"
                else _Row("only", folded=end - start - 2 * _KEPT)
            )
            yield from rows[end - _KEPT : end]
        else:
            yield from rows[start:end]
        start = end


def _row(row: _Row, left: Side, right: Side, lang: Lang) -> str:
    if row.folded:
        key = "equal-lines" if row.kind == "fold" else "file-lines"
        return f'<tr class="fold"><td colspan="4">{row.folded} {label(key, lang)}'
    one = left.lines[row.left] if row.left is not None else ""
    other = right.lines[row.right] if row.right is not None else ""
    if row.kind == "ch":
        shown_one, shown_other = _marked(one, other)
    else:
        shown_one, shown_other = text(one), text(other)
    left_number = "" if row.left is None else str(left.first + row.left)
    right_number = "" if row.right is None else str(right.first + row.right)
    return (
        f'<tr class="{row.kind}"><td class="n">{left_number}<td class="l">{shown_one}'
        f'<td class="n">{right_number}<td class="r">{shown_other}'
    )


def _marked(one: str, other: str) -> tuple[str, str]:
    """Both lines with the words marked that the other does not have."""
    ones, others = _WORD.findall(one), _WORD.findall(other)
    matcher = difflib.SequenceMatcher(None, ones, others, autojunk=False)
    if len(ones) > 400 or len(others) > 400 or matcher.ratio() < 0.3:
        return text(one), text(other)
    left: list[str] = []
    right: list[str] = []
    for kind, start, end, other_start, other_end in matcher.get_opcodes():
        here, there = text("".join(ones[start:end])), text("".join(others[other_start:other_end]))
        left.append(here if kind == "equal" or not here else f"<mark>{here}</mark>")
        right.append(there if kind == "equal" or not there else f"<mark>{there}</mark>")
    return "".join(left), "".join(right)
