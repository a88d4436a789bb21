"""From audited sources and their ties to the ledger."""

import unicodedata
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from auditor.audited import BlockAudit, SourceAudit, outlines_of
from auditor.ledger.coverage import Defined, definition_entries
from auditor.ledger.entries import (
    BlockEntry,
    DiagnosisEntry,
    Fact,
    FindingEntry,
    Header,
    Ledger,
    LinkEntry,
    NeedEntry,
    OperationEntry,
    Provenance,
    SourceEntry,
    SuppressedEntry,
)
from auditor.ledger.identity import Identity, carry, trait_of
from auditor.ledger.needs import look_up
from auditor.ledger.pairing import Trait
from auditor.ledger.scope import claims_of, scope_of
from auditor.ledger.sketch import read_sketch, sketch
from auditor.model import Argument, Finding, MappedText, Span
from auditor.project.links import Link, Links
from auditor.project.requirements import Recorded
from auditor.structure.operation import Operation

# An argument is for a message, a side of an operation for a glance; what they quote may be a whole class.
_LONGEST = 160


@dataclass(frozen=True, slots=True)
class Maker:
    """What made a ledger: the tool with its version, digests of rules and settings, how many rules, the targets."""

    tool: str
    ruleset_digest: str
    config_digest: str
    rules: int
    targets: tuple[str, ...] = ()
    provenance: Provenance | None = None
    requirements: tuple[str, ...] = ()


def build(
    audits: Sequence[SourceAudit],
    links: Links,
    previous: Ledger | None = None,
    *,
    maker: Maker,
    findings: Sequence[Finding] | None = None,
    needs: Mapping[tuple[str, int], Sequence[NeedEntry]] | None = None,
    requirements: Sequence[Recorded] = (),
) -> Ledger:
    """The ledger of a whole run; ids are carried from the `previous` one.

    `findings` are those of the run after suppression, where given, else the sources' own. `needs` says for a path and
    the index of a block what gives the names it needs; without it the page and its files are looked through.
    """
    needs = needs if needs is not None else look_up(audits, links.shelf)
    outlines = outlines_of(audits)
    order = sorted(range(len(audits)), key=lambda at: _nfc(outlines[at].path))
    if findings is None:
        findings = [finding for at in order for finding in audits[at].findings]
    found: dict[tuple[str, int], list[Finding]] = defaultdict(list)
    for finding in findings:
        found[finding.source or finding.place.path, finding.block].append(finding)
    tied: dict[tuple[str, int], list[Link]] = defaultdict(list)
    for link in links.links:
        tied[link.path, link.block].append(link)
    # Every audit is looked into twice, one after the other: there may be more of them than memory holds.
    digests: list[tuple[str, str]] = []
    traits: list[Trait] = []
    for at in order:
        for block in audits[at].blocks:
            digests.append(_digests(block.block.code.text))
            traits.append(trait_in(outlines[at].path, block, digests[-1]))
    identities = carry([trait_of(entry) for entry in previous.blocks] if previous else [], traits)
    known = zip(digests, identities, strict=True)
    entries = []
    by_place: dict[tuple[str, int], str] = {}
    shown: dict[tuple[str, int], Defined] = {}
    for at in order:
        audit = audits[at]
        for index, block in enumerate(audit.blocks):
            key = (audit.path, index)
            digest, identity = next(known)
            need = tuple(needs.get(key, ()))
            entries.append(_entry(audit.path, block, digest, identity, tied.get(key, ()), found.get(key, ()), need))
            by_place[key] = identity.id
            if key in tied:
                shown[key] = block.definitions
    header = Header(
        maker.tool,
        maker.ruleset_digest,
        maker.config_digest,
        maker.targets,
        provenance=maker.provenance,
        scope=scope_of(
            audits,
            findings,
            targets=maker.targets,
            rules=maker.rules,
            requirements=maker.requirements,
            recorded=requirements,
        ),
    )
    ledger = Ledger(
        header,
        tuple(
            SourceEntry(_nfc(outline.path), outline.sha256, outline.status, outline.reason)
            for outline in (outlines[at] for at in order)
        ),
        tuple(entries),
        tuple(definition_entries((audits[at] for at in order if outlines[at].is_file), links, by_place, shown)),
    )
    return ledger if previous is None else _with_orphans(ledger, previous)


def _nfc(path: str) -> str:
    return unicodedata.normalize("NFC", path)


def _digests(body: str) -> tuple[str, str]:
    return sha256(body.encode("utf-8", "surrogatepass")).hexdigest(), sketch(body)


