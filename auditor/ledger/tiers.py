"""Which block of now is which block of before: tiers from certain to likely, each over what the last left free."""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from auditor.ledger.entries import IdOrigin
from auditor.ledger.sketch import Sketch, similarity

# Below this a fence of the same section is another fence; measured on the history of real books (docs/ledger.md).
_ALIKE = 0.5
# Outside its section a fence must be nearly the same to be known again.
_NEARLY_SAME = 0.75
# A pair is certain enough when the next best one is less alike by this much.
_MARGIN = 0.1
# A body of fewer hashes says too little to be followed into another file.
_TELLING = 6
# Beyond this many pairs only neighbours in order are compared, so that the work stays linear.
_PAIRS, _WINDOW = 40_000, 60


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


_Key = Callable[[Trait], Hashable]


@dataclass(slots=True)
class _Pairing:
    """The pairs found so far, and what is still free on both sides."""

    before: Sequence[Trait]
    after: Sequence[Trait]
    origin: dict[int, int] = field(default_factory=dict)
    target: dict[int, int] = field(default_factory=dict)

    def pair(self, old: int, new: int) -> None:
        self.origin[new] = old
        self.target[old] = new

    def free(self, old: int, new: int) -> bool:
        return old not in self.target and new not in self.origin

    def alike(self, old: int, new: int) -> float:
        return similarity(self.before[old].sketch, self.after[new].sketch)


@dataclass(frozen=True, slots=True)
class _File:
    """The blocks of one file on both sides, in document order."""

    olds: Sequence[int]
    news: Sequence[int]


class _Scored(NamedTuple):
    """A possible pair; the smaller, the likelier."""

    unlike: float
    outside: bool
    other_heading: bool
    apart: int
    new: int
    old: int


def match(before: Sequence[Trait], after: Sequence[Trait], marks: Mapping[int, str]) -> dict[int, int]:
    """For each block of now that is known again, its index among those before; `marks` are ids that authors wrote."""
    pairing = _Pairing(before, after)
    by_id = {trait.id: at for at, trait in enumerate(before)}
    for new, mark in marks.items():
        if mark in by_id:
            pairing.pair(by_id[mark], new)
    files = _files(before, after)
    for file in files:
        _same_body(pairing, file)
    _moved_body(pairing)
    for file in files:
        _same_definitions(pairing, file)
    _moved_definitions(pairing)
    for file in files:
        _alike_in_section(pairing, file)
    _nearly_same_anywhere(pairing)
    return pairing.origin


def _files(before: Sequence[Trait], after: Sequence[Trait]) -> list[_File]:
    """The files of now with what stood in them before, also under another name.

    A file that is new took the place of one that is gone when most of what they hold is the same.
    """
    olds, news = _by_path(before), _by_path(after)
    gone = [path for path in olds if path not in news]
    came = [path for path in news if path not in olds]
    home = {path: path for path in news if path in olds}
    if gone and came:
        bodies: dict[str, set[str]] = defaultdict(set)
        for path in gone:
            for at in olds[path]:
                bodies[before[at].body_sha256].add(path)
        votes: list[tuple[float, str, str]] = []
        for path in came:
            count = Counter(old for at in news[path] for old in bodies.get(after[at].body_sha256, ()))
            votes.extend((-same / max(len(news[path]), len(olds[old])), path, old) for old, same in count.items())
        used: set[str] = set()
        for share, path, old in sorted(votes):
            if share <= -0.3 and path not in home and old not in used:
                home[path] = old
                used.add(old)
    return [_File(olds.get(home.get(path, ""), ()), found) for path, found in news.items()]


def _by_path(traits: Sequence[Trait]) -> dict[str, list[int]]:
    groups: dict[str, list[int]] = defaultdict(list)
    for at, trait in enumerate(traits):
        groups[trait.path].append(at)
    return groups


