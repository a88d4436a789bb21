"""What text that is not read as Python seems to define: enough to hold one's tongue, never to accuse."""

import re
from collections.abc import Callable, Sequence

_NAMES = r"[^\W\d]\w*(?:[ \t]*,[ \t]*[^\W\d]\w*){0,9}"
# What is written before a name that it defines, and what defines it there.
_AFTER: Sequence[tuple[str, Callable[[str, int, int], re.Match[str] | None]]] = tuple(
    (keyword, re.compile(keyword + pattern).match)
    for keyword, pattern in (
        ("def ", r"[ \t]*([^\W\d]\w*)"),
        ("class ", r"[ \t]*([^\W\d]\w*)"),
        (" as ", r"[ \t]*([^\W\d]\w*)"),
        ("for ", rf"[ \t]*({_NAMES})[ \t]+in\b"),
        ("import ", r"[ \t]*+\(?[ \t\n]*+([\w.]+(?:[ \t]*,[ \t\n]*[\w.]+){0,60})"),
    )
)
# What is given a value: it stands at a line's start or in inline code, with no more than marks before it.
_GIVEN = re.compile(rf"[ \t>$|:.*!%-]*({_NAMES})[ \t]*(?::[^=\n`]{{0,60}})?")
# How far to the left of its `=` it may begin, in characters.
_FAR = 240
_WORD = re.compile(r"[^\W\d]\w*")
# How the builders of books take in a file of code where the page stands; what it defines is not seen here.
_TAKES_IN = ("{*", "<<<", "literalinclude", "8<--", "#include", "% include", "< include", "{!")
# What stands for every name.
ANY = "*"


def hinted(text: str, code: Sequence[tuple[int, int]] = ()) -> frozenset[str]:
    """The names that a text seems to define outside of the spans `code`, which are in order.

    `ANY` is one of them where the text takes in a file of code.
    """
    found: set[str] = set()
    at = 0
    for start, end in (*code, (len(text), len(text))):
        if start > at:
            _look(text, at, start, found)
        at = max(at, end)
    return frozenset(found)


def _look(text: str, start: int, end: int, found: set[str]) -> None:
    """Search by plain words first: most of a page is prose, and a regex costs ten times as much."""
    for keyword, match in _AFTER:
        at = text.find(keyword, start, end)
        while at >= 0:
            defined = match(text, at, end)
            if defined is not None and (
                at == 0 or keyword[0] == " " or not (text[at - 1].isalnum() or text[at - 1] == "_")
            ):
                found.update(_WORD.findall(defined[1]))
            at = text.find(keyword, at + len(keyword), end)
    at = text.find("=", start, end)
    while at >= 0:
        if text[at + 1 : at + 2] != "=":
            from_here = max(start, at - _FAR)
            begin = max(text.rfind("\n", from_here, at), text.rfind("`", from_here, at))
            if begin >= 0 or from_here == start:
                given = _GIVEN.fullmatch(text, begin + 1 if begin >= 0 else start, at)
                if given is not None:
                    found.update(_WORD.findall(given[1]))
        # What another one gives a value begins behind a line's end or a mark of inline code.
        stop = text.find("\n", at, end)
        tick = text.find("`", at, stop if stop >= 0 else end)
        after = tick if tick >= 0 else stop
        at = text.find("=", after, end) if after >= 0 else -1
    if _takes_in(text, start, end):
        found.add(ANY)


def _takes_in(text: str, start: int, end: int) -> bool:
    """Whether some line names a file of Python behind a mark of those that take one in."""
    at = text.find(".py", start, end)
    while at >= 0:
        before = text[max(text.rfind("\n", start, at) + 1, at - _FAR, start) : at]
        if any(mark in before for mark in _TAKES_IN):
            return True
        at = text.find(".py", at + 1, end)
    return False
