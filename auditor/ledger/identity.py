"""Which fence is which: ids carried from the ledger before to the blocks of now, in tiers from certain to likely."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from auditor.ledger.entries import BlockEntry, IdOrigin
from auditor.ledger.pairing import Trait
from auditor.ledger.sketch import read_sketch
from auditor.ledger.tiers import match
from auditor.project.markers import ID


@dataclass(frozen=True, slots=True)
class Identity:
    """The id of a block and where it comes from; `conflict` says why the author's own id could not be given."""

    id: str
    origin: IdOrigin
    conflict: str | None = None


def trait_of(entry: BlockEntry) -> Trait:
    """A ledger's block as identity sees it."""
    return Trait(
        entry.path,
        entry.kind,
        entry.heading,
        entry.body_sha256,
        read_sketch(entry.sketch),
        entry.defines,
        id=entry.id,
        origin=entry.id_origin,
    )


def carry(before: Sequence[Trait], after: Sequence[Trait]) -> tuple[Identity, ...]:
    """The identities of the blocks of now, in order; both sides in document order within each path.

    `minted` says that the fence is still what its id was made from, `carried` that it has changed or moved since.
    No id is given twice, and an id of the ledger goes to no block but the one that it was matched to.
    """
    marks, conflicts = _marks(after)
    origin = match(before, after, marks)
    named = frozenset(marks.values())
    taken = {trait.id for trait in before} | named
    identities: list[Identity] = []
    for at, trait in enumerate(after):
        if at in marks:
            identities.append(Identity(marks[at], "explicit"))
            continue
        was = before[origin[at]] if at in origin else None
        # The author may have given a carried id to another block by name; the name holds.
        if was is not None and was.id not in named:
            # An unchanged fence keeps its record word for word, so that writing twice gives the same bytes.
            same = (was.path, was.body_sha256) == (trait.path, trait.body_sha256) and was.origin == "minted"
            identities.append(Identity(was.id, "minted" if same else "carried", conflicts.get(at)))
        else:
            fresh = mint(trait, taken)
            taken.add(fresh)
            identities.append(Identity(fresh, "minted", conflicts.get(at)))
    return tuple(identities)


def mint(trait: Trait, taken: set[str]) -> str:
    """A new id from what a block holds and where it stands, unlike every id taken."""
    content = "\0".join((trait.path, *trait.heading, trait.body_sha256))
    for attempt in range(len(taken) + 1):
        text = f"{content}\0{attempt}".encode("utf-8", "surrogatepass")
        fresh = "b" + hashlib.sha256(text).hexdigest()[:11]
        if fresh not in taken:
            return fresh
    raise AssertionError("more ids than were taken cannot all be taken")


def _marks(after: Sequence[Trait]) -> tuple[dict[int, str], dict[int, str]]:
    """The ids that authors wrote, by block; an id that cannot be one or stands twice is told as a conflict."""
    marks: dict[int, str] = {}
    conflicts: dict[int, str] = {}
    given: set[str] = set()
    for at, trait in enumerate(after):
        if trait.mark is None:
            continue
        if not ID.fullmatch(trait.mark):
            conflicts[at] = "malformed-id"
        elif trait.mark in given:
            conflicts[at] = "duplicate-id"
        else:
            marks[at] = trait.mark
            given.add(trait.mark)
    return marks, conflicts
