"""The settings as frozen values, with their defaults, and where each stands."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Literal, NoReturn

if TYPE_CHECKING:
    from auditor.model import Severity

Flavour = Literal["auto", "commonmark", "mkdocs", "myst", "mdx"]
FailLevel = Literal["error", "warning", "note", "never"]


@dataclass(frozen=True, slots=True)
class PathRules:
    """What holds for the files that match `path` only: rules left out, severities, and suppressions with a reason."""

    path: str
    ignore: tuple[str, ...] = ()
    reason: str = ""
    severity: "Mapping[str, Severity]" = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Book:
    """A book inside the repository.

    `pages` and `files` are path patterns: which pages belong to it, which Python files implement them. `setup` is code
    that readers are told to run first. `aliases` says which definition another name in a fence means. `authority` names
    the side of a drift that is right, by definition; `notes` the section that explains it.
    """

    pages: tuple[str, ...]
    files: tuple[str, ...] = ()
    setup: str = ""
    names: tuple[str, ...] = ()
    aliases: Mapping[str, str] = field(default_factory=dict)
    authority: Mapping[str, str] = field(default_factory=dict)
    notes: Mapping[str, str] = field(default_factory=dict)
    requirements: str = ""


@dataclass(frozen=True, slots=True)
class Limits:
    """Budgets; what exceeds one is named and makes the run incomplete.

    Lengths of blocks and lines are in characters, `nesting` is in levels of a block's syntax tree; those of YAML hold
    the rule files of the user's own. None can be set above its `MOST`: a configuration may come with the change that is
    audited, and must not let it take all memory or all time.
    """

    file_bytes: int = 4_000_000
    block_bytes: int = 1_000_000
    line_length: int = 200_000
    findings_per_file: int = 10_000
    seconds_per_file: int = 30
    yaml_depth: int = 64
    yaml_values: int = 1_000_000
    regex_milliseconds: int = 500
    nesting: int = 1000


MOST: Mapping[str, int] = {
    "file_bytes": 100_000_000,
    "block_bytes": 10_000_000,
    "line_length": 10_000_000,
    "findings_per_file": 1_000_000,
    "seconds_per_file": 3_600,
    "yaml_depth": 200,
    "yaml_values": 10_000_000,
    "regex_milliseconds": 60_000,
    "nesting": 1000,  # deeper trees do not compile on every host
}


@dataclass(frozen=True, slots=True)
class Configuration:
    """The settings of one repository; `file` is where they stand, `None` for the defaults.

    `text` is all of that file, `prefix` the table in it that is ours, with its dot: what `place` looks for a line in.
    """

    file: Path | None = None
    flavour: Flavour = "auto"
    target_python: tuple[str, ...] = ()
    lang: Literal["en", "zh"] = "en"
    fail_level: FailLevel = "error"
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    severity: "Mapping[str, Severity]" = field(default_factory=dict)
    indented_code: bool = False
    unlabelled: bool = False
    require_reason: bool = True
    baseline: str = ""
    ledger: str = "reports/ledger.jsonl"
    provenance: Mapping[str, str] = field(default_factory=dict)
    paths: tuple[PathRules, ...] = ()
    books: tuple[Book, ...] = ()
    limits: Limits = field(default_factory=Limits)
    text: str = field(default="", compare=False, repr=False)
    prefix: str = field(default="", compare=False, repr=False)

    def place(self, key: str, value: str | None = None) -> str:
        """File, line and name of a key, as a message begins; of a text in its value the line where that stands."""
        return place_of(self.file, self.text, self.prefix + key, value)

    @property
    def left_out(self) -> tuple[str, ...]:
        """Path patterns of what is not audited: what the user excludes, and the summary that the ledger writes."""
        return (*self.exclude, PurePosixPath(self.ledger).with_suffix(".md").as_posix())


class ConfigurationError(Exception):
    """A configuration that cannot be used; the message names file, line where there is one, key and the way out."""


def place_of(file: Path | None, text: str, key: str, value: str | None = None) -> str:
    """File, line and name of a key, as a message begins."""
    from auditor.toml.places import line_of, without_places  # noqa: PLC0415 - only a mistake needs it

    line = line_of(text, key, value)
    return f"{file}{f':{line}' if line is not None else ''}: {without_places(key)}"


def check_target(target: str, fail: Callable[[str], NoReturn]) -> str:
    """A target such as `3.10`, or `fail` with what is wrong."""
    if not re.fullmatch(r"3\.\d{1,2}", target):
        fail(f"{target!r} is no Python version such as 3.11")
    return target
