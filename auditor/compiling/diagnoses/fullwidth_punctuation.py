"""fullwidth-punctuation: punctuation typed with an East Asian input method stands in code."""

import re

from auditor.compiling.diagnoses.characters import FULLWIDTH, describe, pattern_of, replacements
from auditor.compiling.diagnoses.prose import is_prose
from auditor.compiling.diagnoses.reading import Found, Reading

KIND = "fullwidth-punctuation"
_PATTERN = pattern_of(FULLWIDTH)
# A line with any of these may be code; without them its words make a sentence, however well its commas would read.
_OF_CODE = re.compile(r"[A-Za-z\"'()]")


def find_fullwidth_punctuation(reading: Reading) -> Found | None:
    """The first of them; the repair puts the ASCII twin of each outside strings and comments."""
    if reading.text.isascii():
        return None
    edits = replacements(reading.scan, _PATTERN, FULLWIDTH)
    if not edits:
        return None
    first = next((edit for edit in edits if edit.start >= reading.at), edits[0])
    line = reading.scan.line_text(reading.scan.line_of(first.start))
    if is_prose(line) and not _OF_CODE.search(line):
        return None
    arguments = describe(reading.text[first.start], first.replacement, len(edits))
    span = (first.start, first.end)
    proven = reading.proven(KIND, span, arguments, edits, past=first.start)
    if proven is not None:
        return proven
    return reading.found(KIND, *span, arguments) if reading.at == first.start and not is_prose(line) else None
