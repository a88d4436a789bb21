"""Include directives outside of fences: a block where one is a fence by itself, and what cannot be had."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from auditor.extract.bodies import Ground
from auditor.extract.events import Included
from auditor.extract.includes import OUTSIDE_ROOT, directives, fault_of, fence_code, why_missing
from auditor.model import Block, NotAudited, Source, Span


def included_fence(
    ground: Ground, said: Included, containers: tuple[str, ...], headings: tuple[str, ...]
) -> Block | NotAudited:
    """What the directive shows, or why it cannot be had."""
    page, source, reference = ground.page, ground.source, said.reference
    options = reference.options or {}
    start = ground.place(said.at)
    line = page.src[said.at : page.eMarks[said.start]].rstrip(" \t")
    span = Span(start, start + len(line))
    if reference.remote:
        return NotAudited("include-missing", span, "included from the web")
    target = source.includes.get(reference.reference)
    if not isinstance(target, Source):
        kind, reason = why_missing(source, reference)
        return NotAudited(kind, span, _said(reason))
    code = fence_code(target, reference)
    if reference.ranges and not code.text:
        return NotAudited("include-missing", span, f"no lines {options.get('ln', '')}")
    return Block("fence", "", "python", options, containers, headings, code, span)


def _said(reason: str) -> str:
    return "the included file lies outside the root" if reason == OUTSIDE_ROOT else f"the included file: {reason}"


def pages_missing(ground: Ground, regions: Sequence[tuple[int, int, str]]) -> Iterator[NotAudited]:
    """What the page includes outside of `regions` and that cannot be had; what can be had is a page of its own."""
    source = ground.source
    closed = sorted((ground.offset(start), ground.offset(end)) for start, end, _ in regions)
    starts = [start for start, _ in closed]
    for start, end, reference in directives(source.text):
        index = bisect_right(starts, start) - 1
        if reference is None or reference.remote or (index >= 0 and start < closed[index][1]):
            continue
        if reference.reference in source.includes:
            fault = fault_of(source, reference, Span(start, end))
            if fault is not None:
                yield NotAudited(fault.kind, fault.span, _said(str(fault.arguments["reason"])))
