"""lost-first-indent: a piece was copied from an indented place, and its first line came along without its margin."""

from auditor.compiling.diagnoses.indentation import run_end, shift
from auditor.compiling.diagnoses.lines import Scan
from auditor.compiling.diagnoses.reading import Arguments, Found, Reading
from auditor.model import apply_edits

KIND = "lost-first-indent"
_AT_THE_MARGIN = frozenset({"import", "from"})


def find_lost_first_indent(reading: Reading) -> Found | None:
    """The first line, where setting it in as far as the rest makes the whole compile."""
    fault = reading.fault
    if fault is None or fault.kind not in {"indented", "mismatch"} or fault.index == 0:
        return None
    scan, index = reading.scan, fault.index
    statements = scan.statements
    width = statements[index].width
    lost = index if fault.kind == "indented" else 1
    if any(statement.width for statement in statements[:lost]) or not _looks_cut(scan, lost):
        return None
    if run_end(statements, lost - 1, 1) != len(statements):
        return None
    # What the repair leaves has a margin; taking the rest out by as much shows the same and compiles as it stands.
    without = shift(scan, lost, len(statements), -width)
    if not reading.provable or reading.judge.failure(apply_edits(reading.text, without), anywhere=False) is not None:
        return None
    first = statements[0]
    arguments: Arguments = {
        "width": 0,
        "expected": width,
        "margin_line": reading.line_argument(statements[index].line),
    }
    repair = shift(scan, 0, lost, width)
    return reading.found(KIND, first.start, first.end, arguments, repair=repair, proof="whole")


def _looks_cut(scan: Scan, lost: int) -> bool:
    """Decorators, or one line that the next follows at once and that is no import."""
    statements = scan.statements
    if all(statement.head == "@" for statement in statements[:lost]):
        return True
    first, second = statements[0], statements[1]
    return lost == 1 and first.head not in _AT_THE_MARGIN and second.line == first.last_line + 1 and len(statements) > 2
