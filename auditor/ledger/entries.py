"""The records of the ledger: frozen values whose field names are the keys of the JSON."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from auditor.model import Adjustment, BlockKind, Context, Severity, Verdict

SCHEMA = "auditor.ledger/1"

IdOrigin = Literal["explicit", "minted", "carried"]
ResolvedBy = Literal["earlier", "later", "file", "import", "setup"]
LinkState = Literal["covers", "outdated", "ambiguous", "orphaned"]
Evidence = Literal["marker", "qualname", "structure", "alias"]
Authority = Literal["fence", "file"]
DifferenceKind = Literal[
    "identical", "formatting", "comments", "renamed", "elided", "subset", "signature", "diverged"
]  # fmt: skip
Coverage = Literal["full", "partial", "none", "exempt"]
DefinitionKind = Literal["class", "function", "method"]

# What an argument of a message is once the ledger holds it: a place is a line relative to the block's own.
Fact = str | int | Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where the audited text comes from, as its maintainers recorded it."""

    origin: str | None = None
    commit: str | None = None
    licence: str | None = None


@dataclass(frozen=True, slots=True)
class Verified:
    """A claim that was checked: `how` says by what, `targets` for which Pythons.

    Over how many things is told by the records: the header is to change only when something else is vouched for.
    """

    claim: str
    how: str
    targets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unverified:
    """A claim that was not checked, and why; `where` are the paths it is about, none for all."""

    claim: str
    why: str
    where: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scope:
    """What the ledger vouches for and what it does not."""

    verified: tuple[Verified, ...] = ()
    not_verified: tuple[Unverified, ...] = ()


@dataclass(frozen=True, slots=True)
class Header:
    """The first line: what wrote the ledger, by which rules and settings, and what it vouches for."""

    tool: str
    ruleset_digest: str
    config_digest: str
    targets: tuple[str, ...] = ()
    schema: str = SCHEMA
    provenance: Provenance | None = None
    scope: Scope = field(default_factory=Scope)


@dataclass(frozen=True, slots=True)
class SourceEntry:
    """One file: `sha256` is that of its text with LF, so that a checkout's line ends do not count."""

    path: str
    sha256: str
    status: Literal["read", "unreadable", "excluded"] = "read"
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class DiagnosisEntry:
    """Why a block does not compile. `rel_line` counts from the block's opener (0), `rel_col` code points from 1."""

    kind: str
    rel_line: int
    rel_col: int
    arguments: Mapping[str, Fact] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NeedEntry:
    """A name a block needs and does not bind, and what gives it."""

    name: str
    resolved_by: ResolvedBy | None = None


@dataclass(frozen=True, slots=True)
class OperationEntry:
    """One thing that differs between a fence and its definition, from the definition to the fence."""

    kind: str
    path: str
    before: str | None = None
    after: str | None = None


@dataclass(frozen=True, slots=True)
class LinkEntry:
    """A tie between a fence and a definition (`path::qualname`)."""

    definition: str
    state: LinkState
    evidence: Evidence
    authority: Authority | None = None
    note: str | None = None
    difference: DifferenceKind | None = None
    operations: tuple[OperationEntry, ...] = ()
    recovered: bool | None = None


@dataclass(frozen=True, slots=True)
class SuppressedEntry:
    """By whose word a finding does not count."""

    reason: str
    where: str


@dataclass(frozen=True, slots=True)
class FindingEntry:
    """A rule's hit, without prose: its message is made from the rule's id and the arguments."""

    rule: str
    severity: Severity
    fingerprint: str
    arguments: Mapping[str, Fact] = field(default_factory=dict)
    suppressed: SuppressedEntry | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """What is not verified of one block, and why."""

    claim: str
    why: str


@dataclass(frozen=True, slots=True)
class BlockEntry:
    """One block. `sketch` is what similarity is estimated from when the body changes (see `identity`).

    `defines` are the outermost classes and functions it holds, `binds` every name it leaves behind.
    """

    kind: BlockKind
    id: str
    id_origin: IdOrigin
    path: str
    heading: tuple[str, ...]
    info: str
    language: str
    container: tuple[str, ...]
    body_sha256: str
    sketch: str
    verdict: Verdict
    context: Context | None = None
    adjustments: tuple[Adjustment, ...] = ()
    diagnoses: tuple[DiagnosisEntry, ...] = ()
    needs_python: str | None = None
    reason: str | None = None
    recovered: bool | None = None
    defines: tuple[str, ...] = ()
    binds: tuple[str, ...] = ()
    needs: tuple[NeedEntry, ...] = ()
    links: tuple[LinkEntry, ...] = ()
    findings: tuple[FindingEntry, ...] = ()
    not_verified: tuple[Claim, ...] = ()


@dataclass(frozen=True, slots=True)
class DefinitionEntry:
    """A class, function or method of a Python file, and the fences that show it."""

    kind: DefinitionKind
    id: str
    symbol: str
    signature_sha256: str
    structure_sha256: str
    covered_by: tuple[str, ...] = ()
    coverage: Coverage = "none"
    reason: str | None = None

    @property
    def path(self) -> str:
        """The file that holds it."""
        return self.id.rpartition("::")[0]


@dataclass(frozen=True, slots=True)
class Ledger:
    """The whole record, in the order of its lines: by path, and within a path as the document goes."""

    header: Header
    sources: tuple[SourceEntry, ...] = ()
    blocks: tuple[BlockEntry, ...] = ()
    definitions: tuple[DefinitionEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class Review:
    """A person's word on a block as it was: the hashes it was given for decide whether it still holds.

    `block` is an id; `definitions` maps the linked definitions to the structure hashes seen. `date` is the reviewer's
    own, as text.
    """

    block: str
    by: str
    note: str
    body_sha256: str
    definitions: Mapping[str, str] = field(default_factory=dict)
    date: str | None = None
