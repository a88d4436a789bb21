"""Markdown pages: every fence that speaks of Python becomes a block, and every other place that might is listed."""

import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from auditor.extract import faults, scan
from auditor.extract.bodies import Ground
from auditor.extract.directives import option_block
from auditor.extract.events import Enter, Fence, Hidden, Included, Indented, Leave, Title
from auditor.extract.flavours import parser_for
from auditor.extract.headings import Headings
from auditor.extract.included import included_fence, pages_missing
from auditor.extract.includes import FENCE_MARK, may_include, resolve_includes
from auditor.extract.info import KERNEL_CELL, UNNAMED_CELL, parse_info
from auditor.extract.options import ExtractOptions
from auditor.extract.page import FRONT_MATTER, Page, events
from auditor.model import Block, Diagnosis, Edit, Extraction, NotAudited, Source, Span, Suppression

# A page without any of these says nothing to us, but for what is indented.
_MARKS = ("```", "~~~", ":::", "auditor:", "invisible-code", FENCE_MARK)
_INDENTED = re.compile(r"(?:^|\n)(?: {0,3}\t| {4})[ \t]*\S")

# Why an opener that the line scan sees is no block, by the kind of the lines it stands in.
REASONS: Mapping[str, tuple[str, str]] = {
    "comment": ("html-comment", "the fence stands in a comment, and the page does not opt in"),
    "html": ("html-block", "a block of HTML hides the fence"),
    "javascript": ("javascript", "the fence stands in lines of JavaScript"),
    "indented": ("indented-code", "the fence stands in indented code"),
    "fence": ("inside-fence", "another fence holds the line"),
    "front-matter": ("front-matter", "the fence stands in the page's front matter"),
}
NO_FENCE = ("not-a-fence", "the marks do not open a fence there")


_PYTHON_KERNEL = re.compile(
    r"""^[ \t]*(?:language|name|kernel)[ \t]*:[ \t]*["']?(?:i?python|xpython)""", re.MULTILINE | re.IGNORECASE
)


class Where(NamedTuple):
    """What an event stands in: containers and headings, both outermost first."""

    containers: tuple[str, ...]
    headings: tuple[str, ...]


@dataclass(slots=True)
class _Reading:
    """What grows while a page is read. `regions` are lines (0-based, end excluded) that hold no Markdown."""

    ground: Ground
    options: ExtractOptions
    kernel: bool
    blocks: list[Block] = field(default_factory=list)
    not_audited: list[NotAudited] = field(default_factory=list)
    suppressions: list[Suppression] = field(default_factory=list)
    misspelt: list[tuple[Span, Diagnosis]] = field(default_factory=list)
    regions: list[tuple[int, int, str]] = field(default_factory=list)


def extract_markdown(source: Source, options: ExtractOptions) -> Extraction:
    """The blocks of a Markdown page; raises nothing."""
    text = source.text
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    worth_reading = source.includes or any(mark in text for mark in _MARKS)
    if not worth_reading and _INDENTED.search(text) is None:
        return Extraction(())
    if not text.endswith("\n"):
        text += "\n"  # markdown-it reads one character past a last line without an end
    page = Page(text, parser_for(options.flavour), options.flavour)
    front = FRONT_MATTER.match(text)
    first = bisect_right(page.raw, front.end() - 1, 0, page.lineMax) if front is not None else 0
    page.md.block.tokenize(page, first, page.lineMax)
    kernel = front is not None and _PYTHON_KERNEL.search(front[0]) is not None
    reading = _Reading(Ground(source, page), options, kernel)
    if first:
        reading.regions.append((0, first, "front-matter"))
    _walk(reading)
    _reconcile(reading)
    if source.includes:
        reading.not_audited.extend(pages_missing(reading.ground, reading.regions))
    blocks = reading.blocks
    wrong = [fault for _, fault in reading.misspelt]
    if "auditor:" in text:
        from auditor.extract import marks  # noqa: PLC0415 - most pages have none

        offset = reading.ground.offset
        closed = [(offset(start), offset(end), kind) for start, end, kind in reading.regions]
        blocks, said, unknown = marks.apply(source, blocks, closed, [span for span, _ in reading.misspelt])
        reading.suppressions.extend(said)
        wrong.extend(unknown)
    return Extraction(
        tuple(blocks),
        tuple(sorted(reading.not_audited, key=lambda item: (item.span.start, item.span.end, item.kind))),
        tuple(sorted(reading.suppressions, key=lambda item: item.span.start)),
        tuple(wrong),
    )


