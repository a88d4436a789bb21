"""session-after-code: the block starts as code and goes on as a session with it, which is code and output."""

from auditor.compiling.diagnoses.held_code import first_input
from auditor.compiling.diagnoses.output_after_code import find_split
from auditor.compiling.diagnoses.reading import Found, Reading
from auditor.compiling.diagnoses.survey import Survey
from auditor.compiling.sessions import opens_session

KIND = "session-after-code"


def find_session_after_code(reading: Reading, survey: Survey) -> Found | None:
    """The line to split at: where a prompt stands, below code that compiles without it."""
    split = find_split(reading, survey)
    if split is None:
        return None
    below = reading.text[reading.scan.line_starts[split.line] :]
    if not opens_session(below, "python") or first_input(below) is None:
        return None
    start, end = reading.scan.line_span(split.line)
    return reading.found(KIND, start, end, {"label": "pycon", "line": split.above})
