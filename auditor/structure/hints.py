"""What text that is not read as Python seems to define or to expect: enough to hold one's tongue, never to accuse."""

import re
from collections.abc import Sequence

# A name given a value, at a line's start or in inline code; a definition; what imports name.
_DEFINED = re.compile(
    r"\b(?:def|class|import|as)[ \t]+(?P<word>[^\W\d]\w*)"
    r"|(?:^|`)[ \t>$|:.*!%-]*(?P<several>[^\W\d]\w*(?:[ \t]*,[ \t]*[^\W\d]\w*){0,9})[ \t]*(?::[^=\n`]{0,60})?=(?!=)"
    r"|\bfor[ \t]+(?P<loop>[^\W\d]\w*(?:[ \t]*,[ \t]*[^\W\d]\w*){0,9})[ \t]+in\b"
    r"|\bimport[ \t]+\(?(?P<imported>[\w.]+(?:[ \t]*,[ \t\n]*[\w.]+){1,60})",
    re.MULTILINE,
)
_WORD = re.compile(r"[^\W\d]\w*")


def hinted(text: str, code: Sequence[tuple[int, int]] = ()) -> frozenset[str]:
    """The names that a text seems to define outside of the spans `code`, which are in order."""
    found: set[str] = set()
    at = 0
    for start, end in (*code, (len(text), len(text))):
        if start > at:
            for match in _DEFINED.finditer(text, at, start):
                for group in match.groups():
                    if group:
                        found.update(_WORD.findall(group))
        at = max(at, end)
    return frozenset(found)
