"""What the page as a program costs of a cold audit: the CPU of every entry point of the pass, and its share.

    python tests/bench/program_share.py FOLDER [--rounds 5] [--most SHARE]

Each round is a process of its own, `audit --no-cache --jobs 1`, start-up included; the medians are printed in
milliseconds. What an entry point calls is its own cost unless it is an entry point, too. Sources that are audited in a
process beside, as they could kill this one, count for nothing. With `--most` the exit code is 1 where the share is
above it.
"""

import argparse
import contextlib
import functools
import io
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

# The entry points of the pass: a module, what of it is called there, and what the table calls it.
ENTRIES: Sequence[tuple[str, str, str]] = (
    ("auditor.audit", "Lines.of", "lines for places"),
    ("auditor.structure.names", "read", "trees for this alone"),
    ("auditor.audit", "names_of", "names bound and needed"),
    ("auditor.audit", "program_of", "definitions and uses"),
    ("auditor.audit", "_hinted", "names that prose hints at"),
    ("auditor.structure.surroundings", "Surroundings.told", "what the text around tells"),
    ("auditor.project.program", "Programs.__init__", "pages beside their files"),
    ("auditor.project.program", "Programs.read", "judging a page"),
)
WHOLE = "the whole audit"


class Clock:
    """CPU seconds of this process by name, each second counted once: for the innermost name that is running."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = dict.fromkeys((name for _, _, name in ENTRIES), 0.0)
        self._inner = [0.0]

    def timed(self, function: Callable[..., Any], name: str) -> Callable[..., Any]:
        """A function that also counts what it takes."""

        @functools.wraps(function)
        def run(*given: object, **named: object) -> object:
            self._inner.append(0.0)
            started = time.process_time()
            try:
                return function(*given, **named)
            finally:
                took = time.process_time() - started
                self.spent[name] += took - self._inner.pop()
                self._inner[-1] += took

        return run


def audit(folder: Path) -> dict[str, float]:
    """Audit a folder in this process; CPU seconds by entry point, and of the process since it began."""
    clock = Clock()
    for module, path, name in ENTRIES:
        owner: Any = import_module(module)
        *outer, last = path.split(".")
        for word in outer:
            owner = getattr(owner, word)
        setattr(owner, last, clock.timed(getattr(owner, last), name))
    words = ["audit", "--no-cache", "--jobs", "1", "--fail-level", "never", "--quiet", str(folder)]
    with contextlib.redirect_stdout(io.StringIO()):
        import_module("auditor.cli").main(words)
    return {**clock.spent, WHOLE: time.process_time()}


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--most", type=float, default=1.0)
    options.add_argument("--once", action="store_true", help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if chosen.once:
        print(json.dumps(audit(chosen.folder)))
        return 0
    words = [sys.executable, __file__, "--once", str(chosen.folder)]
    rounds = [json.loads(subprocess.check_output(words)) for _ in range(chosen.rounds)]
    costs = {name: statistics.median(each[name] for each in rounds) for name in rounds[0]}
    whole = costs.pop(WHOLE)
    share = statistics.median((sum(each.values()) - each[WHOLE]) / each[WHOLE] for each in rounds)
    for name, cost in costs.items():
        print(f"{name:28}{1000 * cost:8.1f} ms{cost / whole:8.1%}")
    print(f"{'the pass':28}{1000 * share * whole:8.1f} ms{share:8.1%}")
    print(f"{WHOLE:28}{1000 * whole:8.1f} ms")
    return int(share > chosen.most)


if __name__ == "__main__":
    sys.exit(main())
