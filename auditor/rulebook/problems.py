"""A mistake in a rule file, and how it is said."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

# A mistake is one line, whatever stands in the file: these end one somewhere, or command a terminal.
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_MOST_QUOTED = 400


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake: file, 1-based line and column, the key it is about (or empty), and what is wrong."""

    path: str
    line: int
    column: int
    key: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}: {f'{self.key}: ' if self.key else ''}{self.message}"


class Mistake(Exception):  # noqa: N818 — it is one, and never leaves the rulebook
    """Ends the reading of one rule; every mistake found before it is kept, too."""


class Problems:
    """Collects the mistakes of one file."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.found: list[Problem] = []

    def say(self, line: int, column: int, key: str, message: str) -> None:
        """Note a mistake."""
        self.found.append(Problem(self.path, line, column, _on_one_line(key), _on_one_line(message)))

    def unknown(self, line: int, column: int, key: str, known: Iterable[str]) -> None:
        """Note a key that nothing reads, with the nearest one that is read."""
        import difflib  # noqa: PLC0415 - only a mistake needs it

        near = difflib.get_close_matches(key, sorted(known), n=1, cutoff=0.5)
        self.say(line, column, key, f"unknown key{f'; did you mean {near[0]!r}?' if near else ''}")


def _on_one_line(text: str) -> str:
    clipped = text if len(text) <= _MOST_QUOTED else f"{text[:_MOST_QUOTED]}…"
    return _CONTROLS.sub(" ", clipped)
