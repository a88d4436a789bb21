"""What is settled before any rule is read: the configuration, the files under the paths, the cache.

Importing this loads no parser and no rule, since a run whose answer is kept needs no more than it.
"""

import argparse
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from auditor.cli.base import Settings, settle
from auditor.cli.exits import Failure
from auditor.configuration import Configuration, path_matcher
from auditor.discover import Discovery, MissingPathError, discover, given
from auditor.engine.store import Store, cache_folder


@dataclass(frozen=True, slots=True)
class Ground:
    """Where a run stands: its settings, its paths as the user named them (absolute), the files found, the cache."""

    settings: Settings
    paths: tuple[Path, ...]
    discovery: Discovery
    store: Store


def lay_ground(options: argparse.Namespace, scratch: Path) -> Ground:
    """Read the configuration and find the files. Raises `Failure` with one clear line for a mistake.

    `scratch` is an empty folder for what is taken from a base revision.
    """
    # As text, so that a link stays what it is and is named as the user named it.
    typed = _typed(options)
    paths = tuple(Path(os.path.abspath(word)) for word in ([typed] if typed else options.paths or ["."]))
    settings = settle(options, paths, scratch)
    _demand_files(settings)
    excluded = path_matcher(settings.configuration.left_out)
    try:
        if typed:
            if sys.stdin is None:
                raise Failure("there is no standard input")
            # One byte more than the limit is enough to see that it is passed.
            data = sys.stdin.buffer.read(settings.configuration.limits.file_bytes + 1)
            discovery = given(paths[0], data, settings.root, excluded)
        else:
            discovery = discover(paths, settings.root, excluded)
            if paths == (settings.root,):
                _say(_idle_names(settings.configuration, discovery))
    except MissingPathError as error:
        raise Failure(str(error)) from None
    return Ground(settings, paths, discovery, Store(None if options.no_cache else cache_folder()))


def _demand_files(settings: Settings) -> None:
    """Raise `Failure` for a folder where the configuration names a file that is written."""
    configuration = settings.configuration
    for key, name in (("ledger", configuration.ledger), ("baseline", configuration.baseline)):
        if configuration.file is not None and name and os.path.isdir(settings.root / name):
            raise Failure(f"{configuration.place(key)}: {name!r} is a folder, no file")


def _say(lines: Iterator[str]) -> None:
    for line in lines:
        # Only now: a pattern may hold anything, and what shows it loads every format.
        from auditor.report.terminal import shown  # noqa: PLC0415

        print(f"auditor: {shown(line)}", file=sys.stderr)


def _idle_names(configuration: Configuration, discovery: Discovery) -> Iterator[str]:
    """What a configuration names and nothing answers to, where all files were looked for: perhaps misspelt."""
    found = [candidate.path for candidate in discovery.candidates]
    # A folder that cannot be looked into is left out by its own name, and by a pattern for what is in it.
    excluded = [
        name for left in discovery.left_out if left.status == "excluded" for name in (left.path, f"{left.path}/")
    ]
    patterns = [("exclude", pattern, excluded) for pattern in configuration.exclude]
    patterns += [(f"paths[{at}].path", rules.path, found) for at, rules in enumerate(configuration.paths)]
    for at, book in enumerate(configuration.books):
        patterns += [(f"books[{at}].pages", pattern, found) for pattern in book.pages]
        patterns += [(f"books[{at}].files", pattern, found) for pattern in book.files]
    for key, pattern, names in patterns:
        if not any(map(path_matcher((pattern,)), names)) and not os.path.lexists(discovery.root / pattern.strip("/")):
            yield f"{configuration.place(key, pattern)}: {pattern!r} matches no Markdown or Python file"
    for at, book in enumerate(configuration.books):
        if book.requirements and not os.path.lexists(discovery.root / book.requirements):
            yield f"{configuration.place(f'books[{at}].requirements')}: there is no file {book.requirements!r}"


def _typed(options: argparse.Namespace) -> str | None:
    """The path under which standard input is audited. Raises `Failure` where `-` and the path do not come together."""
    path: str | None = getattr(options, "stdin_path", None)
    if path is None:
        if "-" in options.paths:
            raise Failure("'-' is standard input; say with --stdin-path which file it stands for")
        return None
    if options.paths != ["-"]:
        raise Failure("--stdin-path goes with the one path '-'")
    return path
