"""Which block of now is which block of before: tiers from certain to likely, each over what the last left free."""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

from auditor.ledger.pairing import NEARLY_SAME, File, Pairing, Scored, Trait, best_first, gaps, pair_off
from auditor.ledger.spreading import spread, stayed

# Below this a fence of the same section is another fence; measured on the history of real books (docs/ledger.md).
_ALIKE = 0.5
# A body of fewer hashes says too little to be followed into another file.
_TELLING = 6
# Beyond this many pairs only neighbours in order are compared, so that the work stays linear.
_PAIRS, _WINDOW = 40_000, 60


_Key = Callable[[Trait], Hashable]


def match(before: Sequence[Trait], after: Sequence[Trait], marks: Mapping[int, str]) -> dict[int, int]:
    """For each block of now that is known again, its index among those before; `marks` are ids that authors wrote."""
    pairing = Pairing(before, after)
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


def _files(before: Sequence[Trait], after: Sequence[Trait]) -> list[File]:
    """The files of now with what stood in them before, also under another name.

    A file that is new took the place of one that is gone when most of what they hold is the same.
    """
    olds, news = by_path(before), by_path(after)
    gone = [path for path in olds if path not in news]
    came = [path for path in news if path not in olds]
    home = {path: path for path in news if path in olds}
    if gone and came:
        bodies: dict[str, set[str]] = defaultdict(set)
        places: dict[tuple[str, tuple[str, ...]], set[str]] = defaultdict(set)
        for path in gone:
            for at in olds[path]:
                bodies[before[at].body_sha256].add(path)
                places[before[at].body_sha256, before[at].heading].add(path)
        votes: list[tuple[float, float, bool, str, str]] = []
        for path in came:
            count = Counter(old for at in news[path] for old in bodies.get(after[at].body_sha256, ()))
            placed = Counter(
                old for at in news[path] for old in places.get((after[at].body_sha256, after[at].heading), ())
            )
            for old, same in count.items():
                size, name = max(len(news[path]), len(olds[old])), path.rpartition("/")[2]
                votes.append((-same / size, -placed[old] / size, name != old.rpartition("/")[2], path, old))
        used: set[str] = set()
        for share, _, _, path, old in sorted(votes):
            if share <= -0.3 and path not in home and old not in used:
                home[path] = old
                used.add(old)
    return [File(olds.get(home.get(path, ""), ()), found) for path, found in news.items()]


def by_path(traits: Sequence[Trait]) -> dict[str, list[int]]:
    """The indexes of some traits, by the path that each stands at."""
    groups: dict[str, list[int]] = defaultdict(list)
    for at, trait in enumerate(traits):
        groups[trait.path].append(at)
    return groups


def _same_body(pairing: Pairing, file: File) -> None:
    """The same body in the same file; of equal ones those whose neighbours are known, then those of one section."""
    sections: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for new in file.news:
        sections[pairing.after[new].heading].append(new)
    olds, news = _groups(pairing, file, _body_key)
    for key, found in news.items():
        if len(found) == 1 and len(olds.get(key, ())) == 1 and not _copied(pairing, sections, olds[key][0], found[0]):
            pairing.pair(olds[key][0], found[0])
    _grow(pairing, file)
    for keyed in (_body_and_heading_key, _body_key):
        olds, news = _groups(pairing, file, keyed)
        between = gaps(pairing, file)
        rank = {at: place for place, at in enumerate(file.olds)}
        for key, found in news.items():
            for old, new in _twins(olds.get(key, ()), found, rank, between):
                if not _copied(pairing, sections, old, new):
                    pairing.pair(old, new)


