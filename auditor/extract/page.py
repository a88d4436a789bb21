"""One page as the rules read it: its lines, where each one's content begins, and what has been met so far."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from auditor.extract.directives import option_block
from auditor.extract.events import Body, BodyLine, Enter, Event, Leave
from auditor.extract.options import Flavour

RUN = re.compile(r"(`{3,}|~{3,}|:{3,})[ \t]*")
# A rule, text, another rule is how a page without front matter may begin too: a fence in it tells.
FRONT_MATTER = re.compile(r"---[ \t]*\n(?=\S)(?:(?!```|~~~).*\n)*?(?:---|\.\.\.)[ \t]*(?:\n|\Z)")

# A container hides what stands deeper than so many.
MAX_NESTING = 200

# Reads the block that begins on a line, and says whether one does: page, line, the end of the lines that it may take,
# and whether it is only asked.
Rule = Callable[["Page", int, int, bool], bool]


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a flavour in their order: all of them, then by a line's first character those that can begin there.

    `plain` are for every other character. `interrupting` end a paragraph, `between_items` a list.
    """

    every: Sequence[Rule]
    plain: Sequence[Rule]
    starting: Mapping[str, Sequence[Rule]]
    interrupting: Mapping[str, Sequence[Rule]]
    between_items: Mapping[str, Sequence[Rule]]


class Page:
    """The state of one page; lines are 0-based, and behind the last one stands an empty one.

    For each line: `raw`, where it starts, `ends`; `begins`, where what quotes left of it starts, `shifts`, how many
    blanks that starts with, `columns`, how wide these are, negative where a paragraph goes on outside its quote, and
    `eaten`, how many columns quotes took. `margin` is the innermost container's, `end` the end of its lines.
    """

    def __init__(self, text: str, flavour: Flavour, rules: Rules) -> None:
        self.text = text
        self.flavour = flavour
        self.rules = rules
        self.events: list[Event] = []
        self._find_lines()
        self.line = 0
        self.margin = 0
        self.list_margin = -1
        self.depth = 0
        self.in_paragraph = False
        self.hidden = False
        self.lazy = -1

    def _find_lines(self) -> None:
        lines = self.text.split("\n")
        if not lines[-1]:
            lines.pop()
        sizes = [len(line) for line in lines]
        shifts = [size - len(line.lstrip(" \t")) for size, line in zip(sizes, lines, strict=True)]
        columns = list(shifts)
        if "\t" in self.text:
            for number, line in enumerate(lines):
                if "\t" in line[: shifts[number]]:
                    columns[number] = len(line[: shifts[number]].expandtabs(4))
        end = len(self.text)
        starts = list(accumulate([size + 1 for size in sizes], initial=0))
        starts[-1] = end  # the entry behind the last line, which bounds checks want
        self.raw = starts
        self.begins = list(starts)
        self.ends = [*(start + size for start, size in zip(starts, sizes, strict=False)), end]
        self.shifts = [*shifts, 0]
        self.columns = [*columns, 0]
        self.eaten = [0] * len(starts)
        self.end = len(lines)

    def is_empty(self, line: int) -> bool:
        """Whether nothing but blanks stands on the line."""
        return self.begins[line] + self.shifts[line] >= self.ends[line]

    def is_code(self, line: int) -> bool:
        """Whether the line is indented code. MkDocs finds fences first, within lists and paragraphs at any depth."""
        if self.columns[line] - self.margin < 4 or self.flavour == "mdx":
            return False
        if self.flavour != "mkdocs":
            return True
        at = self.begins[line] + self.shifts[line]
        return not ((line == self.lazy or self.margin) and RUN.match(self.text, at, self.ends[line]))

    def is_interrupted(self, line: int, end: int, rules: Mapping[str, Sequence[Rule]]) -> bool:
        """Whether one of some rules reads a block that begins on the line."""
        if self.is_empty(line):
            return False
        first = self.text[self.begins[line] + self.shifts[line]]
        return any(rule(self, line, end, True) for rule in rules.get(first, ()))

    def read(self, start: int, end: int) -> None:
        """Read the lines `start` to `end` (excluded), as far as they stand in the innermost container."""
        rules = self.rules
        line = start
        while line < end:
            while line < self.end and self.is_empty(line):
                line += 1
            self.line = line
            if line >= end or self.columns[line] < self.margin:
                break
            if self.depth >= MAX_NESTING:
                self.line = end
                break
            fitting = rules.every
            if self.columns[line] - self.margin < 4:
                fitting = rules.starting.get(self.text[self.begins[line] + self.shifts[line]], rules.plain)
            for rule in fitting:
                if rule(self, line, end, False):
                    break
            line = self.line
            if line < end and self.is_empty(line):
                self.line = line = line + 1

    def enter(self, name: str, levels: int = 1) -> None:
        """Go into a container."""
        self.events.append(Enter(name))
        self.depth += levels

    def leave(self, levels: int = 1) -> None:
        """Go out of the innermost container."""
        self.depth -= levels
        self.events.append(Leave())

    def inside(self, name: str, start: int, end: int, *, deeper: int = 0) -> None:
        """Read the lines `start` to `end` as Markdown within the container `name`, `deeper` columns further in."""
        kept = self.end, self.margin, self.list_margin
        self.end = end
        self.margin += deeper
        self.enter(name)
        self.read(start, end)
        self.leave()
        self.end, self.margin, self.list_margin = kept
        self.line = end


