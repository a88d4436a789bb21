"""The `github` format: workflow commands that become annotations beside the changed lines.

GitHub shows ten of each kind a step and drops the rest in silence, so the worst come first and one notice tells how
many more there are. Sources: the workflow-commands reference and actions/toolkit's `command.ts` for the escaping.
"""

from collections import Counter

from auditor.report.run import SEVERITIES, Run
from auditor.report.terminal import shown

_KINDS = {"error": "error", "warning": "warning", "note": "notice"}
_SHOWN_OF_A_KIND = 10


def render(run: Run, _colour: bool = False) -> str:
    """One command a finding, at most ten of each kind, then one notice with what was cut."""
    lines = []
    counts: Counter[str] = Counter()
    for severity in SEVERITIES:
        of_kind = [finding for finding in run.listed if finding.severity == severity]
        counts[severity] = len(of_kind)
        # The notice that tells of the rest is one of its own kind's ten.
        room = _SHOWN_OF_A_KIND - (1 if severity == "note" else 0)
        for finding in of_kind[:room]:
            place = finding.place
            properties = ",".join(
                (
                    f"file={_property(place.path)}",
                    f"line={place.line}",
                    f"col={place.column}",
                    f"title={_property(f'{finding.rule} ({finding.severity})')}",
                )
            )
            detail = f"\n{finding.detail}" if finding.detail else ""
            lines.append(f"::{_KINDS[severity]} {properties}::{_data(finding.message + detail)}")
    cut = sum(max(0, count - _SHOWN_OF_A_KIND + (severity == "note")) for severity, count in counts.items())
    if cut:
        lines.append(
            f"::notice title=auditor::{_data(f'{cut} more findings are in the log and in the other formats.')}"
        )
    lines.extend(_data(shown(reason)) for reason in run.incomplete)
    return "".join(line + "\n" for line in lines)


def _data(text: str) -> str:
    """A command's message: `%`, CR and LF escaped, whatever else a terminal obeys made visible."""
    parts = (shown(part) for part in text.split("\n"))
    return "%0A".join(part.replace("%", "%25") for part in parts)


def _property(text: str) -> str:
    """A command's property: also `:` and `,` escaped, so that no text can begin another one."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
