"""What the readers' views show beside the ledger's facts: texts, lines, messages. Nothing of it is committed."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from unicodedata import normalize

from auditor.audited import SourceAudit
from auditor.ledger.check import holds
from auditor.ledger.entries import Ledger, Review
from auditor.ledger.views.words import Lang, word
from auditor.model import Finding, Severity
from auditor.project.links import Links


@dataclass(frozen=True, slots=True)
class Passage:
    """A text and the 1-based line of its file where it begins."""

    path: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Remark:
    """A finding as a reader sees it."""

    rule: str
    severity: Severity
    line: int
    column: int
    message: str
    suppressed: str | None = None


@dataclass(frozen=True, slots=True)
class BlockDetail:
    """A block's body, the line of its opener, its findings, and by definition the part of it that is tied."""

    body: Passage
    line: int
    remarks: tuple[Remark, ...] = ()
    shown: Mapping[str, Passage] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Detail:
    """By id: the blocks, the definitions, and the reviews with whether each still holds; `book` is the book's name."""

    blocks: Mapping[str, BlockDetail] = field(default_factory=dict)
    definitions: Mapping[str, Passage] = field(default_factory=dict)
    reviews: Mapping[str, Sequence[tuple[Review, bool]]] = field(default_factory=dict)
    book: str = ""

    def title(self, lang: Lang) -> str:
        """What a view is called."""
        return f"{self.book} · {word('title', lang)}" if self.book else word("title", lang)


def detail_of(
    ledger: Ledger,
    audits: Sequence[SourceAudit],
    links: Links,
    findings: Sequence[Finding] | None = None,
    reviews: Sequence[Review] = (),
    book: str = "",
) -> Detail:
    """The detail of a ledger that was built from these audits and links."""
    if findings is None:
        findings = [finding for audit in audits for finding in audit.findings]
    ids: dict[str, list[str]] = defaultdict(list)
    for entry in ledger.blocks:
        ids[entry.path].append(entry.id)
    found: dict[tuple[str, int], list[Finding]] = defaultdict(list)
    for finding in findings:
        found[finding.source or finding.place.path, finding.block].append(finding)
    shown: dict[tuple[str, int], dict[str, str]] = defaultdict(dict)
    for link in links.links:
        if link.shown:
            shown[link.path, link.block][normalize("NFC", link.definition)] = link.shown
    blocks: dict[str, BlockDetail] = {}
    definitions: dict[str, Passage] = {}
    wanted = {entry.id for entry in ledger.definitions}
    for audit in audits:
        path = normalize("NFC", audit.path)
        for index, (identity, block) in enumerate(zip(ids[path], audit.blocks, strict=True)):
            if block.block.kind == "file":
                for definition, place in block.definitions:
                    name = f"{path}::{definition.qualname}"
                    if name in wanted:
                        definitions.setdefault(name, Passage(path, place.line, definition.code))
            own = {
                definition.qualname: Passage(path, place.line, definition.code)
                for definition, place in block.definitions
            }
            blocks[identity] = BlockDetail(
                Passage(path, block.place.line + (block.block.kind != "file"), block.block.code.text),
                block.place.line,
                tuple(_remark(finding) for finding in found[audit.path, index]),
                {definition: own[name] for definition, name in shown[audit.path, index].items() if name in own},
            )
    by_block: dict[str, list[tuple[Review, bool]]] = defaultdict(list)
    for review in reviews:
        by_block[review.block].append((review, holds(review, ledger)))
    return Detail(blocks, definitions, by_block, book)


def _remark(finding: Finding) -> Remark:
    suppressed = finding.suppressed
    return Remark(
        finding.rule,
        finding.severity,
        finding.place.line,
        finding.place.column,
        finding.message,
        suppressed.reason if suppressed is not None else None,
    )
