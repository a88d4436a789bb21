"""Holes that the reader is to fill: `<YOUR_URL>` and a value of which there is only a comment, as edits."""

import re

from auditor.compiling.scanner import Scan
from auditor.model import Edit

# A text in the hole is masked by the scanner, its quotes are not.
_HOLE = re.compile(r"<(?![ =])[^\W\d](?:[^<>\n=\"'(){}#;]{0,60}[^<>\n=\"'(){}#; ])?>|<([\"'])_{1,60}\1>")
# A repr's own angle brackets are output, not a hole.
_REPR = re.compile(
    r"\bat 0x|\bobjects?\b|:|,|\ba list of\b"
    r"|^(?:built-in|bound|unbound|class|coroutine|function|generator|map|method|module|type|zip)\b(?! (?:here|name)$)"
)
# How many characters on the left tell where a hole stands.
_NEAR = 300
_BEFORE_VALUE = re.compile(
    r"(?:[=(\[{,:+*/%|&]|[\w)\]]\.|\b(?:return|in|import|from|as|def|class|for|is|not|and|or|if|elif|else|while|with|except"
    r"|raise|assert|await|yield))$"
)
_BEFORE_NAME = re.compile(r"(?:\b(?:import|from|as|def|class|for)|[\w)\]]\.)$")
_AFTER_NAME = re.compile(r"[ \t]*(?:[.(\[]|(?P<bound>=(?!=)))")
_NO_VALUE = re.compile(r"(?:(?<![=!<>:])=|:)$")


def fill_placeholders(scanned: Scan) -> tuple[tuple[Edit, ...], tuple[tuple[int, int], ...]]:
    """Edits that put something legal into each hole, and the place of each hole, both in order."""
    found = [*_angles(scanned), *_comments(scanned)]
    found.sort(key=lambda hole: hole[1])
    return tuple(edit for edit, _ in found), tuple(place for _, place in found)


def _angles(scanned: Scan) -> list[tuple[Edit, tuple[int, int]]]:
    holes = []
    if "<" not in scanned.masked:
        return []
    for hole in _HOLE.finditer(scanned.masked):
        start, end = hole.span()
        near = max(start - _NEAR, 0)
        before = scanned.masked[max(scanned.masked.rfind("\n", near, start) + 1, near) : start].rstrip()
        inside = hole[0][1:-1]
        where_a_name_stands = _BEFORE_NAME.search(before) is not None
        if _REPR.search(inside) and not where_a_name_stands:
            continue
        if before and not _BEFORE_VALUE.search(before):
            continue
        named = _AFTER_NAME.match(scanned.masked, end)
        # On a line of its own only words are a hole; `<div>` is markup.
        if not before and not named and not re.search(r"[ _]|[A-Z]{2}|-", inside):
            continue
        bound = named is not None and (not before or named["bound"] is not None)
        is_name = bound or where_a_name_stands
        holes.append((Edit(start, end, "_" if is_name else "..."), (start, end)))
    return holes


def _comments(scanned: Scan) -> list[tuple[Edit, tuple[int, int]]]:
    """Values of which only a comment says what to put: `key = # your key`, `f(key=,  # yours`."""
    holes = []
    ends = {line.code_end for line in scanned.lines}
    masked = scanned.masked
    for start, end in scanned.comments:
        line_start = max(masked.rfind("\n", max(start - _NEAR, 0), start) + 1, start - _NEAR, 0)
        before = masked[line_start:start].rstrip()
        comma = before.endswith(",")
        if comma:
            before = before[:-1].rstrip()
        sign = _NO_VALUE.search(before)
        if not sign:
            continue
        at = line_start + len(before)
        follows = masked[end:].lstrip()[:1] if not comma else ","
        ends_here = at in ends and not comma and sign[0] == "="
        if ends_here or follows in {",", ")", "]", "}"}:
            holes.append((Edit(at, at, " ..."), (start, end)))
    return holes
