"""Texts and places in them: offsets until the end, lines and columns once."""

import hashlib
import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate
from typing import Literal, NamedTuple

Newline = Literal["\n", "\r\n", "\r", "mixed", ""]

# A line ends at LF, CR or CRLF and nowhere else: `str.splitlines` also breaks on U+2028, form feed and others.
LINE_END = re.compile(r"\r\n|\n|\r")


class Position(NamedTuple):
    """A place in a text as people count it: both numbers 1-based, the column in code points."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Span:
    """Offsets `start` (included) to `end` (excluded) in a source's text, in code points.

    `path` names the source where it is not the block's own: the target of an include.
    """

    start: int
    end: int
    path: str | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """A span made concrete: lines and columns in the user's own file, 1-based, columns in code points, end excluded.

    `text` is the first physical line without its end, so that a report can show it without reading the file again.
    """

    path: str
    start: int
    end: int
    line: int
    column: int
    end_line: int
    end_column: int
    text: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """One file's text, exactly as it stands in the file but for the byte order mark.

    `path` is POSIX and relative to the root. `includes` holds what the include directives of this source name: for each
    reference as written, the source it leads to, or the reason why there is none.
    """

    path: str
    text: str
    newline: Newline = "\n"
    encoding: str = "utf-8"
    bom: bool = False
    includes: "Mapping[str, Source | str]" = field(default_factory=dict)
    line_starts: Sequence[int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if "\r" in self.text:
            starts = [0, *(found.end() for found in LINE_END.finditer(self.text))]
        else:
            starts = list(accumulate([len(line) + 1 for line in self.text.split("\n")], initial=0))
            starts.pop()  # the text's last line has no end
        object.__setattr__(self, "line_starts", starts)

    @property
    def sha256(self) -> str:
        """Hex digest of the text in UTF-8 with every line end as LF, so that a checkout's line ends do not count."""
        text = LINE_END.sub("\n", self.text) if "\r" in self.text else self.text
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

    def position(self, offset: int) -> Position:
        """Line and column of an offset."""
        line = bisect_right(self.line_starts, offset)
        return Position(line, offset - self.line_starts[line - 1] + 1)

    def line_text(self, line: int) -> str:
        """The text of a 1-based line, without its end."""
        start = self.line_starts[line - 1]
        end = self.line_starts[line] if line < len(self.line_starts) else len(self.text)
        return _line(self.text, start, end)

    def named(self, path: str | None) -> "Source | None":
        """This source, or the included one of a path; `None` where it includes none of that path."""
        if path is None or path == self.path:
            return self
        found = (each for each in self.includes.values() if isinstance(each, Source) and each.path == path)
        return next(found, None)

    def place(self, span: Span) -> Place:
        """The span as lines and columns of this source, or of the included source that it names."""
        target = self.named(span.path)
        if target is not None and target is not self:
            return target.place(Span(span.start, span.end))
        first, last = self.position(span.start), self.position(max(span.start, span.end))
        return Place(
            self.path, span.start, span.end, first.line, first.column, last.line, last.column,
            self.line_text(first.line),
        )  # fmt: skip


@lru_cache(maxsize=8)
def _line(text: str, start: int, end: int) -> str:
    """A line without its end; the same object again for what stands in one line, which may be a megabyte long."""
    return text[start:end].rstrip("\r\n")


@dataclass(frozen=True, slots=True)
class Edit:
    """Put `replacement` where `start` to `end` stands."""

    start: int
    end: int
    replacement: str


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text after edits, which are in order and do not overlap."""
    parts: list[str] = []
    at = 0
    for edit in edits:
        parts.append(text[at : edit.start])
        parts.append(edit.replacement)
        at = edit.end
    parts.append(text[at:])
    return "".join(parts)
