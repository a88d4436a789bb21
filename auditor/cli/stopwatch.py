"""Where the time of a run went, said on standard error on request."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager


class Stopwatch:
    """Seconds of wall and CPU time, by the name of the part they went into, in the order of the parts."""

    def __init__(self, wall: float) -> None:
        self._parts: dict[str, tuple[float, float]] = {}
        self._started = wall

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Count what runs inside for a part."""
        wall, cpu = time.perf_counter(), time.process_time()
        try:
            yield
        finally:
            self._parts[name] = (time.perf_counter() - wall, time.process_time() - cpu)

    def say(self) -> None:
        """Print a line a part, then the whole since the command began; CPU is this process's alone."""
        parts = {**self._parts, "in all": (time.perf_counter() - self._started, time.process_time())}
        for name, (wall, cpu) in parts.items():
            print(f"{name:12}{wall:8.3f} s{cpu:8.3f} s CPU", file=sys.stderr)
