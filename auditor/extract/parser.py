"""Markdown's block structure with true positions: markdown-it's block rules, and a fence rule that forgets nothing."""

import re
from collections.abc import Callable
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block.html_block import html_block

from auditor.extract.info import Info, parse_info
from auditor.extract.options import Flavour

# markdown-it's own limit of 20 hides a fence under ten list levels in silence; a list takes two levels.
MAX_NESTING = 200

Rule = Callable[[StateBlock, int, int, bool], bool]

RUN = re.compile(r"(`{3,}|~{3,}|:{3,})[ \t]*")
# A rule, text, another rule is how a page without front matter may begin too: a fence in it tells.
FRONT_MATTER = re.compile(r"---[ \t]*\n(?=\S)(?:(?!```|~~~).*\n)*?(?:---|\.\.\.)[ \t]*(?:\n|\Z)")
_HIDDEN = re.compile(r"<!--+\s*auditor:\s*hidden\b")
_ATX = re.compile(r"#{1,6}(?=[ \t]|\Z)")
_SETEXT = re.compile(r"(=+|-+)[ \t]*\Z")

# Only a line that begins like this can end a paragraph; most lines of prose begin with a letter.
TERMINATORS: dict[Flavour, frozenset[str]] = {
    "commonmark": frozenset("`~>*-+_<#0123456789"),
    "mkdocs": frozenset("`~>*-+_<#0123456789!?=:["),
    "myst": frozenset("`~>*-+_<#0123456789:"),
    "mdx": frozenset("`~>*-+_<#0123456789{"),
}


class Page(StateBlock):
    """The state of one page: where each raw line starts, and what the flavour lets a fence hold."""

    def __init__(self, text: str, markdown: MarkdownIt, flavour: Flavour) -> None:
        super().__init__(text, markdown, {}, [])
        self.raw = list(self.bMarks)
        self.flavour = flavour
        self.terminators = TERMINATORS[flavour]
        self.hidden = False
        self.lazy = -1

    def is_code_block(self, line: int) -> bool:
        """Whether the line is indented code. MkDocs finds fences first, within lists and paragraphs at any depth."""
        if not self._code_enabled or self.sCount[line] - self.blkIndent < 4:
            return False
        if self.flavour != "mkdocs":
            return True
        at = self.bMarks[line] + self.tShift[line]
        return not ((line == self.lazy or self.blkIndent) and RUN.match(self.src, at, self.eMarks[line]))

    def region(self, kind: str, start: int, end: int, **facts: object) -> None:
        """Note the lines `start` to `end` as something that holds no Markdown, with what is known of it."""
        token = self.push(kind, "", 0)
        token.map = [start, end]
        token.meta = facts

    def inside(self, name: str, start: int, end: int, *, deeper: int = 0) -> None:
        """Read the lines `start` to `end` as Markdown within the container `name`, `deeper` columns further in."""
        kept = self.lineMax, self.blkIndent, self.parentType, self.listIndent
        self.push("container_open", "", 1).meta = {"name": name}
        self.lineMax = end
        self.blkIndent += deeper
        self.parentType = "root"
        self.md.block.tokenize(self, start, end)
        self.push("container_close", "", -1)
        self.lineMax, self.blkIndent, self.parentType, self.listIndent = kept
        self.line = end


def _page(state: StateBlock) -> Page:
    if not isinstance(state, Page):
        raise TypeError("these rules read pages")
    return state


def find_closer(state: Page, start: int, end: int, run: str) -> tuple[int, bool]:
    """The line that ends a fence opened by `run` on the line before `start`, and whether it is a closer."""
    mark = run[0]
    width = len(run)
    source = state.src
    begins, ends, shifts, columns = state.bMarks, state.eMarks, state.tShift, state.sCount
    margin = state.blkIndent
    opener = columns[start - 1]
    for line in range(start, end):
        at = begins[line] + shifts[line]
        stop = ends[line]
        if at >= stop:
            continue
        if columns[line] < margin:
            return line, False
        if source[at] != mark or (columns[line] - max(margin, opener) > 3 and state.is_code_block(line)):
            continue
        rest = source[at:stop].rstrip(" \t")
        if len(rest) >= width and not rest.strip(mark):
            return line, True
    return end, False


