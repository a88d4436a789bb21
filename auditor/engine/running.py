"""All sources of a run: out of the cache, in this process, or in workers; always in the order of the paths."""

import gc
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from itertools import chain

from auditor.audited import AuditOptions, SourceAudit
from auditor.configuration import Limits
from auditor.discover import Discovery
from auditor.engine.guarded import Guarded, auditing_workers
from auditor.engine.keeping import Keeper, Looked, Read
from auditor.engine.packing import MOST_BLOCKS, Holding, Made
from auditor.engine.store import Store
from auditor.model import Source
from auditor.rulebook import Rulebook

# Trees are garbage that refers to itself. Collecting while they are built costs a quarter of the time, collecting after
# so many characters next to none, and memory stays small.
_COLLECT_EVERY = 150_000
# Bytes to read for each worker below which one more takes longer than it saves.
_WORTH_WORKERS = 300_000
# Characters that are audited here where nobody asked for workers, so that these begin with all that is loaded.
_FIRST = 30_000
_MOST_WORKERS = 8


@dataclass(frozen=True, slots=True)
class Run:
    """What is audited, by which rules, with which options for each path, within which limits.

    `jobs` is the number of worker processes; 1 is this process alone, 0 as many as the work needs.
    """

    discovery: Discovery
    book: Rulebook
    options_for: Callable[[str], AuditOptions]
    limits: Limits
    jobs: int = 0


def audit_all(
    run: Run,
    store: Store,
    progress: Callable[[str], None],
    noted: Callable[[Iterable[Read]], object] = lambda _reads: None,
    room: int = MOST_BLOCKS,
) -> Sequence[SourceAudit]:
    """One audit for each candidate, in order. What is lost with its worker is `unreadable`, and says why.

    `noted` is told what each page looked for beside itself; `room` is how many blocks are held as they are.
    """
    holding = Holding(room)
    keeper = Keeper(run.discovery, run.book.digest, run.options_for, run.limits.file_bytes, store)
    count = _workers(run, keeper)
    looked = keeper.look(run.discovery.candidates)
    try:
        for item, made in _made(run, looked, count):
            kept = keeper.keep(item, made) if item.audit is None else made
            noted(item.reads)
            progress(item.candidate.path)
            holding.add(kept if holding.is_full else made)
    finally:
        store.flush()
    return holding.audits()


def _workers(run: Run, keeper: Keeper) -> int:
    if run.jobs:
        return run.jobs
    if len(run.discovery.candidates) < 2:
        return 1
    available = min(processors(), _MOST_WORKERS)
    return min(available, keeper.unknown_bytes() // _WORTH_WORKERS + 1) if available > 1 else 1


def _here(run: Run, looked: Iterator[Looked]) -> Iterator[tuple[Looked, Made]]:
    """In this process, but for what could kill it."""
    with ExitStack() as stack:
        stack.callback(gc.enable)
        gc.disable()
        guarded = stack.enter_context(Guarded(run.book, run.limits.seconds_per_file))
        made = 0
        for item in looked:
            if item.audit is not None or item.source is None:
                yield item, _known(item)
                continue
            yield item, guarded.audit(item.source, run.options_for(item.candidate.path))
            made += len(item.source.text)
            if made >= _COLLECT_EVERY:
                made = 0
                gc.collect(0)  # what was kept before is not looked at again


def _made(run: Run, looked: Iterator[Looked], count: int) -> Iterator[tuple[Looked, Made]]:
    if count == 1:
        return _here(run, looked)
    return _apart(run, looked, count) if run.jobs else chain(_here(run, _first(looked)), _apart(run, looked, count))


def _first(looked: Iterator[Looked]) -> Iterator[Looked]:
    """The first of some items, until they hold enough text."""
    size = 0
    for item in looked:
        yield item
        size += len(item.source.text) if item.audit is None and item.source is not None else 0
        if size >= _FIRST:
            return


def _apart(run: Run, looked: Iterator[Looked], count: int) -> Iterator[tuple[Looked, Made]]:
    """In workers: items wait in line until the audits of those before them are there."""
    waiting: deque[Looked] = deque()

    def tasks() -> Iterator[tuple[Source, AuditOptions]]:
        for item in looked:
            waiting.append(item)
            if item.audit is None and item.source is not None:
                yield item.source, run.options_for(item.candidate.path)

    with auditing_workers(run.book, count, run.limits.seconds_per_file) as workers:
        for audit in workers.work(tasks()):
            while waiting[0].audit is not None:
                item = waiting.popleft()
                yield item, _known(item)
            yield waiting.popleft(), audit
        for item in waiting:
            yield item, _known(item)


def _known(item: Looked) -> Made:
    if item.audit is None:
        raise ValueError(f"{item.candidate.path} was neither known nor read")
    return item.audit


def processors() -> int:
    """How many processors this process may use."""
    with suppress(AttributeError, OSError):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
