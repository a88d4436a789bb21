"""What one source's audit holds: the values that the engine hands on, keeps and takes out of the cache again.

Importing this loads no parser, so that a run whose answers are all kept loads none.
"""

import hashlib
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal, NamedTuple

from auditor.compiling.options import CompileOptions
from auditor.extract.options import ExtractOptions
from auditor.model import (
    Block,
    Compilation,
    Definition,
    Diagnosis,
    Finding,
    Imported,
    Names,
    Need,
    Place,
    Severity,
    Source,
    Span,
    Suppression,
)
from auditor.structure.shape import Program, UseShape
from auditor.structure.told import UNTOLD, Told

_WHITE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class AuditOptions:
    """What decides the result for one source; equal options and equal text give equal audits.

    `severities` overrides a rule's own severity by id. `targets_named` says that the user, and not the default, chose
    the targets: only then is newer syntax an error. Of more than `most_findings` in one source the first are kept, and
    the run is incomplete. `regex_seconds` is what one search with a rule's own regex may take; the rule is left out of
    the block where it takes longer, and named. Without `outsides` nothing is told of what files define and need:
    nothing asks for it in a run that has no page. Without `files`, in a run that has no Python file, the uses of a page
    are told only where the page defines something itself: nothing else could be held against them.
    """

    extract: ExtractOptions = field(default_factory=ExtractOptions)
    compile: CompileOptions = field(default_factory=CompileOptions)
    targets_named: bool = False
    lang: Literal["en", "zh"] = "en"
    severities: Mapping[str, Severity] = field(default_factory=dict)
    most_findings: int = 10_000
    outsides: bool = True
    files: bool = True
    regex_seconds: float = 0.5


@dataclass(frozen=True, slots=True)
class PlacedDiagnosis:
    """A diagnosis with its place in the user's file and its message in the language of the run."""

    diagnosis: Diagnosis
    place: Place
    message: str


@dataclass(frozen=True, slots=True)
class PlacedNotAudited:
    """Something that may hold Python and was left out: what, where, why."""

    kind: str
    place: Place
    reason: str


@dataclass(frozen=True, slots=True)
class Lines:
    """Some whole lines of a source: `text` begins at the offset `start` and at the beginning of the line `line`.

    Enough to say where something in them stands, without the source: few of all uses are ever told of.
    """

    path: str
    start: int
    line: int
    text: str

    @classmethod
    def of(cls, source: Source, start: int, end: int) -> "Lines":
        """The lines of a source that hold the offsets `start` to `end`."""
        first, last = source.position(start).line, source.position(max(start, end)).line
        begin = source.line_starts[first - 1]
        stop = source.line_starts[last] if last < len(source.line_starts) else len(source.text)
        return cls(source.path, begin, first, source.text[begin:stop])

    def place(self, start: int, end: int) -> Place:
        """The place of two offsets of the source that stand in these lines."""
        inner = Source(self.path, self.text).place(Span(start - self.start, end - self.start))
        above = self.line - 1
        return replace(inner, start=start, end=end, line=inner.line + above, end_line=inner.end_line + above)


@dataclass(frozen=True, slots=True)
class BlockAudit:
    """One block with everything that one source alone can say of it.

    `place` runs from the opener to the closer's end. `definitions` are those the block binds, with their places in the
    source, also of a recovered block. `names` is what it binds and needs, `None` where nothing could be read, `program`
    what its functions, classes and uses look like from outside. Of a block on a page `lines` are
    its own and those that it includes, and `told` is what the text around it tells of it.
    """

    block: Block
    compilation: Compilation
    place: Place
    diagnoses: tuple[PlacedDiagnosis, ...]
    definitions: tuple[tuple[Definition, Place], ...] = ()
    names: Names | None = None
    program: Program | None = None
    lines: tuple[Lines, ...] = ()
    told: Told = UNTOLD

    def place_of(self, what: Need | Imported | UseShape) -> Place:
        """Where a need or an import of `names`, or a use of `program`, stands in the user's file."""
        if isinstance(what, UseShape):
            size = what.end - what.offset
        else:
            size = len(what.name or what.module) if isinstance(what, Imported) else len(what.name)
        code = self.compilation.code
        if code is None:
            return self.place
        span = code.locate(what.offset, what.offset + size)
        held = (lines for lines in self.lines if lines.path == (span.path or self.place.path))
        return next((lines.place(span.start, span.end) for lines in held), self.place)


