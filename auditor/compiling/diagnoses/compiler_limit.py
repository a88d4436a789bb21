"""compiler-limit: code that goes beyond a limit of CPython's own, sound or not."""

import re

from auditor.compiling.diagnoses.characters import outside
from auditor.compiling.diagnoses.lines import Statement
from auditor.compiling.diagnoses.reading import Found, Reading

KIND = "compiler-limit"
# How CPython's message for each limit begins, and what there is too much of; the same on every interpreter.
_LIMITS = (
    ("Exceeds the limit (", "a decimal number of more than 4300 digits"),
    ("too many nested parentheses", "200 brackets within each other"),
    ("too many levels of indentation", "100 levels of indentation"),
    ("too many statically nested blocks", "more than 20 loops, `with` and `try` within each other"),
    ("too many expressions in star-unpacking assignment", "more than 255 names before a star"),
)

_SCOPES = ("def ", "class ", "async def ")
_LONG_NUMBER = re.compile(r"(?<![\w.])\d(?:_?\d){4300,}+(?![\w.])")


def find_compiler_limit(reading: Reading) -> Found | None:
    """The limit in words, at the compiler's place.

    The compiler places a number at its line, and nested blocks at another one on each interpreter: here the number
    itself and the outermost block are named.
    """
    message = reading.failure.message
    for beginning, what in _LIMITS:
        if message.startswith(beginning):
            start, end = reading.at, reading.until
            if message.startswith("Exceeds"):
                numbers = (found.span() for found in outside(reading.scan, _LONG_NUMBER) if found.start() >= start)
                start, end = next(numbers, (start, end))
            elif message.startswith("too many statically") and reading.index is not None:
                outermost = _outermost(reading, reading.index)
                start, end = outermost.start, outermost.end
            return reading.found(KIND, start, end, {"what": what})
    return None


def _outermost(reading: Reading, index: int) -> Statement:
    """The header of the outermost block around a statement that lies in the same function or class."""
    statements = reading.scan.statements
    outermost = statements[index]
    for statement in reversed(statements[:index]):
        if statement.width < outermost.width:
            if reading.text.startswith(_SCOPES, statement.start):
                break
            outermost = statement
    return outermost
