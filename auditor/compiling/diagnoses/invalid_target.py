"""invalid-target: what stands left of `=`, or before it in a call, is nothing that a value can be given to."""

import re

from auditor.compiling.diagnoses.reading import Found, Reading

KIND = "invalid-target"
_MESSAGE = re.compile(
    r"cannot (?:assign to|delete|use (?:assignment|named)) ?|(?:illegal|only single) target"
    r"|expression cannot contain assignment"
    r"|'\w+' is an illegal expression for augmented assignment"
)


def find_invalid_target(reading: Reading) -> Found | None:
    """The target, as the compiler names it; no repair, since what was meant is the author's to say."""
    if not _MESSAGE.match(reading.failure.message):
        return None
    until = min(reading.until, reading.scan.line_span(reading.failure.line - 1)[1])
    text = reading.text[reading.at : until]
    return reading.found(KIND, reading.at, max(until, reading.at), {"target": text[:60]})
