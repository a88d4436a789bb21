"""unexpected-indent: a statement stands further in than its block, and no header asks for it."""

from auditor.compiling.diagnoses.indentation import run_end, shift
from auditor.compiling.diagnoses.reading import Arguments, Found, Reading

KIND = "unexpected-indent"


def find_unexpected_indent(reading: Reading) -> Found | None:
    """The statement that departs; the line above it sets the margin, or the next one further left."""
    fault = reading.fault
    if fault is None or fault.kind != "indented":
        return None
    scan, index = reading.scan, fault.index
    statement, expected = scan.statements[index], fault.levels[-1].width
    outside = next((other for other in scan.statements if other.width == expected), statement)
    margin = scan.statements[index - 1] if index else outside
    arguments: Arguments = {
        "width": statement.width,
        "expected": expected,
        "margin_line": reading.line_argument(margin.line),
    }
    end = run_end(scan.statements, index, statement.width)
    edits = shift(scan, index, end, expected - statement.width)
    proven = reading.proven(KIND, (statement.start, statement.end), arguments, edits)
    return proven or reading.found(KIND, statement.start, statement.end, arguments)
