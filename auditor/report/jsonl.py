"""The `jsonl` format: one finding, one JSON object, one line; made for streams and `jq`."""

from collections.abc import Iterator

from auditor.report.json import finding_record, names_of
from auditor.report.run import Run
from auditor.report.terminal import as_json


def render(run: Run, _colour: bool = False) -> Iterator[str]:
    """Every finding, suppressed ones included, with the keys of the `json` format's findings."""
    names = names_of(run)
    return (as_json(finding_record(finding, names)) + "\n" for finding in run.findings)
