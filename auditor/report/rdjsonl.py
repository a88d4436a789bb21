"""The `rdjsonl` format of reviewdog: columns are 1-based UTF-8 bytes, the end excluded."""

import json

from auditor.model import Finding
from auditor.report.run import Run

_SEVERITIES = {"error": "ERROR", "warning": "WARNING", "note": "INFO"}


def render(run: Run, _colour: bool = False) -> str:
    """One diagnostic a line, as reviewdog's `Diagnostic` message in `rdf.proto` has it."""
    return "".join(json.dumps(_diagnostic(finding), ensure_ascii=True) + "\n" for finding in run.listed)


def _diagnostic(finding: Finding) -> dict[str, object]:
    place = finding.place
    span: dict[str, object] = {"start": {"line": place.line, "column": _bytes_before(place.text, place.column)}}
    if place.end_line == place.line:
        span["end"] = {"line": place.line, "column": _bytes_before(place.text, place.end_column)}
    else:
        span["end"] = {"line": place.end_line}
    return {
        "message": finding.message,
        "location": {"path": place.path, "range": span},
        "severity": _SEVERITIES[finding.severity],
        "source": {"name": "auditor"},
        "code": {"value": finding.rule},
    }


def _bytes_before(text: str, column: int) -> int:
    """The 1-based byte column of a 1-based code-point column."""
    return len(text[: column - 1].encode("utf-8", "surrogatepass")) + 1
