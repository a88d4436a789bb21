"""A fence and its definition side by side: which lines are the same, which words of the others are not."""

import difflib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from auditor.ledger.views.markup import text
from auditor.ledger.views.words import Lang, counted

_WORD = re.compile(r"\s+|\w+|[^\w\s]")
# Longer runs of equal lines are folded but for their ends.
_FOLD, _KEPT = 8, 2
# A run of lines that only the file has is folded too: an excerpt need not repeat the function.
_ALONE = 8
# Beyond these sizes nothing is compared: a table of them helps nobody.
_MOST, _COMPARED = 3_000, 20_000


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
        '<table class="sides"><colgroup><col class="w"><col><col class="w"><col></colgroup><thead><tr>'
        f'<th scope="col" colspan="2">{left.title}'
        f'<th scope="col" colspan="2">{right.title}<tbody>{rows}</table>'
    )


def _rows(left: Sequence[str], right: Sequence[str]) -> Iterator[_Row]:
    """Lines are the same where they are so without their margin: an excerpt stands deeper in its function."""
    matcher = difflib.SequenceMatcher(
        None, [line.strip() for line in left], [line.strip() for line in right], autojunk=False
    )
    for kind, left_start, left_end, right_start, right_end in matcher.get_opcodes():
        if kind == "equal":
            yield from (_Row("eq", left_start + step, right_start + step) for step in range(left_end - left_start))
        else:
            yield from _changed(left, right, range(left_start, left_end), range(right_start, right_end))


def _changed(left: Sequence[str], right: Sequence[str], lefts: range, rights: range) -> Iterator[_Row]:
    """The rows of a changed run: lines that are like each other stand side by side, in order."""
    at, other = lefts.start, rights.start
    for one, two in (*_alike(left, right, lefts, rights), (lefts.stop, rights.stop)):
        yield from (_Row("lo", line, None) for line in range(at, one))
        yield from (_Row("ro", None, line) for line in range(other, two))
        if one < lefts.stop:
            yield _Row("ch", one, two)
        at, other = one + 1, two + 1


def _alike(left: Sequence[str], right: Sequence[str], lefts: range, rights: range) -> list[tuple[int, int]]:
    """The pairs of like lines, in order on both sides, that are most alike in sum."""
    if not lefts or not rights or len(lefts) * len(rights) > _COMPARED:
        return []
    ones = [Counter(_WORD.findall(left[at].strip())) for at in lefts]
    others = [Counter(_WORD.findall(right[at].strip())) for at in rights]
    gains = [[_gain(one, other) for other in others] for one in ones]
    best = [[0.0] * (len(others) + 1) for _ in range(len(ones) + 1)]
    for row in range(len(ones) - 1, -1, -1):
        for column in range(len(others) - 1, -1, -1):
            skip = max(best[row + 1][column], best[row][column + 1])
            best[row][column] = max(skip, gains[row][column] + best[row + 1][column + 1])
    pairs = []
    row = column = 0
    while row < len(ones) and column < len(others):
        if best[row][column] == gains[row][column] + best[row + 1][column + 1]:
            pairs.append((lefts[row], rights[column]))
            row, column = row + 1, column + 1
        elif best[row][column] == best[row + 1][column]:
            row += 1
        else:
            column += 1
    return pairs


def _gain(one: Counter[str], other: Counter[str]) -> float:
    """What two lines have in common, as a part of both; less than nothing where that is little."""
    size = one.total() + other.total()
    shared = 2 * (one & other).total() / size if size else 0.0
    return shared if shared >= 0.5 else -1.0


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
        return f"<tr class=fold><td colspan=4>{row.folded} {counted(row.folded, key, lang)}"
    one = left.lines[row.left] if row.left is not None else ""
    other = right.lines[row.right] if row.right is not None else ""
    if row.kind == "ch":
        shown_one, shown_other = _marked(one, other)
    else:
        shown_one, shown_other = text(one), text(other)
    left_number = "" if row.left is None else str(left.first + row.left)
    right_number = "" if row.right is None else str(right.first + row.right)
    return f"<tr class={row.kind}><td>{left_number}<td>{shown_one}<td>{right_number}<td>{shown_other}"


def _marked(one: str, other: str) -> tuple[str, str]:
    """Both lines with the words marked that the other does not have."""
    margin, other_margin = (line[: len(line) - len(line.lstrip())] for line in (one, other))
    ones, others = _WORD.findall(one.strip()), _WORD.findall(other.strip())
    matcher = difflib.SequenceMatcher(None, ones, others, autojunk=False)
    if len(ones) > 400 or len(others) > 400 or matcher.ratio() < 0.3:
        return text(one), text(other)
    left: list[str] = []
    right: list[str] = []
    for kind, start, end, other_start, other_end in matcher.get_opcodes():
        here, there = text("".join(ones[start:end])), text("".join(others[other_start:other_end]))
        left.append(here if kind == "equal" or not here else f"<mark>{here}</mark>")
        right.append(there if kind == "equal" or not there else f"<mark>{there}</mark>")
    return margin + "".join(left), other_margin + "".join(right)
