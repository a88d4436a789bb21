"""Comments that speak to the auditor: suppressions in prose, and explicit words about the next fence.

    <!-- auditor: ignore[rule-a, rule-b] reason -->       findings of these rules in the next fence are meant
    <!-- auditor: ignore-start[rule-a] reason -->         the same for all up to `ignore-end`, or the page's end
    <!-- auditor: id=… implements=path::qualname -->      words about the next fence, kept as `Block.marks`
    <!-- auditor: hidden                                  this comment holds set-up: its fences are audited
    <!-- auditor: hidden -->                              so do all comments of the page from here on

MDX writes the same within `{/*` and `*/}`; `hidden` is for HTML comments alone, and is read by the parser's rules.
A comment that says none of this is a fault of the page: what its author meant does not happen.
"""

import difflib
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import zip_longest
from typing import NamedTuple

from auditor.model import Block, Diagnosis, Source, Span, Suppression

_MARK = re.compile(r"(?:<!--+|\{/\*+)\s*auditor:")
_IGNORE = re.compile(
    r"(?P<verb>ignore(?:-start|-end)?)(?![\w-])\s*(?:\[(?P<rules>[^\]]*)\])?\s*(?P<reason>.*)\Z", re.DOTALL
)
_PAIR = re.compile(r"(?P<key>[a-z][\w-]*)\s*=\s*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<bare>\S+))")
_HIDDEN = re.compile(r"hidden\b")
_WORD = re.compile(r"[^\s=\[]*")
_UNCLOSED = re.compile(r"ignore(?:-start|-end)?\s*\[[^\s,]*")
_BETWEEN = re.compile(r"[\s,;]*")
_TAG = re.compile(r"</?[A-Za-z][^<>\n]*>")
_MARKER = re.compile(r"(?:[-*+]|\d{1,9}[.)])(?=\s)")
_SPACE = re.compile(r"[\s>]+")

UNKNOWN = "unknown-mark"
UNCLOSED = "unclosed-suppression"
# How each known word is written.
FORMS = {
    "ignore": "ignore[rule] reason",
    "ignore-start": "ignore-start[rule] reason",
    "ignore-end": "ignore-end",
    "hidden": "<!-- auditor: hidden -->",
    "id": "id=name",
    "implements": "implements=path::name",
    "authority": "authority=fence",
    "note": "note=section",
}
_KEYS = frozenset({"id", "implements", "authority", "note"})
# Characters of a word that is not known that are looked at and quoted.
_MOST_QUOTED = 40


class Mark(NamedTuple):
    """A comment to the auditor: its offsets and what stands behind the colon."""

    start: int
    end: int
    text: str


def _marks(text: str, closed: Sequence[tuple[int, int]]) -> Iterator[Mark]:
    """The marks of a page that do not stand in code; `closed` are the offsets of fences and indented code.

    What a mark says ends where another one begins inside it. Every part of the text is looked at once.
    """
    starts = [start for start, _ in closed]
    counted = ticks = 0
    closers = {"-->": 0, "*/}": 0}  # where the next one stands, as far as it was looked for
    every = list(_MARK.finditer(text))
    for found, following in zip_longest(every, every[1:]):
        at = found.start()
        if (line := text.rfind("\n", counted, at) + 1) > counted:
            counted, ticks = line, 0
        ticks += text.count("`", counted, at)
        counted = at
        index = bisect_right(starts, at) - 1
        if (index >= 0 and at < closed[index][1]) or ticks % 2:
            continue
        closer = "*/}" if text[at] == "{" else "-->"
        if 0 <= closers[closer] < found.end():
            closers[closer] = text.find(closer, found.end())
        end = closers[closer]
        if end >= 0:
            said = text[found.end() : min(end, following.start()) if following is not None else end]
            yield Mark(at, end + len(closer), said.rstrip("-" if closer == "-->" else "*").strip())


def _reaches(text: str, start: int, end: int) -> bool:
    """Whether only blanks, comments, tags and marks of containers stand between two offsets."""
    at = start
    while at < end:
        found = _SPACE.match(text, at, end) or _MARKER.match(text, at, end) or _TAG.match(text, at, end)
        if found is not None:
            at = found.end()
            continue
        closer = "-->" if text.startswith("<!--", at) else "*/}" if text.startswith("{/*", at) else None
        stop = text.find(closer, at, end) if closer else -1
        if closer is None or stop < 0:
            return False
        at = stop + len(closer)
    return True


def _next_fences(text: str, marks: Sequence[Mark], openers: Sequence[int]) -> list[int | None]:
    """For each mark the index of the fence that it speaks for, or `None` where something else comes first."""
    indices: list[int | None] = []
    later: tuple[int, int | None] = (len(text) + 1, None)
    for mark in reversed(marks):
        index: int | None = bisect_left(openers, mark.end)
        opener = openers[index] if index is not None and index < len(openers) else None
        if opener is None:
            index = None
        elif later[0] < opener:
            # Another mark stands between: what it reaches, this one reaches through it.
            index = later[1] if _reaches(text, mark.end, later[0]) else None
        elif not _reaches(text, mark.end, opener):
            index = None
        later = mark.start, index
        indices.append(index)
    indices.reverse()
    return indices


