"""The engine in one process: read, audit, hand on, in the order of the paths."""

import gc
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from auditor.audit import AuditOptions, SourceAudit, audit
from auditor.discover import Discovery, Unreadable
from auditor.engine.reading import read_whole
from auditor.extract import Flavour, flavour_of
from auditor.rulebook import Rulebook

# Trees are garbage that refers to itself; collecting while they are built costs a quarter of the time.
_COLLECT_EVERY = 64


def audit_all(
    discovery: Discovery,
    book: Rulebook,
    options: AuditOptions,
    flavour: Flavour | None,
    limit: int,
    progress: Callable[[str], None],
) -> Iterator[SourceAudit]:
    """One audit for each candidate, in order. `flavour` is `None` where each file's own is to be found out."""
    root = Path(discovery.root)
    by_flavour: dict[Flavour, AuditOptions] = {}
    gc.disable()
    try:
        for number, candidate in enumerate(discovery.candidates, start=1):
            progress(candidate.path)
            source = read_whole(candidate, root, limit)
            if isinstance(source, Unreadable):
                yield SourceAudit(candidate.path, "", "unreadable", source.reason)
                continue
            chosen = flavour or flavour_of(candidate.path, discovery.beside)
            if chosen not in by_flavour:
                by_flavour[chosen] = replace(options, extract=replace(options.extract, flavour=chosen))
            yield audit(source, book, by_flavour[chosen])
            if number % _COLLECT_EVERY == 0:
                gc.collect()
    finally:
        gc.enable()
