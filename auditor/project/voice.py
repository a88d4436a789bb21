"""Says what the whole set shows as findings, in the words and with the severity of the rule of each kind."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from auditor import rulebook
from auditor.audited import SourceAudit, fingerprinted
from auditor.model import Finding, Place, Severity
from auditor.rulebook import Rule, Rulebook


@dataclass(frozen=True, slots=True)
class Remark:
    """Something to say of a block at a place.

    `facts` go into the finding and the ledger, `words` into the message alone: they may hold lines of today.
    """

    kind: str
    place: Place
    block: int
    facts: Mapping[str, str]
    words: Mapping[str, str] = field(default_factory=dict)


class Voice:
    """Turns remarks into findings; a remark whose rule was left out is not said."""

    def __init__(
        self,
        book: Rulebook,
        severities: Mapping[str, Severity],
        lang: Literal["en", "zh"],
    ) -> None:
        self.lang = lang
        self._rules: Mapping[str, Rule] = {rule.diagnosis: rule for rule in book.rules if rule.diagnosis is not None}
        self._severities = severities

    def knows(self, *kinds: str) -> bool:
        """Whether a rule of one of these kinds is in the run."""
        return any(kind in self._rules for kind in kinds)

    def severity(self, rule: Rule) -> Severity:
        """What a rule's findings weigh in this run."""
        return self._severities.get(rule.id, rule.severity)

    def findings(self, audit: SourceAudit, remarks: Iterable[Remark]) -> Iterator[Finding]:
        """The findings of one source, in order and with fingerprints."""
        found = [
            self._finding(audit.path, rule, remark) for remark in remarks if (rule := self._rules.get(remark.kind))
        ]
        found.sort(key=lambda finding: (finding.place.path, finding.place.start, finding.place.end, finding.rule))
        return fingerprinted(found, audit.blocks)

    def _finding(self, path: str, rule: Rule, remark: Remark) -> Finding:
        return Finding(
            rule.id,
            self.severity(rule),
            remark.place,
            rulebook.message(rule, {**remark.facts, **remark.words}, self.lang),
            remark.block,
            source=None if remark.place.path == path else path,
            metavariables=remark.facts,
        )
