"""The base that a run is compared with, and what of it a run trusts: configuration, rules and baseline, if asked."""

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from auditor.cli.exits import INCOMPLETE, USAGE, Failure
from auditor.configuration import Configuration, ConfigurationError, find_configuration, parse_configuration
from auditor.discover import find_root, top_of
from auditor.discover.revisions import Blob, RevisionError, blobs, contents, merge_base
from auditor.reading import MOST_CONFIGURATION, read_regular

# What `--trust base` takes from the base: configuration and rule files, nothing that could be run.
_TRUSTED = (".toml", ".yaml", ".yml")
_LARGEST = 1_000_000


@dataclass(frozen=True, slots=True)
class Settings:
    """Where the settings of a run stand.

    `root` is the folder that paths are relative to. `base` is the merge base, where `--since` asked for one. `trusted`
    holds the base's configuration and rule files, laid out as the checkout `top` is, where only those are trusted.
    """

    configuration: Configuration
    root: Path
    top: Path | None = None
    base: str | None = None
    trusted: Path | None = None

    def trusted_path(self, path: Path) -> Path:
        """Where a configuration, a rule file or a folder of them is read: in the tree, or as the base has it."""
        if self.trusted is None or self.top is None:
            return path
        inside = os.path.relpath(os.path.abspath(path), self.top)
        if inside == os.pardir or inside.startswith(os.pardir + os.sep):
            return path
        return self.trusted / inside

    def as_in_tree(self, text: str) -> str:
        """A message with the base's copies named as the tree names them."""
        return text if self.trusted is None else text.replace(str(self.trusted), str(self.top))


def settle(options: argparse.Namespace, paths: Sequence[Path], scratch: Path) -> Settings:
    """Find the configuration and the base. Raises `Failure`: 2 for a mistake, 5 for a base that cannot be had.

    `scratch` is an empty folder for what is taken from the base; it must stand until the rules are read.
    """
    start = paths[0] if os.path.isdir(paths[0]) else paths[0].parent
    file = options.config.absolute() if options.config else _found(start)
    revision = getattr(options, "since", None)
    only_base = getattr(options, "trust", "head") == "base"
    if revision is None:
        if only_base:
            raise Failure("--trust base needs --since, which names the base")
        return Settings(_configuration(file, file), find_root(paths, file.parent if file else None))
    top = top_of(start)
    if top is None:
        raise _unknown(f"{start} lies in no git checkout")
    try:
        commit = merge_base(top, revision)
        if not only_base:
            _say_if_changed(file, top, commit)
            return Settings(_configuration(file, file), find_root(paths, file.parent if file else None), top, commit)
        check_out(top, commit, scratch)
    except RevisionError as error:
        raise _unknown(str(error)) from None
    there = Settings(Configuration(), top, top, commit, scratch)
    theirs = (
        there.trusted_path(options.config.absolute())
        if options.config
        else _found(scratch / os.path.relpath(start, top))
    )
    if _data(file) != _data(theirs):
        print("auditor: the configuration differs from the base's; the base's is used", file=sys.stderr)
    as_ours = (
        top / os.path.relpath(theirs, scratch) if theirs is not None and theirs.is_relative_to(scratch) else theirs
    )
    root = find_root(paths, as_ours.parent if as_ours else None)
    return Settings(_configuration(theirs, as_ours), root, top, commit, scratch)


def _found(start: Path) -> Path | None:
    """The configuration that holds for a folder, as `find_configuration` finds it."""
    try:
        return find_configuration(start)
    except ConfigurationError as error:
        raise Failure(str(error)) from None


def _unknown(why: str) -> Failure:
    return Failure(f"the base cannot be analysed: {why}", INCOMPLETE)


def _configuration(file: Path | None, name: Path | None) -> Configuration:
    """The configuration in a file, told under the name it has in the tree."""
    if file is None or name is None:
        return Configuration()
    try:
        return parse_configuration(read_regular(file, MOST_CONFIGURATION), name)
    except OSError as error:
        raise Failure(f"{name}: cannot be read: {error.strerror}", USAGE) from None
    except ConfigurationError as error:
        raise Failure(str(error)) from None


def _data(file: Path | None) -> bytes:
    """The bytes of a configuration, only to be compared: whether it can be read is said where it is used."""
    try:
        return b"" if file is None else read_regular(file, MOST_CONFIGURATION)
    except OSError:
        return b""


def _say_if_changed(file: Path | None, top: Path, commit: str) -> None:
    if file is not None and os.path.isfile(file) and read_at(top, commit, file) != _data(file):
        print(
            f"auditor: {os.path.relpath(file, top)} is not as the base has it; --trust base would take the base's",
            file=sys.stderr,
        )


def read_at(top: Path, commit: str, file: Path) -> bytes | None:
    """The bytes of a file in a commit; `None` where the commit has none. Raises `RevisionError`."""
    name = PurePosixPath(os.path.relpath(os.path.abspath(file), top)).as_posix()
    for blob in blobs(top, commit):
        if blob.path == name:
            return next(contents(top, [blob]))
    return None


def check_out(top: Path, commit: str, scratch: Path) -> None:
    """Write the configuration and rule files of a commit under a scratch folder, which looks like a checkout.

    Raises `RevisionError`.
    """
    wanted = [blob for blob in blobs(top, commit) if _is_trusted(blob)]
    (scratch / ".git").mkdir()  # so that no configuration is looked for above it
    for blob, data in zip(wanted, contents(top, wanted), strict=True):
        target = scratch / blob.path
        with suppress(OSError):  # a name that this file system cannot hold is no configuration
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)


def _is_trusted(blob: Blob) -> bool:
    parts = PurePosixPath(blob.path).parts
    return (
        blob.path.endswith(_TRUSTED) and blob.size <= _LARGEST and not {"..", ".git"} & set(parts) and parts[0] != "/"
    )
