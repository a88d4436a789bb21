"""The keys of a configuration and the check of each: every mistake is said with its key and line."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any, NoReturn, get_args

from auditor.configuration.values import (
    MOST,
    Book,
    ConfigurationError,
    FailLevel,
    Flavour,
    Limits,
    PathRules,
    check_target,
    place_of,
)


@dataclass(frozen=True, slots=True)
class Reader:
    """Turns TOML values into checked ones; every mistake is said with its key and line."""

    file: Path
    text: str
    prefix: str

    def read(self, table: Mapping[str, object], keys: "Mapping[str, _Check]", where: str) -> dict[str, Any]:
        """The values of a table by field, checked; `where` is what stands before its keys, with its dot."""
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
        raise ConfigurationError(f"{place_of(self.file, self.text, self.prefix + key, value)}: {what}")


_Check = Callable[[Reader, str, object], object]


def _text(reader: Reader, key: str, value: object) -> str:
    return value if isinstance(value, str) else reader.fail(key, "must be text in quotes")


def _inside(reader: Reader, key: str, value: object) -> str:
    """A file of the repository."""
    path = _text(reader, key, value)
    if not PurePosixPath(path).name or "\0" in path:
        reader.fail(key, "must name a file")
    if PurePosixPath(path).is_absolute() or ".." in PurePosixPath(path).parts:
        reader.fail(key, "must lie in the folder of the configuration")
    return path


def _flag(reader: Reader, key: str, value: object) -> bool:
    return value if isinstance(value, bool) else reader.fail(key, "must be true or false")


def _number(reader: Reader, key: str, value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return value
    return reader.fail(key, "must be a whole number above 0")


def _number_up_to(most: int) -> _Check:
    def check(reader: Reader, key: str, value: object) -> object:
        number = _number(reader, key, value)
        return number if number <= most else reader.fail(key, f"must be {most:,} at most")

    return check


def _texts(reader: Reader, key: str, value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    return reader.fail(key, "must be a list of texts")


def _each(check: Callable[[str], bool], what: str) -> _Check:
    """A list of texts that all pass a check; `what` is what each must be."""

    def read(reader: Reader, key: str, value: object) -> object:
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


def _pattern(reader: Reader, key: str, value: object) -> str:
    text = _text(reader, key, value)
    return text if _is_pattern(text) else reader.fail(key, f"{text!r} is no {_A_PATTERN}")


def _one_of(*words: str) -> _Check:
    def check(reader: Reader, key: str, value: object) -> object:
        return value if value in words else reader.fail(key, f"must be one of {', '.join(words)}")

    return check


def _mapping(check: _Check) -> _Check:
    def read(reader: Reader, key: str, value: object) -> object:
        if not isinstance(value, dict):
            return reader.fail(key, "must be a table")
        return {name: check(reader, f"{key}.{name}", item) for name, item in value.items()}

    return read


def _named_texts(*names: str) -> _Check:
    def check(reader: Reader, key: str, value: object) -> object:
        if not isinstance(value, dict):
            return reader.fail(key, "must be a table")
        return reader.read(value, dict.fromkeys(names, _text), f"{key}.")

    return check


def _targets(reader: Reader, key: str, value: object) -> tuple[str, ...]:
    if any(isinstance(item, float | int) for item in (value if isinstance(value, list) else [value])):
        reader.fail(key, 'a version stands in quotes, such as "3.10"; without them that is the number 3.1')
    targets = _texts(reader, key, value)
    for target in targets:
        check_target(target, partial(reader.fail, key))
    return targets


def _tables(kind: type, keys: Mapping[str, _Check], required: tuple[str, ...]) -> _Check:
    def read(reader: Reader, key: str, value: object) -> object:
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


def _limits(reader: Reader, key: str, value: object) -> object:
    if not isinstance(value, dict):
        return reader.fail(key, "must be a table")
    names = {name.replace("_", "-"): _number_up_to(most) for name, most in MOST.items()}
    return Limits(**reader.read(value, names, f"{key}."))


_A_PATTERN = "path pattern such as 'archive' or 'docs/**/*.md', written without '.' and '..'"
_PATTERNS = _each(_is_pattern, _A_PATTERN)
_SEVERITY = _mapping(_one_of(*(level for level in get_args(FailLevel) if level != "never")))

KEYS: Mapping[str, _Check] = {
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
