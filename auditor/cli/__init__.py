"""The command line: `auditor COMMAND`. Only this room prints and exits; a command's modules load when it is called."""

import gc
import io
import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from types import FrameType

from auditor import __version__
from auditor.cli.arguments import COMMANDS, build_parser, joined
from auditor.cli.exits import INCOMPLETE, INTERRUPTED, TERMINATED, Failure

# New objects before the collector looks at them. Nearly all that a run loads and makes lives as long as it does, and to
# look at that again and again finds nothing.
_COLLECT_AFTER = 10_000


def main(words: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; no traceback reaches the user."""
    if sys.stderr is None:
        # Closed by the caller; else `print` would say on standard output what is meant for this stream.
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - open as long as the process is
    if sys.stdout is None:
        print("auditor: there is no standard output", file=sys.stderr)
        return INCOMPLETE
    if words is None and isinstance(sys.stdout, io.TextIOWrapper) and isinstance(sys.stdout.buffer, io.RawIOBase):
        # Under `python -u` what does not fit (a full disk, a reader that went away) would be dropped in silence.
        encoding = sys.stdout.encoding
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(sys.stdout.detach()), encoding)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A name that is no UTF-8 comes out as an escape, which JSON reads back; pipes are UTF-8 everywhere.
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="backslashreplace")
    is_process = words is None
    if is_process:
        gc.set_threshold(_COLLECT_AFTER)
        # As an exit, so that half-written files are taken away and workers end.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler and hasattr(signal, "setitimer"):
            signal.signal(signal.SIGINT, _interrupt)
            signal.signal(signal.SIGALRM, _interrupt)
    words = joined(sys.argv[1:] if words is None else words)
    parser = build_parser(__version__, words)
    try:
        try:
            options = parser.parse_args(words)
        finally:
            sys.stdout.flush()  # help and version end the process by an exit of their own
        run = import_module(COMMANDS[options.command]).run
        code: int = run(options)
        sys.stdout.flush()
    except Failure as failure:
        # Only now: a message may hold names and texts from the repository, and what shows them loads every format.
        from auditor.report.terminal import shown  # noqa: PLC0415

        print(f"auditor: {shown(str(failure))}", file=sys.stderr)
        return failure.code
    except BrokenPipeError:
        # The reader went away: nothing more can be said, and the output is lost.
        _drop_output()
        return INCOMPLETE
    except OSError as error:
        _drop_output()
        from auditor.report.terminal import shown  # noqa: PLC0415 - as above

        # Only what was opened by a name has one; standard output was not.
        named = isinstance(error.filename, str | bytes)
        what = shown(os.fsdecode(error.filename)) if named else "output cannot be written"
        print(f"auditor: {what}: {error.strerror}", file=sys.stderr)
        return INCOMPLETE
    except KeyboardInterrupt:
        print("auditor: interrupted", file=sys.stderr)
        return INTERRUPTED
    finally:
        if is_process:
            gc.freeze()  # at its end the interpreter looks for garbage, only to give back what the process gives back
    return code


def _interrupt(_number: int, frame: FrameType | None) -> None:
    """Raise `KeyboardInterrupt`, a moment later where an object is just being finalized: there it would be lost."""
    while frame is not None:
        if frame.f_code.co_name == "__del__":
            signal.setitimer(signal.ITIMER_REAL, 0.01)
            return
        frame = frame.f_back
    raise KeyboardInterrupt


def _drop_output() -> None:
    """Let go what cannot be written, else the interpreter tries again at its end and exits with a code of its own."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