def fence(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A fence of backticks, tildes or (in MyST) colons, kept with its marks, info string and body lines."""
    page = _page(state)
    at = page.bMarks[start] + page.tShift[start]
    stop = page.eMarks[start]
    if at + 3 > stop or page.src[at] not in "`~:":
        return False
    found = RUN.match(page.src, at, stop)
    if found is None or page.is_code_block(start):
        return False
    run = found[1]
    if run[0] == ":" and page.flavour != "myst":
        return False
    raw_info = page.src[found.end() : stop].rstrip(" \t")
    if run[0] == "`" and "`" in raw_info:
        return False
    if silent:
        return True
    closer, closed = find_closer(page, start + 1, end, run)
    info = parse_info(raw_info)
    after = closer + 1 if closed else closer
    if page.flavour == "myst" and holds_markdown(info, run):
        page.inside("directive", min(after_options(page, start + 1, closer), closer), closer)
    else:
        facts = {"at": at, "run": run, "info": raw_info, "closed": closed, "said": info}
        page.region("fence", start, after, body=body_lines(page, start, closer), **facts)
    page.line = after
    return True


# Directives whose body is not Markdown: formulas, pictures, tables of data, raw text.
VERBATIM_DIRECTIVES = frozenset(
    "math eval-rst mermaid raw toctree csv-table parsed-literal graphviz prompt bibliography literalinclude image figure-md"
    " productionlist plantuml automodule autoclass autofunction contents glossary index include tableofcontents code-block"
    " code sourcecode code-cell highlight".split()
)


def holds_markdown(info: Info, run: str) -> bool:
    """Whether a MyST directive's body is Markdown, in which fences may stand."""
    if info.language or info.refused:
        return False
    if info.directive is None:
        return run[0] == ":"
    return info.directive not in VERBATIM_DIRECTIVES


_OPTION = re.compile(r":[\w-]+:(?:\s|\Z)")


def after_options(state: StateBlock, start: int, end: int) -> int:
    """The first body line behind a directive's option block: `---` to `---`, or lines like `:name: value`."""

    def text(line: int) -> str:
        return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]].rstrip()

    if start >= end:
        return start
    if text(start) == "---":
        return next((line + 1 for line in range(start + 1, end) if text(line) == "---"), start)
    line = start
    while line < end and _OPTION.match(text(line)):
        line += 1
    return line


BodyLine = tuple[int, int, int]


def body_lines(page: Page, start: int, end: int) -> list[BodyLine] | None:
    """The body of the fence opened on line `start`: for each line (line, column, pad) where its code begins.

    `pad` counts the blanks that a partly eaten tab leaves in front. `None` means that every line is code from its
    first column on, which is so for most fences.
    """
    margin = page.sCount[start]
    first = start + 1
    if margin == 0 and page.bMarks[first:end] == page.raw[first:end]:
        return None
    lines: list[BodyLine] = []
    source = page.src
    for line in range(first, end):
        at = page.bMarks[line]
        stop = min(page.eMarks[line], at + page.tShift[line])
        width = 0
        while at < stop and width < margin:
            width += 4 - (width + page.bsCount[line]) % 4 if source[at] == "\t" else 1
            at += 1
        lines.append((line, at - page.raw[line], max(0, width - margin)))
    return lines


