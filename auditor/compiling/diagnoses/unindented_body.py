"""unindented-body: the line under a header does not stand further in than the header."""

from auditor.compiling.diagnoses.indentation import run_end, shift
from auditor.compiling.diagnoses.lines import Scan
from auditor.compiling.diagnoses.reading import Arguments, Found, Reading

KIND = "unindented-body"
STEP = 4


def find_unindented_body(reading: Reading) -> Found | None:
    """The statement that should be the body's first; the repair is offered where the body can be that one alone."""
    fault = reading.fault
    if fault is None or fault.kind != "missing":
        return None
    scan, index = reading.scan, fault.index
    statement, header = scan.statements[index], scan.statements[index - 1]
    arguments: Arguments = {
        "width": statement.width,
        "expected": header.width + STEP,
        "header": header.head,
        "header_line": reading.line_argument(header.line),
    }
    end = _body_end(scan, index)
    edits = shift(scan, index, end, header.width + STEP - statement.width)
    proven = reading.proven(KIND, (statement.start, statement.end), arguments, edits)
    if proven is None:
        return reading.found(KIND, statement.start, statement.end, arguments)
    if run_end(scan.statements, index, statement.width + 1) == end:
        return proven
    return reading.found(KIND, statement.start, statement.end, arguments, proof=proven.proof)


def _body_end(scan: Scan, index: int) -> int:
    """The end of the lines that could be the body: those at its width or further in, down to the first empty line."""
    statements = scan.statements
    end = run_end(statements, index, statements[index].width)
    for at in range(index + 1, end):
        above = statements[at - 1].last_line
        if any(not scan.line_text(line).strip() for line in range(above + 1, statements[at].line)):
            return at
    return end
