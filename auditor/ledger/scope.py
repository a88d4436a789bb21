"""What the ledger vouches for and what it does not, as facts: claims and reasons, no prose."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from unicodedata import normalize

from auditor.audited import BlockAudit, SourceAudit
from auditor.ledger.entries import Claim, Scope, Unverified, Verified
from auditor.model import Finding
from auditor.project.requirements import Recorded

# Rules whose findings say that something cannot be known without running or fetching, and what it is that stays open.
OPEN_CLAIMS: Mapping[str, str] = {"external-resource": "external-resource"}


def scope_of(
    audits: Sequence[SourceAudit],
    findings: Iterable[Finding],
    *,
    targets: tuple[str, ...],
    rules: int,
    requirements: Sequence[str] = (),
    recorded: Sequence[Recorded] = (),
) -> Scope:
    """The scope of one ledger: `rules` were applied; `requirements` are files of dependencies that nobody installed.

    `recorded` tells of such files which modules the book imports beyond them, and what they list and it never imports.
    """
    verified = (
        Verified("compiled", "compiler", targets),
        Verified("linked", "definitions"),
        Verified("names-resolved", "static-names"),
        Verified("rules-applied", f"{rules} rules"),
    )
    return Scope(verified, tuple(_open(audits, findings, requirements, recorded)))


def _open(
    audits: Sequence[SourceAudit],
    findings: Iterable[Finding],
    requirements: Sequence[str],
    recorded: Sequence[Recorded],
) -> Iterator[Unverified]:
    yield Unverified("executed", "never-run")
    where: dict[tuple[str, str], set[str]] = defaultdict(set)
    for finding in findings:
        claim = OPEN_CLAIMS.get(finding.rule)
        if claim is not None:
            where[claim, finding.rule].add(finding.source or finding.place.path)
    for audit in audits:
        if audit.status != "read":
            where["read", audit.reason or audit.status].add(audit.path)
        for left in audit.not_audited:
            where["audited", left.kind].add(audit.path)
        for block in audit.blocks:
            if block.compilation.verdict == "skipped":
                where["compiled", block.compilation.reason or "skipped"].add(audit.path)
            if block.compilation.recovered:
                where["whole-body", "recovered"].add(audit.path)
    for path in requirements:
        where["requirements", "recorded-only"].add(path)
    for each in recorded:
        where["requirements", "recorded-only"].add(each.path)
        for module in each.missing:
            where["requirements", f"not-listed:{module}"].add(each.path)
        for name in each.unused:
            where["requirements", f"never-imported:{name}"].add(each.path)
    for (claim, why), paths in sorted(where.items()):
        yield Unverified(claim, why, tuple(sorted(normalize("NFC", path) for path in paths)))


def claims_of(block: BlockAudit, findings: Iterable[Finding], conflict: str | None) -> tuple[Claim, ...]:
    """What is not verified of one block."""
    claims = [Claim(OPEN_CLAIMS[finding.rule], finding.rule) for finding in findings if finding.rule in OPEN_CLAIMS]
    compilation = block.compilation
    if compilation.verdict == "skipped":
        claims.append(Claim("compiled", compilation.reason or "skipped"))
    if compilation.recovered:
        claims.append(Claim("whole-body", "recovered"))
    if "elision" in compilation.adjustments or "placeholder" in compilation.adjustments:
        claims.append(Claim("left-out-parts", "elided"))
    if conflict is not None:
        claims.append(Claim("id", conflict))
    return tuple(dict.fromkeys(claims))
