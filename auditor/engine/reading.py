"""From a candidate to a whole source: its text and the texts that it includes, never from outside the root."""

from dataclasses import replace
from pathlib import Path, PurePosixPath

from auditor.discover import MARKDOWN, Candidate, Unreadable, read, relative
from auditor.extract import include_references
from auditor.extract.includes import OUTSIDE_ROOT
from auditor.model import Source

MISSING = "missing"


def read_whole(candidate: Candidate, root: Path, limit: int) -> Source | Unreadable:
    """The candidate's source with what its include directives name; `limit` is the largest size in bytes."""
    source = read(candidate, limit)
    if isinstance(source, Unreadable) or not candidate.path.lower().endswith(MARKDOWN):
        return source
    references = include_references(source.text)
    if not references:
        return source
    return replace(
        source,
        includes={
            reference.reference: _included(reference.path, candidate, root, limit)
            for reference in references
            if not reference.remote
        },
    )


def _included(path: str, page: Candidate, root: Path, limit: int) -> Source | str:
    """The target of one include: looked for from the page's folder upward to the root."""
    if "\0" in path or PurePosixPath(path).is_absolute():
        return OUTSIDE_ROOT
    inside = False
    top = root.resolve()
    for folder in (page.file.parent, *page.file.parent.parents):
        if not folder.resolve().is_relative_to(top):
            break
        # `..` is resolved as text first, then the real path is held against the root: no link leads out.
        target = folder / path
        real = target.resolve()
        if not real.is_relative_to(top):
            continue
        inside = True
        if real.is_file():
            found = read(Candidate(relative(real, top), real), limit)
            return found.reason if isinstance(found, Unreadable) else found
    return MISSING if inside else OUTSIDE_ROOT
