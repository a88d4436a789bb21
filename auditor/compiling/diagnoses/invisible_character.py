"""invisible-character: a blank that is no blank, a mark without width, a control character."""

import re

from auditor.compiling.diagnoses.characters import INVISIBLE, describe, outside, pattern_of
from auditor.compiling.diagnoses.reading import Found, Reading
from auditor.model import Edit

KIND = "invisible-character"
_PATTERN = pattern_of(INVISIBLE)
# These may not even stand in a comment.
_NOWHERE = re.compile("[\0\ud800-\udfff]")
_IDEOGRAPHIC = "\u3000"


def find_invisible_character(reading: Reading) -> Found | None:
    """The first of them; the repair puts a plain blank for each, or nothing for what has no width."""
    nowhere = [Edit(found.start(), found.end(), "") for found in _NOWHERE.finditer(reading.text)]
    if nowhere:
        return _found(reading, nowhere)
    if reading.text.isprintable() and reading.text.isascii():
        return None
    places = [found.start() for found in outside(reading.scan, _PATTERN)]
    if not places:
        return None
    # An ideographic blank is as wide as two; which number of blanks was meant only the compiler can tell.
    for ideographic in (" ", "  ", "    ") if _IDEOGRAPHIC in reading.text else (" ",):
        edits = [
            Edit(at, at + 1, ideographic if reading.text[at] == _IDEOGRAPHIC else INVISIBLE[reading.text[at]])
            for at in places
        ]
        proven = _found(reading, edits)
        if proven is not None and proven.proof != "shown":
            return proven
    return _found(reading, [Edit(at, at + 1, INVISIBLE[reading.text[at]]) for at in places])


def _found(reading: Reading, edits: list[Edit]) -> Found | None:
    first = edits[0]
    arguments = describe(reading.text[first.start], first.replacement, len(edits))
    span = (first.start, first.end)
    proven = reading.proven(KIND, span, arguments, edits, past=first.start)
    return proven or (reading.found(KIND, *span, arguments) if reading.at <= first.start else None)