def _rules(said: str | None) -> tuple[str, ...]:
    if said is None:
        return ("*",)
    return tuple(rule for rule in re.split(r"[\s,]+", said) if rule)


def unknown_word(said: str) -> str | None:
    """The first word behind `auditor:` in a page that means nothing there; `None` where all is understood."""
    found = _IGNORE.match(said)
    if found is not None:
        unclosed = _UNCLOSED.match(said) if found["rules"] is None else None
        return unclosed[0] if unclosed is not None else None
    if _HIDDEN.match(said):
        return None
    pair = _PAIR.match(said)
    if pair is None:
        return first_word(said)
    while pair is not None:
        if pair["key"] not in _KEYS:
            return pair["key"]
        pair = _PAIR.match(said, _end_of(_BETWEEN, said, pair.end()))
    return None


def first_word(said: str) -> str:
    """The word with which a mark begins, without what it is about."""
    return said[: _end_of(_WORD, said, 0)]


def _end_of(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return at if found is None else found.end()


def unknown_mark(word: str, span: Span, known: Sequence[str] = tuple(FORMS)) -> Diagnosis:
    """The fault of a mark whose word is not known, with the form of the nearest of those that are."""
    return Diagnosis(
        UNKNOWN, span, {"word": _clipped(word) or "auditor:", "meant": _nearest(word[:_MOST_QUOTED], known)}
    )


def _clipped(word: str) -> str:
    return word if len(word) <= _MOST_QUOTED else f"{word[:_MOST_QUOTED]}…"


@lru_cache(maxsize=256)
def _nearest(word: str, known: Sequence[str]) -> str:
    """The form of the nearest known word; the first one's where none is near."""
    return FORMS[next(iter(difflib.get_close_matches(word.partition("[")[0].strip().lower(), known, n=1)), known[0])]


def apply(
    source: Source, blocks: Sequence[Block], regions: Sequence[tuple[int, int, str]], others: Sequence[Span] = ()
) -> tuple[list[Block], list[Suppression], list[Diagnosis]]:
    """The blocks with the authors' marks (`id`, `implements`) on them, the page's suppressions, and its marks' faults.

    `ignore[rules] reason` speaks for the next fence, as long as only blanks, comments and tags stand between; where
    there is none it covers nothing. `others` are fences that are no blocks and of which something is found. `ignore-
    start[rules] reason` speaks for all up to `ignore-end`, or the page's end. A mark that is not understood does
    nothing.
    """
    text = source.text
    closed = sorted((start, end) for start, end, kind in regions if kind in ("fence", "indented", "javascript"))
    fences: list[tuple[Span, int | None]] = [(block.span, index) for index, block in enumerate(blocks)]
    fences = sorted((*fences, *((span, None) for span in others)), key=lambda fence: fence[0].start)
    marked: dict[int, dict[str, str]] = {}
    suppressions: list[Suppression] = []
    faults: list[Diagnosis] = []
    opened: dict[int, tuple[Mark, tuple[str, ...], str]] = {}
    by_rules: dict[tuple[str, ...], list[int]] = {}

    def close(mark: Mark, rules: tuple[str, ...], reason: str, end: int) -> None:
        span = Span(mark.start, mark.end)
        suppressions.append(Suppression(rules, reason, "comment", span, Span(mark.end, end)))

    marks = list(_marks(text, closed))
    spoken_for = _next_fences(text, marks, [span.start for span, _ in fences])
    for number, (mark, at) in enumerate(zip(marks, spoken_for, strict=True)):
        index = fences[at][1] if at is not None else None
        word = unknown_word(mark.text)
        if word is None and text[mark.start] == "{" and _HIDDEN.match(mark.text):
            word = "hidden"
        if word is not None:
            faults.append(unknown_mark(word, Span(mark.start, mark.end)))
        found = _IGNORE.match(mark.text)
        if found is None:
            if index is not None:
                for pair in _PAIR.finditer(mark.text):
                    value = pair["double"] or pair["single"] or pair["bare"] or ""
                    marked.setdefault(index, {}).setdefault(pair["key"], value)
            continue
        if word is not None:
            continue
        rules, reason = _rules(found["rules"]), " ".join(found["reason"].split())
        if found["verb"] == "ignore-start":
            opened[number] = (mark, rules, reason)
            by_rules.setdefault(rules, []).append(number)
        elif found["verb"] == "ignore-end":
            # The last one opened, or the last one of these rules.
            if found["rules"] is None and opened:
                _, entry = opened.popitem()
                by_rules[entry[1]].pop()
                close(*entry, mark.start)
            elif found["rules"] is not None and by_rules.get(rules):
                close(*opened.pop(by_rules[rules].pop()), mark.start)
        else:
            covers = Span(mark.end, mark.end) if at is None else fences[at][0]
            suppressions.append(Suppression(rules, reason, "comment", Span(mark.start, mark.end), covers))
    for entry in opened.values():
        close(*entry, len(text))
        faults.append(Diagnosis(UNCLOSED, Span(entry[0].start, entry[0].end), {"rule": ", ".join(entry[1])}))
    if marked:
        blocks = [
            replace(block, marks=marked[index]) if index in marked else block for index, block in enumerate(blocks)
        ]
    return list(blocks), suppressions, faults