def _twins(
    olds: Sequence[int], news: Sequence[int], rank: Mapping[int, int], between: Mapping[int, tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """Equal fences: those between the same neighbours in order, then the others if as many are left on both sides."""
    left, rest = list(olds), []
    for new in news:
        low, high = between[new]
        old = next((old for old in left[:_WINDOW] if low < rank[old] < high), None)
        if old is None:
            rest.append(new)
        else:
            left.remove(old)
            yield old, new
    if len(left) == len(rest):
        yield from zip(left, rest, strict=True)


def _copied(pairing: Pairing, sections: Mapping[tuple[str, ...], Sequence[int]], old: int, new: int) -> bool:
    """Whether an equal body came under another heading, while its own section holds what is nearly the same, edited."""
    heading = pairing.before[old].heading
    if pairing.after[new].heading == heading:
        return False
    own = (other for other in sections.get(heading, ())[:_WINDOW] if other not in pairing.origin)
    return any(pairing.alike(old, other) >= NEARLY_SAME for other in own)


def _body_key(trait: Trait) -> Hashable:
    return trait.kind, trait.body_sha256


def _body_and_heading_key(trait: Trait) -> Hashable:
    return trait.kind, trait.body_sha256, trait.heading


def _groups(pairing: Pairing, file: File, key: _Key) -> tuple[dict[Hashable, list[int]], dict[Hashable, list[int]]]:
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


def _grow(pairing: Pairing, file: File) -> None:
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


def _moved_body(pairing: Pairing) -> None:
    """A body that went from one file and came in another, if it is one of a kind and says something."""
    _unique(pairing, lambda trait: (trait.kind, trait.body_sha256) if trait.sketch.size >= _TELLING else None, 0.0)


def _moved_definitions(pairing: Pairing) -> None:
    """Definitions that went from one file and came in another, if only one block on either side holds them."""
    _unique(pairing, lambda trait: (trait.kind, trait.defines) if trait.defines else None, _ALIKE)


def _unique(pairing: Pairing, key: _Key, least: float) -> None:
    """Pairs across files what has a key that nothing else free has, on either side."""
    everything = File(range(len(pairing.before)), range(len(pairing.after)))
    olds, news = _groups(pairing, everything, key)
    at_home = by_path(pairing.after)
    for name, found in news.items():
        left = olds.get(name, ())
        if name is None or len(found) != 1 or len(left) != 1 or pairing.alike(left[0], found[0]) < least:
            continue
        # Copied elsewhere and edited at home: the one at home is the same fence. Within one file another tier chooses.
        home = pairing.before[left[0]].path
        if pairing.after[found[0]].path != home and not stayed(pairing, left[0], at_home.get(home, ())):
            pairing.pair(left[0], found[0])


def _same_definitions(pairing: Pairing, file: File) -> None:
    """The same definitions in the same file; of several the most alike go together."""
    olds, news = _groups(pairing, file, lambda trait: (trait.kind, trait.defines) if trait.defines else None)
    candidates: list[tuple[int, int]] = []
    for key, found in news.items():
        if key is not None:
            candidates.extend((old, new) for old, new in near(olds.get(key, ()), found))
    _likeliest(pairing, file, candidates, least_near=0.0, least_far=0.0)


def _alike_in_section(pairing: Pairing, file: File) -> None:
    """What is most alike under the same heading or between the same neighbours, then what is nearly the same."""
    olds = [at for at in file.olds if at not in pairing.target]
    news = [at for at in file.news if at not in pairing.origin]
    candidates = [(old, new) for old, new in near(olds, news) if pairing.before[old].kind == pairing.after[new].kind]
    _likeliest(pairing, file, candidates, least_near=_ALIKE, least_far=NEARLY_SAME)


def _likeliest(
    pairing: Pairing, file: File, candidates: Sequence[tuple[int, int]], *, least_near: float, least_far: float
) -> None:
    """Pairs the most alike, but for fences that were parted, joined or copied so that another claim is as good."""
    found = best_first(pairing, file, candidates, least_near=least_near, least_far=least_far)
    # All of them are looked at before one is let go: a claim is judged with every other fence in its place.
    for item in [item for item in found if spread(pairing, file, item.old, item.new)]:
        pairing.part(item.old, item.new)


def near(olds: Sequence[int], news: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The pairs worth comparing: all of them, or of very many those that stand at about the same place."""
    if len(olds) * len(news) <= _PAIRS:
        yield from ((old, new) for new in news for old in olds)
        return
    for rank, new in enumerate(news):
        centre = rank * len(olds) // len(news)
        yield from ((old, new) for old in olds[max(centre - _WINDOW, 0) : centre + _WINDOW])


def _nearly_same_anywhere(pairing: Pairing) -> None:
    """What moved to another file and was edited there: nearly the same, and saying something."""
    posting: dict[int, list[int]] = defaultdict(list)
    for at, trait in enumerate(pairing.before):
        if at not in pairing.target and trait.sketch.size >= _TELLING:
            for value in trait.sketch.hashes:
                posting[value].append(at)
    scored: list[Scored] = []
    at_home = by_path(pairing.after)
    for new, trait in enumerate(pairing.after):
        if new in pairing.origin or trait.sketch.size < _TELLING:
            continue
        # The rarest hashes lead to the likely ones; a hash that stands everywhere tells nothing.
        rare = sorted((len(posting[value]), value) for value in trait.sketch.hashes if value in posting)[:12]
        for old in {old for _, value in rare for old in posting[value][:_WINDOW]}:
            was = pairing.before[old]
            # Within one file the choice has been made.
            if (
                was.kind == trait.kind
                and was.path != trait.path
                and pairing.alike(old, new) >= NEARLY_SAME
                and not stayed(pairing, old, at_home.get(was.path, ()))
            ):
                scored.append(Scored(-pairing.alike(old, new), False, False, 0, new, old))
    pair_off(pairing, scored)
