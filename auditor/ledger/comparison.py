"""What changed between two ledgers, in the words of a maintainer: appeared, went, moved, broke, mended, drifted."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from auditor.ledger.entries import BlockEntry, DefinitionEntry, Ledger, LinkEntry

Change = Literal["appeared", "went", "moved", "edited", "broke", "mended", "drifted", "settled", "uncovered", "covered"]
_BROKEN = frozenset({"broken", "not-python"})


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is not as it was. `subject` is a block's id or a definition's, `path` where it stands now.

    `before` and `after` are facts: a path, a verdict, a link with its difference.
    """

    change: Change
    subject: str
    path: str
    heading: tuple[str, ...] = ()
    before: str | None = None
    after: str | None = None


def compare(old: Ledger, new: Ledger) -> tuple[Difference, ...]:
    """The differences of blocks, links and coverage, by path and in document order; blocks are known by their ids.

    That a Python file was edited is told by what drifts from it.
    """
    before = {entry.id: entry for entry in old.blocks}
    after = {entry.id for entry in new.blocks}
    found: list[Difference] = []
    for entry in new.blocks:
        previous = before.get(entry.id)
        if previous is None:
            found.append(Difference("appeared", entry.id, entry.path, entry.heading, None, entry.verdict))
        else:
            found.extend(_of_block(previous, entry))
    found.extend(
        Difference("went", entry.id, entry.path, entry.heading, entry.verdict, None)
        for entry in old.blocks
        if entry.id not in after
    )
    found.extend(_of_coverage(old.definitions, new.definitions))
    return tuple(sorted(found, key=lambda item: item.path))


def _of_block(old: BlockEntry, new: BlockEntry) -> Iterator[Difference]:
    def difference(change: Change, before: str | None, after: str | None) -> Difference:
        return Difference(change, new.id, new.path, new.heading, before, after)

    if old.path != new.path:
        yield difference("moved", old.path, new.path)
    elif old.heading != new.heading:
        yield difference("moved", " / ".join(old.heading), " / ".join(new.heading))
    if old.verdict != new.verdict and (old.verdict in _BROKEN) != (new.verdict in _BROKEN):
        yield difference("broke" if new.verdict in _BROKEN else "mended", old.verdict, new.verdict)
    elif new.kind != "file" and (old.verdict != new.verdict or old.body_sha256 != new.body_sha256):
        yield difference("edited", old.verdict, new.verdict)
    links = {link.definition: link for link in old.links}
    for link in new.links:
        was = links.pop(link.definition, None)
        drifted, drifted_before = _drifts(link), was is not None and _drifts(was)
        if drifted != drifted_before:
            yield difference("drifted" if drifted else "settled", _told(was), _told(link))
    for was in links.values():
        # A tie that is no more; where the block still has one, that one has been told already.
        if not new.links and was.state != "orphaned":
            yield difference("drifted", _told(was), None)


def _drifts(link: LinkEntry) -> bool:
    return link.state in {"outdated", "orphaned"}


def _told(link: LinkEntry | None) -> str | None:
    return None if link is None else f"{link.definition} {link.state} {link.difference or ''}".rstrip()


def _of_coverage(old: Sequence[DefinitionEntry], new: Iterable[DefinitionEntry]) -> Iterator[Difference]:
    before: Mapping[str, DefinitionEntry] = {entry.id: entry for entry in old}
    for entry in new:
        was = before.get(entry.id)
        shown, shown_before = bool(entry.covered_by), was is not None and bool(was.covered_by)
        if was is not None and shown != shown_before:
            change: Change = "covered" if shown else "uncovered"
            yield Difference(change, entry.id, entry.path, (), was.coverage, entry.coverage)
