"""broken-line: a line was broken inside a word or a string, and its rest starts the next line."""

from auditor.compiling.diagnoses.reading import Found, Reading
from auditor.model import Edit

KIND = "broken-line"


def find_broken_line(reading: Reading) -> Found | None:
    """The place of the break, where joining the two lines is proven right."""
    scan = reading.scan
    last = len(scan.line_starts) - 1
    for line in (reading.failure.line - 1, reading.failure.line - 2):
        if not 0 <= line < last:
            continue
        end = scan.line_span(line)[1]
        start = scan.line_starts[line + 1]
        text = reading.text
        left, right = text[end - 1 : end], text[start : start + 1]
        if not (left.isalnum() or left in {"_", "-", "/"}) or not (right.isalnum() or right == "_"):
            continue
        if any(begin < end <= stop for begin, stop in scan.comments):
            continue
        arguments = {
            "left": text[max(end - 20, 0) : end].split("\n")[-1].strip(),
            "right": text[start : start + 20].split("\n")[0],
        }
        # Past the joined line, or the join has only moved the fault into it.
        past = scan.line_span(line + 1)[1]
        proven = reading.proven(KIND, (end - 1, end), arguments, [Edit(end, start, "")], past=past)
        if proven is not None:
            return proven
    return None
