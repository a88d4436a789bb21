"""Markdown pages: every fence that speaks of Python becomes a block, and every other place that might is listed."""

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from auditor.extract import faults, guess, marks, scan
from auditor.extract.bodies import Ground
from auditor.extract.directives import option_block
from auditor.extract.flavours import parser_for
from auditor.extract.headings import Headings
from auditor.extract.includes import directives, fault_of, may_include, resolve_includes
from auditor.extract.info import Info
from auditor.extract.options import ExtractOptions
from auditor.extract.parser import FRONT_MATTER, BodyLine, Page
from auditor.model import Block, Diagnosis, Edit, Extraction, NotAudited, Source, Span, Suppression

# A page without any of these holds no fence, and nothing else that could be code but what is indented.
_MARKS = ("```", "~~~", ":::")
_INDENTED = re.compile(r"(?:^|\n)(?: {0,3}\t| {4})[ \t]*\S")

CONTAINERS: Mapping[str, str] = {"list_item_open": "list", "blockquote_open": "quote"}

# Why an opener that the line scan sees is no block, by the kind of the lines it stands in.
REASONS: Mapping[str, tuple[str, str]] = {
    "comment": ("html-comment", "the fence stands in a comment, and the page does not opt in"),
    "html": ("html-block", "a block of HTML hides the fence"),
    "javascript": ("javascript", "the fence stands in lines of JavaScript"),
    "indented": ("indented-code", "the fence stands in indented code"),
    "fence": ("inside-fence", "a longer fence shows this one"),
    "front-matter": ("front-matter", "the fence stands in the page's front matter"),
}
NO_FENCE = ("not-a-fence", "the marks do not open a fence there")


@dataclass(slots=True)
class _Reading:
    """What grows while a page is read. `regions` are lines (0-based, end excluded) that hold no Markdown."""

    ground: Ground
    options: ExtractOptions
    blocks: list[Block] = field(default_factory=list)
    not_audited: list[NotAudited] = field(default_factory=list)
    suppressions: list[Suppression] = field(default_factory=list)
    regions: list[tuple[int, int, str]] = field(default_factory=list)


def extract_markdown(source: Source, options: ExtractOptions) -> Extraction:
    """The blocks of a Markdown page; raises nothing."""
    text = source.text
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not any(mark in text for mark in _MARKS) and _INDENTED.search(text) is None:
        return Extraction(())
    page = Page(text, parser_for(options.flavour), options.flavour)
    front = FRONT_MATTER.match(text)
    first = bisect_right(page.raw, front.end() - 1, 0, page.lineMax) if front is not None else 0
    page.md.block.tokenize(page, first, page.lineMax)
    reading = _Reading(Ground(source, page), options)
    if first:
        reading.regions.append((0, first, "front-matter"))
    _walk(reading)
    _reconcile(reading)
    blocks = reading.blocks
    if "auditor:" in text:
        offset = reading.ground.offset
        closed = [(offset(start), offset(end), kind) for start, end, kind in reading.regions]
        blocks, said = marks.apply(source, blocks, closed)
        reading.suppressions.extend(said)
    return Extraction(
        tuple(blocks),
        tuple(sorted(reading.not_audited, key=lambda item: (item.span.start, item.span.end, item.kind))),
        tuple(sorted(reading.suppressions, key=lambda item: item.span.start)),
    )


def _walk(reading: _Reading) -> None:
    """Read the tokens in order, with the containers and headings that each stands in."""
    containers: list[str] = []
    headings = Headings()
    for token in reading.ground.page.tokens:
        kind = token.type
        if kind == "fence":
            _fence(reading, token.map or [0, 0], token.meta, tuple(containers), headings.path())
        elif kind == "title":
            headings.enter(token.meta["level"], token.meta["text"], len(containers))
        elif kind == "container_open" or kind in CONTAINERS:
            containers.append(CONTAINERS.get(kind) or token.meta["name"])
        elif kind in ("container_close", "list_item_close", "blockquote_close"):
            containers.pop()
            headings.leave(len(containers))
        elif kind == "indented":
            _indented(reading, token.map or [0, 0], token.meta["body"], tuple(containers), headings.path())
        elif kind in REASONS:
            start, end = token.map or [0, 0]
            reading.regions.append((start, end, kind))


