"""The `gitlab` format: a code quality report, one file a job, fingerprints without line numbers."""

import hashlib
from collections import Counter

from auditor.report.run import Run
from auditor.report.terminal import as_json

_SEVERITIES = {"error": "major", "warning": "minor", "note": "info"}


def render(run: Run, _colour: bool = False) -> str:
    """The listed findings as GitLab's list; each fingerprint is unique in the report, as GitLab drops a second one."""
    records = []
    seen: Counter[str] = Counter()
    for finding in run.listed:
        place = finding.place
        path = run.in_checkout(place.path)
        name = f"{path}\0{finding.rule}\0{finding.fingerprint}"
        seen[name] += 1
        text = f"{name}\0{seen[name]}"
        records.append(
            {
                "description": finding.message,
                "check_name": finding.rule,
                "fingerprint": hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest(),
                "severity": _SEVERITIES[finding.severity],
                "location": {"path": path, "lines": {"begin": place.line, "end": place.end_line}},
            }
        )
    return as_json(records, indent=1) + "\n"
