"""The frozen values that flow from a path to the ledger.

Every value is immutable, needs only the standard library, and holds offsets until the moment it is made concrete:
a `Span` is a pair of offsets in a source's text, a `Place` is the same pair with lines and columns.
"""

import hashlib
import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

Newline = Literal["\n", "\r\n", "\r", "mixed", ""]
BlockKind = Literal["fence", "file", "cell", "doctest", "indented", "docstring"]
Context = Literal[
    "module", "class-body", "method", "function-body", "loop-body", "async",
    "session", "notebook", "continuation", "fragment",
]  # fmt: skip
Verdict = Literal[
    "compiles", "compiles-in-context", "compiles-elided", "newer-python", "broken", "not-python", "skipped"
]
Adjustment = Literal["margin", "magics", "prompt", "async", "function", "loop", "elision", "placeholder"]
Severity = Literal["error", "warning", "note"]

# A line ends at LF, CR or CRLF and nowhere else: `str.splitlines` also breaks on U+2028, form feed and others.
_LINE_END = re.compile(r"\r\n|\n|\r")


class Position(NamedTuple):
    """A place in a text as people count it: both numbers 1-based, the column in code points."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Span:
    """Offsets `start` (included) to `end` (excluded) in a source's text, in code points.

    `path` names the source where it is not the block's own: the target of an include.
    """

    start: int
    end: int
    path: str | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """A span made concrete: lines and columns in the user's own file, 1-based, columns in code points, end excluded.

    `text` is the first physical line without its end, so that a report can show it without reading the file again.
    """

    path: str
    start: int
    end: int
    line: int
    column: int
    end_line: int
    end_column: int
    text: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """One file's text, exactly as it stands in the file but for the byte order mark.

    `path` is POSIX and relative to the root. `includes` holds what the include directives of this source name: for each
    reference as written, the source it leads to, or the reason why there is none.
    """

    path: str
    text: str
    newline: Newline = "\n"
    encoding: str = "utf-8"
    bom: bool = False
    includes: "Mapping[str, Source | str]" = field(default_factory=dict)
    line_starts: Sequence[int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        starts = [0]
        starts.extend(found.end() for found in _LINE_END.finditer(self.text))
        object.__setattr__(self, "line_starts", starts)

    @property
    def sha256(self) -> str:
        """Hex digest of the text in UTF-8 with every line end as LF, so that a checkout's line ends do not count."""
        text = _LINE_END.sub("\n", self.text) if "\r" in self.text else self.text
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

    def position(self, offset: int) -> Position:
        """Line and column of an offset."""
        line = bisect_right(self.line_starts, offset)
        return Position(line, offset - self.line_starts[line - 1] + 1)

    def line_text(self, line: int) -> str:
        """The text of a 1-based line, without its end."""
        start = self.line_starts[line - 1]
        end = self.line_starts[line] if line < len(self.line_starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")

    def place(self, span: Span) -> Place:
        """The span as lines and columns of this source, or of the included source that it names."""
        if span.path is not None and span.path != self.path:
            for target in self.includes.values():
                if isinstance(target, Source) and target.path == span.path:
                    return target.place(Span(span.start, span.end))
        first, last = self.position(span.start), self.position(max(span.start, span.end))
        return Place(
            self.path, span.start, span.end, first.line, first.column, last.line, last.column,
            self.line_text(first.line),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Edit:
    """Put `replacement` where `start` to `end` stands."""

    start: int
    end: int
    replacement: str


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of mapped text: `length` characters from `start` that come from `origin_length` at `origin`.

    Equal lengths mean a verbatim copy; otherwise the whole piece stands for the whole origin (a line end, a
    replacement, a tab that a container ate in part).
    """

    start: int
    length: int
    origin: int
    origin_length: int
    path: str | None = None


@dataclass(frozen=True, slots=True)
class MappedText:
    """Code, and for every piece of it where it came from. Lines end in LF."""

    text: str
    segments: tuple[Segment, ...]

    @classmethod
    def verbatim(cls, text: str, origin: int = 0, path: str | None = None) -> "MappedText":
        """Text that stands in the source as it is, from `origin` on."""
        return cls(text, (Segment(0, len(text), origin, len(text), path),))

    @classmethod
    def of(cls, source_text: str, pieces: Sequence[tuple[int, int]], path: str | None = None) -> "MappedText":
        """The pieces (start, end) of a source, joined; line ends in them become LF."""
        parts: list[str] = []
        segments: list[Segment] = []
        size = 0

        def add(text: str, origin: int, origin_length: int) -> None:
            nonlocal size
            last = segments[-1] if segments else None
            verbatim = len(text) == origin_length
            if (
                last is not None
                and verbatim
                and last.length == last.origin_length
                and last.origin + last.length == origin
            ):
                segments[-1] = replace(last, length=last.length + len(text), origin_length=last.length + len(text))
            elif text or origin_length:
                segments.append(Segment(size, len(text), origin, origin_length, path))
            parts.append(text)
            size += len(text)

        for start, end in pieces:
            at = start
            if source_text.find("\r", start, end) >= 0:
                for found in _LINE_END.finditer(source_text, start, end):
                    if found[0] == "\n":
                        continue
                    add(source_text[at : found.start()], at, found.start() - at)
                    add("\n", found.start(), found.end() - found.start())
                    at = found.end()
            if at < end:
                add(source_text[at:end], at, end - at)
        if not segments:
            segments.append(Segment(0, 0, pieces[0][0] if pieces else 0, 0, path))
        return cls("".join(parts), tuple(segments))

    def _segment_at(self, offset: int) -> Segment:
        index = bisect_right(self.segments, offset, key=lambda segment: segment.start) - 1
        return self.segments[max(index, 0)]

    def locate(self, start: int, end: int | None = None) -> Span:
        """The span in the source of the text's offsets `start` to `end` (default: nothing wide)."""
        first = self._segment_at(start)
        inside = start - first.start
        if first.length == first.origin_length:
            origin = first.origin + min(inside, first.length)
        else:
            origin = first.origin + (first.origin_length if first.length and inside >= first.length else 0)
        if end is None or end <= start:
            return Span(origin, origin, first.path)
        last = self._segment_at(end - 1)
        inside = end - last.start
        stop = last.origin + (inside if last.length == last.origin_length else last.origin_length)
        return Span(origin, max(origin, stop), first.path)

    def edit(self, edits: Iterable[Edit]) -> "MappedText":
        """The text after edits, which are in order and do not overlap; a replacement stands for what it replaced."""
        parts: list[str] = []
        segments: list[Segment] = []
        size = at = 0

        def keep(start: int, end: int) -> None:
            nonlocal size
            if start >= end:
                return
            parts.append(self.text[start:end])
            index = max(bisect_right(self.segments, start, key=lambda segment: segment.start) - 1, 0)
            for at_segment in range(index, len(self.segments)):  # a slice would copy the rest at every edit
                segment = self.segments[at_segment]
                if segment.start >= end:
                    break
                low, high = max(start, segment.start), min(end, segment.start + segment.length)
                if low >= high:
                    continue
                if segment.length == segment.origin_length:
                    origin, width = segment.origin + low - segment.start, high - low
                else:
                    origin, width = segment.origin, segment.origin_length
                segments.append(Segment(size, high - low, origin, width, segment.path))
                size += high - low

        for edit in edits:
            keep(at, edit.start)
            if edit.replacement:
                span = self.locate(edit.start, edit.end)
                parts.append(edit.replacement)
                segments.append(Segment(size, len(edit.replacement), span.start, span.end - span.start, span.path))
                size += len(edit.replacement)
            at = edit.end
        keep(at, len(self.text))
        if not segments:
            span = self.locate(0)
            segments.append(Segment(0, 0, span.start, 0, span.path))
        return MappedText("".join(parts), tuple(segments))


# What a diagnosis says beside its kind: words, numbers, and spans, which a message shows as a line of the user's file.
Argument = str | int | Span


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Why a block does not compile, or what a careful reader would remark of it.

    `kind` is kebab-case and the id of the rule under `rules/fences/` that words it. `detail` is CPython's message.
    `repair` is set only where those edits prove the diagnosis. Offsets are the code's while it is diagnosed and the
    source's from `through` on.
    """

    kind: str
    span: Span
    arguments: Mapping[str, Argument] = field(default_factory=dict)
    detail: str | None = None
    repair: tuple[Edit, ...] | None = None

    def through(self, code: MappedText) -> "Diagnosis":
        """The same diagnosis with the code's offsets turned into the source's."""

        def located(argument: Argument) -> Argument:
            return code.locate(argument.start, argument.end) if isinstance(argument, Span) else argument

        repair = None
        if self.repair is not None:
            spans = [(code.locate(edit.start, edit.end), edit.replacement) for edit in self.repair]
            repair = tuple(Edit(span.start, span.end, replacement) for span, replacement in spans)
        return Diagnosis(
            self.kind,
            code.locate(self.span.start, self.span.end),
            {name: located(argument) for name, argument in self.arguments.items()},
            self.detail,
            repair,
        )


@dataclass(frozen=True, slots=True)
class Suppression:
    """Somebody's word that some findings are meant: `rules` are ids, or `*` for all; `where` is how it was said.

    `span` is the mark itself; `covers` is what it speaks for.
    """

    rules: tuple[str, ...]
    reason: str
    where: Literal["comment", "code", "attribute", "path"]
    span: Span
    covers: Span


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of code in a source.

    `info` is the info string as written, `language` its normal form (`python`, `pycon`, `ipython`), `attributes` what
    else it says. `container` names what the block stands in, outermost first (`list`, `quote`, `admonition`, `tab`, …),
    `heading` the headings above it, outermost first. `span` runs from the opener's first mark to the closer's end.
    `skip` is the reason why the body is not judged as Python (labelled output). `structure` are the faults of the fence
    itself, in the source's offsets. `marks` are explicit words of the authors: `id`, `implements`.
    """

    kind: BlockKind
    info: str
    language: str
    attributes: Mapping[str, str]
    container: tuple[str, ...]
    heading: tuple[str, ...]
    code: MappedText
    span: Span
    closed: bool = True
    skip: str | None = None
    structure: tuple[Diagnosis, ...] = ()
    marks: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NotAudited:
    """Something that may hold Python and was not audited, with its reason: nothing is passed over in silence."""

    kind: str
    span: Span
    reason: str


@dataclass(frozen=True, slots=True)
class Extraction:
    """What one source holds: blocks in order, what was left out, and the suppressions written in its prose."""

    blocks: tuple[Block, ...]
    not_audited: tuple[NotAudited, ...] = ()
    suppressions: tuple[Suppression, ...] = ()


@dataclass(frozen=True, slots=True)
class Compilation:
    """The answer to "is this Python, and where does it belong?".

    `code` is the text that compiled, after every adjustment, mapped to the source; rules are matched on it. Of a block
    that does not compile it holds what could be recovered, with `recovered` set, or is `None`. `needs_python` is the
    oldest version that reads the code, where that is newer than 3.8. `by_target` gives the verdict for each target.
    `diagnoses` are in the source's offsets, defects before notes, then by position. `reason` says why a block is
    `skipped`.
    """

    verdict: Verdict
    context: Context | None
    adjustments: tuple[Adjustment, ...] = ()
    code: MappedText | None = None
    needs_python: str | None = None
    by_target: Mapping[str, Verdict] = field(default_factory=dict)
    diagnoses: tuple[Diagnosis, ...] = ()
    reason: str | None = None
    recovered: bool = False


@dataclass(frozen=True, slots=True)
class Definition:
    """A class, function or method that a block binds: `qualname` within its module, `code` its text without its margin.

    `signature_hash` covers the header (name left out), `structure_hash` the whole without comments, formatting and
    docstring; both are hex SHA-256 of a normal form that is the same on every interpreter.
    """

    qualname: str
    kind: Literal["class", "function", "method"]
    span: Span
    code: str
    signature_hash: str
    structure_hash: str


# When running a text needs a name: at once, when a function of it is called, or for an annotation alone.
Use = Literal["now", "later", "annotation"]


@dataclass(frozen=True, slots=True)
class Need:
    """A name that a text uses and does not bind before; `offset` is where it is first used.

    `use` is `now` where running the text needs it at once, `later` where only a function's body does, `annotation`
    where only an annotation does.
    """

    name: str
    offset: int
    use: Use


@dataclass(frozen=True, slots=True)
class Imported:
    """One name that an import statement asks for.

    `import a.b as c`: module `a.b`, name `None`, bound `c`. `from ..a import b`: module `a`, level 2, name and bound
    `b`. `from a import *`: name `*`, nothing that is known bound. `later` says that a function's body imports it.
    """

    module: str
    name: str | None
    bound: str | None
    level: int
    offset: int
    later: bool


@dataclass(frozen=True, slots=True)
class Names:
    """What a text binds at its outermost level, in order, and what it needs; builtins are among the needs.

    `stars` are the modules that are imported whole: a need may come from one of them.
    """

    binds: tuple[str, ...]
    needs: tuple[Need, ...]
    imports: tuple[Imported, ...]
    stars: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Suppressed:
    """By what a finding is suppressed."""

    reason: str
    where: str


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule's hit at a place.

    `block` is the index of the block in its source, and `source` that source's path where `place` lies in an included
    file. `fix` holds edits of the source.
    """

    rule: str
    severity: Severity
    place: Place
    message: str
    block: int
    source: str | None = None
    metavariables: Mapping[str, Argument] = field(default_factory=dict)
    detail: str | None = None
    fingerprint: str = ""
    fix: tuple[Edit, ...] | None = None
    fix_safety: Literal["safe", "unsafe"] = "safe"
    suppressed: Suppressed | None = None
    status: Literal["new", "existing", "baselined"] | None = None
