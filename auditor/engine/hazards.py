"""Texts that could kill or stall a process, told by quick counts; each is audited by a process that may die."""

import re

from auditor.model import Source

# libcst takes up to two kilobytes a character: a text of this size may need most of a gigabyte.
_LARGE = 400_000
# So many brackets that open one after the other are no person's; the parsers' own budgets stop at a few more.
_NESTED = re.compile(r"(?:[(\[{]\s*){40}")
_SOME = ("((((((", "[[[[[[", "{{{{{{", "({({({", "[([([(")


def is_hazardous(source: Source) -> bool:
    """Whether a source is better audited apart; most of those that are so turn out harmless, and it costs little."""
    text = source.text
    return len(text) > _LARGE or (any(mark in text for mark in _SOME) and _NESTED.search(text) is not None)
