"""A progress bar on standard error, on a terminal only, for runs that take long enough to want one."""

import sys
import time
from types import TracebackType
from typing import Self

# Shorter runs than this, in seconds, show nothing; and the bar is not drawn more often than that.
_PATIENCE = 0.8
_EVERY = 0.1
_BAR = 24


class Progress:
    """Counts steps and draws them with a rate and an estimate; draws nothing off a terminal."""

    def __init__(self, total: int, *, on: bool) -> None:
        self._total = total
        self._done = 0
        self._on = on and total > 1 and sys.stderr.isatty()
        self._started = time.monotonic()
        self._drawn = self._started + _PATIENCE
        self._shown = False

    def __enter__(self) -> Self:
        return self

    def step(self, _path: str) -> None:
        """One more source is being looked at."""
        self._done += 1
        if not self._on:
            return
        now = time.monotonic()
        if now - self._drawn >= _EVERY:
            self._drawn = now
            self._draw(now - self._started)

    def _draw(self, seconds: float) -> None:
        rate = self._done / seconds
        left = (self._total - self._done) / rate
        filled = _BAR * self._done // self._total
        bar = "█" * filled + "░" * (_BAR - filled)
        sys.stderr.write(f"\r{bar} {self._done}/{self._total}  {rate:.0f} files/s  {left:.0f} s left\x1b[K")
        sys.stderr.flush()
        self._shown = True

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
