"""Sources worked on in processes of their own, so that whatever dies, hangs or grows costs the source at hand alone.

Sources go out in batches. A batch that comes back speaks for each of its sources; one that does not is taken apart, and
each source goes out again by itself, so that only the one at fault is lost, by name.
"""

import contextlib
import gc
import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from concurrent.futures import TimeoutError as LateError
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from pebble import ProcessExpired, ProcessFuture, ProcessPool

from auditor.audited import AuditOptions
from auditor.engine.processes import die_with_parent, interrupts_held_back, process_context
from auditor.model import Source
from auditor.rulebook import Rulebook

# A source, and the options that are its own.
Task = tuple[Source, AuditOptions]
Result = TypeVar("Result")
Perform = Callable[[Source, Rulebook, AuditOptions], Result]
# Characters and sources of one batch: enough that handing it over costs little, few enough that a second try does too.
_BATCH_SIZE = 40_000
_BATCH_LENGTH = 24
# Batches that may be out for each worker.
_AHEAD = 3
# Memory of one worker; what needs more is given up, not the machine.
_MOST_MEMORY = 3 * 1024**3
_DEATHS = (ProcessExpired, LateError, MemoryError)
# What pebble makes of all that is out when a worker dies before it has told what it took.
_BROKEN = (BrokenProcessPool, CancelledError, RuntimeError)
# Seconds after which a batch that should have been given up is given up here: a death that pebble did not see.
_GRACE = 5.0
_DIED = "the process that audited it died"


@dataclass(slots=True)
class _Worker:
    """What a worker process was started with."""

    perform: Perform[Any]
    book: Rulebook


_worker: _Worker | None = None


def _start(perform: Perform[Any], book: Rulebook, memory: int) -> None:
    """Make ready a worker: it leaves Ctrl-C to its parent, dies with it, and may take so much memory."""
    global _worker  # noqa: PLW0603 - the one thing that a process is for
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # a handler in Python would wait for a parser to let go
    die_with_parent()
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415 - not on every system

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    gc.freeze()  # what was there before is looked at no more
    gc.disable()  # trees are collected between batches
    _worker = _Worker(perform, book)


def _work(tasks: Sequence[Task]) -> list[Any]:
    """What comes of a batch."""
    if _worker is None:
        raise RuntimeError("no worker")
    results = [_worker.perform(source, _worker.book, options) for source, options in tasks]
    gc.collect()
    return results


@dataclass(slots=True)
class _Out(Generic[Result]):
    """A batch that is out, and what will say how it went."""

    tasks: Sequence[Task]
    future: ProcessFuture[list[Result]]


class Workers(Generic[Result]):
    """A pool of worker processes; use it as a context.

    `perform` is what they do with a source, `lost` what is given for one where it does not come to an end, with the
    reason why. Functions and results go from process to process: they must be picklable.
    """

    def __init__(
        self,
        perform: Perform[Result],
        lost: Callable[[Source, str], Result],
        book: Rulebook,
        count: int,
        seconds: float,
        memory: int = _MOST_MEMORY,
    ) -> None:
        self._lost = lost
        self._seconds = seconds
        self._count = count
        self._start = (perform, book, memory)
        self._context = process_context()
        self._pool = self._new_pool()

    def _new_pool(self) -> ProcessPool:
        return ProcessPool(max_workers=self._count, initializer=_start, initargs=self._start, context=self._context)

    def _stop(self) -> None:
        self._pool.stop()  # type: ignore[no-untyped-call] # pebble types it not
        self._pool.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()

    def work(self, tasks: Iterator[Task]) -> Iterator[Result]:
        """What comes of sources, in their order."""
        out: deque[_Out[Result]] = deque()
        for batch in _batches(tasks):
            out.append(self._send(batch))
            if len(out) >= self._count * _AHEAD:
                yield from self._receive(out.popleft())
        while out:
            yield from self._receive(out.popleft())

    def work_on(self, source: Source, options: AuditOptions) -> Result:
        """What comes of one source."""
        return self._alone((source, options))

    def _send(self, tasks: Sequence[Task]) -> _Out[Result]:
        with interrupts_held_back():  # the first batch starts the workers
            return _Out(tasks, self._pool.schedule(_work, args=(tasks,), timeout=self._seconds))

    def _receive(self, out: _Out[Result]) -> Iterator[Result]:
        try:
            results = out.future.result(self._seconds + _GRACE)
        except (*_DEATHS, *_BROKEN):
            for task in out.tasks:
                yield self._alone(task)
        else:
            yield from results

    def _alone(self, task: Task) -> Result:
        """What comes of a source that goes out by itself.

        A worker that dies before it has said what it took leaves the whole pool broken; then all is begun anew, and
        what breaks a pool in which nothing else is out is at fault.
        """
        for _ in range(2):
            try:
                (result,) = self._send([task]).future.result(self._seconds + _GRACE)
            except _BROKEN:
                self._stop()
                self._pool = self._new_pool()
            except _DEATHS as error:
                return self._lost(task[0], self._reason(error))
            else:
                return result
        return self._lost(task[0], _DIED)

    def _reason(self, error: BaseException) -> str:
        if isinstance(error, LateError):
            return f"not finished within {self._seconds:g} s"
        return "needs more memory than the limit" if isinstance(error, MemoryError) else _DIED


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
