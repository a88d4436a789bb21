"""Texts of which one must stand wherever a regex matches: what a prefilter can look for instead of the regex."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

# Python's own reading of its regexes; there is no public way to it, and where it fails nothing is required.
_parser: Any = re._parser  # type: ignore[attr-defined]  # noqa: SLF001
_codes: Any = re._constants  # type: ignore[attr-defined]  # noqa: SLF001

_MOST = 40


@lru_cache(maxsize=2000)
def required(expression: str) -> frozenset[str]:
    """Lower-case texts of which at least one is in every text that the regex matches; empty: nothing is known."""
    try:
        found = _of(_parser.parse(expression))
    except (re.error, RecursionError, OverflowError, ValueError, TypeError):
        return frozenset()
    return found if found is not None and all(len(text) > 1 for text in found) else frozenset()


def _of(items: Iterable[tuple[Any, Any]]) -> frozenset[str] | None:
    """What a sequence of parts requires: the best among its parts and its runs of literal characters."""
    best: frozenset[str] | None = None
    run = ""

    def better(found: frozenset[str] | None) -> None:
        nonlocal best
        if found and len(found) <= _MOST and (best is None or min(map(len, found)) > min(map(len, best))):
            best = found

    for code, argument in items:
        if code is _codes.LITERAL:
            run += chr(argument).lower()
            continue
        if run:
            better(frozenset({run}))
            run = ""
        better(_of_part(code, argument))
    if run:
        better(frozenset({run}))
    return best


def _of_part(code: Any, argument: Any) -> frozenset[str] | None:  # noqa: ANN401 — the parser's own, untyped
    if code is _codes.SUBPATTERN:
        return _of(argument[-1])
    if code is _codes.BRANCH:
        branches = [_of(branch) for branch in argument[1]]
        if all(branches):
            return frozenset().union(*(branch for branch in branches if branch))
        return None
    if code in {_codes.MAX_REPEAT, _codes.MIN_REPEAT} and argument[0] >= 1:
        return _of(argument[2])
    if code is _codes.ASSERT and argument[0] == 1:
        return _of(argument[1])
    return None
