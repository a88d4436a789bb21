"""What one run found, whole: the value that every format shows."""

import posixpath
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from auditor.audited import SourceAudit
from auditor.discover import LeftOut
from auditor.model import Finding, Severity
from auditor.project.links import Link
from auditor.rulebook import Rule

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")


def _no_text(_path: str) -> None:
    return None


@dataclass(frozen=True, slots=True)
class Run:
    """One run over a set of sources.

    `findings` are all of them, by path and position, suppressed ones included. `links` are the ties between fences
    and definitions. `incomplete` says, a line each, what should have been looked at and could not be. `seconds` is
    the wall time. `rules` are those that ran; `text_of` gives a source's text again, for formats that hash its lines.
    `gated` tells that findings carry a status, because a baseline or a base revision was given. `prefix` leads from the
    top of the checkout to the root, for readers who count paths from there: empty, or a path that ends in a slash.
    `quiet` asks for no summary.
    """

    version: str
    targets: tuple[str, ...]
    audits: tuple[SourceAudit, ...]
    left_out: tuple[LeftOut, ...] = ()
    findings: tuple[Finding, ...] = ()
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

    @property
    def complete(self) -> bool:
        """Whether everything that should have been looked at was."""
        return not self.incomplete

    @property
    def live(self) -> tuple[Finding, ...]:
        """The findings that nobody suppressed."""
        return tuple(finding for finding in self.findings if finding.suppressed is None)

    @property
    def listed(self) -> tuple[Finding, ...]:
        """The live findings that a reader is shown one by one: notes on request, and new ones only where gated."""
        return tuple(
            finding
            for finding in self.live
            if (finding.severity != "note" or self.notes) and finding.status in {None, "new"}
        )

    @property
    def newly_suppressed(self) -> int:
        """How many findings are suppressed that the base does not suppress: a reviewer is told of each."""
        return sum(finding.suppressed is not None and finding.status == "new" for finding in self.findings)

    def in_checkout(self, path: str) -> str:
        """A path relative to the root, as one relative to the top of the checkout."""
        return posixpath.normpath(self.prefix + path) if self.prefix else path

    def by_verdict(self) -> dict[str, int]:
        """How many blocks have each verdict, in the order of their number."""
        counts = Counter(block.compilation.verdict for audit in self.audits for block in audit.blocks)
        return dict(counts.most_common())

    def by_severity(self) -> dict[str, int]:
        """How many live findings have each severity; all three are named."""
        counts = Counter(finding.severity for finding in self.live)
        return {severity: counts[severity] for severity in SEVERITIES}

    def failing(self) -> tuple[Finding, ...]:
        """The live findings at or above the fail level: new ones only, where the run was gated."""
        if self.fail_level == "never":
            return ()
        level = SEVERITIES.index(self.fail_level)
        return tuple(
            finding
            for finding in self.live
            if SEVERITIES.index(finding.severity) <= level and (not self.gated or finding.status == "new")
        )
