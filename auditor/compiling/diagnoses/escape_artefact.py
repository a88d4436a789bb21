"""escape-artefact: escapes of another format (a backslash before a mark, `&lt;`, a spelt line end) stand in code."""

import re

from auditor.compiling.diagnoses.characters import outside
from auditor.compiling.diagnoses.reading import Arguments, Found, Reading
from auditor.model import Edit

KIND = "escape-artefact"
_ENTITIES = {
    "&lt;": "<", "&gt;": ">", "&amp;": "&", "&quot;": '"', "&#34;": '"', "&#39;": "'", "&#x27;": "'", "&apos;": "'",
    "&nbsp;": " ", "&#91;": "[", "&#93;": "]", "&#42;": "*", "&#95;": "_", "&#123;": "{", "&#125;": "}",
}  # fmt: skip
_ENTITY = re.compile("|".join(map(re.escape, _ENTITIES)))
_BACKSLASH = re.compile(r"\\(?=[][_*`#<>(){}.!+\-=\"'&|~$%])")
_QUOTE = re.compile(r"(?<!\\)\\++(?=[\"'])")
_LINE_END = re.compile(r"\\n")


def find_escape_artefact(reading: Reading) -> Found | None:
    """The first of them, where undoing all of them is proven right."""
    if "\\" not in reading.text and "&" not in reading.text:
        return None
    for edits in (_entities(reading), _quotes(reading), _backslashes(reading), _line_ends(reading)):
        if not edits:
            continue
        first = edits[0]
        end = first.end + (not first.replacement)
        arguments: Arguments = {
            "text": reading.text[first.start : end],
            "meant": first.replacement.replace("\n", "a new line") or reading.text[first.end : end],
            "count": len(edits),
        }
        proven = reading.proven(KIND, (first.start, end), arguments, edits, past=first.start)
        if proven is not None:
            return proven
        if reading.text[first.start] == "\\" and first.start <= reading.at <= end:
            return reading.found(KIND, first.start, end, arguments)
    return None


def _entities(reading: Reading) -> list[Edit]:
    """All of them, in strings too where a string's own quotes are written so."""
    text = reading.text
    quotes = "&quot;" in text or "&#39;" in text or "&#x27;" in text or "&#34;" in text or "&apos;" in text
    found = _ENTITY.finditer(text) if quotes else outside(reading.scan, _ENTITY)
    return [Edit(place.start(), place.end(), _ENTITIES[place[0]]) for place in found]


def _quotes(reading: Reading) -> list[Edit]:
    """Escaped quotes: where one stands in code, those that seem to stand in strings are its partners."""
    if next(outside(reading.scan, _QUOTE), None) is None:
        return []
    return [Edit(place.start(), place.end(), "") for place in _QUOTE.finditer(reading.text)]


def _backslashes(reading: Reading) -> list[Edit]:
    return [Edit(place.start(), place.end(), "") for place in outside(reading.scan, _BACKSLASH)]


def _line_ends(reading: Reading) -> list[Edit]:
    return [Edit(place.start(), place.end(), "\n") for place in outside(reading.scan, _LINE_END)]
