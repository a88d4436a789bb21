"""What the ledger vouches for and what it does not, as facts: claims, counts, reasons, no prose."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from auditor.audited import BlockAudit, SourceAudit
from auditor.ledger.entries import Claim, Scope, Unverified, Verified
from auditor.model import Finding

# Rules whose findings say that something cannot be known without running or fetching, and what it is that stays open.
OPEN_CLAIMS: Mapping[str, str] = {"external-resource": "external-resource"}
_NOT_COMPILED = frozenset({"skipped", "not-python"})


def scope_of(
    audits: Sequence[SourceAudit],
    findings: Iterable[Finding],
    *,
    targets: tuple[str, ...],
    rules: int,
    resolved: int,
    linked: int,
    requirements: Sequence[str] = (),
) -> Scope:
    """The scope of one ledger.

    `rules` is how many rules were applied, `resolved` how many blocks had their names looked up, `linked` how many are
    tied to a definition, `requirements` the files that record dependencies, which nobody installed.
    """
    blocks = [block for audit in audits for block in audit.blocks]
    compiled = sum(block.compilation.verdict not in _NOT_COMPILED for block in blocks)
    matched = sum(block.compilation.code is not None for block in blocks)
    verified = (
        Verified("compiled", "compiler", compiled, targets),
        Verified("linked", "definitions", linked),
        Verified("names-resolved", "static-names", resolved),
        Verified("rules-applied", f"{rules} rules", matched),
    )
    return Scope(verified, tuple(_open(audits, findings, requirements)))


def _open(
    audits: Sequence[SourceAudit],
    findings: Iterable[Finding],
    requirements: Sequence[str],
) -> Iterator[Unverified]:
    yield Unverified("executed", "never-run")
    where: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for finding in findings:
        claim = OPEN_CLAIMS.get(finding.rule)
        if claim is not None:
            where[claim, finding.rule][finding.source or finding.place.path] += 1
    for audit in audits:
        if audit.status != "read":
            where["read", audit.reason or audit.status][audit.path] += 1
        for left in audit.not_audited:
            where["audited", left.kind][audit.path] += 1
        for block in audit.blocks:
            if block.compilation.verdict == "skipped":
                where["compiled", block.compilation.reason or "skipped"][audit.path] += 1
            if block.compilation.recovered:
                where["whole-body", "recovered"][audit.path] += 1
    for path in requirements:
        where["requirements", "recorded-only"][path] += 1
    for (claim, why), paths in sorted(where.items()):
        yield Unverified(claim, why, sum(paths.values()), tuple(sorted(paths)))


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
