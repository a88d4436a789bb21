"""One page as a parser reads it: its lines, where each one's content begins, and what has been met so far."""

import re
from collections.abc import Iterator
from itertools import accumulate
from operator import add

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock

from auditor.extract.directives import option_block
from auditor.extract.events import Body, BodyLine, Enter, Event, Leave
from auditor.extract.options import Flavour

RUN = re.compile(r"(`{3,}|~{3,}|:{3,})[ \t]*")
# A rule, text, another rule is how a page without front matter may begin too: a fence in it tells.
FRONT_MATTER = re.compile(r"---[ \t]*\n(?=\S)(?:(?!```|~~~).*\n)*?(?:---|\.\.\.)[ \t]*(?:\n|\Z)")

# Only a line that begins like this can end a paragraph; most lines of prose begin with a letter.
TERMINATORS: dict[Flavour, frozenset[str]] = {
    "commonmark": frozenset("`~>*-+_=<#0123456789{"),
    "mkdocs": frozenset("`~>*-+_=<#0123456789{!?:["),
    "myst": frozenset("`~>*-+_=<#0123456789{:"),
    "mdx": frozenset("`~>*-+_=<#0123456789{"),
}


class Page(StateBlock):
    """The state of one page: where each raw line starts, and what the flavour lets a fence hold."""

    def __init__(self, text: str, markdown: MarkdownIt, flavour: Flavour) -> None:
        super().__init__("", markdown, {}, [])
        self.src = text
        self._find_lines()
        self.raw = list(self.bMarks)
        self.flavour = flavour
        self.terminators = TERMINATORS[flavour]
        self.hidden = False
        self.lazy = -1

    def _find_lines(self) -> None:
        """Fill the tables of lines, as the base class does, but by the line instead of by the character."""
        if not self.src:
            return
        lines = self.src.split("\n")
        if not lines[-1]:
            lines.pop()
        sizes = [len(line) for line in lines]
        shifts = [size - len(line.lstrip(" \t")) for size, line in zip(sizes, lines, strict=True)]
        columns = list(shifts)
        if "\t" in self.src:
            for number, line in enumerate(lines):
                if "\t" in line[: shifts[number]]:
                    columns[number] = len(line[: shifts[number]].expandtabs(4))
        end = len(self.src)
        starts = list(accumulate([size + 1 for size in sizes], initial=0))
        starts[-1] = end  # the entry behind the last line, which bounds checks want
        self.bMarks = starts
        self.eMarks = [*map(add, starts, sizes), end]
        self.tShift = [*shifts, 0]
        self.sCount = [*columns, 0]
        self.bsCount = [0] * len(starts)
        self.lineMax = len(lines)

    def is_code_block(self, line: int) -> bool:
        """Whether the line is indented code. MkDocs finds fences first, within lists and paragraphs at any depth."""
        if not self._code_enabled or self.sCount[line] - self.blkIndent < 4:
            return False
        if self.flavour != "mkdocs":
            return True
        at = self.bMarks[line] + self.tShift[line]
        return not ((line == self.lazy or self.blkIndent) and RUN.match(self.src, at, self.eMarks[line]))

    def meet(self, event: Event) -> None:
        """Note an event. It travels as a token, since markdown-it's own rules put tokens before and behind it."""
        self.push("event", "", 0).meta["event"] = event

    def inside(self, name: str, start: int, end: int, *, deeper: int = 0) -> None:
        """Read the lines `start` to `end` as Markdown within the container `name`, `deeper` columns further in."""
        kept = self.lineMax, self.blkIndent, self.parentType, self.listIndent
        self.push("event", "", 1).meta["event"] = Enter(name)
        self.lineMax = end
        self.blkIndent += deeper
        self.parentType = "root"
        self.md.block.tokenize(self, start, end)
        self.push("event", "", -1).meta["event"] = Leave()
        self.lineMax, self.blkIndent, self.parentType, self.listIndent = kept
        self.line = end


_CONTAINERS: dict[str, Event] = {
    "list_item_open": Enter("list"),
    "list_item_close": Leave(),
    "blockquote_open": Enter("quote"),
    "blockquote_close": Leave(),
}


def events(page: Page) -> Iterator[Event]:
    """What was met on the page, in order."""
    for token in page.tokens:
        if token.type == "event":
            yield token.meta["event"]
        elif token.type in _CONTAINERS:
            yield _CONTAINERS[token.type]


def find_closer(state: Page, start: int, end: int, run: str) -> tuple[int, bool]:
    """The line that ends a fence opened by `run` on the line before `start`, and whether it is a closer."""
    mark = run[0]
    width = len(run)
    source = state.src
    begins, ends, shifts, columns = state.bMarks, state.eMarks, state.tShift, state.sCount
    margin = state.blkIndent
    # MkDocs finds fences at any depth, and a closer stands where its opener does.
    depth = max(margin, columns[start - 1]) if state.flavour == "mkdocs" else margin
    for line in range(start, end):
        at = begins[line] + shifts[line]
        stop = ends[line]
        if at >= stop:
            continue
        if columns[line] < margin:
            return line, False
        if source[at] != mark or (columns[line] - depth > 3 and state.is_code_block(line)):
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
    head = "".join(page.src[page.bMarks[line] + page.tShift[line] : page.eMarks[line]] + "\n" for line in first)
    size, _ = option_block(head)
    return start + head.count("\n", 0, size)


def body_lines(page: Page, start: int, end: int) -> Body:
    """The body of the fence opened on line `start`, without as many columns as the opener stands in."""
    margin = page.sCount[start]
    first = start + 1
    if margin == 0 and page.bMarks[first:end] == page.raw[first:end]:
        return None
    return lines_within(page, first, end, margin)


def lines_within(page: Page, start: int, end: int, margin: int) -> tuple[BodyLine, ...]:
    """The lines `start` to `end` (excluded) without `margin` columns, as far as blanks or a list's marker fill them."""
    lines: list[BodyLine] = []
    for line in range(start, end):
        at, width = page.bMarks[line], 0
        stop = min(page.eMarks[line], at + page.tShift[line])
        while at < stop and width < margin:
            width += 4 - (width + page.bsCount[line]) % 4 if page.src[at] == "\t" else 1
            at += 1
        lines.append(BodyLine(line, at - page.raw[line], max(0, width - margin)))
    return tuple(lines)
