"""What the parser meets on a page: fences, headings, indented code, what hides its lines. Lines are 0-based."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from auditor.extract.includes import IncludeReference
from auditor.extract.info import Info


class BodyLine(NamedTuple):
    """Where a line's code begins; `pad` counts the blanks left of a tab that a container ate in part."""

    line: int
    column: int
    pad: int


# `None` means that every line is code from its first column on, which is so for most fences.
Body = tuple[BodyLine, ...] | None


@dataclass(frozen=True, slots=True)
class Fence:
    """A fence on the lines `start` to `end` (excluded): its marks `run` stand at the offset `at` of the page."""

    start: int
    end: int
    at: int
    run: str
    info: str
    said: Info
    closed: bool
    body: Body


@dataclass(frozen=True, slots=True)
class Included:
    """A directive that includes a file as a fence of its own: its one line, and where it stands in the page."""

    start: int
    end: int
    at: int
    reference: IncludeReference


@dataclass(frozen=True, slots=True)
class Title:
    """A heading and its text as written."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Indented:
    """Indented code."""

    start: int
    end: int
    body: tuple[BodyLine, ...]


@dataclass(frozen=True, slots=True)
class Hidden:
    """Lines in which no fence counts."""

    kind: Literal["comment", "html", "javascript"]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Enter:
    """The start of a container."""

    name: str


@dataclass(frozen=True, slots=True)
class Leave:
    """The end of the innermost container."""


Event = Fence | Included | Title | Indented | Hidden | Enter | Leave
