"""diff-markers: the block shows a change, with the marks of a diff before its lines."""

import re

from auditor.compiling.diagnoses.reading import Found, Reading
from auditor.compiling.diagnoses.survey import Survey

KIND = "diff-markers"
_HUNK = re.compile(
    r"@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@|diff --git |index [0-9a-f]{6,}\.\.|Index: \S|\*{3} \d+,\d+ \*{4}"
)
_FILE = re.compile(r"(?:---|\+\+\+) \S")


def find_diff_markers(reading: Reading, _: Survey) -> Found | None:
    """The first line with a mark, where a hunk's header stands or the text without its marks is Python."""
    return _find(reading)


def find_two_sided_diff(reading: Reading) -> Found | None:
    """The same where lines are marked with both signs: some of these compile, a sign being an operator."""
    if "\n+" not in "\n" + reading.text or "\n-" not in "\n" + reading.text:
        return None
    return _find(reading)


def _find(reading: Reading) -> Found | None:
    scan = reading.scan
    lines = [scan.line_text(line) for line in range(len(scan.line_starts))]
    first = next((at for at, text in enumerate(lines) if _HUNK.match(text)), None)
    files = [at for at, text in enumerate(lines) if _FILE.match(text)]
    marked = [at for at, text in enumerate(lines) if text[:1] in {"+", "-"} and not _FILE.match(text)]
    if first is None and len(files) >= 2 and marked:
        first = files[0]
    if first is None:
        if not marked or not _proven(reading, lines, marked):
            return None
        first = marked[0]
    start, end = scan.line_span(first)
    return reading.found(KIND, start, end, {"label": "diff", "marked": len(marked)})


def _proven(reading: Reading, lines: list[str], marked: list[int]) -> bool:
    """Whether the lines of one side, their marks taken off, compile, dots and blanks aside."""
    if not reading.provable:
        return False
    if reading.failure.line - 1 > marked[-1] or any(lines[at][1:2] in {"-", "+", "="} for at in marked):
        return False
    added = [at for at in marked if lines[at][0] == "+"]
    sides = [{at for at in marked if lines[at][0] == sign} for sign in ("-", "+") if added or sign == "+"]
    if not added:
        if not all(_alone(reading, lines[at][1:]) for at in marked):
            return False
        sides = [set()]
    signed = set(marked)
    for dropped in sides:
        for width in (1, 2, 0):
            kept = [
                _unmarked(text, width, is_marked=at in signed) for at, text in enumerate(lines) if at not in dropped
            ]
            if any(line.strip() for line in kept) and reading.judge.accepts(_without_margin(kept)):
                return True
    # Parts of a body may be left out on either side: then each marked line must be Python alone.
    return len(marked) > 1 and bool(added) and all(_alone(reading, lines[at][1:]) for at in marked)


def _unmarked(text: str, width: int, *, is_marked: bool) -> str:
    """A line without its mark; `width` is what the mark takes of every other line."""
    if is_marked:
        return text[1:] if width < 2 else text[2:] if text[1:2] == " " else text[1:]
    if width == 0:
        return text
    return text[width:] if not text[:width].strip() else text


def _without_margin(lines: list[str]) -> str:
    margins = [len(line) - len(line.lstrip(" ")) for line in lines if line.strip()]
    margin = min(margins, default=0)
    return "\n".join(line[margin:] if line.strip() else "" for line in lines) + "\n"


def _alone(reading: Reading, text: str) -> bool:
    text = text.strip()
    if text.endswith((":", ",", "(", "[", "{")) or text[:1] in {")", "]", "}", "#", "@", ""}:
        return True
    return reading.judge.accepts(text)
