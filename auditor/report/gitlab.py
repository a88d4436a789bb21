"""The `gitlab` format: a code quality report, one file a job, fingerprints without line numbers."""

import hashlib
import json

from auditor.report.run import Run

_SEVERITIES = {"error": "major", "warning": "minor", "note": "info"}


def render(run: Run, _colour: bool = False) -> str:
    """The live findings as GitLab's list; each fingerprint is unique in the report."""
    return (
        json.dumps(
            [
                {
                    "description": finding.message,
                    "check_name": finding.rule,
                    "fingerprint": hashlib.sha256(
                        f"{finding.place.path}\0{finding.fingerprint}".encode("utf-8", "surrogatepass")
                    ).hexdigest(),
                    "severity": _SEVERITIES[finding.severity],
                    "location": {
                        "path": finding.place.path,
                        "lines": {"begin": finding.place.line, "end": finding.place.end_line},
                    },
                }
                for finding in run.listed
            ],
            ensure_ascii=True,
            indent=1,
        )
        + "\n"
    )
