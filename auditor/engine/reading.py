"""From a candidate to a whole source: its text and the texts that it includes, never from outside the root."""

import posixpath
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path, PurePosixPath

from auditor.discover import MARKDOWN, Candidate, Unreadable, read
from auditor.extract import include_references
from auditor.extract.includes import OUTSIDE_ROOT
from auditor.model import Source

MISSING = "missing"

# Gives the source at a path relative to the root, the reason why it cannot be read, or `None` where there is no file.
Fetch = Callable[[str], Source | str | None]


def read_whole(candidate: Candidate, root: Path, limit: int) -> Source | Unreadable:
    """The candidate's source with what its include directives name; `limit` is the largest size in bytes."""
    source = read(candidate, limit)
    return source if isinstance(source, Unreadable) else with_includes(source, fetch_from(root, limit))


def fetch_from(root: Path, limit: int) -> Fetch:
    """Fetches files of the work tree; a link that leads out of the root is no file."""
    top = root.resolve()

    def fetch(path: str) -> Source | str | None:
        file = root / path
        try:
            real = file.resolve()
            if not real.is_relative_to(top) or not real.is_file():
                return None
        except (OSError, ValueError):
            return None
        found = read(Candidate(path, real), limit)
        return found.reason if isinstance(found, Unreadable) else found

    return fetch


def with_includes(source: Source, fetch: Fetch) -> Source:
    """The source with the targets of its include directives, or the reasons why they cannot be had."""
    if not source.path.lower().endswith(MARKDOWN):
        return source
    includes = {
        reference.reference: _included(reference.path, source.path, fetch)
        for reference in include_references(source.text)
        if not reference.remote
    }
    return replace(source, includes=includes) if includes else source


def _included(path: str, page: str, fetch: Fetch) -> Source | str:
    """The target of one include: looked for from the page's folder upward to the root."""
    if "\0" in path or PurePosixPath(path).is_absolute():
        return OUTSIDE_ROOT
    inside = False
    for folder in PurePosixPath(page).parents:
        name = posixpath.normpath((folder / path).as_posix())
        if name == ".." or name.startswith("../"):
            continue
        inside = True
        found = fetch(name)
        if found is not None:
            return found
    return MISSING if inside else OUTSIDE_ROOT
