"""What keeps a text from being TOML, in our own words: a parser's may quote the file."""

import re
from collections.abc import Mapping

from auditor.toml.places import line_of_last_key, without_long_strings

_UNQUOTED = "a text without its closing quotes"
# By the first words of the parser's.
_WORDS: Mapping[str, str] = {
    "Unclosed array": "a list without its `]`",
    "Unclosed inline table": "a table without its `}`",
    "Unterminated string": _UNQUOTED,
    """Expected "'""": _UNQUOTED,
    "Illegal character": f"{_UNQUOTED}, or a character that TOML does not allow",
    "Invalid value": "a value that is no number, list or table; texts stand in quotes",
    "Expected '='": "a key without `=` behind it",
    "Expected ']": "the name of a table without its `]`",
    "Expected newline": "more than one key or value on a line",
    "Invalid initial character": "a key that must stand in quotes",
    "Invalid statement": "neither a key nor a table",
    "Cannot overwrite": "a key is set twice",
    "Duplicate inline table key": "a key is set twice",
    "Cannot declare": "a table is opened twice",
    "Cannot mutate": "a table is added to that is complete",
    "Cannot redefine": "a table is added to that is complete",
    "Unescaped": r"a `\\` in a text; write it twice, or use single quotes",
    "maximum recursion": "nested too deeply",
}
_AT_THE_END = "(at end of document)"
# At the end these are a value that has begun and is not ended.
_UNENDED = ("Unclosed", "Invalid value")


def said_of(text: str, words: str) -> str:
    """Line, column where there is one, and fault of a text of which the parser said `words`; it begins with a colon."""
    fault = next((ours for begin, ours in _WORDS.items() if words.startswith(begin)), "")
    place = re.search(r"\(at line (\d+), column (\d+)\)", words)
    where = f":{place[1]}:{place[2]}" if place is not None else ""
    if words.endswith(_AT_THE_END):
        if words.startswith("Invalid value"):
            fault = "a value or a list that is not ended"
        line = line_of_last_key(text) if words.startswith(_UNENDED) else _last_line(text, quotes=fault == _UNQUOTED)
        where = f":{line}"
    return f"{where}: not valid TOML{': ' + fault if fault else ''}"


def _last_line(text: str, *, quotes: bool) -> int:
    """The last line that is not blank; of `quotes` that are not closed the line where they stand."""
    last = without_long_strings(text.rstrip())
    opened = re.search("\"{3}|'{3}", last) if quotes else None
    return last.count("\n", 0, opened.start() if opened is not None else len(last)) + 1
