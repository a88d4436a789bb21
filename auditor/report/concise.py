"""The `concise` format: one finding, one line, as editors and grep like it."""

from collections.abc import Iterator

from auditor.report.run import Run
from auditor.report.terminal import coloured, shown


def render(run: Run, colour: bool = False) -> Iterator[str]:
    """`path:line:column: severity rule message`, a line each; notes only where they are asked for."""
    return (
        f"{coloured(shown(finding.place.path), 'path', colour)}:{finding.place.line}:{finding.place.column}: "
        f"{coloured(finding.severity, finding.severity, colour)} [{finding.rule}] {shown(finding.message)}\n"
        for finding in run.listed
    )
