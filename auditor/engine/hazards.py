"""Texts that could kill or stall a process, told by quick counts; each is audited by a process that may die."""

import re

from auditor.model import Source

# Characters that are surely audited in a second, on a slow machine and whatever they are: of the shapes that take
# longest (`[a[b], a[b], …`, `f"{a}{a}…"`) each takes 20 to 60 µs.
_IN_A_SECOND = 10_000
# The same shapes take up to four kilobytes a character: of so many, less than half a gigabyte.
_LARGE = 100_000
# So many brackets that open one after the other are no person's; the parsers' own budgets stop at a few more.
_NESTED = re.compile(r"(?:[(\[{]\s*){40}")
_SOME = ("((((((", "[[[[[[", "{{{{{{", "({({({", "[([([(")


def is_hazardous(source: Source, seconds: float) -> bool:
    """Whether a source is better audited apart, where a process may take so many seconds.

    Most of those that are so turn out harmless, and it costs little.
    """
    text = source.text
    if len(text) > min(_LARGE, surely_audited_in(seconds)):
        return True
    return any(mark in text for mark in _SOME) and _NESTED.search(text) is not None


def surely_audited_in(seconds: float) -> int:
    """How many characters are audited in so many seconds, whatever they are."""
    return int(_IN_A_SECOND * seconds)
