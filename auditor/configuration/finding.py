"""`auditor.toml` or `[tool.auditor]` in `pyproject.toml`: found from a folder upward, and read."""

import os
import re
from pathlib import Path

from auditor.configuration.values import Configuration, ConfigurationError
from auditor.reading import MOST_CONFIGURATION, read_regular


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
    from auditor.configuration.keys import KEYS, Reader  # noqa: PLC0415 - as above

    values = Reader(file, text, prefix).read(table, KEYS, "")
    return Configuration(file=file, text=text, prefix=prefix, **values)


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
