"""equals-for-comparison: one `=` where a value is asked for, as in `if x = 3:`."""

import re

from auditor.compiling.diagnoses.reading import Found, Reading

KIND = "equals-for-comparison"
_MEANT = re.compile(r"invalid syntax\. Maybe you meant '==' or ':='")
_OF_TARGET = re.compile(r"cannot assign to [\w -]+ here\. Maybe you meant '=='")
_ASKING = frozenset({"if", "elif", "while", "assert"})
_SINGLE = re.compile(r"=(?!=)")


def find_equals_for_comparison(reading: Reading) -> Found | None:
    """The place the compiler names; no repair, since either sign may be meant."""
    message = reading.failure.message
    tokens = reading.tokens
    asking = bool(tokens) and tokens[0].text in _ASKING
    plain = message == "invalid syntax" and _SINGLE.match(reading.text, reading.at) is not None
    if _MEANT.match(message) is None and not (asking and (plain or _OF_TARGET.match(message) is not None)):
        return None
    until = min(reading.until, reading.scan.line_span(reading.failure.line - 1)[1])
    return reading.found(KIND, reading.at, max(until, reading.at))
