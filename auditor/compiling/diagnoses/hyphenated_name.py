"""hyphenated-name: a package's or a graph's name is written with a hyphen where Python needs a name."""

import re

from auditor.compiling.diagnoses.characters import outside
from auditor.compiling.diagnoses.reading import Found, Reading
from auditor.model import Edit

KIND = "hyphenated-name"
_HYPHENATED = re.compile(r"(?<![\w.-])[^\W\d]\w*(?:-[^\W\d]\w*)+(?![\w-])")
# A table of a configuration file, whose keys may have hyphens.
_SECTION = re.compile(r"(?m)^\[+[\w.\"-]+\]+\s*$")
_BEFORE = re.compile(r"(?:\b(?:import|from|def|class|as|with)\s+(?:[\w.]+\.)?|^[ \t]*|[(,]\s*)$")
_AFTER = re.compile(r"\s*(?:=(?!=)|\(|:|import\b|as\b|\.|,|$)")


def find_hyphenated_name(reading: Reading) -> Found | None:
    """The first name with a hyphen where one is bound or imported; the repair puts underscores wherever it stands."""
    statement = reading.statement
    if statement is None or "-" not in reading.text[statement.start : statement.end] or _SECTION.search(reading.text):
        return None
    places = list(outside(reading.scan, _HYPHENATED))
    for place in places:
        if not (statement.start <= place.start() < statement.end) or place.end() < reading.at:
            continue
        line_start, line_end = reading.scan.line_span(reading.scan.line_of(place.start()))
        if not _BEFORE.search(reading.text[line_start : place.start()]):
            continue
        if not _AFTER.match(reading.text[place.end() : line_end]):
            continue
        name = place[0]
        meant = name.replace("-", "_")
        edits = [Edit(other.start(), other.end(), meant) for other in places if other[0] == name]
        arguments = {"name": name, "meant": meant}
        proven = reading.proven(KIND, (place.start(), place.end()), arguments, edits, past=place.end())
        if proven is not None:
            return proven
    return None
