"""A base revision, audited from its git objects as the tree is: what `--since` compares with."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from auditor.audited import AuditOptions, SourceAudit, outlines_of
from auditor.configuration import Limits
from auditor.discover.revisions import Blob, blobs, sources
from auditor.engine.guarded import Guarded
from auditor.engine.packing import unpack
from auditor.engine.reading import Fetch, with_includes
from auditor.model import Source
from auditor.rulebook import Rulebook


def audit_revision(
    root: Path,
    commit: str,
    admitted: Callable[[str], bool],
    book: Rulebook,
    options_for: Callable[[str], AuditOptions],
    limits: Limits,
    now: Sequence[SourceAudit],
    bases: Sequence[str],
) -> Iterator[SourceAudit]:
    """The audits of a commit's sources, in the order of git's tree.

    A source that stands the same in the tree (`now`) is not audited again, unless it includes others. Raises
    `RevisionError` where git cannot say what the commit holds.
    """
    known = {(outline.path, outline.sha256): at for at, outline in enumerate(outlines_of(now))}
    everything = {blob.path: blob for blob in blobs(root, commit)}
    fetch = _fetch_from(root, everything, limits.file_bytes)
    wanted: list[Blob] = [blob for blob in everything.values() if blob.auditable and admitted(blob.path)]
    with Guarded(book, limits.seconds_per_file) as guarded:
        for found in sources(root, wanted, limits.file_bytes):
            if not isinstance(found, Source):
                path, unreadable = found
                yield SourceAudit(path, "", "unreadable", unreadable.reason)
                continue
            source = with_includes(found, fetch, bases)
            same = known.get((source.path, source.sha256)) if not source.includes else None
            yield now[same] if same is not None else unpack(guarded.audit(source, options_for(source.path)))


def revision_reader(root: Path, commit: str, limit: int, bases: Sequence[str]) -> Callable[[str], Source | None]:
    """Reads the sources of a commit again, one by one, with what they include. Raises `RevisionError`."""
    everything = {blob.path: blob for blob in blobs(root, commit)}
    fetch = _fetch_from(root, everything, limit)

    def read(path: str) -> Source | None:
        found = fetch(path)
        return with_includes(found, fetch, bases) if isinstance(found, Source) else None

    return read


def _fetch_from(root: Path, everything: Mapping[str, Blob], limit: int) -> Fetch:
    """Fetches the files of a commit."""

    def fetch(path: str) -> Source | str | None:
        blob = everything.get(path)
        if blob is None:
            return None
        (found,) = sources(root, [blob], limit)
        return found if isinstance(found, Source) else found[1].reason

    return fetch
