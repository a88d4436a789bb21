"""The engine in one process: read, audit, hand on, in the order of the paths."""

import gc
from collections.abc import Callable, Iterator

from auditor.audit import audit
from auditor.audited import AuditOptions, SourceAudit
from auditor.discover import Discovery, Unreadable
from auditor.engine.reading import reader
from auditor.rulebook import Rulebook

# Trees are garbage that refers to itself; collecting while they are built costs a quarter of the time.
_COLLECT_EVERY = 64


def audit_all(
    discovery: Discovery,
    book: Rulebook,
    options_for: Callable[[str], AuditOptions],
    limit: int,
    progress: Callable[[str], None],
) -> Iterator[SourceAudit]:
    """One audit for each candidate, in order; `options_for` gives the options of a path, its flavour included."""
    read_whole = reader(discovery, limit)
    gc.disable()
    try:
        for number, candidate in enumerate(discovery.candidates, start=1):
            progress(candidate.path)
            source = read_whole(candidate)
            if isinstance(source, Unreadable):
                yield SourceAudit(candidate.path, "", "unreadable", source.reason)
                continue
            yield audit(source, book, options_for(candidate.path))
            if number % _COLLECT_EVERY == 0:
                gc.collect()
    finally:
        gc.enable()
