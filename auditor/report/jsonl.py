"""The `jsonl` format: one finding, one JSON object, one line; made for streams and `jq`."""

import json

from auditor.report.json import finding_record, names_of
from auditor.report.run import Run


def render(run: Run, _colour: bool = False) -> str:
    """Every finding, suppressed ones included, with the keys of the `json` format's findings."""
    names = names_of(run)
    return "".join(
        json.dumps(finding_record(finding, names), ensure_ascii=False, allow_nan=False) + "\n"
        for finding in run.findings
    )