def _same_body(pairing: _Pairing, file: _File) -> None:
    """The same body in the same file; of equal ones those whose neighbours are known, then those of one section."""
    olds, news = _groups(pairing, file, _body_key)
    for key, found in news.items():
        if len(found) == 1 and len(olds.get(key, ())) == 1:
            pairing.pair(olds[key][0], found[0])
    _grow(pairing, file)
    for keyed in (_body_and_heading_key, _body_key):
        olds, news = _groups(pairing, file, keyed)
        for key, found in news.items():
            for old, new in zip(olds.get(key, ()), found, strict=False):
                pairing.pair(old, new)


def _body_key(trait: Trait) -> Hashable:
    return trait.kind, trait.body_sha256


def _body_and_heading_key(trait: Trait) -> Hashable:
    return trait.kind, trait.body_sha256, trait.heading


def _groups(pairing: _Pairing, file: _File, key: _Key) -> tuple[dict[Hashable, list[int]], dict[Hashable, list[int]]]:
    """The free blocks of both sides by a key."""
    olds: dict[Hashable, list[int]] = defaultdict(list)
    news: dict[Hashable, list[int]] = defaultdict(list)
    for at in file.olds:
        if at not in pairing.target:
            olds[key(pairing.before[at])].append(at)
    for at in file.news:
        if at not in pairing.origin:
            news[key(pairing.after[at])].append(at)
    return olds, news


def _grow(pairing: _Pairing, file: _File) -> None:
    """From each pair on: the next on both sides are one, if their bodies are; then the same backwards."""
    for step in (1, -1):
        old_next = dict(zip(file.olds[::step], file.olds[::step][1:], strict=False))
        previous: int | None = None
        for new in file.news[::step]:
            old = (
                old_next.get(pairing.origin[previous]) if previous is not None and previous in pairing.origin else None
            )
            if (
                old is not None
                and pairing.free(old, new)
                and _body_key(pairing.before[old]) == _body_key(pairing.after[new])
            ):
                pairing.pair(old, new)
            previous = new


def _moved_body(pairing: _Pairing) -> None:
    """A body that went from one file and came in another, if it is one of a kind and says something."""
    _unique(pairing, lambda trait: (trait.kind, trait.body_sha256) if trait.sketch.size >= _TELLING else None, 0.0)


def _moved_definitions(pairing: _Pairing) -> None:
    """Definitions that went from one file and came in another, if only one block on either side holds them."""
    _unique(pairing, lambda trait: (trait.kind, trait.defines) if trait.defines else None, _ALIKE)


def _unique(pairing: _Pairing, key: _Key, least: float) -> None:
    """Pairs across files what has a key that nothing else free has, on either side."""
    everything = _File(range(len(pairing.before)), range(len(pairing.after)))
    olds, news = _groups(pairing, everything, key)
    at_home = _by_path(pairing.after)
    for name, found in news.items():
        left = olds.get(name, ())
        if name is None or len(found) != 1 or len(left) != 1 or pairing.alike(left[0], found[0]) < least:
            continue
        # Copied elsewhere and edited at home: the one at home is the same fence.
        rivals = (new for new in at_home.get(pairing.before[left[0]].path, ())[:_WINDOW] if new not in pairing.origin)
        if all(new == found[0] or pairing.alike(left[0], new) < _NEARLY_SAME for new in rivals):
            pairing.pair(left[0], found[0])


def _same_definitions(pairing: _Pairing, file: _File) -> None:
    """The same definitions in the same file; of several the most alike go together."""
    olds, news = _groups(pairing, file, lambda trait: (trait.kind, trait.defines) if trait.defines else None)
    candidates: list[tuple[int, int]] = []
    for key, found in news.items():
        if key is not None:
            candidates.extend((old, new) for old, new in _near(olds.get(key, ()), found))
    _best_first(pairing, file, candidates, least_near=0.0, least_far=0.0)


def _alike_in_section(pairing: _Pairing, file: _File) -> None:
    """What is most alike under the same heading or between the same neighbours, then what is nearly the same."""
    olds = [at for at in file.olds if at not in pairing.target]
    news = [at for at in file.news if at not in pairing.origin]
    candidates = [(old, new) for old, new in _near(olds, news) if pairing.before[old].kind == pairing.after[new].kind]
    _best_first(pairing, file, candidates, least_near=_ALIKE, least_far=_NEARLY_SAME)