def _walk(reading: _Reading) -> None:
    """Take the page's events in order, with the containers and headings that each stands in."""
    containers: list[str] = []
    headings = Headings()
    for event in events(reading.ground.page):
        match event:
            case Fence():
                reading.regions.append((event.start, event.end, "fence"))
                _fence(reading, event, Where(tuple(containers), headings.path()))
            case Included():
                reading.regions.append((event.start, event.end, "fence"))
                made = included_fence(reading.ground, event, tuple(containers), headings.path())
                if isinstance(made, Block):
                    reading.blocks.append(made)
                else:
                    reading.not_audited.append(made)
            case Title():
                headings.enter(event.level, event.text, len(containers))
            case Enter():
                containers.append(event.name)
            case Leave():
                containers.pop()
                headings.leave(len(containers))
            case Indented():
                reading.regions.append((event.start, event.end, "indented"))
                _indented(reading, event, Where(tuple(containers), headings.path()))
            case Hidden():
                reading.regions.append((event.start, event.end, event.kind))
                if event.kind == "comment":
                    _comment(reading, event)


# Sybil's way to hide set-up: the comment's first line says so, and the rest is code without a fence.
_INVISIBLE = re.compile(r"[ \t>]*<!--+[ \t]*invisible-code(?:-block)?[ \t]*:[ \t]*i?py", re.IGNORECASE)


def _comment(reading: _Reading, comment: Hidden) -> None:
    """Name a comment that is Python as a whole; the fences within others are for the line scan."""
    ground = reading.ground
    if _INVISIBLE.match(ground.page.src, ground.page.raw[comment.start]) is not None:
        span = Span(ground.offset(comment.start), _last_mark(ground, comment.start, comment.end))
        reading.not_audited.append(NotAudited("html-comment", span, "hidden Python in a comment"))


def _fence(reading: _Reading, fence: Fence, where: Where) -> None:
    """A fence: a block, a line of what was not audited, or another language's."""
    ground, said = reading.ground, fence.said
    if said is UNNAMED_CELL and reading.kernel:
        said = KERNEL_CELL
    opened = ground.place(fence.at)
    span = Span(opened, max(_last_mark(ground, fence.start, fence.end), opened + len(fence.run)))
    if not said.language:
        _other_fence(reading, fence, span)
        return
    code = ground.code(fence.start + 1, fence.end - fence.closed, fence.body)
    attributes = dict(said.attributes)
    if said.options:
        size, options = option_block(code.text)
        if size:
            code = code.edit([Edit(0, size, "")])
            attributes = options | attributes
    opener = Span(opened, opened + len(fence.run))
    line_end = _last_mark(ground, fence.start, fence.start + 1)
    structure: list[Diagnosis] = []
    misplaced = faults.code_on_info_line(fence.info, said, line_end - len(fence.info), opener)
    if misplaced is not None:
        structure.append(misplaced)
    session = said.language in ("pycon", "pytb") or said.skip is not None
    beyond = None if fence.closed else _closer_beyond(ground, fence)
    structure.extend(faults.body_faults(code, fence.run, opener, closed=fence.closed, session=session, beyond=beyond))
    skip = said.skip
    if may_include(code.text):
        code, missing, remote = resolve_includes(ground.source, code)
        structure.extend(missing)
        skip = skip or remote
    structure.sort(key=lambda fault: fault.span.start)
    reading.blocks.append(
        Block(
            kind="fence",
            info=fence.info,
            language=said.language,
            attributes=attributes,
            container=where.containers,
            heading=where.headings,
            code=code,
            span=span,
            closed=fence.closed,
            skip=skip,
            structure=tuple(structure),
        )
    )
    if said.silenced is not None:
        mark = Span(opener.end, line_end)
        reading.suppressions.append(Suppression(("*",), said.silenced, "attribute", mark, span))


