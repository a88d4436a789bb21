"""A revision of a git repository as sources, read as objects: no checkout, no filter, no hook, nothing of it is run."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from auditor.discover.decoding import Unreadable, decode
from auditor.discover.listing import ENDINGS, run_git, top_of

if TYPE_CHECKING:
    from auditor.model import Source


class RevisionError(Exception):
    """A revision that cannot be read; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Blob:
    """A regular file of a revision: its path relative to the root, its object's name and size in bytes."""

    path: str
    object_name: str
    size: int

    @property
    def auditable(self) -> bool:
        """Whether it is Markdown or Python by its ending."""
        return self.path.lower().endswith(ENDINGS)


def git(root: Path, *words: str, data: bytes = b"") -> bytes:
    """What a git command prints. Raises `RevisionError` with git's own last line."""
    try:
        done = run_git(root, *words, data=data)
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


def blobs(root: Path, commit: str) -> Iterator[Blob]:
    """The regular files of a commit under the root; links and submodules are none."""
    for record in git(root, "ls-tree", "-r", "-z", "--long", commit).split(b"\0"):
        if not record:
            continue
        facts, _, name = record.partition(b"\t")
        mode, kind, object_name, size = facts.split()
        if kind == b"blob" and mode != b"120000":
            if not size.isdigit():
                raise RevisionError(_missing(os.fsdecode(name)))
            yield Blob(os.fsdecode(name), object_name.decode(), int(size))


def contents(root: Path, wanted: Sequence[Blob]) -> Iterator[bytes]:
    """The bytes of blobs, in order, asked for in one batch."""
    if not wanted:
        return
    stream = git(root, "cat-file", "--batch", data="".join(f"{blob.object_name}\n" for blob in wanted).encode())
    at = 0
    for blob in wanted:
        end = stream.find(b"\n", at)
        facts = stream[at:end].split() if end >= 0 else []
        if len(facts) != 3:
            raise RevisionError(_missing(blob.path))
        size = int(facts[2])
        yield stream[end + 1 : end + 1 + size]
        at = end + 2 + size


def _missing(path: str) -> str:
    return f"{path} is not in this clone; a partial clone has to fetch it first (git clone without --filter)"


def sources(root: Path, wanted: Sequence[Blob], limit: int) -> "Iterator[Source | tuple[str, Unreadable]]":
    """The texts of blobs, in order; what is larger than `limit` or cannot be decoded comes as its path and reason."""
    data = contents(root, [blob for blob in wanted if blob.size <= limit])
    for blob in wanted:
        if blob.size > limit:
            yield blob.path, Unreadable(f"larger than the limit ({blob.size:,} of {limit:,} bytes)")
            continue
        source = decode(blob.path, next(data))
        yield (blob.path, source) if isinstance(source, Unreadable) else source


def file_at(root: Path, revision: str, file: Path) -> bytes:
    """A file of the work tree as it was at a revision. Raises `RevisionError` where it was not there."""
    if top_of(root) is None:
        raise RevisionError(f"{root} lies in no git checkout")
    path = os.path.relpath(file, root).replace(os.sep, "/")
    try:
        commit = git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    except RevisionError:
        raise RevisionError(f"{revision!r} is no revision of this checkout") from None
    name = commit.decode().strip()
    if not git(root, "ls-tree", name, "--", path):
        raise RevisionError(f"{path} was not committed there; commit it first, or name a revision that holds it")
    return git(root, "show", f"{name}:./{path}")


def renames(root: Path, commit: str) -> Mapping[str, str]:
    """Paths of the work tree that had another path in a commit: path now → path then."""
    words = ("--name-status", "--find-renames", "--no-ext-diff", "--no-textconv", "-z", "--relative")
    fields = git(root, "diff", *words, commit, "--").split(b"\0")
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
