"""output-after-code: the block starts as code and goes on as what the code printed."""

import re
from typing import NamedTuple

from auditor.compiling.diagnoses.outputs import is_label, is_output
from auditor.compiling.diagnoses.prose import is_prose
from auditor.compiling.diagnoses.reading import Found, Reading
from auditor.compiling.diagnoses.survey import Survey, is_attempt
from auditor.model import Span

KIND = "output-after-code"
_PROMPT = re.compile(r"\s*(?:>>>|In ?\[\d*\]:|Out ?\[\d*\]:)")
_SHOWS = re.compile(r"\s*(?:(?:print|display|show)\b|[\w.\[\]'\"]+(?:\([^=]*\))?\s*(?:#.*)?$)")


class Split(NamedTuple):
    """Where something else than code starts (0-based), and the last line of code above it."""

    line: int
    above: Span


def find_output_after_code(reading: Reading, survey: Survey) -> Found | None:
    """The line to split at: where output starts, below code that compiles without it."""
    split = find_split(reading, survey)
    if split is None:
        return None
    start, end = reading.scan.line_span(split.line)
    return reading.found(KIND, start, end, {"label": "text", "line": split.above})


def find_split(reading: Reading, survey: Survey) -> Split | None:
    """Where output or a session starts, below code that compiles without it."""
    failing = reading.failure.line - 1
    line = _split(reading, survey, min(failing, len(survey.lines) - 1))
    if line is None:
        return None
    last = max((at for at in range(line) if survey.lines[at] in {"code", "weak"}), default=0)
    return Split(line, reading.line_argument(last))


def _split(reading: Reading, survey: Survey, failing: int) -> int | None:
    """The first line of the output that holds the failing line, if the text above it is code and compiles."""
    scan = reading.scan
    for line in _candidates(reading, survey, failing):
        above = reading.text[: scan.line_starts[line]]
        if not survey.code_before(line) or not reading.provable or not reading.judge.accepts(above):
            continue
        if _is_said(reading, survey, line, failing):
            return line
    return None


def _candidates(reading: Reading, survey: Survey, failing: int) -> list[int]:
    """Lines where the output may start: a label or a paragraph's first line above the failing one, the line itself."""
    scan = reading.scan
    start = failing
    while start > 0 and scan.line_text(start - 1).strip():
        start -= 1
    lines = [line for line in range(start, failing + 1) if is_label(scan.line_text(line))]
    above = start - 1
    while above > 0 and not scan.line_text(above).strip():
        above -= 1
    if above > 0 and is_label(scan.line_text(above)):
        lines.insert(0, above)
    if survey.lines[start] != "code":
        lines.append(start)
    statement = reading.statement
    if statement is not None and statement.line < failing:
        lines.append(statement.line)
    lines.append(failing)
    return lines


def _is_said(reading: Reading, survey: Survey, line: int, failing: int) -> bool:
    """Whether what starts at the line is output: by a label, a prompt, its shape, or for want of anything like code."""
    scan = reading.scan
    if is_label(scan.line_text(line)) or _PROMPT.match(scan.line_text(line)):
        return True
    below = [at for at in range(line, len(survey.lines)) if survey.lines[at] in {"bad", "weak", "code"}]
    shaped = [at for at in below if survey.lines[at] == "bad" and is_output(scan.line_text(at))]
    code = sum(1 for at in below if survey.lines[at] == "code")
    if shaped and shaped[0] <= failing + 2 and code <= len(below) - code:
        return True
    if code:
        return False
    statement = scan.statement_at(line)
    if statement is None or is_attempt(scan, scan.statements[statement]):
        return False
    above = next((at for at in range(line - 1, -1, -1) if survey.lines[at] in {"code", "weak"}), None)
    prints = above is not None and _SHOWS.match(scan.line_text(above)) is not None
    return prints and (not scan.line_text(line - 1).strip() or is_prose(scan.line_text(line)))
