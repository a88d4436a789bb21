"""`auditor.toml` or `[tool.auditor]` in `pyproject.toml`: read, checked key by key, as one frozen value."""

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fnmatch import translate
from functools import lru_cache, partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Literal, NoReturn, get_args

from auditor.reading import MOST_CONFIGURATION, read_regular

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
        return _place(self.file, self.text, self.prefix + key, value)

    @property
    def left_out(self) -> tuple[str, ...]:
        """Path patterns of what is not audited: what the user excludes, and the summary that the ledger writes."""
        return (*self.exclude, PurePosixPath(self.ledger).with_suffix(".md").as_posix())


class ConfigurationError(Exception):
    """A configuration that cannot be used; the message names file, line where there is one, key and the way out."""


def find_configuration(start: Path) -> Path | None:
    """The nearest configuration file from a folder upward, not past the top of a git checkout.

    Raises `ConfigurationError` where a `pyproject.toml` on the way cannot be read.
    """
    for folder in (start, *start.parents):
        # Whatever has the name is meant to be one: a folder, a pipe or a link to nowhere is said where it is read.
        own = folder / "auditor.toml"
        if os.path.lexists(own):
            return own
        project = folder / "pyproject.toml"
        if os.path.lexists(project) and b"[tool.auditor" in _bytes(project):
            return project
        if os.path.exists(folder / ".git"):
            break
    return None


def load_configuration(file: Path) -> Configuration:
    """The configuration in a file. Raises `ConfigurationError`."""
    return parse_configuration(_bytes(file), file)


def parse_configuration(data: bytes, file: Path) -> Configuration:
    """The configuration in a file's bytes. Raises `ConfigurationError`; the file's text is never echoed."""
    import tomllib  # noqa: PLC0415 - most runs are told of no configuration

    try:
        text = data.decode("utf-8")
        table = tomllib.loads(text)
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{file}: not valid UTF-8 at byte {error.start}") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        from auditor.toml.faults import said_of  # noqa: PLC0415 - only a mistake needs it

        raise ConfigurationError(f"{file}{said_of(text, str(error))}") from None
    prefix = ""
    if file.name == "pyproject.toml":
        table = table.get("tool", {}).get("auditor", {})
        prefix = "tool.auditor."
    reader = _Reader(file, text, prefix)
    values = reader.read(table, _KEYS, "")
    return Configuration(file=file, text=text, prefix=prefix, **values)


def _place(file: Path | None, text: str, key: str, value: str | None = None) -> str:
    from auditor.toml.places import line_of, without_places  # noqa: PLC0415 - only a mistake needs it

    line = line_of(text, key, value)
    return f"{file}{f':{line}' if line is not None else ''}: {without_places(key)}"


def required_python(root: Path) -> str | None:
    """The oldest version that the root's `requires-python` admits, such as `3.10`; `None` where it says nothing."""
    try:
        data = read_regular(root / "pyproject.toml", MOST_CONFIGURATION)
    except OSError:
        return None
    import tomllib  # noqa: PLC0415 - as above

    try:
        table = tomllib.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    metadata = table.get("project", {})
    required = metadata.get("requires-python") if isinstance(metadata, dict) else None
    found = re.search(r"(?:>=|==|~=|>)\s*(3\.\d{1,2})", required) if isinstance(required, str) else None
    return found[1] if found else None


def _bytes(file: Path) -> bytes:
    try:
        return read_regular(file, MOST_CONFIGURATION)
    except OSError as error:
        raise ConfigurationError(f"{file}: cannot be read: {error.strerror}") from None


@dataclass(frozen=True, slots=True)
class _Reader:
    """Turns TOML values into checked ones; every mistake is said with its key and line."""

    file: Path
    text: str
    prefix: str

    def read(self, table: Mapping[str, object], keys: "Mapping[str, _Check]", where: str) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for key, value in table.items():
            check = keys.get(key)
            if check is None:
                import difflib  # noqa: PLC0415 - only a mistake needs it

                near = difflib.get_close_matches(key, keys, n=1, cutoff=0.5)
                hint = f"; did you mean {near[0]!r}?" if near else f"; known keys are {', '.join(sorted(keys))}"
                self.fail(where + key, f"unknown key{hint}")
            values[key.replace("-", "_")] = check(self, where + key, value)
        return values

    def fail(self, key: str, what: str, value: str | None = None) -> NoReturn:
        """Raise for a key; for a text in its value that is named, where that stands."""
        raise ConfigurationError(f"{_place(self.file, self.text, self.prefix + key, value)}: {what}")


_Check = Callable[[_Reader, str, object], object]


def _text(reader: _Reader, key: str, value: object) -> str:
    return value if isinstance(value, str) else reader.fail(key, "must be text in quotes")


def _inside(reader: _Reader, key: str, value: object) -> str:
    """A file of the repository."""
    path = _text(reader, key, value)
    if not PurePosixPath(path).name or "\0" in path:
        reader.fail(key, "must name a file")
    if PurePosixPath(path).is_absolute() or ".." in PurePosixPath(path).parts:
        reader.fail(key, "must lie in the folder of the configuration")
    return path


