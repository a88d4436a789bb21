"""A rule's regexes: compiled once, and searched with a limit of time, so that none can hang a run."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import regex

# Seconds that one search with a rule's own regex may take, where no setting says otherwise.
USUAL_SECONDS = 0.5
# Searches stand deep in conditions of conditions; handing the setting down to each would burden all that lies between.
_SECONDS: ContextVar[float] = ContextVar("seconds", default=USUAL_SECONDS)


@lru_cache(maxsize=20_000)
def compile_regex(text: str) -> "regex.Pattern[str]":
    """A rule's regex, compiled once; raises `regex.error`, which loading a rule has ruled out."""
    import regex  # noqa: PLC0415 - few texts are searched with one

    return regex.compile(text, regex.MULTILINE)


@contextmanager
def searching_for(seconds: float) -> Iterator[None]:
    """Within this one search may take so many seconds."""
    before = _SECONDS.set(seconds)
    try:
        yield
    finally:
        _SECONDS.reset(before)


def time_limit() -> float:
    """Seconds that one search may take."""
    return _SECONDS.get()


def searches(expression: str, text: str) -> bool:
    """Whether a rule's regex is found in a text; raises `TimeoutError`."""
    return compile_regex(expression).search(text, timeout=time_limit()) is not None
