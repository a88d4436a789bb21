"""Fences that were parted, joined or copied: where what one holds also went, or also came from."""

from collections.abc import Mapping, Sequence

from auditor.ledger.pairing import File, Pairing, Trait
from auditor.ledger.sketch import Sketch, overlap, spill

# So much of a fence elsewhere, against what stays, and it is unsure which part is the fence; so much from elsewhere,
# against its own, and it is another one. Measured on the history of real books (docs/ledger.md).
_PARTED, _JOINED = 1.0, 0.75
# Another free fence that is as like but for this much may as well be the one.
_MARGIN = 0.1
# Only neighbours are asked: parts stand near one another.
_WINDOW = 30


def spread(pairing: Pairing, file: File, old: int, new: int) -> bool:
    """Whether another fence of the file has as good a claim: to the old one's id, or to be what the new one was."""
    was, now = pairing.before[old], pairing.after[new]
    alike = pairing.alike(old, new)
    for other in _around(file.news, new):
        if other not in pairing.origin and pairing.alike(old, other) >= alike - _MARGIN:
            return True
        known = _partner(pairing.before, pairing.origin, other)
        if _spills(was.sketch, now.sketch, pairing.after[other].sketch, known, _PARTED):
            return True
    for other in _around(file.olds, old):
        if other not in pairing.target and pairing.alike(other, new) >= alike - _MARGIN:
            return True
        known = _partner(pairing.after, pairing.target, other)
        if _spills(now.sketch, was.sketch, pairing.before[other].sketch, known, _JOINED):
            return True
    return False


def stayed(pairing: Pairing, old: int, news: Sequence[int]) -> bool:
    """Whether one of these blocks, in the file that the old one stood in, holds half of it.

    An unchanged block holds what it always held, and that does not count.
    """
    was = pairing.before[old]
    for new in news:
        found = pairing.after[new]
        base = pairing.origin.get(new)
        if base is not None and pairing.before[base].body_sha256 == found.body_sha256:
            continue
        if overlap(was.sketch, found.sketch) >= 0.5:
            return True
    return False


def _spills(whole: Sketch, part: Sketch, other: Sketch, known: Sketch | None, least: float) -> bool:
    kept, gone = spill(whole, part, other, known)
    return gone > 0 and gone >= least * kept


def _partner(traits: Sequence[Trait], pairs: Mapping[int, int], at: int) -> Sketch | None:
    return traits[pairs[at]].sketch if at in pairs else None


def _around(places: Sequence[int], at: int) -> Sequence[int]:
    """The blocks that stand near one, without itself."""
    rank = places.index(at)
    return [*places[max(rank - _WINDOW, 0) : rank], *places[rank + 1 : rank + 1 + _WINDOW]]