def indented_code(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: ARG001 - a rule's signature
    """Code that stands four columns in: its lines, for the list of what was not audited."""
    page = _page(state)
    if not page.is_code_block(start):
        return False
    last = line = start + 1
    while line < end:
        if page.isEmpty(line):
            line += 1
        elif page.is_code_block(line):
            line += 1
            last = line
        else:
            break
    page.line = last
    page.region("indented", start, last, body=indented_lines(page, start, last))
    return True


def indented_lines(page: Page, start: int, end: int) -> list[BodyLine]:
    """The lines of indented code without their four columns."""
    margin = page.blkIndent + 4
    lines: list[BodyLine] = []
    for line in range(start, end):
        at, width = page.bMarks[line], 0
        stop = at + page.tShift[line]
        if line == start:  # a list marker may stand before the first line
            at, width = stop, margin
            behind = page.sCount[line] - margin
            while behind > 0 and at > page.bMarks[line] and page.src[at - 1] == " ":
                at, behind = at - 1, behind - 1
        while at < stop and width < margin:
            width += 4 - (width + page.bsCount[line]) % 4 if page.src[at] == "\t" else 1
            at += 1
        lines.append((line, at - page.raw[line], max(0, width - margin)))
    return lines


def html(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A block of HTML, which hides its fences; a comment that opts in is read as Markdown."""
    page = _page(state)
    at = page.bMarks[start] + page.tShift[start]
    if page.src[at : at + 1] != "<":
        return False
    comment = page.src.startswith("<!--", at)
    # Python-Markdown takes fences out before it looks at HTML, and MDX has tags that hold Markdown instead of HTML.
    if not comment and page.flavour in ("mkdocs", "mdx"):
        return False
    count = len(page.tokens)
    if not html_block(page, start, end, silent):
        return False
    if silent:
        return True
    del page.tokens[count:]
    after = page.line
    if comment and _HIDDEN.match(page.src, at):
        if page.src.find("-->", at, page.eMarks[start]) >= 0:
            page.hidden = True
        else:
            page.inside("comment", start + 1, max(start + 1, after - 1))
    elif comment and page.hidden and after > start + 2:
        page.inside("comment", start + 1, after - 1)
    else:
        page.region("comment" if comment else "html", start, after)
    page.line = after
    return True


def text(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: ARG001 - a rule's signature
    """A paragraph or a heading underlined by `===` or `---`: markdown-it's two rules in one pass over the lines."""
    page = _page(state)
    terminators = page.md.block.ruler.getRules("paragraph")
    parent = page.parentType
    page.parentType = "paragraph"
    may_end = page.terminators
    lazy = page.flavour in ("mkdocs", "mdx")
    level = 0
    line = start + 1
    limit = page.lineMax
    while line < limit:
        at = page.bMarks[line] + page.tShift[line]
        if at >= page.eMarks[line]:
            break
        columns = page.sCount[line]
        first = page.src[at]
        if columns >= 0 and first in may_end:
            if columns - page.blkIndent > 3:
                # Python-Markdown finds fences at any depth, and MDX has no indented code.
                if not (lazy and first in "`~" and RUN.match(page.src, at, page.eMarks[line])):
                    line += 1
                    continue
                page.lazy = line
                break
            if first in "=-" and columns >= page.blkIndent:
                found = _SETEXT.match(page.src[at : page.eMarks[line]])
                if found is not None and line < end:
                    level = 1 if first == "=" else 2
                    break
            if any(rule(page, line, end, True) for rule in terminators):
                break
        line += 1
    page.parentType = parent
    if level:
        page.line = line + 1
        page.region("title", start, line, level=level, text=page.getLines(start, line, page.blkIndent, False).strip())
    else:
        page.line = line
    return True


def heading(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: ARG001 - a rule's signature
    """A heading with number signs."""
    page = _page(state)
    at = page.bMarks[start] + page.tShift[start]
    if page.src[at : at + 1] != "#" or page.is_code_block(start):
        return False
    found = _ATX.match(page.src, at, page.eMarks[start])
    if found is None:
        return False
    if silent:
        return True
    page.line = start + 1
    words = page.src[found.end() : page.eMarks[start]].strip(" \t")
    shorn = words.rstrip("#")
    if shorn != words and (not shorn or shorn[-1] in " \t"):
        words = shorn.rstrip(" \t")
    page.region("title", start, start + 1, level=len(found[0]), text=words)
    return True


def build(flavour: Flavour, extra: tuple[tuple[str, Rule, str], ...]) -> MarkdownIt:
    """A parser of blocks alone: `extra` holds the flavour's own rules as (name, rule, the rule to stand before)."""
    markdown = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING, "html": True})
    ruler = markdown.block.ruler
    breaks: dict[str, Any] = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    ruler.at("code", indented_code)
    ruler.at("fence", fence, breaks)
    ruler.at("html_block", html, {"alt": ["paragraph", "reference", "blockquote"]})
    ruler.at("heading", heading, {"alt": ["paragraph", "reference", "blockquote"]})
    ruler.at("paragraph", text)
    ruler.disable(["lheading", "reference"])
    if flavour == "mdx":
        ruler.disable("code")
    for name, rule, before in extra:
        ruler.before(before, name, rule, breaks)
    return markdown