def _near(olds: Sequence[int], news: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The pairs worth comparing: all of them, or of very many those that stand at about the same place."""
    if len(olds) * len(news) <= _PAIRS:
        yield from ((old, new) for new in news for old in olds)
        return
    for rank, new in enumerate(news):
        centre = rank * len(olds) // len(news)
        yield from ((old, new) for old in olds[max(centre - _WINDOW, 0) : centre + _WINDOW])


def _best_first(
    pairing: _Pairing, file: _File, candidates: Sequence[tuple[int, int]], *, least_near: float, least_far: float
) -> None:
    """Pairs candidates, the most alike first; equal ones by neighbours, heading, and nearness in order."""
    if not candidates:
        return
    gaps = _gaps(pairing, file)
    old_rank = {at: rank for rank, at in enumerate(file.olds)}
    new_rank = {at: rank for rank, at in enumerate(file.news)}
    scored: list[_Scored] = []
    for old, new in candidates:
        low, high = gaps[new]
        between = low < old_rank[old] < high
        heading = pairing.before[old].heading == pairing.after[new].heading
        alike = pairing.alike(old, new)
        if alike >= (least_near if between or heading else least_far):
            apart = abs(old_rank[old] - new_rank[new])
            scored.append(_Scored(-alike, not between, not heading, apart, new, old))
    scored.sort()
    rivals: dict[int, list[_Scored]] = defaultdict(list)
    for item in scored:
        rivals[item.new].append(item)
        rivals[~item.old].append(item)
    for item in scored:
        if pairing.free(item.old, item.new) and not any(
            _rivals(pairing, item, others) for others in (rivals[item.new], rivals[~item.old])
        ):
            pairing.pair(item.old, item.new)


def _rivals(pairing: _Pairing, item: _Scored, others: Sequence[_Scored]) -> bool:
    """Whether another free pair is about as likely: a lost id is a small harm, an id given to another a great one."""
    for other in others:
        if other.unlike > item.unlike + _MARGIN:
            return False
        if other is not item and pairing.free(other.old, other.new) and other[1:3] <= item[1:3]:
            return True
    return False


def _gaps(pairing: _Pairing, file: _File) -> dict[int, tuple[int, int]]:
    """For each block of now the ranks before of its nearest known neighbours on both sides."""
    rank = {at: place for place, at in enumerate(file.olds)}
    low: dict[int, int] = {}
    last = -1
    for new in file.news:
        low[new] = last
        last = rank.get(pairing.origin.get(new, -1), last)
    gaps: dict[int, tuple[int, int]] = {}
    last = len(file.olds)
    for new in reversed(file.news):
        gaps[new] = (low[new], last)
        last = rank.get(pairing.origin.get(new, -1), last)
    return gaps


def _nearly_same_anywhere(pairing: _Pairing) -> None:
    """What moved to another file and was edited there: nearly the same, and saying something."""
    posting: dict[int, list[int]] = defaultdict(list)
    for at, trait in enumerate(pairing.before):
        if at not in pairing.target and trait.sketch.size >= _TELLING:
            for value in trait.sketch.hashes:
                posting[value].append(at)
    scored: list[tuple[float, int, int]] = []
    for new, trait in enumerate(pairing.after):
        if new in pairing.origin or trait.sketch.size < _TELLING:
            continue
        # The rarest hashes lead to the likely ones; a hash that stands everywhere tells nothing.
        rare = sorted((len(posting[value]), value) for value in trait.sketch.hashes if value in posting)[:12]
        likely = {old for _, value in rare for old in posting[value][:_WINDOW]}
        scored.extend(
            (-alike, new, old)
            for old in likely
            if pairing.before[old].kind == trait.kind and (alike := pairing.alike(old, new)) >= _NEARLY_SAME
        )
    for _, new, old in sorted(scored):
        if pairing.free(old, new):
            pairing.pair(old, new)
