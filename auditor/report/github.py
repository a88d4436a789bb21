"""The `github` format: workflow commands that become annotations beside the changed lines.

GitHub shows ten of each kind a step and drops the rest in silence, so the worst come first and one notice tells how
many more there are. Sources: the workflow-commands reference and actions/toolkit's `command.ts` for the escaping.
"""

from collections.abc import Iterator

from auditor.model import Finding
from auditor.report.run import SEVERITIES, Run
from auditor.report.terminal import shown
from auditor.report.text import summary

_KINDS = {"error": "error", "warning": "warning", "note": "notice"}
_SHOWN_OF_A_KIND = 10


def render(run: Run, _colour: bool = False) -> Iterator[str]:
    """One command a finding, at most ten of each kind, one notice with what was cut, then the summary as text."""
    # The notice that tells of the rest is one of its own kind's ten.
    room = {severity: _SHOWN_OF_A_KIND - (severity == "note") for severity in SEVERITIES}
    commands: dict[str, list[str]] = {severity: [] for severity in SEVERITIES}
    # What could not be looked at comes before every finding.
    reasons = [f"::error title=auditor (incomplete)::{_data(reason)}" for reason in run.incomplete]
    commands["error"] += reasons[: room["error"]]
    cut = len(reasons) - len(commands["error"])
    for finding in run.listed:
        if len(commands[finding.severity]) < room[finding.severity]:
            commands[finding.severity].append(_annotation(finding, run))
        else:
            cut += 1
    lines = [line for severity in SEVERITIES for line in commands[severity]]
    if cut:
        lines.append(f"::notice title=auditor::{cut} more findings are in the log and in the other formats.")
    if not run.quiet:
        lines += [_data(line) for line in summary(run)]
    return (line + "\n" for line in lines)


def _annotation(finding: Finding, run: Run) -> str:
    place = finding.place
    properties = {
        "file": run.in_checkout(place.path),
        "line": str(place.line),
        "col": str(place.column),
        "title": f"{finding.rule} ({finding.severity})",
    }
    words = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    detail = f"\n{finding.detail}" if finding.detail else ""
    return f"::{_KINDS[finding.severity]} {words}::{_data(finding.message + detail)}"


def _data(text: str) -> str:
    """A command's message: `%`, CR and LF escaped, whatever else a terminal obeys made visible."""
    parts = (shown(part) for part in text.split("\n"))
    return "%0A".join(part.replace("%", "%25") for part in parts)


def _property(text: str) -> str:
    """A command's property: also `:` and `,` escaped, so that no text can begin another one."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
