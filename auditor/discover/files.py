"""Which files under some paths are looked at, and which are left out and why."""

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from auditor.discover.decoding import Unreadable, decode
from auditor.discover.listing import ENDINGS, MARKDOWN, Unlisted, is_gone, listed, top_of, why

if TYPE_CHECKING:
    from auditor.model import Source

Reason = str
_EXCLUDED = "excluded by the configuration"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file that may be audited: `path` relative to the root, `named` where the user named this very file.

    `data` are its bytes where an editor gave them instead of the file.
    """

    path: str
    file: Path
    named: bool = False
    data: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file that was not read. `status` tells what the user or a rule left out from what could not be read."""

    path: str
    status: Literal["excluded", "unreadable"]
    reason: Reason


@dataclass(frozen=True, slots=True)
class Discovery:
    """The files under some paths, sorted by path, and what was left out; nothing is passed over in silence.

    `beside` are the paths of all files in the folders of the candidates and above them up to the root, and the names of
    those in the folder above it, as if they stood in the root: they tell which tool builds a page, and so its flavour.
    """

    root: Path
    candidates: tuple[Candidate, ...]
    left_out: tuple[LeftOut, ...] = ()
    beside: frozenset[str] = field(default_factory=frozenset)


class MissingPathError(Exception):
    """A path that the user named and that is not there; the message says which."""


def find_root(paths: Sequence[Path], anchor: Path | None) -> Path:
    """The folder that paths in reports and the ledger are relative to.

    It is the configuration's folder where there is one, else the top of the git checkout, else the working folder where
    all paths lie under it, else the first path's folder.
    """
    if anchor is not None:
        return anchor
    first = paths[0] if os.path.isdir(paths[0]) else paths[0].parent
    top = top_of(first)
    if top is not None:
        return top
    here = Path.cwd()
    return here if all(path.is_relative_to(here) for path in paths) else first


def discover(paths: Sequence[Path], root: Path, exclude: Callable[[str], bool] = lambda _path: False) -> Discovery:
    """The Markdown and Python files under `paths` (absolute).

    In a git checkout these are the tracked files and those that git does not ignore; elsewhere every file outside
    hidden and foreign folders. Links are never followed. Raises `MissingPathError` for a path that is not there.
    """
    found: dict[str, Candidate] = {}
    left_out: dict[str, LeftOut] = {}
    for path in paths:
        if is_gone(path):
            raise MissingPathError(f"{path}: no such file or folder")
        named = not os.path.isdir(path)
        files: Iterable[Path | Unlisted] = (path,) if named else listed(path)
        for file in files:
            if isinstance(file, Unlisted):
                left = _unlisted(relative(file.folder, root), file.reason, exclude)
                left_out[left.path] = left
                continue
            name = relative(file, root)
            reason = _unfit(file)
            unread = reason is not None and reason.startswith("cannot")
            if reason is not None and not (unread and exclude(name)):
                left_out[name] = LeftOut(name, "unreadable" if named or unread else "excluded", reason)
            elif exclude(name):
                left_out[name] = LeftOut(name, "excluded", _EXCLUDED)
            elif not file.name.lower().endswith(ENDINGS):
                left_out[name] = LeftOut(name, "unreadable", "neither Markdown nor Python by its ending")
            else:
                found.setdefault(name, Candidate(name, file, named))
    return Discovery(
        root,
        tuple(found[name] for name in sorted(found)),
        tuple(left_out[name] for name in sorted(left_out)),
        frozenset(_beside(found, root)),
    )


def _unlisted(name: str, reason: Reason, exclude: Callable[[str], bool]) -> LeftOut:
    """A folder that cannot be looked into; `drafts/**` excludes all that is in it, and so what cannot be told."""
    return LeftOut(name, "excluded", _EXCLUDED) if exclude(f"{name}/") else LeftOut(name, "unreadable", reason)


def given(file: Path, data: bytes, root: Path, exclude: Callable[[str], bool] = lambda _path: False) -> Discovery:
    """The bytes that an editor holds, as if they stood in `file` (absolute), which need not exist."""
    name = relative(file, root)
    beside = frozenset(_beside([name], root))
    if exclude(name):
        return Discovery(root, (), (LeftOut(name, "excluded", _EXCLUDED),), beside)
    if not name.lower().endswith(ENDINGS):
        left = LeftOut(name, "unreadable", "neither Markdown nor Python by its ending")
        return Discovery(root, (), (left,), beside)
    return Discovery(root, (Candidate(name, file, named=True, data=data),), (), beside)


def _beside(paths: Iterable[str], root: Path) -> Iterator[str]:
    places = [(root / folder, folder) for folder in _folders(paths)]
    if places and not os.path.exists(root / ".git"):
        # Of a checkout without git perhaps only the folder of the pages was named; what builds them stands above it.
        places.append((root.parent, ""))
    for place, folder in places:
        before = folder if folder in {"", "/"} else f"{folder}/"
        try:
            with os.scandir(place) as entries:
                yield from (before + entry.name for entry in entries)
        except OSError:
            continue


def _folders(paths: Iterable[str]) -> set[str]:
    """The folders of the Markdown files among some paths, and those above them; the root is an empty text."""
    found: set[str] = set()
    for path in paths:
        folder = path
        while path.lower().endswith(MARKDOWN):
            above = folder.rpartition("/")[0]
            folder = above or ("/" if folder.startswith("/") else "")
            if folder in found:
                break
            found.add(folder)
    return found


def relative(file: Path, root: Path) -> str:
    """The POSIX path of a file under the root; outside it, the absolute path."""
    text, top = os.fspath(file), f"{root}/"
    if text.startswith(top) and os.sep == "/":  # most are, and of thousands it counts
        return text.removeprefix(top)
    try:
        return file.relative_to(root).as_posix()
    except ValueError:
        return file.as_posix()


def _unfit(file: Path) -> Reason | None:
    """Why a directory entry is not read: only regular files are."""
    try:
        mode = os.lstat(file).st_mode
    except OSError as error:
        return why(error)
    if stat.S_ISLNK(mode):
        return "a symbolic link, not followed"
    return None if stat.S_ISREG(mode) else "not a regular file"


def read(candidate: Candidate, limit: int) -> "Source | Unreadable":
    """The candidate's bytes as a source; `limit` is the largest size in bytes that is looked at."""
    if candidate.data is not None:
        if len(candidate.data) > limit:
            return Unreadable(f"larger than the limit ({limit:,} bytes)")
        return decode(candidate.path, candidate.data)
    try:
        descriptor = os.open(candidate.file, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(descriptor, "rb") as stream:
            status = os.fstat(stream.fileno())
            if not stat.S_ISREG(status.st_mode):
                return Unreadable("not a regular file")
            if status.st_size > limit:
                return Unreadable(f"larger than the limit ({status.st_size:,} of {limit:,} bytes)")
            data = stream.read(limit + 1)
    except OSError as error:
        return Unreadable(why(error))
    if len(data) > limit:
        return Unreadable(f"larger than the limit ({limit:,} bytes)")
    return decode(candidate.path, data)


def named_source(file: Path, limit: int = 10_000_000) -> "tuple[Candidate, Source | Unreadable]":
    """One file that the user named, by that name, outside any run."""
    candidate = Candidate(file.as_posix(), file, named=True)
    if not file.name.lower().endswith(ENDINGS):
        return candidate, Unreadable("neither Markdown nor Python by its ending")
    return candidate, read(candidate, limit)