@dataclass(frozen=True, slots=True)
class SourceAudit:
    """One source after its audit. `status` and `reason` say why a source that was not read was not.

    `incomplete` lists what should have been looked at and could not be; such a run is never clean. `hinted` are names
    that the text of a page outside of its compiled code seems to define, `linked` the targets of its links to Python
    files, as they are written.
    """

    path: str
    sha256: str
    status: Literal["read", "unreadable", "excluded"] = "read"
    reason: str | None = None
    blocks: tuple[BlockAudit, ...] = ()
    findings: tuple[Finding, ...] = ()
    not_audited: tuple[PlacedNotAudited, ...] = ()
    suppressions: tuple[tuple[Suppression, Place], ...] = ()
    incomplete: tuple[str, ...] = ()
    hinted: frozenset[str] = frozenset()
    linked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outline:
    """What is asked of every audit of a run before one is looked into: all of it but the blocks and their findings.

    `is_file` tells that the blocks are whole files. `verdicts` counts the blocks, in the order in which each verdict
    comes first. `patched` are the last words of names that the blocks hand to a decorator.
    """

    path: str
    sha256: str
    status: Literal["read", "unreadable", "excluded"]
    reason: str | None
    is_file: bool
    verdicts: Mapping[str, int]
    not_audited: tuple[PlacedNotAudited, ...]
    suppressions: tuple[tuple[Suppression, Place], ...]
    incomplete: tuple[str, ...]
    patched: frozenset[str]

    @property
    def size(self) -> int:
        """How many blocks there are."""
        return sum(self.verdicts.values())


def outline_of(audit: SourceAudit) -> Outline:
    """The outline of one audit."""
    return Outline(
        audit.path,
        audit.sha256,
        audit.status,
        audit.reason,
        any(block.block.kind == "file" for block in audit.blocks),
        dict(Counter(block.compilation.verdict for block in audit.blocks)),
        audit.not_audited,
        audit.suppressions,
        audit.incomplete,
        frozenset[str]().union(*(block.program.patched for block in audit.blocks if block.program is not None)),
    )


class OutlinedAudits(Sequence[SourceAudit]):
    """Audits that cost something to look into, since they are not held as they are; their outlines cost nothing.

    An audit that is asked for twice is equal to itself and another object.
    """

    outlines: Sequence[Outline]


def outlines_of(audits: Sequence[SourceAudit]) -> Sequence[Outline]:
    """An outline of each audit, in order."""
    return audits.outlines if isinstance(audits, OutlinedAudits) else [outline_of(audit) for audit in audits]


def by_place(finding: Finding) -> tuple[str, int, int, str]:
    """What findings are sorted by: path, position, rule."""
    return finding.place.path, finding.place.start, finding.place.end, finding.rule


def fingerprinted(findings: Sequence[Finding], blocks: Sequence[BlockAudit]) -> Iterator[Finding]:
    """The findings of one source, in order, with fingerprints that an edit elsewhere does not change.

    A fingerprint hashes the rule, the text of the line without white space, what of it is meant, the symbol or else the
    heading it stands under, and the ordinal among equals in its source: no path and no line, so that a rename or a move
    renews nothing.
    A finding about no block (-1) stands under nothing.
    """
    seen: Counter[tuple[str, str, str]] = Counter()
    nestings: dict[int, Nesting] = {}
    for finding in findings:
        under = ""
        if finding.block >= 0:
            block = blocks[finding.block]
            nesting = nestings.get(finding.block)
            if nesting is None:
                nesting = nestings[finding.block] = Nesting(block)
            around = nesting.innermost(finding.place)
            under = around[0].qualname if around is not None else "# " + "".join(block.block.heading[-1:])
        key = (finding.rule, f"{_squeezed(finding.place.text)}\0{_matched(finding.place)}", under)
        ordinal = seen[key]
        seen[key] += 1
        digest = hashlib.sha256("\0".join((*key, str(ordinal))).encode("utf-8", "surrogatepass"))
        yield replace(finding, fingerprint=digest.hexdigest()[:32])


@lru_cache(maxsize=4)
def _squeezed(text: str) -> str:
    """A text without white space; many findings may stand in one long line."""
    return _WHITE.sub("", text)


def _matched(place: Place) -> str:
    """What a place spans of its first line, without white space."""
    end = place.end_column if place.end_line == place.line else len(place.text) + 1
    return _WHITE.sub("", place.text[place.column - 1 : end - 1])


class Nesting:
    """The definitions of a block, by where they stand: each knows the one around it."""

    def __init__(self, block: BlockAudit) -> None:
        self._paths: dict[str, list[_Held]] = {}
        for definition, place in block.definitions:
            held = self._paths.setdefault(place.path, [])
            around = len(held) - 1
            while around >= 0 and held[around].place.end <= place.start:
                around = held[around].around
            held.append(_Held(place, around, definition))

    def innermost(self, place: Place) -> tuple[Definition, Place] | None:
        """The innermost definition around a place, and its own; `None` where it stands in none."""
        held = self._paths.get(place.path, [])
        at = bisect_right(held, place.start, key=_start_of) - 1
        while at >= 0 and held[at].place.end <= place.start:
            at = held[at].around
        return (held[at].definition, held[at].place) if at >= 0 else None


class _Held(NamedTuple):
    """A definition and its place; `around` is the index of the one that holds it, or -1."""

    place: Place
    around: int
    definition: Definition


def _start_of(held: _Held) -> int:
    return held.place.start
