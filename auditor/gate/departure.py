"""Which blocks left the audit: the base has them, and the tree has neither them nor what an edit made of them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from auditor.audited import BlockAudit, Outline, SourceAudit, outlines_of
from auditor.ledger.building import trait_in
from auditor.ledger.pairing import File, Pairing, Trait, gaps
from auditor.ledger.tiers import by_path, match, near


@dataclass(frozen=True, slots=True)
class Departed:
    """A block that is audited in the base alone: what it was, and the path and line of its opener there."""

    path: str
    line: int
    kind: str
    heading: tuple[str, ...]
    verdict: str


def departed(
    now: Sequence[SourceAudit], base: Sequence[SourceAudit], renamed: Mapping[str, str]
) -> tuple[Departed, ...]:
    """The blocks of the base that left, by path and line; `renamed` maps a path now to its path in the base.

    A block that moved with its text or was edited has not left: identity follows it as the ledger does, and in its
    section or between its neighbours a fence that still holds a part of it is the same one. One that is skipped now has
    left. Of a source that cannot be read now nothing is known.
    """
    back = {then: path for path, then in renamed.items()}
    outlines_now, outlines_then = outlines_of(now), outlines_of(base)
    unchanged = {_state(outline, outline.path) for outline in outlines_now}
    unchanged &= {_state(outline, back.get(outline.path, outline.path)) for outline in outlines_then}
    unread = {outline.path for outline in outlines_now if outline.status == "unreadable"}
    after = [
        trait_in(outline.path, block)
        for at, outline in enumerate(outlines_now)
        if _state(outline, outline.path) not in unchanged
        for block in now[at].blocks
        if _is_audited(block)
    ]
    before: list[Trait] = []
    found: list[Departed] = []
    for at, outline in enumerate(outlines_then):
        name = back.get(outline.path, outline.path)
        if name in unread or _state(outline, name) in unchanged:
            continue
        for block in base[at].blocks:
            if _is_audited(block):
                trait = trait_in(name, block)
                before.append(replace(trait, id=trait.mark or ""))
                body, verdict = block.block, block.compilation.verdict
                found.append(Departed(block.place.path, block.place.line, body.kind, body.heading, verdict))
    known = _known(before, after)
    return tuple(sorted((each for at, each in enumerate(found) if at not in known), key=_place))


def _state(outline: Outline, path: str) -> tuple[object, ...]:
    return path, outline.sha256, tuple(outline.verdicts.items())


def _is_audited(block: BlockAudit) -> bool:
    return block.compilation.verdict != "skipped" and bool(block.block.code.text.strip())


def _place(left: Departed) -> tuple[str, int]:
    return left.path, left.line


def _known(before: Sequence[Trait], after: Sequence[Trait]) -> frozenset[int]:
    """Which of the blocks before are there still."""
    marked = {trait.mark: at for at, trait in enumerate(after) if trait.mark}
    pairing = Pairing(before, after)
    for new, old in match(before, after, {at: mark for mark, at in marked.items()}).items():
        pairing.pair(old, new)
    _moved(pairing)
    news = by_path(after)
    for path, olds in by_path(before).items():
        _edited(pairing, File(olds, news.get(path, ())))
    return frozenset(pairing.target)


def _moved(pairing: Pairing) -> None:
    """Pairs equal texts, wherever they stand: too short to be one of a kind, they are there all the same."""
    waiting: dict[str, list[int]] = defaultdict(list)
    for new, trait in enumerate(pairing.after):
        if new not in pairing.origin:
            waiting[trait.body_sha256].append(new)
    for old, trait in enumerate(pairing.before):
        if old not in pairing.target and waiting[trait.body_sha256]:
            pairing.pair(old, waiting[trait.body_sha256].pop(0))


def _edited(pairing: Pairing, file: File) -> None:
    """Pairs what has anything in common under one heading or between the same neighbours, the most alike first."""
    between = gaps(pairing, file)
    rank = {old: place for place, old in enumerate(file.olds)}
    olds = [old for old in file.olds if old not in pairing.target]
    news = [new for new in file.news if new not in pairing.origin]
    likely = []
    for old, new in near(olds, news):
        low, high = between[new]
        here = pairing.before[old].heading == pairing.after[new].heading or low < rank[old] < high
        is_file = "file" in {pairing.before[old].kind, pairing.after[new].kind}
        if is_file or (here and pairing.alike(old, new) > 0):
            likely.append((-pairing.alike(old, new), new, old))
    for _, new, old in sorted(likely):
        if pairing.free(old, new):
            pairing.pair(old, new)
