"""How worker processes come to be, and how they end: with the process that asked for them.

The first are forked from this one while it has a single thread: they start at once, with all that is loaded. Those that
take the place of a dead one come from a server that has one thread and has loaded the parsers.
"""

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator
from importlib import import_module
from multiprocessing.context import BaseContext
from typing import Any

if sys.platform == "linux":
    import fcntl
if sys.platform != "win32":
    from multiprocessing.context import ForkProcess, ForkServerContext, ForkServerProcess

# What is loaded once before there are workers; almost every run that is worth some needs all of it.
_LOADED = [
    "auditor.audit", "auditor.compiling.page", "auditor.compiling.contexts", "auditor.compiling.diagnoses.diagnose",
    "auditor.extract.markdown", "auditor.matching.program", "auditor.matching.flow",
]  # fmt: skip


def process_context() -> BaseContext:
    """How the workers of a pool are started: never by a fork of a process that has threads.

    An interpreter that is started for them would look for modules in the working folder first: in the audited
    repository, whose code must not run.
    """
    os.environ["PYTHONSAFEPATH"] = "1"
    return multiprocessing.get_context("spawn") if sys.platform == "win32" else _ForkOrServer()


if sys.platform != "win32":

    class _ForkOrServer(ForkServerContext):
        """Forks while there is one thread, where the system's libraries bear it, and asks the server otherwise."""

        def Process(self, *args: Any, **named: Any) -> ForkProcess | ForkServerProcess:  # type: ignore[override] # noqa: ANN401, N802 - multiprocessing's
            if sys.platform == "linux" and threading.active_count() == 1:
                for name in _LOADED:
                    import_module(name)
                sys.stdout.flush()  # else each worker would write what waits there once more
                sys.stderr.flush()
                return ForkProcess(*args, **named)
            _start_server(self)
            return ForkServerProcess(*args, **named)


def _start_server(context: BaseContext) -> None:
    """Start the server with Ctrl-C held back, which it and its workers inherit: else they die of it with tracebacks.

    Nor do they have a standard error: where this process ends while they start they would say that with one, too.
    """
    from multiprocessing import forkserver, resource_tracker  # noqa: PLC0415 - not on every system

    context.set_forkserver_preload(_LOADED)
    resource_tracker.ensure_running()  # first, since it lets Ctrl-C through again when it has started
    with interrupts_held_back(), _without_standard_error():
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
def interrupts_held_back() -> Iterator[None]:
    """Let Ctrl-C wait until something is started whole: a process begun by half says so with a traceback."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def die_with_parent() -> None:
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
