"""Which findings somebody suppressed, once for the whole run; it marks and counts, it hides nothing."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from auditor import rulebook
from auditor.audited import SourceAudit, fingerprinted
from auditor.configuration import PathRules, path_matcher
from auditor.model import Finding, Place, Suppressed, Suppression
from auditor.rulebook import Rulebook

UNUSED = "unused-suppression"
UNKNOWN = "unknown-rule-in-suppression"
REASONLESS = "suppression-without-reason"
_UMBRELLA = "syntax-error"
_ABOUT_SUPPRESSIONS = frozenset({UNUSED, UNKNOWN, REASONLESS})


@dataclass(frozen=True, slots=True)
class _Mark:
    """One suppression in one source and whether it was of use."""

    suppression: Suppression
    place: Place

    def covers(self, finding: Finding) -> bool:
        rules, covers = self.suppression.rules, self.suppression.covers
        # A more exact diagnosis of what CPython refuses is a syntax error still: the mark need not follow the wording.
        named = finding.rule in rules or "*" in rules or (_UMBRELLA in rules and finding.detail is not None)
        return named and covers.start <= finding.place.start < max(covers.end, covers.start + 1)


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
) -> tuple[Finding, ...]:
    """All findings, the suppressed ones marked, with findings about suppressions that are unused, unknown or bare.

    `known` are the ids of all rules, those that did not run included: a rule that did not run does not make its
    suppression unused, and neither does one of another tool that is not among `linters`. Sorted by path and position.
    """
    marks = {audit.path: [_Mark(suppression, place) for suppression, place in audit.suppressions] for audit in audits}
    by_path = [(path_matcher((rules.path,)), rules) for rules in paths]
    used: set[int] = set()
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
            for kind, name in _faults(mark, id(mark) in used, known, has_run, require_reason=require_reason):
                rule = by_id.get(kind)
                if rule is not None:
                    message = rulebook.message(rule, {"rule": name}, lang)
                    about.append(Finding(kind, rule.severity, mark.place, message, -1, metavariables={"rule": name}))
        done.extend(fingerprinted(about, ()))
    done.sort(key=lambda finding: (finding.place.path, finding.place.start, finding.place.end, finding.rule))
    return tuple(done)


def _marked(
    finding: Finding,
    marks: Sequence[_Mark],
    by_path: Sequence[tuple[Callable[[str], bool], PathRules]],
    used: set[int],
) -> Finding:
    suppressed = None
    for mark in marks:
        if mark.covers(finding):
            used.add(id(mark))
            suppressed = suppressed or Suppressed(mark.suppression.reason, mark.suppression.where)
    if suppressed is None:
        for matches, rules in by_path:
            if finding.rule in rules.ignore and matches(finding.place.path):
                suppressed = Suppressed(rules.reason, "path")
                break
    return finding if suppressed is None else replace(finding, suppressed=suppressed)


def _faults(
    mark: _Mark, used: bool, known: frozenset[str], has_run: Callable[[str], bool], *, require_reason: bool
) -> Iterator[tuple[str, str]]:
    """The kinds of finding that a suppression itself deserves, with the rule's name each is about."""
    suppression = mark.suppression
    if suppression.where == "attribute":
        return  # written for other tools, in their words
    unknown = [rule for rule in suppression.rules if rule != "*" and rule not in known and not _is_foreign(rule)]
    for rule in unknown:
        yield UNKNOWN, rule
    if require_reason and not suppression.reason:
        yield REASONLESS, ", ".join(suppression.rules)
    if not used and not unknown and ("*" in suppression.rules or all(map(has_run, suppression.rules))):
        yield UNUSED, ", ".join(suppression.rules)


def _is_foreign(rule: str) -> bool:
    """Whether a rule is another tool's, such as `ruff:F821`; ids of our own hold no colon."""
    return ":" in rule
