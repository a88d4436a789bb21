"""Audits out of the cache and into it: a file is looked at by size and time, then read, and only then audited."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from auditor.audited import AuditOptions, Outline, SourceAudit
from auditor.discover import Candidate, Discovery, Unreadable, read
from auditor.engine.codec import dump, load
from auditor.engine.identity import content_digest, key_of, tool_digest
from auditor.engine.packing import Made, Packed, pack
from auditor.engine.reading import Fetch, fetch_from, include_bases, with_includes
from auditor.engine.store import Stamp, Store
from auditor.model import Source

# What an include looked for and found: the path, and the content's digest, or why there is none.
Read = tuple[str, str | None]
# Candidates that are looked up with one question.
_TOGETHER = 200


@dataclass(frozen=True, slots=True)
class Head:
    """What is kept of a source before its packed audit: its outline, and what it read beside itself.

    The audit holds as long as that is still so.
    """

    reads: tuple[Read, ...]
    outline: Outline


@dataclass(frozen=True, slots=True)
class Looked:
    """A candidate after a look at the cache: its audit where it is known or there is nothing to read, else its source.

    `key` and `reads` say under what the audit to come is kept.
    """

    candidate: Candidate
    audit: Made | None
    source: Source | None = None
    key: str = ""
    reads: tuple[Read, ...] = ()


class Keeper:
    """The cache of one run: `look` finds what is known, `keep` remembers what was not."""

    def __init__(
        self,
        discovery: Discovery,
        rules: str,
        options_for: Callable[[str], AuditOptions],
        limit: int,
        store: Store,
    ) -> None:
        self._discovery = discovery
        self._rules = rules
        self._options_for = options_for
        self._limit = limit
        self._store = store
        self._tool = tool_digest() if store.works else ""
        self._known = store.digests(discovery.root)
        self._fetch = fetch_from(discovery.root, limit)
        self._bases = include_bases(discovery)
        self._wishes: dict[object, str] = {}
        self._contents: dict[str, str | None] = {}

    def unknown_bytes(self) -> int:
        """How much there is to read of files that are not as they were when last looked at."""
        total = 0
        for candidate in self._discovery.candidates:
            stamp = Stamp.of(candidate.file)
            known = self._known.get(candidate.path)
            if stamp is not None and (known is None or known[0] != stamp):
                total += stamp.size
        return total

    def look(self, candidates: Iterable[Candidate]) -> Iterator[Looked]:
        """Each candidate in order, with its audit or its source."""
        together: list[Candidate] = []
        for candidate in candidates:
            together.append(candidate)
            if len(together) == _TOGETHER:
                yield from self._look(together)
                together = []
        yield from self._look(together)

    def _look(self, candidates: list[Candidate]) -> Iterator[Looked]:
        digests = {candidate.path: self._digest(candidate) for candidate in candidates}
        keys = {path: self._key(path, digest) for path, digest in digests.items() if digest is not None}
        kept = self._store.get_all(keys.values())
        for candidate in candidates:
            key = keys.get(candidate.path)
            known = self._kept(candidate, kept, key) if key is not None else None
            yield known or self._read(candidate)

    def _digest(self, candidate: Candidate) -> str | None:
        """The content of a file that is as it was when last read; `None` where it must be read."""
        return None if candidate.data is not None else self._as_known(candidate.path, candidate.file)

    def _as_known(self, path: str, file: Path) -> str | None:
        """The content that a file is known to have; one beyond the limit of this run has to be read to be refused."""
        stamp, digest = self._known.get(path, (None, None))
        return digest if stamp is not None and stamp.size <= self._limit and Stamp.of(file) == stamp else None

    def _key(self, path: str, digest: str) -> str:
        options = self._options_for(path)
        flags = (options.targets_named, options.outsides, options.files, options.lang)
        told = (options.extract, options.compile, *flags, *options.severities.items())
        wishes = self._wishes.get(told)
        if wishes is None:
            wishes = self._wishes[told] = dump(AuditOptions, options).decode()
        return key_of(self._tool, self._rules, wishes, path, digest)

    def _kept(self, candidate: Candidate, kept: Mapping[str, bytes], key: str) -> Looked | None:
        """A candidate with the audit that is kept of it, if there is one that still holds."""
        head, _, data = kept.get(key, b"").partition(b"\n")
        if not data:
            return None
        found = load(Head, head)
        if any(self._content(path) != content for path, content in found.reads):
            return None
        return Looked(candidate, Packed(found.outline, data), reads=found.reads)

    def _read(self, candidate: Candidate) -> Looked:
        before = Stamp.of(candidate.file)
        found = read(candidate, self._limit)
        if isinstance(found, Unreadable):
            return Looked(candidate, SourceAudit(candidate.path, "", "unreadable", found.reason))
        reads: dict[str, str | None] = {}
        source = with_includes(found, self._traced(reads), self._bases)
        if not self._store.works:
            return Looked(candidate, None, source)
        digest = content_digest(source)
        if candidate.data is None and before is not None and before == Stamp.of(candidate.file):
            self._store.stamp(self._discovery.root, candidate.path, before, digest)
        key = self._key(candidate.path, digest)
        known = self._kept(candidate, self._store.get_all([key]), key)
        return known or Looked(candidate, None, source, key, tuple(sorted(reads.items())))

    def _traced(self, reads: dict[str, str | None]) -> Fetch:
        def fetch(path: str) -> Source | str | None:
            found, reads[path] = self._fetched(path)
            return found

        return fetch

    def _content(self, path: str) -> str | None:
        """What an include would find at a path now; asked once a run."""
        if path not in self._contents:
            self._contents[path] = self._as_known(path, self._discovery.root / path) or self._fetched(path)[1]
        return self._contents[path]

    def _fetched(self, path: str) -> tuple[Source | str | None, str | None]:
        """What an include finds at a path, and that as a digest or a reason (no digest has a blank in it)."""
        file = self._discovery.root / path
        before = Stamp.of(file)
        found = self._fetch(path)
        if not isinstance(found, Source):
            return found, found if found is None else f"reason: {found}"
        digest = content_digest(found)
        if before is not None and before == Stamp.of(file) and not file.is_symlink():
            self._store.stamp(self._discovery.root, path, before, digest)
        return found, digest

    def keep(self, looked: Looked, made: Made) -> Made:
        """Remember the audit of a source that was read; the audit, packed where that was necessary."""
        if not looked.key or (made.outline if isinstance(made, Packed) else made).status != "read":
            return made
        packed = pack(made)
        head = dump(Head, Head(looked.reads, packed.outline))
        self._store.put(looked.key, b"\n".join((head, packed.data)))
        return packed
