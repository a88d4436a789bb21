"""leaked-emphasis: emphasis or code marks of Markdown or HTML stand in code (`def **init**(self)`, `<b>x</b>`)."""

import re

from auditor.compiling.diagnoses.characters import outside
from auditor.compiling.diagnoses.reading import Arguments, Found, Reading
from auditor.model import Edit

KIND = "leaked-emphasis"
_DUNDER = re.compile(r"\*\*(?P<inner>[a-z]+)\*\*(?!\w)")
_STARS = re.compile(r"(?<![\w)\]])(?P<mark>\*\*|\*|~~|==)(?=[^\s*])(?P<inner>[^*\n]{1,200}?)(?P=mark)(?![\w*])")
_TICKS = re.compile(r"(?m)^([ \t]*)(`+)([^`\n]+)\2[ \t]*$")
_MARKS = re.compile(r"[*<`]|~~|==")
_TAG = re.compile(
    r"</?(?:b|i|u|s|em|strong|mark|code|kbd|span|font|sup|sub|a|p|br|pre|div)(?:\s+[\w-]+=[^<>\n]{0,200})?\s*/?>",
    re.IGNORECASE,
)


def find_leaked_emphasis(reading: Reading) -> Found | None:
    """The first of the marks, where taking them away, or writing the dunder they ate, is proven right."""
    text = reading.text
    if not _MARKS.search(text):
        return None
    for edits in (_dunders(reading), _stars(reading), _ticks(reading), _tags(reading)):
        if not edits:
            continue
        first = edits[0]
        arguments: Arguments = {"text": text[first.start : first.end], "meant": first.replacement, "count": len(edits)}
        proven = reading.proven(KIND, (first.start, first.end), arguments, edits, past=first.start)
        if proven is not None:
            return proven
    return None


def _dunders(reading: Reading) -> list[Edit]:
    return [Edit(place.start(), place.end(), f"__{place['inner']}__") for place in outside(reading.scan, _DUNDER)]


def _stars(reading: Reading) -> list[Edit]:
    return [Edit(place.start(), place.end(), place["inner"]) for place in outside(reading.scan, _STARS)]


def _ticks(reading: Reading) -> list[Edit]:
    """Lines that stand in backticks as a whole."""
    return [Edit(place.start(2), place.end(), place[3]) for place in _TICKS.finditer(reading.text)]


def _tags(reading: Reading) -> list[Edit]:
    return [Edit(place.start(), place.end(), "") for place in outside(reading.scan, _TAG)]
