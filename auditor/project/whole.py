"""The whole set of sources, from their audits to findings and links: the straight line's second half, pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from auditor.audited import SourceAudit
from auditor.configuration import Book, PathRules, path_matcher
from auditor.model import Finding, Severity
from auditor.project.facts import fact_findings
from auditor.project.folding import fold
from auditor.project.links import Links, link
from auditor.project.names import Resolved
from auditor.project.program import read_pages
from auditor.project.requirements import Recorded
from auditor.project.suppression import suppress
from auditor.project.voice import Voice
from auditor.rulebook import Rulebook


@dataclass(frozen=True, slots=True)
class ProjectOptions:
    """What decides the second half: the books, what is suppressed by path, and how suppressions are held to account.

    `known` are the ids of all rules, those that did not run included; `linters` are the other tools that ran.
    `settings` names the configuration, and `whole` tells that all files under the root are looked at. `severities`
    overrides a rule's own by its id. `requirements` are texts of `requirements.txt` and the like, by path.
    """

    known: frozenset[str]
    books: tuple[Book, ...] = ()
    paths: tuple[PathRules, ...] = ()
    require_reason: bool = True
    lang: Literal["en", "zh"] = "en"
    linters: tuple[str, ...] = ()
    settings: str = "auditor.toml"
    whole: bool = True
    severities: Mapping[str, Severity] = field(default_factory=dict)
    requirements: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Whole:
    """All findings, suppressed ones marked, by path and position; and the ties between fences and definitions.

    `needs` says for a path and the index of a block what gives each name that it needs; `requirements` are the
    files of requirements with what they lack and list for nothing.
    """

    findings: tuple[Finding, ...] = ()
    links: Links = field(default_factory=lambda: link(()))
    needs: Mapping[tuple[str, int], tuple[Resolved, ...]] = field(default_factory=dict)
    requirements: tuple[Recorded, ...] = ()


def judge(audits: Sequence[SourceAudit], book: Rulebook, options: ProjectOptions) -> Whole:
    """What the sources together show. Equal audits give equal results in any order of work."""
    links = link(audits, options.books)
    voice = Voice(book, options.severities, options.lang)
    programs = read_pages(audits, links, options.books, voice, options.requirements)
    own = [finding for audit in audits for finding in audit.findings]
    facts = fact_findings(audits, links, book, voice)
    found = _weighed((*own, *programs.findings, *facts), options.paths)
    findings = suppress(
        audits,
        found,
        book,
        options.paths,
        known=options.known,
        lang=options.lang,
        require_reason=options.require_reason,
        linters=options.linters,
        settings=options.settings,
        whole=options.whole,
    )
    return Whole(fold(findings, audits, options.lang), links, programs.needs, programs.requirements)


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
