"""Where indentation goes wrong, by CPython's rules, and the edits that move statements sideways."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from auditor.compiling.diagnoses.lines import Scan, Statement
from auditor.model import Edit

FaultKind = Literal["indented", "missing", "mismatch", "tabs"]


@dataclass(frozen=True, slots=True)
class Level:
    """An open level of indentation: its width, the index of its header (-1: none) and of its first statement."""

    width: int
    narrow: int
    header: int
    first: int


@dataclass(frozen=True, slots=True)
class Fault:
    """The first statement that departs.

    It is `indented` further than its block, `missing` a body's indent, a `mismatch` with every level outside it, or set
    in by `tabs` that CPython refuses. `levels` are those still open at it, outermost first, and
    `closed` those that it left.
    """

    kind: FaultKind
    index: int
    levels: tuple[Level, ...]
    closed: tuple[Level, ...] = ()


def first_fault(scan: Scan) -> Fault | None:
    """The first departure, or `None` where the indentation is sound."""
    levels = [Level(0, 0, -1, 0)]
    header: int | None = None
    for index, statement in enumerate(scan.statements):
        width, narrow = statement.width, statement.narrow
        top = levels[-1]
        if width > top.width:
            if narrow <= top.narrow:
                return Fault("tabs", index, tuple(levels))
            if header is None:
                return Fault("indented", index, tuple(levels))
            levels.append(Level(width, narrow, header, index))
        else:
            closed: list[Level] = []
            while levels[-1].width > width:
                closed.append(levels.pop())
            closed.reverse()
            if levels[-1].width != width:
                return Fault("mismatch", index, tuple(levels), tuple(closed))
            if levels[-1].narrow != narrow:
                return Fault("tabs", index, (*levels, *closed))
            if header is not None:
                return Fault("missing", index, tuple(levels))
        header = index if statement.is_header else None
    return None


def run_end(statements: Sequence[Statement], first: int, width: int) -> int:
    """The index after the statements from `first` on that stand at `width` or further in."""
    index = first + 1
    while index < len(statements) and statements[index].width >= width:
        index += 1
    return index


def shift(scan: Scan, first: int, end: int, by: int) -> list[Edit]:
    """Edits that move the statements `first` to `end` (excluded) `by` columns, their comment lines along.

    Lines that start inside a string stay: their blanks are the string's own.
    """
    if first >= end or by == 0:
        return []
    statements = scan.statements
    lines = movable_lines(scan, statements[first].line, statements[end - 1].last_line)
    edits: list[Edit] = []
    for line in lines:
        start, stop = scan.line_span(line)
        text = scan.text[start:stop]
        margin = len(text) - len(text.lstrip(" \t\f"))
        if margin == len(text):
            continue
        if by > 0:
            edits.append(Edit(start, start, " " * by))
        elif margin:
            edits.append(Edit(start, start + min(-by, margin), ""))
    return edits


def movable_lines(scan: Scan, first: int, last: int) -> list[int]:
    """The lines `first` to `last` that do not start inside a string."""
    inside: set[int] = set()
    for token in scan.tokens:
        if token.kind in {"string", "open-string"} and "\n" in token.text:
            begin, stop = scan.line_of(token.start), scan.line_of(max(token.end - 1, token.start))
            if stop >= first and begin <= last:
                inside.update(range(begin + 1, stop + 1))
    return [line for line in range(first, last + 1) if line not in inside]
