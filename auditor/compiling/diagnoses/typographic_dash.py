"""typographic-dash: a dash of running text stands where a minus sign is meant."""

from auditor.compiling.diagnoses.characters import DASHES, describe, pattern_of, replacements
from auditor.compiling.diagnoses.reading import Found, Reading

KIND = "typographic-dash"
_PATTERN = pattern_of(DASHES)


def find_typographic_dash(reading: Reading) -> Found | None:
    """The first of them, where putting a minus sign for each is proven right."""
    if reading.text.isascii():
        return None
    edits = replacements(reading.scan, _PATTERN, DASHES)
    if not edits:
        return None
    first = edits[0]
    arguments = describe(reading.text[first.start], first.replacement, len(edits))
    return reading.proven(KIND, (first.start, first.end), arguments, edits, past=first.start)
