"""The `rdjsonl` format of reviewdog: columns are 1-based UTF-8 bytes, the end excluded."""

from collections.abc import Iterator

from auditor.model import Finding
from auditor.report.run import Run
from auditor.report.terminal import as_json

_SEVERITIES = {"error": "ERROR", "warning": "WARNING", "note": "INFO"}


def render(run: Run, _colour: bool = False) -> Iterator[str]:
    """One diagnostic a line, as reviewdog's `Diagnostic` message in `rdf.proto` has it."""
    return (as_json(_diagnostic(finding, run.in_checkout(finding.place.path))) + "\n" for finding in run.listed)


def _diagnostic(finding: Finding, path: str) -> dict[str, object]:
    place = finding.place
    span: dict[str, object] = {"start": {"line": place.line, "column": _bytes_before(place.text, place.column)}}
    if place.end_line == place.line:
        span["end"] = {"line": place.line, "column": _bytes_before(place.text, place.end_column)}
    else:
        span["end"] = {"line": place.end_line}
    return {
        "message": finding.message,
        "location": {"path": path, "range": span},
        "severity": _SEVERITIES[finding.severity],
        "source": {"name": "auditor"},
        "code": {"value": finding.rule},
    }


def _bytes_before(text: str, column: int) -> int:
    """The 1-based byte column of a 1-based code-point column."""
    return len(text[: column - 1].encode("utf-8", "surrogatepass")) + 1
