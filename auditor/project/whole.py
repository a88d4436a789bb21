"""The whole set of sources, from their audits to findings and links: the straight line's second half, pure."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from auditor.audited import SourceAudit, by_place, outlines_of
from auditor.configuration import Book, PathRules, path_matcher
from auditor.model import Finding, Severity
from auditor.project.facts import on_definitions, on_links
from auditor.project.folding import fold
from auditor.project.links import Link, Links, Ties, files_of, link, shelve_all
from auditor.project.markers import Markers
from auditor.project.names import Resolved
from auditor.project.program import Programs
from auditor.project.requirements import Recorded
from auditor.project.suppression import Suppressions
from auditor.project.voice import Voice
from auditor.rulebook import Rulebook


@dataclass(frozen=True, slots=True)
class ProjectOptions:
    """What decides the second half: the books, what is suppressed by path, and how suppressions are held to account.

    `known` are the ids of all rules, those that did not run included; `linters` are the other tools that ran.
    `settings` names the configuration, and `whole` tells that all files under the root are looked at. `severities`
    overrides a rule's own by its id. `needs` asks for what gives each fence its names. `requirements` are texts of
    `requirements.txt` and the like, by path. `targets` are the versions of Python whose builtins readers have.
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
    needs: bool = True
    requirements: Mapping[str, str] = field(default_factory=dict)
    targets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Whole:
    """All findings, suppressed ones marked, by path and position; and the ties between fences and definitions.

    `needs` says for a path and the index of a block what gives each name that it needs, where it was asked for;
    `requirements` are the files of requirements with what they lack and list for nothing.
    """

    findings: Sequence[Finding] = ()
    links: Links = field(default_factory=lambda: link(()))
    needs: Mapping[tuple[str, int], tuple[Resolved, ...]] = field(default_factory=dict)
    requirements: tuple[Recorded, ...] = ()


Sort = Callable[[Iterable[Finding]], Sequence[Finding]]


def in_order(findings: Iterable[Finding]) -> Sequence[Finding]:
    """All findings by path, position and rule; equal ones as they came."""
    return tuple(sorted(findings, key=by_place))


def judge(audits: Sequence[SourceAudit], book: Rulebook, options: ProjectOptions, sort: Sort = in_order) -> Whole:
    """What the sources together show. Equal audits give equal results in any order of work.

    Every page is looked into once, in order; the Python files stay at hand. `sort` is handed the findings as they are
    made and puts them in order; there may be many.
    """
    judging = _Judging(audits, book, options)
    findings = sort(judging.findings())
    links = Links(tuple(judging.links), judging.shelf)
    return Whole(findings, links, judging.needs, judging.programs.recorded())


class _Judging:
    """One run's second half while it is going on: what was found before the last page is not told of yet."""

    def __init__(self, audits: Sequence[SourceAudit], book: Rulebook, options: ProjectOptions) -> None:
        outlines = outlines_of(audits)
        self._audits = audits
        self._book = book
        self._options = options
        self._files = files_of(audits, outlines)
        self.shelf = shelve_all(outlines, options.books)
        self._voice = Voice(book, options.severities, options.lang)
        patched = frozenset[str]().union(*(outline.patched for outline in outlines))
        self.programs = Programs(
            self._files, patched, self.shelf, options.books, self._voice, options.requirements, options.targets
        )
        self._suppressions = Suppressions(
            outlines,
            book,
            options.paths,
            known=options.known,
            lang=options.lang,
            require_reason=options.require_reason,
            linters=options.linters,
            settings=options.settings,
            whole=options.whole,
        )
        self._markers = Markers(self._files, whole=options.whole)
        self._weights = [(path_matcher((rules.path,)), rules.severity) for rules in options.paths if rules.severity]
        self.links: list[Link] = []
        self.needs: dict[tuple[str, int], tuple[Resolved, ...]] = {}

    def findings(self) -> Iterator[Finding]:
        """All findings, source by source; on the way the links and needs are found."""
        ties = Ties(self._files, self.shelf)
        for audit in self._audits:
            links = ties.of(audit)
            self.links += links
            page = self.programs.read(audit, links)
            if self._options.needs:
                self.needs.update(((audit.path, at), each) for at, each in page.needs.items())
            facts = on_links(audit, links, self._book, self._voice)
            marks = self._voice.findings(audit, self._markers.remarks(audit, links))
            marked = map(self._marked, (*audit.findings, *page.findings, *facts, *marks))
            yield from fold(sorted(marked, key=by_place), audit, self._options.lang)
        everything = Links(tuple(self.links), self.shelf)
        yield from map(self._marked, on_definitions(self._files, everything, self._book, self._voice))
        yield from self._suppressions.about()

    def _marked(self, finding: Finding) -> Finding:
        """A finding with the severity that holds for its path, and with what suppresses it."""
        for matches, severities in self._weights:
            if finding.rule in severities and matches(finding.place.path):
                finding = replace(finding, severity=severities[finding.rule])  # of several entries the last one counts
        return self._suppressions.marked(finding)
