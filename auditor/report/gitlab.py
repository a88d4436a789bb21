"""The `gitlab` format: a code quality report, one file a job, fingerprints without line numbers."""

import hashlib
from collections import Counter
from collections.abc import Iterator

from auditor.report.run import Run
from auditor.report.terminal import json_list

_SEVERITIES = {"error": "major", "warning": "minor", "note": "info"}


def render(run: Run, _colour: bool = False) -> Iterator[str]:
    """The listed findings as GitLab's list; each fingerprint is unique in the report, as GitLab drops a second one."""
    yield from json_list(_records(run))
    yield "\n"


def _records(run: Run) -> Iterator[dict[str, object]]:
    seen: Counter[str] = Counter()
    for finding in run.listed:
        place = finding.place
        path = run.in_checkout(place.path)
        name = f"{path}\0{finding.rule}\0{finding.fingerprint}"
        seen[name] += 1
        text = f"{name}\0{seen[name]}"
        yield {
            "description": finding.message,
            "check_name": finding.rule,
            "fingerprint": hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest(),
            "severity": _SEVERITIES[finding.severity],
            "location": {"path": path, "lines": {"begin": place.line, "end": place.end_line}},
        }
