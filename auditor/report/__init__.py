"""What a run found, in the form each reader needs."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from auditor.report.run import Run


def _render(module: str, run: "Run", colour: bool = False) -> Iterator[str]:
    """What a format's module makes of a run; it is loaded here, since a run needs one or two of them."""
    pieces: Iterator[str] = import_module(module).render(run, colour)
    return pieces


# Each format by name: of the run, and whether colours are wanted, a text in pieces, since it may be a long one.
FORMATS: Mapping[str, Callable[["Run", bool], Iterator[str]]] = {
    "text": partial(_render, "auditor.report.text"),
    "concise": partial(_render, "auditor.report.concise"),
    "json": partial(_render, "auditor.report.json"),
    "jsonl": partial(_render, "auditor.report.jsonl"),
    "sarif": partial(_render, "auditor.report.sarif"),
    "github": partial(_render, "auditor.report.github"),
    "gitlab": partial(_render, "auditor.report.gitlab"),
    "junit": partial(_render, "auditor.report.junit"),
    "rdjsonl": partial(_render, "auditor.report.rdjsonl"),
    "markdown": partial(_render, "auditor.report.markdown"),
}
