"""printed-output: the block shows what a program printed, and no program."""

import re

from auditor.compiling.diagnoses.outputs import is_output
from auditor.compiling.diagnoses.reading import Found, Reading
from auditor.compiling.diagnoses.survey import Survey, is_attempt

KIND = "printed-output"
# Of printed output 73 % starts within three lines of the end of a Python fence; two lines more allow for a label.
NEAR = 5
NEAREST = 3
_SHOWS = re.compile(r"\bprint\b|\blogg?(?:er|ing)?\.|\.(?:head|describe|info|show|summary)\(|display\(")


def find_printed_output(reading: Reading, survey: Survey) -> Found | None:
    """The first line that only a program can have written."""
    scan = reading.scan
    evidence = [
        line
        for line, kind in enumerate(survey.lines)
        if (kind == "bad" or (kind == "weak" and survey.bad)) and is_output(scan.line_text(line))
    ]
    bad = [line for line in evidence if survey.lines[line] == "bad"]
    if not evidence or (not bad and survey.bad):
        return _said_above(reading, survey)
    foreign = survey.code - sum(1 for line in evidence if survey.lines[line] == "code")
    if foreign > len(evidence) or survey.code_before(evidence[0]):
        return None
    return _found(reading, evidence[0])


def _said_above(reading: Reading, survey: Survey) -> Found | None:
    """Text that was never written as code, right below a Python block: its output."""
    distance = reading.around.distance
    if distance is None or distance > NEAR or survey.code > survey.bad or not survey.bad:
        return None
    scan = reading.scan
    if any(is_attempt(scan, statement) for statement in scan.statements if survey.lines[statement.line] == "bad"):
        return None
    first = next((line for line, kind in enumerate(survey.lines) if kind in {"bad", "weak"}), None)
    if first is None:
        return None
    before = reading.around.before
    nearest = distance <= NEAREST
    if not (nearest or _SHOWS.search(before) or scan.line_text(first).strip() in before):
        return None
    return _found(reading, first)


def _found(reading: Reading, line: int) -> Found:
    start, end = reading.scan.line_span(line)
    return reading.found(KIND, start, end, {"label": "text"})
