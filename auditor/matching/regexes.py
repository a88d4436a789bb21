"""A rule's regexes: compiled once, and searched with a limit of time, so that none can hang a run."""

from functools import lru_cache

import regex

# Seconds that one search with a rule's own regex may take.
REGEX_SECONDS = 0.5


@lru_cache(maxsize=20_000)
def compile_regex(text: str) -> regex.Pattern[str]:
    """A rule's regex, compiled once; raises `regex.error`, which loading a rule has ruled out."""
    return regex.compile(text, regex.MULTILINE)


def searches(expression: str, text: str) -> bool:
    """Whether a rule's regex is found in a text; raises `TimeoutError`."""
    return compile_regex(expression).search(text, timeout=REGEX_SECONDS) is not None
