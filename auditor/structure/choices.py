"""Tabs and the like, of which a reader chooses one, and the boxes of a page that are exercises."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import merge

from auditor.structure.told import Choice

# What every page has that has a mark or directive: one look for all of it is cheaper than a look for each.
_ANY = re.compile(r"===[ !+]|<(?:hfopt|[Tt]ab|CodeGroup)|\{(?:%-? tab|tab|exercise|solution)|:::|/// (?:tab|details)")
# The kinds of marks, each with words of which a page that has such a mark has one. Each regex begins with plain
# characters, which are found ten times as fast as anything else; what else a line may hold is asked afterwards.
_TABS: Sequence[tuple[tuple[str, ...], re.Pattern[str]]] = (
    (('=== "', "=== '", '===! "', '===+ "'), re.compile(r"===(?P<tab>[!+]{0,2}[ ]+)[\"']")),
    (
        ("<hfopt", "<Tab", "<tab", "<CodeGroup"),
        re.compile(
            r"<(?P<closing>/?)(?P<tag>hfoptions?|tabs|tabitem|tabpanels?|tab|codegroup)\b[^<>\n]{0,300}>", re.IGNORECASE
        ),
    ),
    (("{% tab", "{%- tab"), re.compile(r"\{%-?[ ]*(?P<liquid>(?:end)?tabs?)\b[^\n%]{0,300}%\}")),
    ((":::",), re.compile(r"(?P<run>::::*)[ \t]*(?P<info>[^\n`]{0,300})$", re.MULTILINE)),
    (("/// tab", "/// details"), re.compile(r"(?P<run>////*)[ \t]*(?P<info>[^\n`]{0,300})$", re.MULTILINE)),
)
# What else is looked at where a page has marks of tabs: fences, in which nothing is a mark, and headings.
_FENCES = (
    re.compile(r"(?P<run>````*)[ \t]*(?P<info>[^\n`]{0,300})$", re.MULTILINE),
    re.compile(r"(?P<run>~~~~*)[ \t]*(?P<info>[^\n]{0,300})$", re.MULTILINE),
)
_DIRECTIVES = ("{tab", "{exercise", "{solution")
_HEADING = re.compile(r"^(?P<heading>\#{1,6})[ \t]", re.MULTILINE)
_NAME = re.compile(r"[{.\s]*([\w-]+)")
# Boxes whose parts are a choice, those whose fences or headings are, and the parts.
_GROUPS = frozenset({"hfoptions", "tabs", "tabpanels", "tab-set"})
_OF_FENCES = frozenset({"codegroup", "code-group"})
_OF_HEADINGS = frozenset({"panel-tabset"})
_PARTS = frozenset({"hfoption", "tab", "tabitem", "tabpanel", "tab-item"})
_EXERCISES = frozenset({
    "exercise", "exercise-start", "challenge", "solution", "solution-start", "practice", "callout-exercise", "quiz",
})  # fmt: skip
# How far in a mark may stand.
_WIDE = 200
# Boxes open at once; deeper ones are taken for text.
_DEEP = 50


@dataclass(frozen=True, slots=True)
class _Box:
    """A box that is open: `closer` is what closes it, `end` where it ends if that is known, `group` what it is part of.

    In an opaque one, a fence of code, nothing is a mark.
    """

    name: str
    closer: str
    start: int
    end: int = -1
    group: int = -1
    opaque: bool = False


@dataclass(slots=True)
class _Walk:
    """A walk over a page's marks.

    `ended` says for a depth of boxes which group had its last part there, and where that ended; `heading` where the
    last heading began.
    """

    text: str
    boxes: list[_Box] = field(default_factory=list)
    ended: dict[int, tuple[int, int]] = field(default_factory=dict)
    heading: int = 0

    def mark(self, found: re.Match[str]) -> None:
        start = found.start()
        self.pass_ends(start)
        kind = found.lastgroup
        if kind == "info":
            if self._margin(start) is not None:
                self._run(found["run"], found["info"].strip(), start)
        elif self.boxes and self.boxes[-1].opaque:
            return
        elif kind == "heading":
            self.heading = start
        elif kind == "tab":
            margin = self._margin(start)
            if margin is not None and not margin.strip() and len(self.boxes) < _DEEP:
                after = re.compile(rf"^[ \t]{{0,{len(margin)}}}[^\s]", re.MULTILINE).search(self.text, found.end())
                self._open("tab", "", start - len(margin), after.start() if after is not None else len(self.text))
        elif self.text[start - 1 : start] != "`":
            word = found[kind or 0].lower()
            name = word.removeprefix("end")
            if name != word or (kind == "tag" and found["closing"]):
                self._close(name)
            elif not found[0].endswith("/>"):
                self._open(name, name, start)

    def _margin(self, at: int) -> str | None:
        """What stands before a place in its line, where that is nothing but blanks and marks of quotes."""
        margin = self.text[max(self.text.rfind("\n", max(0, at - _WIDE), at) + 1, at - _WIDE, 0) : at]
        return margin if not margin.strip(" \t>") else None

    def pass_ends(self, at: int) -> None:
        """Close the boxes that ended before a place."""
        for index, box in enumerate(self.boxes):
            if 0 <= box.end <= at:
                self._drop(index, box.end)
                return

    def choice(self, at: int) -> Choice:
        """What a fence at a place is of the groups that are open."""
        found = []
        for box in self.boxes:
            if box.group >= 0:
                found.append((box.group, box.start))
            elif box.name in _OF_FENCES:
                found.append((box.start, at))
            elif box.name in _OF_HEADINGS:
                found.append((box.start, max(self.heading, box.start)))
        return tuple(found)

    def _fence(self, run: str, info: str, start: int) -> None:
        """Backticks or tildes: a directive, a fence of code, or the end of either."""
        if not info:
            for index in range(len(self.boxes) - 1, -1, -1):
                box = self.boxes[index]
                if box.closer[:1] == run[0] and len(run) >= len(box.closer):
                    self._drop(index, start + len(run))
                    return
        if self.boxes and self.boxes[-1].opaque:
            return
        if info.startswith("{") and not info.startswith(("{.", "{code", "{python")):
            self._open(_named(info), run, start)
        else:
            self._open("", run, start, opaque=True)

    def _run(self, run: str, info: str, start: int) -> None:
        if run[0] in "`~":
            self._fence(run, info, start)
        elif self.boxes and self.boxes[-1].opaque:
            return
        elif info:
            self._open(_named(info), run[0], start)
        else:
            self._close(run[0], start + len(run))

    def _open(self, name: str, closer: str, start: int, end: int = -1, *, opaque: bool = False) -> None:
        if len(self.boxes) >= _DEEP:
            return
        group = -1
        if name in _PARTS:
            around = self.boxes[-1] if self.boxes else None
            known, last = self.ended.get(len(self.boxes), (-1, -1))
            if around is not None and around.name in _GROUPS:
                group = around.start
            elif known >= 0 and not self.text[last:start].strip():
                group = known
            else:
                group = start
        self.boxes.append(_Box(name, closer, start, end, group, opaque))

    def _close(self, closer: str, end: int = -1) -> None:
        for index in range(len(self.boxes) - 1, -1, -1):
            if self.boxes[index].closer == closer:
                self._drop(index, end)
                return

    def _drop(self, index: int, end: int) -> None:
        if self.boxes[index].group >= 0:
            self.ended[index] = (self.boxes[index].group, end)
        del self.boxes[index:]


def choices(text: str, starts: Sequence[int]) -> list[tuple[Choice, bool]]:
    """For fences that begin at some places, in order: the tabs that each is in, and whether it is in an exercise."""
    if _ANY.search(text) is None:
        return [((), False)] * len(starts)
    wanted = [mark for words, mark in _TABS if any(word in text for word in words)]
    if not wanted and not any(word in text for word in _DIRECTIVES):
        return [((), False)] * len(starts)
    headings = (_HEADING,) if "tabset" in text else ()
    marks = merge(*(mark.finditer(text) for mark in (*wanted, *_FENCES, *headings)), key=re.Match.start)
    walk = _Walk(text)
    mark = next(marks, None)
    found = []
    for start in starts:
        while mark is not None and mark.start() < start:
            if mark.end() <= start:  # the opener of the fence itself is none of its boxes
                walk.mark(mark)
            else:
                break
            mark = next(marks, None)
        walk.pass_ends(start)
        found.append((walk.choice(start), any(box.name in _EXERCISES for box in walk.boxes)))
    return found


def _named(info: str) -> str:
    found = _NAME.match(info)
    return found[1].lower() if found is not None else ""
