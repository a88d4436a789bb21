"""Include directives of Markdown pages: which files they name, and their lines in a fence's code."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from auditor.model import Diagnosis, MappedText, Segment, Source, Span

# The forms of pymdownx.snippets (`--8<-- "file:section"`, or a block of names) and of mdx_include and markdown-include
# (`{!> file [ln:1-3] !}`, `{!file!lines=1-3}`). A semicolon or a backslash in front shows the directive instead.
_SNIPPET = re.compile(r"""-+8<-+[ \t]+(?:"((?:\\"|[^"\r\n])+)"|'((?:\\'|[^'\r\n])+)')[ \t]*\Z""")
_SNIPPET_BLOCK = re.compile(r"-+8<-+[ \t]*\Z")
_BRACED = re.compile(
    r"\{![+-]?>?[ \t]*"
    r"(?P<said>(?P<path>[^\s!|\[\]{}][^!|\[\]{}\r\n]*?)(?:\|[\w-]+)?[ \t]*(?:\[(?P<slice>[^\]\r\n]*)\])?)[ \t]*"
    r"!(?:lines=(?P<lines>[\d \t-]+))?\}[ \t]*\Z"
)
# `{* file.py ln[1:3,7] hl[2] title["…"] *}` of markdown-include-variants is a fence by itself; only `ln` chooses lines.
_STARRED = re.compile(r"\{\*[ \t]*(?P<path>\S+?\.py)(?P<options>(?:[ \t]+\w+\[[^\r\n]*)?)[ \t]*\*\}\Z")
_OPTION = re.compile(r"(\w+)\[([^\]\r\n]*)\]")
# What stands between lines that are apart: a comment that leaves something out.
_GAP = "# ...\n"
_RANGES = re.compile(r"(?P<path>.+?)(?P<ranges>(?::\d*){1,2}(?:,\d*(?::\d*)?)*)\Z")
_SECTION = re.compile(r"(?P<path>.+?):(?P<section>[A-Za-z][\w-]*)\Z")
_SECTION_MARK = re.compile(r"-+8<-+[ \t]+\[[ \t]*(start|end)[ \t]*:[ \t]*([A-Za-z][\w-]*)[ \t]*\]")
_ADDRESS = re.compile(r"https?://", re.IGNORECASE)
_LINE = re.compile(r"([^\r\n]*)(\r\n|\n|\r|\Z)")

# What `Source.includes` says of a target that lies outside the root; every other text is a reason why there is none.
OUTSIDE_ROOT = "outside-root"
# What a page must hold for an include directive that is a fence by itself.
FENCE_MARK = "{*"


@dataclass(frozen=True, slots=True)
class IncludeReference:
    """A file that a page includes.

    `reference` is the directive's argument as written, and the key of `Source.includes`; `path` is the file alone, as
    written too, or an address on the web, which nobody reads. `ranges` are 1-based lines, both ends included. `options`
    stand on a directive that is a fence by itself, and are `None` for others.
    """

    reference: str
    path: str
    ranges: tuple[tuple[int | None, int | None], ...] = ()
    section: str | None = None
    options: Mapping[str, str] | None = None

    @property
    def remote(self) -> bool:
        """Whether the path is an address on the web."""
        return _ADDRESS.match(self.path) is not None


def _number(text: str) -> int | None:
    return int(text) if text.strip().isdecimal() and len(text) < 10 else None


def _snippet(said: str) -> IncludeReference:
    if _ADDRESS.match(said) is None or said.count(":") > 1:
        found = _RANGES.match(said)
        if found is not None:
            parts = [part.partition(":") for part in found["ranges"][1:].split(",")]
            ranges = tuple((_number(first), _number(last)) for first, _, last in parts)
            return IncludeReference(said, found["path"], ranges)
        found = _SECTION.match(said)
        if found is not None and len(found["path"]) > 1:
            return IncludeReference(said, found["path"], section=found["section"])
    return IncludeReference(said, said)


def _braced(found: re.Match[str]) -> IncludeReference:
    said = found["said"].strip()
    lines = found["lines"] or (found["slice"][3:] if (found["slice"] or "").startswith("ln:") else "")
    ranges = []
    for part in re.split(r"[,\s]+", lines.strip()):
        first, dash, last = part.partition("-")
        if part:
            low = _number(first.partition(".")[0])
            ranges.append((low, _number(last.partition(".")[0]) if dash else low))
    return IncludeReference(said, found["path"].strip(), tuple(ranges))


def reference_on(line: str) -> IncludeReference | None:
    """The include directive that stands alone on a line (its outer blanks and quote marks left out)."""
    if line.startswith("{!"):
        found = _BRACED.match(line)
        return _braced(found) if found is not None else None
    if line.startswith("-"):
        found = _SNIPPET.match(line)
        if found is not None:
            return _snippet(found[1] or found[2])
    return None


def fence_on(line: str) -> IncludeReference | None:
    """The include directive that is a fence of Python by itself and stands alone on a line (its outer blanks left out).

    Of lines `0:0` it shows no more than a preview of the whole file.
    """
    line = line.rstrip(" \t")
    found = _STARRED.match(line) if line.endswith("*}") else None
    if found is None:
        return None
    options = {option[1]: option[2].strip("\"'") for option in _OPTION.finditer(found["options"])}
    ranges = []
    for part in options.get("ln", "").split(","):
        first, colon, last = part.partition(":")
        if part.strip():
            low = _number(first)
            ranges.append((low, _number(last) if colon else low))
    whole = ranges == [(0, 0)]
    return IncludeReference(found["path"], found["path"], () if whole else tuple(ranges), options=options)


def directives(text: str) -> Iterator[tuple[int, int, IncludeReference | None]]:
    """Each directive line of a text: its start, its end without the line end, and what it includes.

    `None` stands for the lines that only frame a block of names.
    """
    within = False
    for found in _LINE.finditer(text):
        line = found[1].strip(" \t>")
        if not within and line[:1] not in ("-", "{"):
            continue
        if line.startswith("-") and _SNIPPET_BLOCK.match(line):
            within = not within
            yield found.start(1), found.end(1), None
        elif within:
            name = "" if line.startswith(";") else line
            yield found.start(1), found.end(1), _snippet(name) if name else None
        else:
            reference = reference_on(line)
            if reference is not None:
                yield found.start(1), found.end(1), reference


def may_include(text: str) -> bool:
    """Whether a text is worth a search for directives."""
    return "-8<-" in text or "{!" in text


def include_references(text: str) -> list[IncludeReference]:
    """The files that a Markdown text includes, each once, in order."""
    seen: dict[str, IncludeReference] = {}
    if may_include(text):
        for _, _, reference in directives(text):
            if reference is not None:
                seen.setdefault(reference.reference, reference)
    if FENCE_MARK in text:
        for found in _LINE.finditer(text):
            reference = fence_on(found[1].strip(" \t>")) if FENCE_MARK in found[1] else None
            if reference is not None:
                seen.setdefault(reference.reference, reference)
    return list(seen.values())


def _lines_of(target: Source) -> list[tuple[int, int]]:
    """The target's lines, ends included."""
    starts = target.line_starts
    lines = [(start, starts[number + 1]) for number, start in enumerate(starts[:-1])]
    if starts[-1] < len(target.text):
        lines.append((starts[-1], len(target.text)))
    return lines


def _chosen(target: Source, reference: IncludeReference) -> list[tuple[int, int]] | None:
    """The lines of the target that the reference asks for, or `None` where it has no such section."""
    lines = _lines_of(target)
    if reference.section is not None:
        chosen: list[tuple[int, int]] = []
        inside = found = False
        for start, end in lines:
            mark = _SECTION_MARK.search(target.text, start, end)
            if mark is not None:
                if mark[2].lower() == reference.section.lower():
                    inside = mark[1] == "start"
                    found = True
            elif inside:
                chosen.append((start, end))
        return chosen if found else None
    if reference.ranges:
        chosen = []
        for first, last in reference.ranges:
            chosen.extend(lines[max((first or 1) - 1, 0) : last if last is not None else len(lines)])
        lines = chosen
    return [(start, end) for start, end in lines if _SECTION_MARK.search(target.text, start, end) is None]


def _included(target: Source, lines: list[tuple[int, int]], indent: str) -> MappedText:
    """Lines of another source, each behind the indentation of the directive; the last without its line end."""
    parts: list[MappedText] = []
    for number, (start, end) in enumerate(lines):
        body = target.text[start:end].rstrip("\r\n")
        if indent and body.strip():
            parts.append(MappedText(indent, (Segment(0, len(indent), start, 0, target.path),)))
        stop = end if number + 1 < len(lines) else start + len(body)
        parts.append(MappedText.of(target.text, [(start, stop)], target.path))
    return joined(parts)


def joined(parts: list[MappedText]) -> MappedText:
    """Mapped texts one behind the other."""
    segments: list[Segment] = []
    size = 0
    for part in parts:
        segments.extend(
            replace(segment, start=size + segment.start)
            for segment in part.segments
            if segment.length or segment.origin_length
        )
        size += len(part.text)
    if not segments:
        first = parts[0].segments[0] if parts else Segment(0, 0, 0, 0)
        segments.append(Segment(0, 0, first.origin, 0, first.path))
    return MappedText("".join(part.text for part in parts), tuple(segments))


def _slice(code: MappedText, start: int, end: int) -> MappedText:
    segments: list[Segment] = []
    for segment in code.segments:
        low, high = max(start, segment.start), min(end, segment.start + segment.length)
        if low < high:
            same = segment.length == segment.origin_length
            origin = segment.origin + low - segment.start if same else segment.origin
            width = high - low if same else segment.origin_length
            segments.append(Segment(low - start, high - low, origin, width, segment.path))
    if not segments:
        span = code.locate(start)
        segments.append(Segment(0, 0, span.start, 0, span.path))
    return MappedText(code.text[start:end], tuple(segments))


def _unread(source: Source, reference: IncludeReference) -> str:
    """Why nobody read a target: its path alone may lead out of the root; else there is none."""
    depth = source.path.count("/")
    for part in reference.path.replace("\\", "/").split("/"):
        depth += -1 if part == ".." else part not in ("", ".")
        if depth < 0:
            return OUTSIDE_ROOT
    return OUTSIDE_ROOT if reference.path.startswith(("/", "\\", "~")) else "missing"


def fault_of(source: Source, reference: IncludeReference, span: Span) -> Diagnosis | None:
    """Why the source has no target for the reference: outside the root, or missing."""
    target = source.includes.get(reference.reference)
    if isinstance(target, Source):
        if reference.section is not None and _chosen(target, reference) is None:
            reason = f"no section {reference.section}"
            return Diagnosis("include-missing", span, {"reference": reference.reference, "reason": reason})
        return None
    kind, reason = why_missing(source, reference)
    return Diagnosis(kind, span, {"reference": reference.reference, "reason": reason})


def why_missing(source: Source, reference: IncludeReference) -> tuple[str, str]:
    """The kind and the reason of a reference for which the source has no target."""
    said = source.includes.get(reference.reference)
    reason = said if isinstance(said, str) else _unread(source, reference)
    return "include-outside-root" if OUTSIDE_ROOT in reason.replace(" ", "-") else "include-missing", reason


def fence_code(target: Source, reference: IncludeReference) -> MappedText:
    """The code of an include directive that is a fence by itself, with a comment where lines are left out between."""
    parts: list[MappedText] = []
    for number, lines in enumerate(reference.ranges or ((None, None),)):
        chosen = _chosen(target, replace(reference, ranges=(lines,))) or []
        if number and chosen:
            at = chosen[0][0]
            gap = "\n" if parts[-1].text[-1:] not in ("", "\n") else ""
            parts.append(MappedText(gap + _GAP, (Segment(0, len(gap + _GAP), at, 0, target.path),)))
        parts.append(MappedText.of(target.text, chosen or [(0, 0)], target.path))
    return joined(parts)


def resolve_includes(source: Source, code: MappedText) -> tuple[MappedText, tuple[Diagnosis, ...], str | None]:
    """The code with every directive line replaced by what it includes.

    Returns the code, a diagnosis for each directive that leads nowhere (its line is left empty), and the reason why the
    body cannot be judged, if a part of it lies on the web.
    """
    parts: list[MappedText] = []
    diagnoses: list[Diagnosis] = []
    skip = None
    at = 0
    for start, end, reference in directives(code.text):
        parts.append(_slice(code, at, start))
        at = end
        if reference is None:
            continue
        if reference.remote:
            skip = "included from the web"
            continue
        line = code.text[start:end]
        margin = len(line) - len(line.lstrip(" \t"))
        fault = fault_of(source, reference, code.locate(start + margin, max(start + margin, end)))
        target = source.includes.get(reference.reference)
        if fault is not None or not isinstance(target, Source):
            if fault is not None:
                diagnoses.append(fault)
            continue
        parts.append(_included(target, _chosen(target, reference) or [], line[:margin]))
    if not at and not parts:
        return code, (), None
    parts.append(_slice(code, at, len(code.text)))
    return joined(parts), tuple(diagnoses), skip
