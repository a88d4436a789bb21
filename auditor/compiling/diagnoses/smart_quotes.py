"""smart-quotes: a word processor's quotation marks stand where a string begins or ends."""

from auditor.compiling.diagnoses.characters import QUOTES, describe, pattern_of, replacements
from auditor.compiling.diagnoses.reading import Found, Reading

KIND = "smart-quotes"
_PATTERN = pattern_of(QUOTES)


def find_smart_quotes(reading: Reading) -> Found | None:
    """The first of them; the repair makes all of them straight."""
    if reading.text.isascii():
        return None
    edits = replacements(reading.scan, _PATTERN, QUOTES)
    if not edits:
        return None
    first = edits[0]
    character = reading.text[first.start]
    arguments = describe(character, first.replacement, len(edits))
    span = (first.start, first.end)
    proven = reading.proven(KIND, span, arguments, edits, past=first.start)
    if proven is not None:
        return proven
    # Text in running prose uses the same marks; only where the compiler stopped are they a fault of their own.
    return reading.found(KIND, *span, arguments) if reading.at == first.start else None
