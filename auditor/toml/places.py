"""Where in a TOML text a key stands, and a text in its value: a parser gives the values alone."""

import re
from collections import Counter
from collections.abc import Iterator

_KEY = r"""(?:[\w-]+|"[^"\n]*"|'[^'\n]*')"""
_DOTTED = rf"{_KEY}(?:[ \t]*\.[ \t]*{_KEY})*"
_ENTRY = re.compile(
    rf"[ \t]*(?:(?P<open>\[\[?)[ \t]*(?P<table>{_DOTTED})[ \t]*\]\]?[ \t]*(?:\#.*)?\Z|(?P<key>{_DOTTED})[ \t]*=)"
)
_LONG_STRING = re.compile(r'"""[\s\S]*?"""|\'\'\'[\s\S]*?\'\'\'')
_PART = re.compile(_KEY)
_INDEX = re.compile(r"\[\d+\]")
_LAST = re.compile(r"(?:\[\d+\]|\.[^.\[]*)\Z")


def line_of(text: str, key: str, value: str | None = None) -> int | None:
    """The line (from 1) of a dotted key, of a text in its value where one is given; `None` where it is not found.

    `paths[1].ignore` is the key of the second `[[paths]]`. A key that only an inline table holds is where the table is.
    """
    entries = list(_entries(text))
    lines = text.split("\n")
    while True:
        for at, (name, start) in enumerate(entries):
            if name == key:
                inside = f"{name}."
                end = next((line for other, line in entries[at + 1 :] if not other.startswith(inside)), len(lines))
                return 1 + (start if value is None else _holding(lines, start, end, value))
        above = _LAST.sub("", key)
        if above == key:
            return None
        key = above


def line_of_last_key(text: str) -> int:
    """The line (from 1) of the last key or table."""
    return 1 + max((line for _, line in _entries(text)), default=0)


def without_places(key: str) -> str:
    """A key as its author wrote it: `paths[1].ignore` is `paths.ignore`."""
    return _INDEX.sub("", key)


def without_long_strings(text: str) -> str:
    """The text with its strings of several lines empty: what stands in them may look like a key. The lines stay."""
    return _LONG_STRING.sub(lambda found: "\n" * found[0].count("\n"), text)


def _entries(text: str) -> Iterator[tuple[str, int]]:
    """Each key and table with its line (from 0), in order."""
    counts: Counter[str] = Counter()
    table = ""
    for number, line in enumerate(without_long_strings(text).split("\n")):
        entry = _ENTRY.match(line.rstrip("\r"))
        if entry is None:
            continue
        if entry["open"] is None:
            yield ".".join(filter(None, (table, *_parts(entry["key"])))), number
            continue
        parts = _parts(entry["table"])
        table = ""
        for at, part in enumerate(parts):
            table = f"{table}.{part}" if table else part
            counts[table] += entry["open"] == "[[" and at == len(parts) - 1
            if counts[table]:
                table += f"[{counts[table] - 1}]"
        yield table, number


def _parts(dotted: str) -> list[str]:
    return [part.strip("\"'") for part in _PART.findall(dotted)]


def _holding(lines: list[str], start: int, end: int, value: str) -> int:
    """The line, of some, that holds a text in quotes or as a key; the first one where none does."""
    exact = re.escape(value)
    bare = rf"""|(?<![\w."'-]){exact}[ \t]*=""" if value else ""
    holds = re.compile(rf"""["']{exact}["']{bare}""")
    return next((at for at in range(start, end) if holds.search(lines[at])), start)
