"""broken-continuation: something stands behind the backslash that should end its line."""

import re

from auditor.compiling.diagnoses.characters import outside
from auditor.compiling.diagnoses.reading import Found, Reading
from auditor.model import Edit

KIND = "broken-continuation"
_BACKSLASH = re.compile(r"\\[ \t]+(?=\n|\Z)|\\[ \t]*#[^\n]*")


def find_broken_continuation(reading: Reading) -> Found | None:
    """The first such backslash; inside brackets it is not needed, elsewhere what follows it goes."""
    if "\\" not in reading.text:
        return None
    places = [found.span() for found in outside(reading.scan, _BACKSLASH)]
    if not places:
        return None
    depth_at = _depths(reading, [start for start, _ in places])
    edits = []
    for (start, end), depth in zip(places, depth_at, strict=True):
        edits.append(Edit(start, start + 1, "") if depth else Edit(start + 1, end, ""))
    first = places[0]
    what = "blanks" if not reading.text[first[0] + 1 : first[1]].strip() else "a comment"
    return reading.proven(KIND, (first[0], first[0] + 1), {"what": what}, edits, past=first[1])


def _depths(reading: Reading, offsets: list[int]) -> list[int]:
    """How many brackets are open at each of the offsets, which are in order."""
    depths: list[int] = []
    depth = 0
    tokens = iter(reading.scan.tokens)
    token = next(tokens, None)
    for offset in offsets:
        while token is not None and token.start < offset:
            depth = token.depth + (token.kind == "open")
            token = next(tokens, None)
        depths.append(depth)
    return depths
