"""The one place where audited text is made fit for a terminal or a log."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping

# C0 without tab, DEL and C1: a terminal obeys them. Surrogates: no stream can write them. Line and paragraph separators
# and bidirectional controls: they make a line look like another.
_UNSAFE = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
# What CI runners obey: GitHub reads `::cmd` after leading blanks and `##[cmd]` anywhere, Azure `##vso[`.
_COMMAND = re.compile(r"##(?=\[|vso)|^(\s*):(?=:)")

COLOURS = {"error": "31", "warning": "33", "note": "36", "path": "1", "rule": "1", "dim": "2", "good": "32"}


def shown(text: str) -> str:
    """Audited text with every control character visible as an escape and no runner command in it."""
    text = _UNSAFE.sub(_escape, text)
    return _COMMAND.sub(lambda found: f"{found[1] or ''}:\u200b" if found[0][-1] == ":" else "#\u200b#", text)


# The same in JSON, where a line never begins with text, so that only the other form of command is left.
_UNSAFE_JSON = re.compile(_UNSAFE.pattern.replace("\x00-\x08\x0a-\x1f", "") + "|#(?=#(?:\\[|vso))")


def as_json(value: object, indent: int | None = None) -> str:
    """A value as JSON that no terminal and no runner obeys: what they would is written as an escape."""
    text = json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)
    return _UNSAFE_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def json_list(items: Iterable[object], depth: int = 0) -> Iterator[str]:
    """A list as `as_json` writes it with an indent of 1, `depth` levels inside of something, item by item."""
    pad = "\n" + " " * depth
    mark = "["
    for item in items:
        yield f"{mark}{pad} {as_json(item, indent=1).replace(chr(10), f'{pad} ')}"
        mark = ","
    yield f"{pad}]" if mark == "," else "[]"


def json_pieces(document: Mapping[str, object]) -> Iterator[str]:
    """A mapping as `as_json` writes it with an indent of 1; what is an iterator in it is written as a list."""
    mark = "{"
    for key, value in document.items():
        yield f"{mark}\n {as_json(key)}: "
        if isinstance(value, Iterator):
            yield from json_list(value, 1)
        else:
            yield as_json(value, indent=1).replace("\n", "\n ")
        mark = ","
    yield "\n}"


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def coloured(text: str, colour: str, on: bool) -> str:
    """Text in one of `COLOURS`, where colours are on."""
    return f"\x1b[{COLOURS[colour]}m{text}\x1b[0m" if on else text
