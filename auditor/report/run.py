"""What one run found, whole: the value that every format shows."""

import posixpath
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from auditor.audited import Outline, SourceAudit
from auditor.discover import LeftOut
from auditor.model import Finding, Severity
from auditor.project.links import Link
from auditor.rulebook import Rule

if TYPE_CHECKING:
    from auditor.gate import Departed

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")


def _no_text(_path: str) -> None:
    return None


@dataclass(frozen=True, slots=True)
class Tally:
    """How many findings there are: live ones by severity, all three named, and suppressed ones.

    `newly_suppressed` are those that the base does not suppress: a reviewer is told of each. Of the live ones, `new`
    are new, `fixable` have a safe fix and `failing` fail the run.
    """

    by_severity: Mapping[Severity, int]
    suppressed: int
    newly_suppressed: int
    new: int
    fixable: int
    failing: int


@dataclass(frozen=True, slots=True)
class Run:
    """One run over a set of sources.

    `findings` are all of them, by path and position, suppressed ones included. `links` are the ties between fences
    and definitions. `incomplete` says, a line each, what should have been looked at and could not be. `seconds` is
    the wall time. `rules` are those that ran; `text_of` gives a source's text again, for formats that hash its lines.
    `gated` tells that findings carry a status, because a baseline or a base revision was given. `prefix` leads from the
    top of the checkout to the root, for readers who count paths from there: empty, or a path that ends in a slash.
    `quiet` asks for no summary. `left_audit` are the blocks that the base alone has, where the run was compared with
    one.
    """

    version: str
    targets: tuple[str, ...]
    audits: Sequence[SourceAudit]
    left_out: tuple[LeftOut, ...] = ()
    findings: Sequence[Finding] = ()
    links: tuple[Link, ...] = ()
    incomplete: tuple[str, ...] = ()
    lang: Literal["en", "zh"] = "en"
    seconds: float = 0.0
    gated: bool = False
    notes: bool = False
    fail_level: str = "error"
    rules: tuple[Rule, ...] = ()
    text_of: Callable[[str], str | None] = _no_text
    prefix: str = ""
    quiet: bool = False
    left_audit: "tuple[Departed, ...] | None" = None

    @property
    def complete(self) -> bool:
        """Whether everything that should have been looked at was."""
        return not self.incomplete

    @property
    def live(self) -> Iterator[Finding]:
        """The findings that nobody suppressed."""
        return (finding for finding in self.findings if finding.suppressed is None)

    @property
    def listed(self) -> Iterator[Finding]:
        """The live findings that a reader is shown one by one: notes on request, and new ones only where gated."""
        return (
            finding
            for finding in self.live
            if (finding.severity != "note" or self.notes) and finding.status in {None, "new"}
        )

    def in_checkout(self, path: str) -> str:
        """A path relative to the root, as one relative to the top of the checkout."""
        return posixpath.normpath(self.prefix + path) if self.prefix else path

    def failing(self) -> Iterator[Finding]:
        """The live findings at or above the fail level: new ones only, where the run was gated."""
        return filter(self._fails, self.live)

    def _fails(self, finding: Finding) -> bool:
        if self.fail_level == "never" or (self.gated and finding.status != "new"):
            return False
        return SEVERITIES.index(finding.severity) <= SEVERITIES.index(self.fail_level)

    def tally(self) -> Tally:
        """The findings, counted in one go: there may be many."""
        counts: Counter[str] = Counter()
        for finding in self.findings:
            if finding.suppressed is not None:
                counts["newly suppressed"] += finding.status == "new"
                continue
            counts[finding.severity] += 1
            counts["new"] += finding.status == "new"
            counts["fixable"] += finding.fix is not None and finding.fix_safety == "safe"
            counts["failing"] += self._fails(finding)
        by_severity = {severity: counts[severity] for severity in SEVERITIES}
        return Tally(
            by_severity,
            len(self.findings) - sum(by_severity.values()),
            counts["newly suppressed"],
            counts["new"],
            counts["fixable"],
            counts["failing"],
        )


def by_verdict(outlines: Iterable[Outline]) -> dict[str, int]:
    """How many blocks have each verdict, in the order of their number."""
    counts: Counter[str] = Counter()
    for outline in outlines:
        counts.update(outline.verdicts)
    return dict(counts.most_common())
