"""What a run found, in the form each reader needs."""

from collections.abc import Callable, Mapping

from auditor.report import json, text
from auditor.report.run import Run

# Each format by name: the run, and whether colours are wanted, as one text.
FORMATS: Mapping[str, Callable[[Run, bool], str]] = {
    "text": text.render,
    "json": json.render,
}
