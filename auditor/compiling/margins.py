"""The margin that a block's statements share, as edits that take it away."""

import re

from auditor.compiling.scanner import scan
from auditor.model import Edit

_INDENT = re.compile(r"^[ \t]*(?=[^ \t\n])", re.MULTILINE)


def common_margin(code: str) -> tuple[Edit, ...]:
    """What `textwrap.dedent` would remove: the blanks that every line that is not blank begins with."""
    if code[:1] not in " \t\n#":
        return ()
    starts = _INDENT.findall(code)
    width = len(_shared(min(starts), max(starts))) if starts else 0
    if not width:
        return ()
    return tuple(Edit(found.start(), found.start() + width, "") for found in _INDENT.finditer(code))


def statement_margin(code: str) -> tuple[Edit, ...]:
    """The blanks that every statement begins with; a comment, a string's inside or a continuation line sets none.

    Lines of these kinds lose what they have of the margin. A string of which one line has less of it keeps all it has.
    """
    scanned = scan(code)
    indents = [code[line.start : line.first] for line in scanned.lines]
    margin = _shared(min(indents), max(indents)) if indents else ""
    if not margin:
        return ()
    kept = _strings_left_of(code, scanned.strings, margin)
    edits = []
    at = 0
    for found in _INDENT.finditer(code):
        while at < len(kept) and kept[at][1] <= found.start():
            at += 1
        if at < len(kept) and kept[at][0] < found.start():
            continue
        width = len(_shared(found[0], margin))
        if width:
            edits.append(Edit(found.start(), found.start() + width, ""))
    return tuple(edits)


def _shared(one: str, other: str) -> str:
    """What both begin with; of the least and the greatest of many it is what all begin with."""
    width = next((index for index, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    return one[: min(len(one), len(other)) if width is None else width]


def _strings_left_of(code: str, strings: tuple[tuple[int, int], ...], margin: str) -> list[tuple[int, int]]:
    """The strings over several lines of which one, not blank, does not begin with the margin."""
    left = []
    for start, end in strings:
        inner = _INDENT.finditer(code, code.find("\n", start, end) + 1 or end, end)
        if any(not found[0].startswith(margin) for found in inner):
            left.append((start, end))
    return left
