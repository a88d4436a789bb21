"""What a run found, in the form each reader needs."""

from collections.abc import Callable, Mapping

from auditor.report import concise, github, gitlab, json, jsonl, junit, markdown, rdjsonl, sarif, text
from auditor.report.run import Run

# Each format by name: the run, and whether colours are wanted, as one text.
FORMATS: Mapping[str, Callable[[Run, bool], str]] = {
    "text": text.render,
    "concise": concise.render,
    "json": json.render,
    "jsonl": jsonl.render,
    "sarif": sarif.render,
    "github": github.render,
    "gitlab": gitlab.render,
    "junit": junit.render,
    "rdjsonl": rdjsonl.render,
    "markdown": markdown.render,
}
