"""unmatched-bracket: a closing bracket that closes nothing, or another kind than was opened."""

from auditor.compiling.diagnoses.lines import CLOSER
from auditor.compiling.diagnoses.reading import Arguments, Found, Reading
from auditor.model import Edit

KIND = "unmatched-bracket"


def find_unmatched_bracket(reading: Reading) -> Found | None:
    """The closer; the repair takes it away or makes it the kind that was opened."""
    scan = reading.scan
    for opener_at, closer_at in scan.crossed:
        opener, closer = scan.tokens[opener_at], scan.tokens[closer_at]
        if scan.line_of(closer.start) != reading.failure.line - 1:
            continue
        arguments: Arguments = {
            "closer": closer.text,
            "expected": CLOSER[opener.text],
            "opener": opener.text,
            "opener_line": reading.line_argument(scan.line_of(opener.start)),
        }
        edits = [Edit(closer.start, closer.end, CLOSER[opener.text])]
        span = (closer.start, closer.end)
        return reading.proven(KIND, span, arguments, edits) or reading.found(KIND, *span, arguments)
    for closer_at in scan.unmatched:
        closer = scan.tokens[closer_at]
        if scan.line_of(closer.start) != reading.failure.line - 1:
            continue
        span = (closer.start, closer.end)
        edits = [Edit(closer.start, closer.end, "")]
        arguments = {"closer": closer.text, "expected": "", "opener": ""}
        return reading.proven(KIND, span, arguments, edits) or reading.found(KIND, *span, arguments)
    return None
