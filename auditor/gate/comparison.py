"""Which findings are new: the multiset difference of stable fingerprints, aware of renames and of moved blocks."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from auditor.audited import BlockAudit, Nesting, SourceAudit, outlines_of
from auditor.model import Finding


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a comparison: its findings, suppressed ones included, and the sources that they are of."""

    findings: Sequence[Finding]
    audits: Sequence[SourceAudit] = ()


def against(now: Side, base: Side, renamed: Mapping[str, str]) -> tuple[Finding, ...]:
    """The findings of `now` with `new` or `existing` as status.

    A finding exists where the base has one with the same fingerprint under the same path, or under the path that was
    renamed to it (`renamed`: path now → path in the base); or where its fence or definition stood elsewhere in the base
    with the same text and is gone from there. Equal findings count: a second one is new. What the base suppressed and
    the tree does not is new; of a suppressed finding the status says whether its suppression is.
    """
    marked: list[Finding | None] = [None] * len(now.findings)
    for suppressed in (False, True):
        chosen = [at for at, finding in enumerate(now.findings) if (finding.suppressed is not None) is suppressed]
        then = [finding for finding in base.findings if (finding.suppressed is not None) is suppressed]
        left, over = _by_fingerprint(chosen, now.findings, then, renamed)
        moved = _moved([now.findings[at] for at in left], over, now.audits, base.audits, renamed)
        fresh = {at for at, is_moved in zip(left, moved, strict=True) if not is_moved}
        for at in chosen:
            marked[at] = replace(now.findings[at], status="new" if at in fresh else "existing")
    return tuple(finding for finding in marked if finding is not None)


def _by_fingerprint(
    chosen: Iterable[int], findings: Sequence[Finding], then: Iterable[Finding], renamed: Mapping[str, str]
) -> tuple[list[int], list[Finding]]:
    """Where the findings are that the base has not under their path, and what of the base was not met."""
    known: dict[tuple[str, str, str], list[Finding]] = {}
    for finding in then:
        known.setdefault((finding.place.path, finding.rule, finding.fingerprint), []).append(finding)
    left = []
    for at in chosen:
        finding = findings[at]
        path = finding.place.path
        waiting = known.get((renamed.get(path, path), finding.rule, finding.fingerprint))
        if waiting:
            waiting.pop()
        else:
            left.append(at)
    return left, [finding for waiting in known.values() for finding in waiting]


@dataclass(frozen=True, slots=True)
class _Home:
    """What a finding stands in: `slot` is a section of a page or a name in a file, `key` what moves with the text."""

    slot: tuple[str, ...]
    key: tuple[str, str, int]


def _moved(
    left: Sequence[Finding],
    over: Sequence[Finding],
    now: Sequence[SourceAudit],
    base: Sequence[SourceAudit],
    renamed: Mapping[str, str],
) -> list[bool]:
    """Which findings came with a text that stood elsewhere in the base.

    The text must be gone from there: a section that keeps as many fences has none to give. So a fault that is mended in
    one place and made anew in another is new, though the counts are equal.
    """
    if not left or not over:
        return [False] * len(left)
    back = {then: path for path, then in renamed.items()}
    lost = _slots(base, lambda path: back.get(path, path))
    lost.subtract(_slots(now, lambda path: path))
    homes_then, homes_now = _Homes(base), _Homes(now)
    waiting: dict[tuple[str, str, int], list[tuple[str, ...]]] = {}
    for finding in over:
        home = homes_then.of(finding)
        if home is not None:
            path, *names = home.slot
            waiting.setdefault(home.key, []).append((back.get(path, path), *names))
    moved = []
    for finding in left:
        home = homes_now.of(finding)
        slots = waiting.get(home.key, []) if home is not None else []
        found = next((slot for slot in slots if lost[slot] > 0), None)
        if found is not None:
            slots.remove(found)
        moved.append(found is not None)
    return moved


def _slots(audits: Iterable[SourceAudit], name: Callable[[str], str]) -> Counter[tuple[str, ...]]:
    """How many fences each section has, and how often each name is defined in a file."""
    counts: Counter[tuple[str, ...]] = Counter()
    for audit in audits:
        path = name(audit.path)
        for block in audit.blocks:
            if block.block.kind == "file":
                counts.update((path, definition.qualname) for definition, _ in block.definitions)
            else:
                counts[path, "#", *block.block.heading] += 1
    return counts


class _Homes:
    """Finds the home of a finding among the blocks of its side."""

    def __init__(self, audits: Sequence[SourceAudit]) -> None:
        self._audits = audits
        self._at = {outline.path: at for at, outline in enumerate(outlines_of(audits))}
        self._last: tuple[str, tuple[BlockAudit, ...]] = ("", ())
        self._nestings: dict[str, Nesting] = {}

    def _blocks(self, path: str) -> tuple[BlockAudit, ...]:
        """The blocks of a source; findings of one come together, and it may cost something to look into it."""
        if path != self._last[0]:
            at = self._at.get(path)
            self._last = (path, self._audits[at].blocks if at is not None else ())
        return self._last[1]

    def of(self, finding: Finding) -> _Home | None:
        """The home; `None` for a finding about no block, and for one of a file that stands in no definition."""
        path = finding.source or finding.place.path
        blocks = self._blocks(path)
        if not 0 <= finding.block < len(blocks):
            return None
        block = blocks[finding.block]
        if block.block.kind == "file":
            if path not in self._nestings:
                self._nestings[path] = Nesting(block)
            return _in_file(path, finding, self._nestings[path])
        inside = finding.place.line - block.place.line
        return _Home((path, "#", *block.block.heading), (finding.rule, block.block.code.text, inside))


def _in_file(path: str, finding: Finding, nesting: Nesting) -> _Home | None:
    around = nesting.innermost(finding.place)
    if around is None:
        return None
    definition, place = around
    return _Home((path, definition.qualname), (finding.rule, definition.code, finding.place.line - place.line))
