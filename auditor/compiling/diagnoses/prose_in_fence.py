"""prose-in-fence: the block holds running text."""

from auditor.compiling.diagnoses.prose import is_prose
from auditor.compiling.diagnoses.reading import Found, Reading
from auditor.compiling.diagnoses.survey import Survey

KIND = "prose-in-fence"


def find_prose_in_fence(reading: Reading, survey: Survey) -> Found | None:
    """The first line of running text, in a block that is mostly that and hardly code."""
    scan = reading.scan
    written = [line for line, kind in enumerate(survey.lines) if kind in {"bad", "weak", "code"}]
    prose = [line for line in written if survey.lines[line] != "code" and is_prose(scan.line_text(line))]
    if not prose or survey.code * 4 > len(written) or len(prose) * 2 < len(written) - survey.weak:
        return None
    start, end = scan.line_span(prose[0])
    return reading.found(KIND, start, end, {"label": "text"})
