"""From a candidate to a whole source: its text and the texts that it includes, never from outside the root."""

import posixpath
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from auditor.discover import MARKDOWN, Candidate, Discovery, Unreadable, read
from auditor.extract import include_references
from auditor.extract.includes import OUTSIDE_ROOT
from auditor.model import Source

MISSING = "missing"
_MKDOCS = ("mkdocs.yml", "mkdocs.yaml")
_MOST_CONFIGURATION = 1_000_000
# One option of a file that only MkDocs' own loader reads whole: tags of Python stand in it.
_BASE_PATH = re.compile(
    r"^[ \t-]*base_path:[ \t]*(?:\[([^\]]*)\]|((?:\n[ \t]*-[ \t][^\n]*)+)|([^\n#\[]+))", re.MULTILINE
)

# Gives the source at a path relative to the root, the reason why it cannot be read, or `None` where there is no file.
Fetch = Callable[[str], Source | str | None]


def reader(discovery: Discovery, limit: int) -> Callable[[Candidate], Source | Unreadable]:
    """Reads candidates whole, with what their include directives name; `limit` is the largest size in bytes."""
    fetch = fetch_from(discovery.root, limit)
    bases = include_bases(discovery)

    def read_whole(candidate: Candidate) -> Source | Unreadable:
        source = read(candidate, limit)
        return source if isinstance(source, Unreadable) else with_includes(source, fetch, bases)

    return read_whole


def include_bases(discovery: Discovery) -> tuple[str, ...]:
    """The folders, relative to the root, that the pages' MkDocs configuration resolves snippets against.

    Source: the `base_path` option of `pymdownx.snippets`, a text or a list of them.
    """
    found: list[str] = []
    for path in sorted(discovery.beside):
        if PurePosixPath(path).name not in _MKDOCS:
            continue
        text = read(Candidate(path, discovery.root / path), _MOST_CONFIGURATION)
        for option in _BASE_PATH.finditer(text.text) if isinstance(text, Source) else ():
            folder = PurePosixPath(path).parent
            words = (
                word.strip(" \t\n\"'") for word in re.split(r",|\n[ \t]*-[ \t]", option[1] or option[2] or option[3])
            )
            found += [posixpath.normpath((folder / word).as_posix()) for word in words if word]
    return tuple(dict.fromkeys(found))


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


def with_includes(source: Source, fetch: Fetch, bases: Sequence[str] = ()) -> Source:
    """The source with the targets of its include directives, or the reasons why they cannot be had.

    A target is looked for under `bases`, then from the page's folder upward to the root.
    """
    if not source.path.lower().endswith(MARKDOWN):
        return source
    references = [reference for reference in include_references(source.text) if not reference.remote]
    includes = {reference.reference: _included(reference.path, source.path, fetch, bases) for reference in references}
    lost = [found for found in references if found.options is not None and includes[found.reference] == MISSING]
    site = _site(source.path, fetch) if lost else None
    for reference in lost:
        if site is not None and posixpath.normpath((site / reference.path).as_posix()).startswith("../"):
            includes[reference.reference] = OUTSIDE_ROOT
    return replace(source, includes=includes) if includes else source


def _site(page: str, fetch: Fetch) -> PurePosixPath | None:
    """The nearest folder above a page that MkDocs runs in: a directive that is a fence by itself starts there."""
    folders = PurePosixPath(page).parents
    return next((top for top in folders if any(fetch((top / name).as_posix()) is not None for name in _MKDOCS)), None)


def _included(path: str, page: str, fetch: Fetch, bases: Sequence[str]) -> Source | str:
    if "\0" in path or PurePosixPath(path).is_absolute():
        return OUTSIDE_ROOT
    inside = False
    for folder in (*map(PurePosixPath, bases), *PurePosixPath(page).parents):
        name = posixpath.normpath((folder / path).as_posix())
        if name == ".." or name.startswith("../"):
            continue
        inside = True
        found = fetch(name)
        if found is not None:
            return found
    return MISSING if inside else OUTSIDE_ROOT
