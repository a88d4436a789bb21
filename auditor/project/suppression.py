"""Which findings somebody suppressed, once for the whole run; it marks and counts, it hides nothing."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from auditor import rulebook
from auditor.audited import SourceAudit, fingerprinted
from auditor.configuration import PathRules, path_matcher
from auditor.model import Finding, Place, Suppressed, Suppression
from auditor.rulebook import Rule, Rulebook

UNUSED = "unused-suppression"
UNKNOWN = "unknown-rule-in-suppression"
REASONLESS = "suppression-without-reason"
_UMBRELLA = "syntax-error"
_ALL = "*"
_ABOUT_SUPPRESSIONS = frozenset({UNUSED, UNKNOWN, REASONLESS})


@dataclass(frozen=True, slots=True)
class _Mark:
    """One suppression in one source and whether it was of use."""

    suppression: Suppression
    place: Place

    def covering(self, finding: Finding) -> str | None:
        """The rule of the mark that covers a finding; `None` where none does."""
        rules, covers = self.suppression.rules, self.suppression.covers
        if not covers.start <= finding.place.start < max(covers.end, covers.start + 1):
            return None
        if finding.rule in rules:
            return finding.rule
        # A more exact diagnosis of what CPython refuses is a syntax error still: the mark need not follow the wording.
        if _UMBRELLA in rules and finding.detail is not None:
            return _UMBRELLA
        return _ALL if _ALL in rules else None


def suppress(
    audits: Sequence[SourceAudit],
    findings: Iterable[Finding],
    book: Rulebook,
    paths: Sequence[PathRules] = (),
    *,
    known: frozenset[str],
    lang: str = "en",
    require_reason: bool = True,
    linters: Collection[str] = (),
    settings: str = "auditor.toml",
    whole: bool = True,
) -> tuple[Finding, ...]:
    """All findings, the suppressed ones marked, with findings about suppressions that are unused, unknown or bare.

    `known` are the ids of all rules, those that did not run included: a rule that did not run does not make its
    suppression unused, and neither does one of another tool that is not among `linters`. What is wrong with a
    suppression by path is said at the configuration (`settings`); that one is unused only where all files were looked
    at (`whole`). Sorted by path and position.
    """
    marks = {audit.path: [_Mark(suppression, place) for suppression, place in audit.suppressions] for audit in audits}
    by_path = [(path_matcher((rules.path,)), rules) for rules in paths]
    used: set[tuple[int, str]] = set()
    done = [
        _marked(finding, marks.get(finding.source or finding.place.path, ()), by_path, used) for finding in findings
    ]
    ran = frozenset(rule.id for rule in book.rules)

    def has_run(rule: str) -> bool:
        return rule in ran or (_is_foreign(rule) and rule.partition(":")[0] in linters)

    by_id = {rule.id: rule for rule in book.rules if rule.id in _ABOUT_SUPPRESSIONS}
    for group in marks.values():
        about: list[Finding] = []
        for mark in group:
            suppression = mark.suppression
            if suppression.where == "attribute":
                continue  # written for other tools, in their words
            idle = [rule for rule in suppression.rules if (id(mark), rule) not in used]
            said = _Said(suppression.rules, suppression.reason, idle)
            faults = said.faults(known, has_run, require_reason=require_reason)
            about.extend(_finding(kind, name, mark.place, by_id, lang) for kind, name in faults if kind in by_id)
        done.extend(fingerprinted(about, ()))
    place = Place(settings, 0, 0, 1, 1, 1, 1)
    about = []
    for rules in paths:
        idle = [rule for rule in rules.ignore if whole and (id(rules), rule) not in used]
        said = _Said(rules.ignore, rules.reason, idle)
        faults = said.faults(known, has_run, require_reason=require_reason)
        about.extend(_finding(kind, name, place, by_id, lang) for kind, name in faults if kind in by_id)
    done.extend(fingerprinted(about, ()))
    done.sort(key=lambda finding: (finding.place.path, finding.place.start, finding.place.end, finding.rule))
    return tuple(done)


def _marked(
    finding: Finding,
    marks: Sequence[_Mark],
    by_path: Sequence[tuple[Callable[[str], bool], PathRules]],
    used: set[tuple[int, str]],
) -> Finding:
    suppressed = None
    for mark in marks:
        name = mark.covering(finding)
        if name is not None:
            used.add((id(mark), name))
            suppressed = suppressed or Suppressed(mark.suppression.reason, mark.suppression.where)
    if suppressed is None:
        for matches, rules in by_path:
            if finding.rule in rules.ignore and matches(finding.place.path):
                used.add((id(rules), finding.rule))
                suppressed = Suppressed(rules.reason, "path")
                break
    return finding if suppressed is None else replace(finding, suppressed=suppressed)


@dataclass(frozen=True, slots=True)
class _Said:
    """What a suppression says: its rules, its reason, and which of the rules had nothing to suppress."""

    rules: Sequence[str]
    reason: str
    idle: Sequence[str]

    def faults(
        self, known: frozenset[str], has_run: Callable[[str], bool], *, require_reason: bool
    ) -> Iterator[tuple[str, str]]:
        """The kinds of finding that the suppression itself deserves, with the rules each is about."""
        unknown = [rule for rule in self.rules if rule != _ALL and rule not in known and not _is_foreign(rule)]
        for rule in unknown:
            yield UNKNOWN, rule
        if require_reason and self.rules and not self.reason:
            yield REASONLESS, ", ".join(self.rules)
        unused = [rule for rule in self.idle if rule not in unknown and (rule == _ALL or has_run(rule))]
        if unused:
            yield UNUSED, ", ".join(unused)


def _finding(kind: str, rules: str, place: Place, by_id: Mapping[str, Rule], lang: str) -> Finding:
    rule = by_id[kind]
    message = rulebook.message(rule, {"rule": rules}, lang)
    return Finding(kind, rule.severity, place, message, -1, metavariables={"rule": rules})


def _is_foreign(rule: str) -> bool:
    """Whether a rule is another tool's, such as `ruff:F821`; ids of our own hold no colon."""
    return ":" in rule
