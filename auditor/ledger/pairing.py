"""Pairs of a block before and a block now: what may be paired, how alike they are, which of several goes first."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from auditor.ledger.entries import IdOrigin
from auditor.ledger.sketch import Sketch, similarity

# Outside its section a fence must be nearly the same to be known again.
NEARLY_SAME = 0.75
# A pair is certain enough when the next best one is less alike by this much.
_MARGIN = 0.1


@dataclass(frozen=True, slots=True)
class Trait:
    """What identity looks at in one block. `mark` is the id that the author wrote, `id` the one the ledger holds."""

    path: str
    kind: str
    heading: tuple[str, ...]
    body_sha256: str
    sketch: Sketch
    defines: tuple[str, ...] = ()
    mark: str | None = None
    id: str = ""
    origin: IdOrigin = "minted"


@dataclass(slots=True)
class Pairing:
    """The pairs found so far, and what is still free on both sides."""

    before: Sequence[Trait]
    after: Sequence[Trait]
    origin: dict[int, int] = field(default_factory=dict)
    target: dict[int, int] = field(default_factory=dict)

    def pair(self, old: int, new: int) -> None:
        """The two are one."""
        self.origin[new] = old
        self.target[old] = new

    def part(self, old: int, new: int) -> None:
        """The two are not one after all."""
        del self.origin[new], self.target[old]

    def free(self, old: int, new: int) -> bool:
        """Whether neither has been paired."""
        return old not in self.target and new not in self.origin

    def alike(self, old: int, new: int) -> float:
        """How alike the two bodies are, from 0 to 1."""
        return similarity(self.before[old].sketch, self.after[new].sketch)


@dataclass(frozen=True, slots=True)
class File:
    """The blocks of one file on both sides, in document order."""

    olds: Sequence[int]
    news: Sequence[int]


class Scored(NamedTuple):
    """A possible pair; the smaller, the likelier."""

    unlike: float
    outside: bool
    other_heading: bool
    apart: int
    new: int
    old: int


def best_first(
    pairing: Pairing, file: File, candidates: Sequence[tuple[int, int]], *, least_near: float, least_far: float
) -> list[Scored]:
    """Pairs candidates, the most alike first; equal ones by neighbours, heading, and nearness in order. Says which."""
    if not candidates:
        return []
    between_which = gaps(pairing, file)
    old_rank = {at: rank for rank, at in enumerate(file.olds)}
    new_rank = {at: rank for rank, at in enumerate(file.news)}
    scored: list[Scored] = []
    for old, new in candidates:
        low, high = between_which[new]
        between = low < old_rank[old] < high
        heading = pairing.before[old].heading == pairing.after[new].heading
        alike = pairing.alike(old, new)
        if alike >= (least_near if between or heading else least_far):
            apart = abs(old_rank[old] - new_rank[new])
            scored.append(Scored(-alike, not between, not heading, apart, new, old))
    found = pair_off(pairing, scored)
    # Of fences that are nearly the same those go together that stand in one order: tabs of one code, edited alike.
    near = [item for item in scored if item.unlike <= -NEARLY_SAME and pairing.free(item.old, item.new)]
    for item in in_order(near, old_rank, new_rank):
        pairing.pair(item.old, item.new)
        found.append(item)
    return found


def pair_off(pairing: Pairing, scored: list[Scored]) -> list[Scored]:
    """Pairs the likeliest first, but for those that another pair runs too close; says which."""
    scored.sort()
    found: list[Scored] = []
    rivals: dict[int, list[Scored]] = defaultdict(list)
    for item in scored:
        rivals[item.new].append(item)
        rivals[~item.old].append(item)
    for item in scored:
        if pairing.free(item.old, item.new) and not any(
            _rivals(pairing, item, others) for others in (rivals[item.new], rivals[~item.old])
        ):
            pairing.pair(item.old, item.new)
            found.append(item)
    return found


def in_order(items: Sequence[Scored], old_rank: Mapping[int, int], new_rank: Mapping[int, int]) -> list[Scored]:
    """Of possible pairs those that go together without crossing one another, with the greatest likeness in all."""
    # A tree of prefix maxima (Fenwick 1994) over the places before: the best chain that ends at or before a place.
    size = max((old_rank[item.old] for item in items), default=-1) + 1
    tree: list[tuple[float, int]] = [(0.0, -1)] * (size + 1)
    ordered = sorted(items, key=lambda item: (new_rank[item.new], -old_rank[item.old]))
    back: list[int] = []
    for at, item in enumerate(ordered):
        best, place = (0.0, -1), old_rank[item.old]
        while place:
            best, place = max(best, tree[place]), place & (place - 1)
        back.append(best[1])
        chain, place = (best[0] - item.unlike, at), old_rank[item.old] + 1
        while place <= size:
            tree[place] = max(tree[place], chain)
            place += place & -place
    found: list[Scored] = []
    last = max(tree)[1]
    while last >= 0:
        found.append(ordered[last])
        last = back[last]
    return found


def _rivals(pairing: Pairing, item: Scored, others: Sequence[Scored]) -> bool:
    """Whether another free pair is about as likely: a lost id is a small harm, an id given to another a great one."""
    for other in others:
        if other.unlike > item.unlike + _MARGIN:
            return False
        if other is not item and pairing.free(other.old, other.new) and other[1:3] <= item[1:3]:
            return True
    return False


def gaps(pairing: Pairing, file: File) -> dict[int, tuple[int, int]]:
    """For each block of now the ranks before of its nearest known neighbours on both sides."""
    rank = {at: place for place, at in enumerate(file.olds)}
    low: dict[int, int] = {}
    last = -1
    for new in file.news:
        low[new] = last
        last = rank.get(pairing.origin.get(new, -1), last)
    found: dict[int, tuple[int, int]] = {}
    last = len(file.olds)
    for new in reversed(file.news):
        found[new] = (low[new], last)
        last = rank.get(pairing.origin.get(new, -1), last)
    return found
