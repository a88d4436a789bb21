"""The Markdown and Python files of a folder, by git or by a walk, and the folders that cannot be looked into."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from auditor.discover.decoding import PYTHON

if TYPE_CHECKING:
    import subprocess

MARKDOWN = (".md", ".markdown", ".mdx", ".mdown", ".mkd", ".qmd", ".rmd")
ENDINGS = MARKDOWN + PYTHON
# Folders that hold no book: the stores of tools, and what is installed rather than written.
_FOREIGN = frozenset({"node_modules", "__pycache__", "site-packages", "venv", "build", "dist"})
# Settings of git under which nothing in a work tree can name a program to run: a folder that is laid out like a bare
# repository is none, and no monitor is started.
_SAFE = ("-c", "safe.bareRepository=explicit", "-c", "core.fsmonitor=false")
# What `git ls-files` says of a folder that it passes over, and calls a success (`read_directory_recursive` in dir.c).
_PASSED_OVER = re.compile(r"^warning: could not open directory '(.*?)/?': ([^\n]*)$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Unlisted:
    """A folder whose files cannot be told, and why."""

    folder: Path
    reason: str


def why(error: OSError) -> str:
    """The reason why a file or a folder is not read."""
    return f"cannot be read: {error.strerror}"


def top_of(folder: Path) -> Path | None:
    """The top of the checkout that a folder lies in; `None` outside of one."""
    return next((place for place in (folder, *folder.parents) if os.path.exists(place / ".git")), None)


def listed(folder: Path) -> Iterator[Path | Unlisted]:
    """The files of a folder, by git where it knows the folder, else by a walk that uses no link."""
    by_git = _git_listed(folder)
    if by_git is not None:
        yield from by_git
        return
    unlisted: list[Unlisted] = []

    def note(error: OSError) -> None:
        unlisted.append(Unlisted(Path(os.fsdecode(error.filename)), why(error)))

    for parent, folders, files in os.walk(folder, onerror=note, followlinks=False):
        # `os.walk` lists a link to a folder but does not enter it, so links need no look here.
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _FOREIGN)
        yield from (Path(parent, name) for name in files if name.lower().endswith(ENDINGS))
    yield from unlisted


def would_list(file: Path, root: Path) -> bool:
    """Whether a run over `root` would look at a file of this name (absolute), which need not exist."""
    if not file.is_relative_to(root) or not file.name.lower().endswith(ENDINGS):
        return False
    asked = _git(root, "check-ignore", "--quiet", "--", os.fspath(file)) if top_of(root) is not None else None
    if asked is not None and asked.returncode in {0, 1}:
        return asked.returncode == 1
    return not any(name.startswith(".") or name in _FOREIGN for name in file.relative_to(root).parts[:-1])


def run_git(folder: Path, *words: str, data: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
    """A git command, done in a folder, in git's own words. Raises `OSError` where there is no git."""
    import subprocess  # noqa: PLC0415 - not every folder is a checkout

    command = ["git", *_SAFE, "-C", os.fspath(folder), "-c", "core.quotePath=false", *words]
    environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "LC_ALL": "C"}
    return subprocess.run(command, input=data, capture_output=True, check=False, env=environment)  # noqa: S603 - fixed words, no shell


def _git(folder: Path, *words: str) -> "subprocess.CompletedProcess[bytes] | None":
    try:
        return run_git(folder, *words)
    except OSError:
        return None


def _git_listed(folder: Path) -> list[Path | Unlisted] | None:
    """What of it git tracks or does not ignore; `None` where git is missing or the folder is no checkout."""
    if top_of(folder) is None:
        return None
    done = _git(folder, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate")
    if done is None or done.returncode != 0:
        return None
    names = (os.fsdecode(name) for name in done.stdout.split(b"\0") if name)
    # A tracked file that was deleted in the work tree is no file any more.
    files = [file for name in names if name.lower().endswith(ENDINGS) and not is_gone(file := folder / name)]
    passed_over = _PASSED_OVER.finditer(os.fsdecode(done.stderr)) if done.stderr else ()
    return [*files, *(Unlisted(folder / found[1], f"cannot be read: {found[2]}") for found in passed_over)]


def is_gone(file: Path) -> bool:
    """Whether there is no such file, rather than one that cannot be looked at."""
    try:
        os.lstat(file)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        pass
    return False
