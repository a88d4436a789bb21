"""Sources worked on in processes of their own, so that whatever dies, hangs or grows costs the source at hand alone.

Sources go out in batches. A batch that comes back speaks for each of its sources; one that does not is taken apart, and
each source goes out again by itself, so that only the one at fault is lost, by name. Workers come from a server that
has one thread and has loaded the parsers, and they die with the process that asked for them.
"""

import contextlib
import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from concurrent.futures import TimeoutError as LateError
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing.context import BaseContext
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from pebble import ProcessExpired, ProcessFuture, ProcessPool

from auditor.audited import AuditOptions
from auditor.model import Source
from auditor.rulebook import Rulebook

if sys.platform == "linux":
    import fcntl

# A source, and the options that are its own.
Task = tuple[Source, AuditOptions]
Result = TypeVar("Result")
Perform = Callable[[Source, Rulebook, AuditOptions], Result]
# Characters and sources of one batch: enough that handing it over costs little, few enough that a second try does too.
_BATCH_SIZE = 120_000
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
_LOADED = ["auditor.audit", "auditor.compiling.page", "auditor.extract.markdown", "auditor.matching.program"]


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
    _die_with_parent()
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415 - not on every system

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    gc.disable()  # trees are collected between batches
    _worker = _Worker(perform, book)


def _die_with_parent() -> None:
    """End this process when the one that asked for it is gone: the pipe that tells of that ends then.

    On Linux the kernel sends the signal itself, so that it comes while a parser holds the interpreter, too.
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    if sys.platform == "linux":
        fcntl.fcntl(parent.sentinel, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(parent.sentinel, fcntl.F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(parent.sentinel, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


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
        self._context = _context()
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
        with _interrupts_held_back():  # the first batch starts the workers
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


def _context() -> BaseContext:
    """How workers come to be: never by a fork of this process, which has threads.

    Their interpreters are started with `-c`, which would look for modules in the working folder first: in the audited
    repository, whose code must not run.
    """
    os.environ["PYTHONSAFEPATH"] = "1"
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(_LOADED)
    _start_server()
    return context


def _start_server() -> None:
    """Start the server with Ctrl-C held back, which it and its workers inherit: else they die of it with tracebacks.

    Nor do they have a standard error: where this process ends while they start they would say that with one, too.
    """
    from multiprocessing import forkserver, resource_tracker  # noqa: PLC0415 - not on every system

    resource_tracker.ensure_running()  # first, since it lets Ctrl-C through again when it has started
    with _interrupts_held_back(), _without_standard_error():
        forkserver.ensure_running()


@contextlib.contextmanager
def _without_standard_error() -> Iterator[None]:
    """What is started meanwhile inherits the null device in place of standard error."""
    kept = os.dup(2)
    try:
        with open(os.devnull, "wb") as null:
            os.dup2(null.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


@contextlib.contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Let Ctrl-C wait until something is started whole: a process begun by half says so with a traceback."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