def _closer_beyond(ground: Ground, fence: Fence) -> Span | None:
    """Marks that would close a fence if they stood in its container, and not on the first line behind it."""
    page = ground.page
    if fence.end >= page.lineMax:
        return None
    line = page.src[page.raw[fence.end] : page.eMarks[fence.end]]
    marks = line.strip(" \t>")
    if len(marks) < len(fence.run) or marks.strip(fence.run[0]):
        return None
    start = ground.offset(fence.end, line.index(marks))
    return Span(start, start + len(marks))


def _last_mark(ground: Ground, start: int, end: int) -> int:
    """The source's offset where the last of some lines ends, its trailing blanks left out."""
    line = max(end - 1, start)
    page = ground.page
    text = page.src[page.raw[line] : page.eMarks[line]]
    return ground.offset(line, len(text.rstrip(" \t")))


_RST_CODE = re.compile(r"^[ \t]*(?:\.\.[ ]+(?:code-block|code|sourcecode)::[ ]+i?py|>>> )", re.MULTILINE)


def _other_fence(reading: _Reading, fence: Fence, span: Span) -> None:
    """A fence that is no block: a dialect, reStructuredText that holds code, or code that nobody labelled."""

    def body() -> str:
        return reading.ground.code(fence.start + 1, fence.end - fence.closed, fence.body).text

    left_out: tuple[str, str] | None = None
    if fence.said.refused is not None:
        left_out = fence.said.refused
        if fence.said.misspelt is not None:
            reading.misspelt.append((span, _misspelt(reading.ground, fence, *fence.said.misspelt)))
    elif fence.said.directive == "eval-rst":
        if _RST_CODE.search(body()) is not None:
            left_out = "restructuredtext", "Python in embedded reStructuredText"
    elif not fence.info and reading.options.unlabelled and _is_surely_python(body()):
        left_out = "unlabelled-python", "Python in a fence without a label"
    if left_out is not None:
        reading.not_audited.append(NotAudited(left_out[0], span, left_out[1]))


def _is_surely_python(code: str) -> bool:
    from auditor.extract.guess import surely_python  # noqa: PLC0415 - only on request

    return surely_python(code)


def _misspelt(ground: Ground, fence: Fence, label: str, language: str) -> Diagnosis:
    """The fault of a label that is one slip away from Python's; it stands where the label does."""
    start = _last_mark(ground, fence.start, fence.start + 1) - len(fence.info) + fence.info.find(label)
    return Diagnosis("misspelt-language", Span(start, start + len(label)), {"label": label, "language": language})


# Python-Markdown's label of indented code.
_LABEL = re.compile(r"(?::{3}|#!)[ ]*([\w.+-]+)[^\n]*\n")


def _indented(reading: _Reading, indented: Indented, where: Where) -> None:
    """Indented code: listed, or a block where it was asked for and looks like Python."""
    ground = reading.ground
    first = indented.body[0]
    span = Span(ground.offset(first.line, first.column), _last_mark(ground, indented.start, indented.end))
    if reading.options.indented:
        from auditor.extract import guess  # noqa: PLC0415 - only on request

        code = ground.code(indented.start, indented.end, indented.body)
        label = _LABEL.match(code.text)
        if label is not None:
            code = code.edit([Edit(0, label.end(), "")])
        language = parse_info(label[1]).language if label is not None else ""
        if language or (label is None and guess.looks_like_python(code.text)):
            language = language or ("pycon" if code.text.startswith(">>> ") else "python")
            reading.blocks.append(Block("indented", "", language, {}, where.containers, where.headings, code, span))
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
        if not inside and page.src[at] == ":":
            reason = "colons open no fence of code there"
        elif not inside and "`" in info and page.src[at] == "`":
            reason = "the opener's line holds more backticks, so that it is inline code"
        reading.not_audited.append(NotAudited(kind, Span(ground.place(at), ground.place(end)), reason))
