"""Where the sources or the sanitizers of a taint rule lie, looked up by node."""

from bisect import bisect_right
from collections.abc import Iterable

from auditor.matching.hits import Hit
from auditor.matching.rule import Source
from auditor.matching.tree import Node


class Places:
    """Hits of sources; a node lies in one if it is it, or (where the source is not exact) lies inside it."""

    def __init__(self, pairs: Iterable[tuple[Source, Hit]]) -> None:
        self.all = list(pairs)
        self.any = bool(self.all)
        self._exact = {(hit.start, hit.end): hit for _, hit in self.all}
        wide = sorted(((hit.start, hit.end, hit) for source, hit in self.all if not source.exact), key=lambda w: w[:2])
        self._starts = [start for start, _, _ in wide]
        self._wide = wide
        # The furthest end among the hits up to each one, so that a search backwards can stop.
        self._furthest: list[int] = []
        reach = -1
        for _, end, _ in wide:
            reach = max(reach, end)
            self._furthest.append(reach)

    def holding(self, node: Node) -> Hit | None:
        """The hit that a node is, or lies inside."""
        exact = self._exact.get((node.start, node.end))
        if exact is not None:
            return exact
        at = bisect_right(self._starts, node.start) - 1
        while at >= 0 and self._furthest[at] >= node.end:
            _, end, hit = self._wide[at]
            if end >= node.end:
                return hit
            at -= 1
        return None

    def holds(self, node: Node) -> bool:
        """Whether a node is, or lies inside, one of the hits."""
        return self.any and self.holding(node) is not None
