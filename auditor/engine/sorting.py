"""The findings of a run in their order: as they are where they are few, else packed by the file that they are in."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, groupby
from typing import overload

from auditor.audited import by_place
from auditor.engine.packing import compressed, expanded
from auditor.model import Finding

# A finding takes 1 kB as it is and 60 bytes packed. So many, and no more, are held as they are.
MOST_FINDINGS = 20_000
_Some = tuple[Finding, ...]


def in_order(findings: Iterable[Finding], room: int = MOST_FINDINGS) -> Sequence[Finding]:
    """All findings by path, position and rule; equal ones as they came."""
    first: list[Finding] = []
    rest = iter(findings)
    for finding in rest:
        first.append(finding)
        if len(first) > room:
            return _PackedFindings(chain(first, rest))
    return tuple(sorted(first, key=by_place))


class _PackedFindings(Sequence[Finding]):
    """Findings by path; those of one path are unpacked together."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        """Findings are packed as they come: it is best if those of one path come together."""
        parts: defaultdict[str, list[bytes]] = defaultdict(list)
        counts: defaultdict[str, int] = defaultdict(int)
        for path, group in groupby(findings, key=lambda finding: finding.place.path):
            some = tuple(group)
            counts[path] += len(some)
            parts[path].append(compressed(_Some, some))
        self._parts = [parts[path] for path in sorted(parts)]
        self._ends = list(accumulate(counts[path] for path in sorted(parts)))

    def __len__(self) -> int:
        return self._ends[-1]

    def __iter__(self) -> Iterator[Finding]:
        return chain.from_iterable(map(_unpacked, self._parts))

    @overload
    def __getitem__(self, at: int) -> Finding: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Finding]: ...
    def __getitem__(self, at: int | slice) -> Finding | Sequence[Finding]:
        if isinstance(at, slice):
            return tuple(self)[at]
        at = range(len(self))[at]
        part = bisect_right(self._ends, at)
        return _unpacked(self._parts[part])[at - self._ends[part]]  # counted from the end of its part


def _unpacked(parts: Iterable[bytes]) -> list[Finding]:
    return sorted((finding for part in parts for finding in expanded(_Some, part)), key=by_place)
