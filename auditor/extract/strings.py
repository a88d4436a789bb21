"""Where Python's triple-quoted strings stand in a text, whether or not the rest of it is Python."""

import re
from typing import NamedTuple

_NEXT = re.compile(r"""#[^\n]*|(?P<triple>\"\"\"|''')|"(?:[^"\\\n]|\\.)*+["\n]?|'(?:[^'\\\n]|\\.)*+['\n]?""", re.DOTALL)
_ENDS = {
    '"""': re.compile(r'(?:[^"\\]|\\.|"(?!""))*+(?P<end>""")?', re.DOTALL),
    "'''": re.compile(r"(?:[^'\\]|\\.|'(?!''))*+(?P<end>''')?", re.DOTALL),
}


class TripleString(NamedTuple):
    """A triple-quoted string: its offsets, and whether its end is in the text."""

    start: int
    end: int
    closed: bool


def triple_strings(code: str) -> list[TripleString]:
    """All triple-quoted strings, in order; only the last can lack its end."""
    found: list[TripleString] = []
    at = 0
    while (mark := _NEXT.search(code, at)) is not None:
        if mark["triple"] is None:
            at = max(mark.end(), at + 1)
            continue
        body = _ENDS[mark["triple"]].match(code, mark.end())
        end = body.end() if body is not None else len(code)
        closed = body is not None and body["end"] is not None
        found.append(TripleString(mark.start(), end, closed))
        if not closed:
            break
        at = end
    return found


def ends_in_string(code: str) -> bool:
    """Whether the text ends within a triple-quoted string."""
    strings = triple_strings(code)
    return bool(strings) and not strings[-1].closed
