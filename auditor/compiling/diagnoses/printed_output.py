"""printed-output: the block shows what a program printed, and no program."""

import re

from auditor.compiling.diagnoses.outputs import is_output
from auditor.compiling.diagnoses.pseudo_notation import lists_notation
from auditor.compiling.diagnoses.reading import Found, Reading
from auditor.compiling.diagnoses.survey import Survey, is_attempt

KIND = "printed-output"
# Of printed output 73 % starts within three lines of the end of a Python fence; two lines more allow for a label.
NEAR = 5
NEAREST = 3
# A record is short; a longer text is judged line by line.
_LONGEST_RECORD = 4_000
_FEWEST_FIELDS = 3
_WORDS = r"(?!(?:return|else|lambda|print|yield|await|not|in|is|if)\b)(?P<name>[^\W\d][\w-]*+(?:[ ]+[\w%().-]++)*?)"
_FIGURE_OF = re.compile(
    rf"\s*{_WORDS}(?:[ ]+=[ ]+|[ ]*:[ ]+)[-+]?(?:\d[\d_.,]*+(?:e[-+]?\d+)?|nan|inf)[ ]*(?P<unit>[^\W\d]+|%)?\s*$"
)
_FIELD = re.compile(r"\s*(?P<name>[^\W\d]\w*(?: \w+)*):[ ]+\S")
_SHOWS = re.compile(r"\bprint\b|\blogg?(?:er|ing)?\.|\.(?:head|describe|info|show|summary)\(|display\(")


def find_printed_output(reading: Reading, survey: Survey) -> Found | None:
    """The first line that only a program can have written."""
    if lists_notation(reading):
        return None
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


def find_printed_record(reading: Reading) -> Found | None:
    """Names and figures line by line, of which some name is none in Python, or fields aligned at their colons."""
    text = reading.text
    if len(text) > _LONGEST_RECORD:
        return None
    lines = [line for line in range(len(reading.scan.line_starts)) if reading.scan.line_text(line).strip()]
    figures = [_FIGURE_OF.match(reading.scan.line_text(line)) for line in lines]
    if all(figures):
        told = [found for found in figures if found and not found["name"].isidentifier()]
        units = [found for found in figures if found and found["unit"]]
        if units or len(told) > 1 or (told and (len(lines) > 1 or " " in told[0]["name"])):
            return _found(reading, lines[0])
        return None
    fields = [_FIELD.match(reading.scan.line_text(line)) for line in lines]
    if len(lines) >= _FEWEST_FIELDS and all(fields):
        colons = {found.end("name") for found in fields if found}
        indents = {found.start("name") for found in fields if found}
        if len(colons) == 1 and len(indents) > 1:
            return _found(reading, lines[0])
    return None


def _said_above(reading: Reading, survey: Survey) -> Found | None:
    """Text that was never written as code, right below a Python block: its output."""
    distance = reading.around.distance
    if distance is None or distance > NEAR or survey.code > survey.bad or not survey.bad:
        return None
    scan = reading.scan
    if any(is_attempt(scan, statement) for statement in scan.statements if survey.lines[statement.line] == "bad"):
        return None
    first = next((line for line, kind in enumerate(survey.lines) if kind in {"bad", "weak"}), None)
    if first is None or survey.code_before(first):
        return None
    before = reading.around.before
    nearest = distance <= NEAREST
    if not (nearest or _SHOWS.search(before) or scan.line_text(first).strip() in before):
        return None
    return _found(reading, first)


def _found(reading: Reading, line: int) -> Found:
    start, end = reading.scan.line_span(line)
    return reading.found(KIND, start, end, {"label": "text"})