def find_closer(page: Page, start: int, end: int, run: str) -> tuple[int, bool]:
    """The line that ends a fence opened by `run` on the line before `start`, and whether it is a closer."""
    mark = run[0]
    width = len(run)
    source = page.text
    begins, ends, shifts, columns = page.begins, page.ends, page.shifts, page.columns
    margin = page.margin
    # MkDocs finds fences at any depth, and a closer stands where its opener does.
    depth = max(margin, columns[start - 1]) if page.flavour == "mkdocs" else margin
    for line in range(start, end):
        at = begins[line] + shifts[line]
        stop = ends[line]
        if at >= stop:
            continue
        if columns[line] < margin:
            return line, False
        if source[at] != mark or (columns[line] - depth > 3 and page.is_code(line)):
            continue
        rest = source[at:stop].rstrip(" \t")
        if len(rest) >= width and not rest.strip(mark):
            return line, True
    return end, False


# More lines of options than any directive has.
_MOST_OPTIONS = 50


def after_options(page: Page, start: int, end: int) -> int:
    """The first body line behind a directive's option block."""
    first = range(start, min(end, start + _MOST_OPTIONS))
    head = "".join(page.text[page.begins[line] + page.shifts[line] : page.ends[line]] + "\n" for line in first)
    size, _ = option_block(head)
    return start + head.count("\n", 0, size)


def body_lines(page: Page, start: int, end: int) -> Body:
    """The body of the fence opened on line `start`, without as many columns as the opener stands in."""
    margin = page.columns[start]
    first = start + 1
    if margin == 0 and page.begins[first:end] == page.raw[first:end]:
        return None
    return lines_within(page, first, end, margin)


def lines_within(page: Page, start: int, end: int, margin: int) -> tuple[BodyLine, ...]:
    """The lines `start` to `end` (excluded) without `margin` columns, as far as blanks or a list's marker fill them."""
    lines: list[BodyLine] = []
    for line in range(start, end):
        at, width = page.begins[line], 0
        stop = min(page.ends[line], at + page.shifts[line])
        while at < stop and width < margin:
            width += 4 - (width + page.eaten[line]) % 4 if page.text[at] == "\t" else 1
            at += 1
        lines.append(BodyLine(line, at - page.raw[line], max(0, width - margin)))
    return tuple(lines)
