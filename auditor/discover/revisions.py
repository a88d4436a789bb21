"""A revision of a git repository as sources, read as objects: no checkout, no filter, no hook, nothing of it is run."""

import os
import subprocess
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from auditor.discover.decoding import Unreadable, decode
from auditor.discover.files import ENDINGS
from auditor.model import Source


class RevisionError(Exception):
    """A revision that cannot be read; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Blob:
    """A regular file of a revision: its path relative to the root, its object's name and size in bytes."""

    path: str
    object_name: str
    size: int


def git(root: Path, *words: str, data: bytes | None = None) -> bytes:
    """What a git command prints. Raises `RevisionError` with git's own last line."""
    command = ["git", "-C", os.fspath(root), "-c", "core.quotePath=false", *words]
    environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "LC_ALL": "C"}
    try:
        done = subprocess.run(command, input=data, capture_output=True, check=False, env=environment)  # noqa: S603 - fixed words, no shell
    except OSError as error:
        raise RevisionError(f"git cannot be run: {error.strerror}") from None
    if done.returncode != 0:
        lines = done.stderr.decode("utf-8", "replace").strip().split("\n")
        raise RevisionError(lines[-1] or f"git {words[0]} failed")
    return done.stdout


def merge_base(root: Path, revision: str) -> str:
    """The commit where the work tree's branch left `revision`. Raises `RevisionError`; a shallow clone is explained."""
    if revision.startswith("-"):
        raise RevisionError(f"{revision!r} is no revision")
    try:
        git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
        return git(root, "merge-base", revision, "HEAD").decode().strip()
    except RevisionError as error:
        if git(root, "rev-parse", "--is-shallow-repository").strip() == b"true":
            raise RevisionError(
                f"{revision!r} and HEAD have no common commit in this shallow clone; fetch the history first "
                "(actions/checkout: fetch-depth: 0)"
            ) from None
        raise RevisionError(f"{revision!r} is no revision with a common commit: {error}") from None


def blobs(root: Path, commit: str, under: Callable[[str], bool]) -> Iterator[Blob]:
    """The Markdown and Python files of a commit under the root that `under` admits; links and submodules are none."""
    for record in git(root, "ls-tree", "-r", "-z", "--long", commit).split(b"\0"):
        if not record:
            continue
        facts, _, name = record.partition(b"\t")
        mode, kind, object_name, size = facts.split()
        path = os.fsdecode(name)
        if kind == b"blob" and mode != b"120000" and path.lower().endswith(ENDINGS) and under(path):
            yield Blob(path, object_name.decode(), int(size))


def sources(root: Path, wanted: list[Blob], limit: int) -> Iterator[Source | tuple[str, Unreadable]]:
    """The texts of blobs in one batch; what cannot be decoded comes as its path and the reason."""
    names = "".join(f"{blob.object_name}\n" for blob in wanted if blob.size <= limit).encode()
    stream = git(root, "cat-file", "--batch", data=names) if names else b""
    at = 0
    for blob in wanted:
        if blob.size > limit:
            yield blob.path, Unreadable(f"larger than the limit ({blob.size:,} of {limit:,} bytes)")
            continue
        end = stream.index(b"\n", at)
        size = int(stream[at:end].split()[2])
        data = stream[end + 1 : end + 1 + size]
        at = end + 2 + size
        source = decode(blob.path, data)
        yield source if isinstance(source, Source) else (blob.path, source)


def renames(root: Path, commit: str) -> Mapping[str, str]:
    """Paths of the work tree that had another path in a commit: path now → path then."""
    fields = git(root, "diff", "--name-status", "--find-renames", "-z", "--relative", commit, "--").split(b"\0")
    found: dict[str, str] = {}
    at = 0
    while at + 1 < len(fields):
        if fields[at][:1] in {b"R", b"C"}:
            if fields[at][:1] == b"R":
                found[os.fsdecode(fields[at + 2])] = os.fsdecode(fields[at + 1])
            at += 3
        else:
            at += 2
    return found
