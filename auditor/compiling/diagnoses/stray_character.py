"""stray-character: a sign that Python knows in no place stands before or behind a name, such as `$`."""

import re

from auditor.compiling.diagnoses.characters import outside
from auditor.compiling.diagnoses.reading import Found, Reading
from auditor.model import Edit

KIND = "stray-character"
_SIGN = re.compile(r"[$?](?=\w)|(?<=\w)[$?]")


def find_stray_character(reading: Reading) -> Found | None:
    """The sign, where all compiles without it; where most lines have one the block is in another language."""
    statement = reading.statement
    if statement is None or not statement.start <= reading.at <= statement.end:
        return None
    signs = list(outside(reading.scan, _SIGN))
    if not signs or len(signs) * 2 >= len(reading.scan.statements):
        return None
    for sign in signs:
        if statement.start <= sign.start() < statement.end:
            edits = [Edit(sign.start(), sign.end(), "")]
            return reading.proven(KIND, sign.span(), {"character": sign[0]}, edits)
    return None
