"""Sources audited in processes of their own, so that whatever dies, hangs or grows costs the source it worked on alone.

Sources go out in batches. A batch that comes back speaks for each of its sources; one that does not is taken apart, and
each source goes out again by itself, so that only the one at fault is lost, by name. Workers come from a server that
has one thread and has loaded the parsers, and they die with the process that asked for them.
"""

import contextlib
import ctypes
import multiprocessing
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import TimeoutError as LateError
from dataclasses import dataclass
from multiprocessing.context import BaseContext
from types import TracebackType
from typing import Self

from pebble import ProcessExpired, ProcessFuture, ProcessPool

from auditor.audited import AuditOptions, SourceAudit
from auditor.engine.codec import dump, load
from auditor.model import Source
from auditor.rulebook import Rulebook

# A source, and the options that are its own.
Task = tuple[Source, AuditOptions]
Perform = Callable[[Source, Rulebook, AuditOptions], SourceAudit]
# Characters and sources of one batch: enough that handing it over costs little, few enough that a second try does too.
_BATCH_SIZE = 120_000
_BATCH_LENGTH = 24
# Batches that may be out for each worker.
_AHEAD = 3
# Memory of one worker; what needs more is given up, not the machine.
_MOST_MEMORY = 3 * 1024**3
_PARENT_DIED = 1  # PR_SET_PDEATHSIG of Linux's prctl(2)
_LOADED = ["auditor.audit", "auditor.compiling.page", "auditor.extract.markdown", "auditor.matching.program"]


@dataclass(slots=True)
class _Worker:
    """What a worker process was started with."""

    perform: Perform
    book: Rulebook


_worker: _Worker | None = None


def _start(perform: Perform, book: Rulebook, memory: int) -> None:
    """Make ready a worker: it leaves Ctrl-C to its parent, dies with it, and may take so much memory."""
    global _worker  # noqa: PLW0603 - the one thing that a process is for
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PARENT_DIED, signal.SIGKILL)
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415 - not on every system

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _worker = _Worker(perform, book)


def _work(tasks: Sequence[Task]) -> list[bytes]:
    """The audits of a batch, encoded."""
    if _worker is None:
        raise RuntimeError("no worker")
    return [dump(SourceAudit, _worker.perform(source, _worker.book, options)) for source, options in tasks]


@dataclass(slots=True)
class _Out:
    """A batch that is out, and the audits that came back."""

    tasks: Sequence[Task]
    future: ProcessFuture[list[bytes]]


class Workers:
    """A pool of worker processes; use it as a context."""

    def __init__(
        self, perform: Perform, book: Rulebook, count: int, seconds: float, memory: int = _MOST_MEMORY
    ) -> None:
        self._seconds = seconds
        self._count = count
        self._pool = ProcessPool(
            max_workers=count, initializer=_start, initargs=(perform, book, memory), context=_context()
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.stop()  # type: ignore[no-untyped-call] # pebble types it not
        self._pool.join()

    def audit(self, tasks: Iterator[Task]) -> Iterator[SourceAudit]:
        """The audits of sources, in their order; those that were lost are `unreadable`, with the reason."""
        out: deque[_Out] = deque()
        for batch in _batches(tasks):
            out.append(self._send(batch))
            if len(out) >= self._count * _AHEAD:
                yield from self._receive(out.popleft())
        while out:
            yield from self._receive(out.popleft())

    def audit_one(self, source: Source, options: AuditOptions) -> SourceAudit:
        """The audit of one source."""
        (audit,) = self._receive(self._send([(source, options)]))
        return audit

    def _send(self, tasks: Sequence[Task]) -> _Out:
        return _Out(tasks, self._pool.schedule(_work, args=(tasks,), timeout=self._seconds))

    def _receive(self, out: _Out) -> Iterator[SourceAudit]:
        try:
            results = out.future.result()
        except (ProcessExpired, LateError, MemoryError, OSError, RecursionError) as error:
            if len(out.tasks) == 1:
                yield _lost(out.tasks[0][0], self._reason(error))
                return
            for alone in [self._send([task]) for task in out.tasks]:
                yield from self._receive(alone)
            return
        for encoded in results:
            yield load(SourceAudit, encoded)

    def _reason(self, error: BaseException) -> str:
        if isinstance(error, LateError):
            return f"not finished within {self._seconds:g} seconds"
        if isinstance(error, MemoryError):
            return "needs more memory than the limit"
        return "the process that audited it died"


def _lost(source: Source, reason: str) -> SourceAudit:
    return SourceAudit(source.path, source.sha256, "unreadable", reason)


def _batches(tasks: Iterator[Task]) -> Iterator[Sequence[Task]]:
    batch: list[Task] = []
    size = 0
    for task in tasks:
        batch.append(task)
        size += len(task[0].text)
        if size >= _BATCH_SIZE or len(batch) == _BATCH_LENGTH:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _context() -> BaseContext:
    """How workers come to be: never by a fork of this process, which has threads."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(_LOADED)
    return context
