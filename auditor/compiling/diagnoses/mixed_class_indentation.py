"""mixed-class-indentation: the members of one class stand at different widths."""

from collections import Counter

from auditor.compiling.diagnoses.indentation import Fault, Level, run_end, shift
from auditor.compiling.diagnoses.lines import Scan, Statement
from auditor.compiling.diagnoses.reading import Arguments, Found, Reading
from auditor.model import Edit

KIND = "mixed-class-indentation"
_MEMBER_HEADS = frozenset({"def", "class", "@"})


def find_mixed_class_indentation(reading: Reading) -> Found | None:
    """The first member that departs from the width that the class's first member set."""
    fault = reading.fault
    level = None if fault is None else _class_level(reading.scan, fault)
    if fault is None or level is None:
        return None
    scan = reading.scan
    departing = scan.statements[fault.index]
    arguments: Arguments = {
        "width": departing.width,
        "expected": level.width,
        "margin_line": reading.line_argument(scan.statements[level.first].line),
        "name": _class_name(scan, scan.statements[level.header]),
    }
    for edits in _repairs(scan, level, departing.width):
        found = reading.proven(KIND, (departing.start, departing.end), arguments, edits)
        if found is not None:
            return found
    return reading.found(KIND, departing.start, departing.end, arguments)


def _class_level(scan: Scan, fault: Fault) -> Level | None:
    """The level of members that the statement departs from, if a class holds it."""
    statement = scan.statements[fault.index]
    outer = fault.levels[-1]
    if fault.kind == "indented":
        return outer if _is_class(scan, outer) else None
    if fault.kind != "mismatch":
        return None
    inner = fault.closed[0]
    is_member = statement.head in _MEMBER_HEADS
    if _is_class(scan, inner) and (is_member or inner.width - statement.width <= statement.width - outer.width):
        return inner
    return outer if _is_class(scan, outer) and is_member else None


def _is_class(scan: Scan, level: Level) -> bool:
    return level.header >= 0 and scan.statements[level.header].head == "class"


def _class_name(scan: Scan, header: Statement) -> str:
    tokens = scan.tokens_of(header)
    return tokens[1].text if len(tokens) > 1 else ""


def _repairs(scan: Scan, level: Level, departing: int) -> list[list[Edit]]:
    """The ways to bring all members to one width: that of most of them first."""
    statements = scan.statements
    end = run_end(statements, level.header, statements[level.header].width + 1)
    starts: list[int] = []
    base, holds = -1, False  # the member's width, and whether it takes deeper lines as its body
    for index in range(level.first, end):
        width = statements[index].width
        if not starts or width <= base or not holds:
            starts.append(index)
            base, holds = width, statements[index].is_header
    counted = Counter(statements[index].width for index in starts)
    targets = sorted({level.width, departing}, key=lambda width: (-counted[width], width % 4, width != departing))
    repairs = []
    for target in targets:
        edits: list[Edit] = []
        for start, stop in zip(starts, [*starts[1:], end], strict=True):
            edits.extend(shift(scan, start, stop, target - statements[start].width))
        repairs.append(edits)
    return [edits for edits in repairs if edits]