def _flag(reader: _Reader, key: str, value: object) -> bool:
    return value if isinstance(value, bool) else reader.fail(key, "must be true or false")


def _number(reader: _Reader, key: str, value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return value
    return reader.fail(key, "must be a whole number above 0")


def _number_up_to(most: int) -> _Check:
    def check(reader: _Reader, key: str, value: object) -> object:
        number = _number(reader, key, value)
        return number if number <= most else reader.fail(key, f"must be {most:,} at most")

    return check


def _texts(reader: _Reader, key: str, value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    return reader.fail(key, "must be a list of texts")


def _each(check: Callable[[str], bool], what: str) -> _Check:
    """A list of texts that all pass a check; `what` is what each must be."""

    def read(reader: _Reader, key: str, value: object) -> object:
        texts = _texts(reader, key, value)
        for text in texts:
            if not check(text):
                reader.fail(key, f"{text!r} is no {what}", text)
        return texts

    return read


def _is_path(text: str) -> bool:
    return bool(text) and "\0" not in text


def _is_pattern(text: str) -> bool:
    """Whether a path could match: no path begins with a slash, or has a `.` or `..` in it."""
    return _is_path(text.strip("/")) and not {".", ".."} & set(text.split("/"))


def _pattern(reader: _Reader, key: str, value: object) -> str:
    text = _text(reader, key, value)
    return text if _is_pattern(text) else reader.fail(key, f"{text!r} is no {_A_PATTERN}")


def _one_of(*words: str) -> _Check:
    def check(reader: _Reader, key: str, value: object) -> object:
        return value if value in words else reader.fail(key, f"must be one of {', '.join(words)}")

    return check


def _mapping(check: _Check) -> _Check:
    def read(reader: _Reader, key: str, value: object) -> object:
        if not isinstance(value, dict):
            return reader.fail(key, "must be a table")
        return {name: check(reader, f"{key}.{name}", item) for name, item in value.items()}

    return read


def _named_texts(*names: str) -> _Check:
    def check(reader: _Reader, key: str, value: object) -> object:
        if not isinstance(value, dict):
            return reader.fail(key, "must be a table")
        return reader.read(value, dict.fromkeys(names, _text), f"{key}.")

    return check


def _targets(reader: _Reader, key: str, value: object) -> tuple[str, ...]:
    if any(isinstance(item, float | int) for item in (value if isinstance(value, list) else [value])):
        reader.fail(key, 'a version stands in quotes, such as "3.10"; without them that is the number 3.1')
    targets = _texts(reader, key, value)
    for target in targets:
        check_target(target, partial(reader.fail, key))
    return targets


def check_target(target: str, fail: Callable[[str], NoReturn]) -> str:
    """A target such as `3.10`, or `fail` with what is wrong."""
    if not re.fullmatch(r"3\.\d{1,2}", target):
        fail(f"{target!r} is no Python version such as 3.11")
    return target


def _tables(kind: type, keys: Mapping[str, _Check], required: tuple[str, ...]) -> _Check:
    def read(reader: _Reader, key: str, value: object) -> object:
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            return reader.fail(key, f"must be a list of tables: [[{key}]]")
        found = []
        for at, item in enumerate(value):
            for name in required:
                if name not in item:
                    reader.fail(f"{key}[{at}]", f"needs the key {name!r}")
            found.append(kind(**reader.read(item, keys, f"{key}[{at}].")))
        return tuple(found)

    return read


def _limits(reader: _Reader, key: str, value: object) -> object:
    if not isinstance(value, dict):
        return reader.fail(key, "must be a table")
    names = {name.replace("_", "-"): _number_up_to(most) for name, most in MOST.items()}
    return Limits(**reader.read(value, names, f"{key}."))


_A_PATTERN = "path pattern such as 'archive' or 'docs/**/*.md', written without '.' and '..'"
_PATTERNS = _each(_is_pattern, _A_PATTERN)
_SEVERITY = _mapping(_one_of(*(level for level in get_args(FailLevel) if level != "never")))

_KEYS: Mapping[str, _Check] = {
    "flavour": _one_of(*get_args(Flavour)),
    "target-python": _targets,
    "lang": _one_of("en", "zh"),
    "fail-level": _one_of(*get_args(FailLevel)),
    "select": _texts,
    "ignore": _texts,
    "exclude": _PATTERNS,
    "rules": _each(_is_path, "rule file or folder"),
    "severity": _SEVERITY,
    "indented-code": _flag,
    "unlabelled": _flag,
    "require-reason": _flag,
    "baseline": _inside,
    "ledger": _inside,
    "provenance": _named_texts("origin", "commit", "licence"),
    "paths": _tables(
        PathRules, {"path": _pattern, "ignore": _texts, "reason": _text, "severity": _SEVERITY}, ("path",)
    ),
    "books": _tables(
        Book,
        {
            "pages": _PATTERNS,
            "files": _PATTERNS,
            "setup": _text,
            "names": _each(str.isidentifier, "name of Python"),
            "aliases": _mapping(_text),
            "authority": _mapping(_one_of("fence", "file")),
            "notes": _mapping(_text),
            "requirements": _inside,
        },
        ("pages",),
    ),
    "limits": _limits,
}


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
