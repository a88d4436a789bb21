"""Which findings somebody suppressed, once for the whole run; it marks and counts, it hides nothing."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from auditor import rulebook
from auditor.audited import Outline, fingerprinted
from auditor.configuration import PathRules, path_matcher
from auditor.model import Finding, Place, Suppressed, Suppression
from auditor.rulebook import Rulebook

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


class Suppressions:
    """All suppressions of a run: they mark findings, one after the other, and are held to account in the end."""

    def __init__(
        self,
        outlines: Iterable[Outline],
        book: Rulebook,
        paths: Sequence[PathRules] = (),
        *,
        known: frozenset[str],
        lang: str = "en",
        require_reason: bool = True,
        linters: Collection[str] = (),
        settings: str = "auditor.toml",
        whole: bool = True,
    ) -> None:
        """`outlines` have the suppressions of the sources, `paths` those by path.

        `known` are the ids of all rules, those that did not run included: a rule that did not run does not make its
        suppression unused, and neither does one of another tool that is not among `linters`. What is wrong with a
        suppression by path is said at the configuration (`settings`); that one is unused only where all files were
        looked at (`whole`).
        """
        self._marks = {
            outline.path: [_Mark(suppression, place) for suppression, place in outline.suppressions]
            for outline in outlines
            if outline.suppressions
        }
        self._paths = paths
        self._by_path = [(path_matcher((rules.path,)), rules) for rules in paths]
        self._used: set[tuple[int, str]] = set()
        self._ran = frozenset(rule.id for rule in book.rules)
        self._rules = {rule.id: rule for rule in book.rules if rule.id in _ABOUT_SUPPRESSIONS}
        self._known = known
        self._lang = lang
        self._require_reason = require_reason
        self._linters = linters
        self._settings = settings
        self._whole = whole

    def marked(self, finding: Finding) -> Finding:
        """A finding, marked where it is suppressed."""
        suppressed = None
        for mark in self._marks.get(finding.source or finding.place.path, ()):
            name = mark.covering(finding)
            if name is not None:
                self._used.add((id(mark), name))
                suppressed = suppressed or Suppressed(mark.suppression.reason, mark.suppression.where)
        if suppressed is None:
            for matches, rules in self._by_path:
                if finding.rule in rules.ignore and matches(finding.place.path):
                    self._used.add((id(rules), finding.rule))
                    suppressed = Suppressed(rules.reason, "path")
                    break
        return finding if suppressed is None else replace(finding, suppressed=suppressed)

    def about(self) -> Iterator[Finding]:
        """Findings about suppressions that are unused, unknown or bare, after all others were marked."""
        for group in self._marks.values():
            found: list[Finding] = []
            for mark in group:
                suppression = mark.suppression
                if suppression.where == "attribute":
                    continue  # written for other tools, in their words
                idle = [rule for rule in suppression.rules if (id(mark), rule) not in self._used]
                found.extend(self._faults(_Said(suppression.rules, suppression.reason, idle), mark.place))
            yield from fingerprinted(found, ())
        place = Place(self._settings, 0, 0, 1, 1, 1, 1)
        found = []
        for rules in self._paths:
            idle = [rule for rule in rules.ignore if self._whole and (id(rules), rule) not in self._used]
            found.extend(self._faults(_Said(rules.ignore, rules.reason, idle), place))
        yield from fingerprinted(found, ())

    def _faults(self, said: "_Said", place: Place) -> Iterator[Finding]:
        for kind, rules in said.faults(self._known, self._has_run, require_reason=self._require_reason):
            rule = self._rules.get(kind)
            if rule is not None:
                facts = {"rule": rules}
                message = rulebook.message(rule, facts, self._lang)
                yield Finding(kind, rule.severity, place, message, -1, metavariables=facts)

    def _has_run(self, rule: str) -> bool:
        return rule in self._ran or (_is_foreign(rule) and rule.partition(":")[0] in self._linters)


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


def _is_foreign(rule: str) -> bool:
    """Whether a rule is another tool's, such as `ruff:F821`; ids of our own hold no colon."""
    return ":" in rule