def _fence(
    reading: _Reading,
    lines: Sequence[int],
    facts: Mapping[str, Any],
    containers: tuple[str, ...],
    heading: tuple[str, ...],
) -> None:
    """A fence: a block, a line of what was not audited, or another language's."""
    ground = reading.ground
    start, end = lines
    reading.regions.append((start, end, "fence"))
    said: Info = facts["said"]
    closed: bool = facts["closed"]
    span = Span(ground.place(facts["at"]), _last_mark(ground, start, end))
    body: Sequence[BodyLine] | None = facts["body"]
    if not said.language:
        _other_fence(reading, span, (start + 1, end - closed), facts)
        return
    code = ground.code(start + 1, end - closed, body)
    run: str = facts["run"]
    info: str = facts["info"]
    attributes = dict(said.attributes)
    if said.options:
        count, options = option_block(code.text.split("\n"))
        if count:
            size = sum(len(line) + 1 for line in code.text.split("\n")[:count])
            code = code.edit([Edit(0, min(size, len(code.text)), "")])
            attributes = options | attributes
    opener = Span(span.start, span.start + len(run))
    structure: list[Diagnosis] = []
    misplaced = faults.code_on_info_line(
        info, said, ground.line_end(start) - _trailing(ground, start) - len(info), opener
    )
    if misplaced is not None:
        structure.append(misplaced)
    session = said.language in ("pycon", "pytb") or said.skip is not None
    structure.extend(faults.body_faults(code, run, opener, closed=closed, session=session))
    skip = said.skip
    if may_include(code.text):
        code, missing, remote = resolve_includes(ground.source, code)
        structure.extend(missing)
        skip = skip or remote
    structure.sort(key=lambda item: item.span.start)
    reading.blocks.append(
        Block("fence", info, said.language, attributes, containers, heading, code, span, closed, skip, tuple(structure))
    )
    if said.silenced is not None:
        mark = Span(opener.end, ground.line_end(start))
        reading.suppressions.append(Suppression(("*",), said.silenced, "attribute", mark, span))


def _trailing(ground: Ground, line: int) -> int:
    """How many blanks stand at the end of a line."""
    page = ground.page
    text = page.src[page.raw[line] : page.eMarks[line]]
    return len(text) - len(text.rstrip(" \t"))


def _last_mark(ground: Ground, start: int, end: int) -> int:
    """The source's offset where the last line of a fence ends, its trailing blanks left out."""
    line = max(end - 1, start)
    return ground.line_end(line) - _trailing(ground, line)


def _other_fence(reading: _Reading, span: Span, lines: tuple[int, int], facts: Mapping[str, Any]) -> None:
    """A fence that is no block: a dialect, reStructuredText that holds code, or code that nobody labelled."""
    said: Info = facts["said"]
    if said.refused is not None:
        kind, reason = said.refused
        reading.not_audited.append(NotAudited(kind, span, reason))
    elif said.directive == "eval-rst":
        code = reading.ground.code(*lines, facts["body"]).text
        if _RST_CODE.search(code) is not None:
            reading.not_audited.append(NotAudited("restructuredtext", span, "Python in embedded reStructuredText"))
    elif said.directive == "code-cell":
        reading.not_audited.append(NotAudited("no-language", span, "the code cell names no language"))
    elif not facts["info"] and reading.options.unlabelled:
        if guess.surely_python(reading.ground.code(*lines, facts["body"]).text):
            reading.not_audited.append(NotAudited("unlabelled-python", span, "Python in a fence without a label"))


_RST_CODE = re.compile(r"^[ \t]*(?:\.\.[ ]+(?:code-block|code|sourcecode)::[ ]+i?py|>>> )", re.MULTILINE)


def _indented(
    reading: _Reading,
    lines: Sequence[int],
    body: Sequence[BodyLine],
    containers: tuple[str, ...],
    heading: tuple[str, ...],
) -> None:
    """Indented code: listed, or a block where it was asked for and looks like Python."""
    ground = reading.ground
    start, end = lines
    reading.regions.append((start, end, "indented"))
    line, column, _ = body[0]
    span = Span(ground.offset(line, column), _last_mark(ground, start, end))
    if reading.options.indented:
        code = ground.code(start, end, body)
        if guess.looks_like_python(code.text):
            language = "pycon" if code.text.startswith(">>> ") else "python"
            reading.blocks.append(Block("indented", "", language, {}, containers, heading, code, span))
            return
    reading.not_audited.append(NotAudited("indented-code", span, "indented code names no language"))


def _reconcile(reading: _Reading) -> None:
    """List every opener that the line scan sees and the parser made no block of, with the reason."""
    ground = reading.ground
    page = ground.page
    known = {bisect_right(ground.source.line_starts, block.span.start) for block in reading.blocks}
    known |= {bisect_right(ground.source.line_starts, item.span.start) for item in reading.not_audited}
    regions = sorted(reading.regions)
    starts = [region[0] for region in regions]
    for at, end, info in scan.openers(page.src):
        line = bisect_right(page.raw, at, 0, page.lineMax) - 1
        if line + 1 in known:
            continue
        index = bisect_right(starts, line) - 1
        inside = index >= 0 and line < regions[index][1]
        kind, reason = REASONS[regions[index][2]] if inside else NO_FENCE
        if not inside and "`" in info and page.src[at] == "`":
            reason = "the opener's line holds more backticks, so that it is inline code"
        reading.not_audited.append(NotAudited(kind, Span(ground.place(at), ground.place(end)), reason))
