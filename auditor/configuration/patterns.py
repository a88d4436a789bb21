"""Path patterns: which files a setting means."""

import re
from collections.abc import Callable
from fnmatch import translate
from functools import lru_cache


@lru_cache(maxsize=64)
def path_matcher(patterns: tuple[str, ...]) -> Callable[[str], bool]:
    """Whether a POSIX path matches one of the patterns: `**` crosses folders, a folder's name means all under it."""
    if not patterns:
        return lambda _path: False
    sources = []
    for pattern in patterns:
        pure = pattern.strip("/")
        anchored = "/" in pure
        body = "".join(_translated(part) for part in re.split(r"(\*\*/?|\*|\?|\[[^\]]*\])", pure))
        sources.append(f"(?:{'' if anchored else '(?:.*/)?'}{body}(?:/.*)?)")
    matches = re.compile("|".join(sources), re.DOTALL).fullmatch
    return lambda path: matches(path) is not None


def _translated(part: str) -> str:
    if part.startswith("**"):
        return "(?:.*/)?" if part.endswith("/") else ".*"
    if part == "*":
        return "[^/]*"
    if part == "?":
        return "[^/]"
    # fnmatch wraps what it translates in (?s:…)\Z.
    return translate(part)[4:-3] if part.startswith("[") else re.escape(part)
