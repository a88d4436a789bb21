"""Hits looked up by place, so that clauses can be laid over each other without looking at every pair."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator

from auditor.matching.hits import Hit


class Intervals:
    """Some hits in the order of their beginnings."""

    def __init__(self, hits: Iterable[Hit]) -> None:
        self.hits = sorted(hits, key=lambda hit: hit.start)
        self._starts = [hit.start for hit in self.hits]
        # The furthest end among the hits up to each one: where it falls short, none before it reaches, either.
        self._furthest: list[int] = []
        reach = -1
        for hit in self.hits:
            reach = max(reach, hit.end)
            self._furthest.append(reach)

    def around(self, start: int, end: int) -> Iterator[Hit]:
        """The hits that a range lies in, inner ones first."""
        at = bisect_right(self._starts, start) - 1
        while at >= 0 and self._furthest[at] >= end:
            if self.hits[at].end >= end:
                yield self.hits[at]
            at -= 1

    def nested(self, start: int, end: int) -> Iterator[Hit]:
        """The hits that a range lies in, and those that lie in it."""
        low = bisect_left(self._starts, start)
        for at in range(low, len(self.hits)):
            if self._starts[at] > end:
                break
            if self.hits[at].end <= end and (self._starts[at] > start or self.hits[at].end < end):
                yield self.hits[at]
        yield from self.around(start, end)

    def touch(self, start: int, end: int) -> bool:
        """Whether one of the hits shares a character with a range."""
        at = bisect_left(self._starts, end) - 1
        return at >= 0 and self._furthest[at] > start
