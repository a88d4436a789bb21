"""prose-among-code: lines of running text stand among statements, without a comment's mark."""

from auditor.compiling.diagnoses.plain import blank_statement
from auditor.compiling.diagnoses.prose import is_prose
from auditor.compiling.diagnoses.reading import Found, Reading
from auditor.compiling.diagnoses.survey import Survey, is_attempt
from auditor.model import apply_edits

KIND = "prose-among-code"


def find_prose_among_code(reading: Reading, survey: Survey) -> Found | None:
    """The first such line, where the text compiles without all of them."""
    scan = reading.scan
    prose = [
        statement
        for statement in scan.statements
        if survey.lines[statement.line] == "bad"
        and is_prose(scan.line_text(statement.line))
        and not is_attempt(scan, statement)
    ]
    if not prose or not survey.code or not reading.provable:
        return None
    edits = []
    for statement in prose:
        blank = blank_statement(scan, statement)
        if blank is None:
            return None
        edits.extend(blank)
    if not reading.judge.accepts(apply_edits(reading.text, edits)):
        return None
    first = prose[0]
    return reading.found(
        KIND, first.start, first.end, {"text": reading.text[first.start : first.end].split("\n")[0][:60]}
    )
