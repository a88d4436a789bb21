"""The command line: `auditor COMMAND`. Only this room prints and exits; a command's modules load when it is called."""

import io
import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module

from auditor import __version__
from auditor.cli.arguments import COMMANDS, build_parser, joined
from auditor.cli.exits import INCOMPLETE, INTERRUPTED, TERMINATED, Failure


def main(words: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; no traceback reaches the user."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A name that is no UTF-8 comes out as an escape, which JSON reads back; pipes are UTF-8 everywhere.
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="backslashreplace")
    if words is None:
        # As an exit, so that half-written files are taken away and workers end.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))
    parser = build_parser(__version__)
    try:
        options = parser.parse_args(joined(sys.argv[1:] if words is None else words))
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
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return INCOMPLETE
    except OSError as error:
        print(f"auditor: output cannot be written: {error.strerror}", file=sys.stderr)
        return INCOMPLETE
    except KeyboardInterrupt:
        print("auditor: interrupted", file=sys.stderr)
        return INTERRUPTED
    return code
