"""The whole set of sources, from their audits to findings and links: the straight line's second half, pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from auditor.audited import SourceAudit
from auditor.configuration import Book, PathRules, path_matcher
from auditor.model import Finding
from auditor.project.links import Links, link
from auditor.project.suppression import suppress
from auditor.rulebook import Rulebook


@dataclass(frozen=True, slots=True)
class ProjectOptions:
    """What decides the second half: the books, what is suppressed by path, and how suppressions are held to account.

    `known` are the ids of all rules, those that did not run included; `linters` are the other tools that ran.
    """

    known: frozenset[str]
    books: tuple[Book, ...] = ()
    paths: tuple[PathRules, ...] = ()
    require_reason: bool = True
    lang: Literal["en", "zh"] = "en"
    linters: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Whole:
    """All findings, suppressed ones marked, by path and position; and the ties between fences and definitions."""

    findings: tuple[Finding, ...] = ()
    links: Links = field(default_factory=lambda: link(()))


def judge(audits: Sequence[SourceAudit], book: Rulebook, options: ProjectOptions) -> Whole:
    """What the sources together show. Equal audits give equal results in any order of work."""
    found = _weighed((finding for audit in audits for finding in audit.findings), options.paths)
    findings = suppress(
        audits,
        found,
        book,
        options.paths,
        known=options.known,
        lang=options.lang,
        require_reason=options.require_reason,
        linters=options.linters,
    )
    return Whole(findings, link(audits, options.books))


def _weighed(findings: Iterable[Finding], paths: Sequence[PathRules]) -> list[Finding]:
    """The findings with the severities that hold for their paths; of several entries the last one counts."""
    own = [(path_matcher((rules.path,)), rules.severity) for rules in paths if rules.severity]
    if not own:
        return list(findings)
    weighed = []
    for finding in findings:
        for matches, severities in own:
            if finding.rule in severities and matches(finding.place.path):
                finding = replace(finding, severity=severities[finding.rule])  # noqa: PLW2901 - the last entry counts
        weighed.append(finding)
    return weighed