def trait_in(path: str, block: BlockAudit, digests: tuple[str, str] | None = None) -> Trait:
    """A block as identity sees it; `digests` are those of its body, where they are known already."""
    digest, marks = digests or _digests(block.block.code.text)
    return Trait(
        _nfc(path),
        block.block.kind,
        block.block.heading,
        digest,
        read_sketch(marks),
        _defines(block),
        block.block.marks.get("id"),
    )


def _defines(block: BlockAudit) -> tuple[str, ...]:
    """The outermost definitions of a fence; those of a file have records of their own."""
    if block.block.kind == "file":
        return ()
    names = (definition.qualname for definition, _ in block.definitions if "." not in definition.qualname)
    return tuple(dict.fromkeys(names))


def _entry(
    path: str,
    block: BlockAudit,
    digest: tuple[str, str],
    identity: Identity,
    links: Sequence[Link],
    findings: Sequence[Finding],
    needs: tuple[NeedEntry, ...],
) -> BlockEntry:
    compilation, body = block.compilation, block.block
    # Of a whole file names and definitions would be a second copy of its text.
    names = block.names if body.kind != "file" else None
    return BlockEntry(
        body.kind,
        identity.id,
        identity.origin,
        _nfc(path),
        body.heading,
        body.info,
        body.language,
        body.container,
        *digest,
        compilation.verdict,
        compilation.context,
        compilation.adjustments,
        tuple(_diagnoses(block)),
        compilation.needs_python,
        compilation.reason,
        compilation.recovered or None,
        _defines(block),
        tuple(sorted(set(names.binds))) if names is not None else (),
        needs,
        tuple(_link_entry(link) for link in links),
        tuple(
            sorted(
                (_finding(finding, block) for finding in findings), key=lambda entry: (entry.rule, entry.fingerprint)
            )
        ),
        claims_of(block, findings, identity.conflict),
    )


def _diagnoses(block: BlockAudit) -> Iterator[DiagnosisEntry]:
    for placed in block.diagnoses:
        # In an included file there is no opener to count from.
        first = block.place.line if placed.place.path == block.place.path else 0
        yield DiagnosisEntry(
            placed.diagnosis.kind,
            placed.place.line - first,
            placed.place.column,
            _facts(placed.diagnosis.arguments, block),
        )


def _finding(finding: Finding, block: BlockAudit) -> FindingEntry:
    suppressed = finding.suppressed
    return FindingEntry(
        finding.rule,
        finding.severity,
        finding.fingerprint,
        _facts(finding.metavariables, block),
        SuppressedEntry(suppressed.reason, suppressed.where) if suppressed is not None else None,
    )


def _facts(arguments: Mapping[str, Argument], block: BlockAudit) -> dict[str, Fact]:
    return {name: _fact(value, block) for name, value in arguments.items()}


def _fact(value: Argument, block: BlockAudit) -> Fact:
    if isinstance(value, Span):
        return {"rel_line": _line_in(block.block.code, value.start, block.block.span.start)}
    return _clipped(value) if isinstance(value, str) else value


def _clipped(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _line_in(code: MappedText, offset: int, opener: int) -> int:
    """The line of a source's offset counted from the opener, from the code alone: the same for LF and CRLF."""
    at = bisect_right(code.segments, offset, key=lambda segment: segment.origin) - 1
    if at < 0 or offset <= opener:
        return 0
    segment = code.segments[at]
    inside = segment.start + min(offset - segment.origin, segment.length)
    return code.text.count("\n", 0, inside) + 1


def _link_entry(link: Link) -> LinkEntry:
    return LinkEntry(
        _nfc(link.definition),
        link.state,
        link.evidence,
        link.authority,
        link.note,
        link.difference,
        tuple(_operation(item) for item in link.operations),
        link.recovered or None,
    )


def _operation(item: Operation) -> OperationEntry:
    before, after = (_clipped(side) if side is not None else None for side in (item.before, item.after))
    return OperationEntry(item.kind, item.path, before, after)


def _with_orphans(ledger: Ledger, previous: Ledger) -> Ledger:
    """The ledger with the ties whose definition is gone: the fence still shows what the file no longer has.

    Only ties by name are kept so; an excerpt that is found nowhere is simply no excerpt any more.
    """
    known = {entry.id for entry in ledger.definitions}
    before = {entry.id: entry for entry in previous.blocks}
    blocks = []
    for entry in ledger.blocks:
        old = before.get(entry.id)
        if old is None or entry.links or not entry.defines:
            blocks.append(entry)
            continue
        orphaned = tuple(
            LinkEntry(link.definition, "orphaned", link.evidence)
            for link in old.links
            if link.definition not in known
            and link.evidence == "qualname"
            and link.definition.rpartition("::")[2] in entry.defines
        )
        blocks.append(replace(entry, links=orphaned) if orphaned else entry)
    return replace(ledger, blocks=tuple(blocks))
