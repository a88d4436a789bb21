"""Which items of one sequence correspond to which of another, in order: equal ones first, then the most alike."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

# Beyond this many pairs only equal items are matched, and beyond this many only those at both ends.
_MOST_ALIKE = 10_000
_MOST_PAIRS = 250_000
# Below this two items have only words in common.
_NEAR = 0.5

Pair = tuple[int | None, int | None]


def align(before: Sequence[str], after: Sequence[str], alike: Callable[[int, int], float]) -> Iterator[Pair]:
    """Pairs of indexes in the order of both sequences: equal items, items alike, and one side alone with `None`."""
    low = 0
    while low < min(len(before), len(after)) and before[low] == after[low]:
        yield low, low
        low += 1
    high = 0
    while high < min(len(before), len(after)) - low and before[-1 - high] == after[-1 - high]:
        high += 1
    last_before, last_after = len(before) - high, len(after) - high
    yield from _middle(before, after, alike, range(low, last_before), range(low, last_after))
    for step in range(high):
        yield last_before + step, last_after + step


def _middle(
    before: Sequence[str], after: Sequence[str], alike: Callable[[int, int], float], rows: range, columns: range
) -> Iterator[Pair]:
    if not rows or not columns or len(rows) * len(columns) > _MOST_PAIRS:
        yield from ((row, None) for row in rows)
        yield from ((None, column) for column in columns)
        return
    near = len(rows) * len(columns) <= _MOST_ALIKE
    gains = [
        [2.0 if before[row] == after[column] else alike(row, column) if near else 0.0 for column in columns]
        for row in rows
    ]
    best = [[0.0] * (len(columns) + 1) for _ in range(len(rows) + 1)]
    for row in range(len(rows) - 1, -1, -1):
        here, below, gain = best[row], best[row + 1], gains[row]
        for column in range(len(columns) - 1, -1, -1):
            both = gain[column] + below[column + 1] if gain[column] >= _NEAR else 0.0
            here[column] = max(both, below[column], here[column + 1])
    row = column = 0
    while row < len(rows) and column < len(columns):
        gain_here = gains[row][column]
        if gain_here >= _NEAR and best[row][column] == gain_here + best[row + 1][column + 1]:
            yield rows[row], columns[column]
            row, column = row + 1, column + 1
        elif best[row][column] == best[row + 1][column]:
            yield rows[row], None
            row += 1
        else:
            yield None, columns[column]
            column += 1
    yield from ((rest, None) for rest in rows[row:])
    yield from ((None, rest) for rest in columns[column:])


def one_for_one(pairs: Sequence[Pair], may_be: Callable[[int, int], bool]) -> list[Pair]:
    """The pairs with one item that went and one that came between matched ones made a pair, if they may be one."""
    joined: list[Pair] = []
    at = 0
    while at < len(pairs):
        end = at
        while end < len(pairs) and None in pairs[end]:
            end += 1
        gap = pairs[at:end]
        left = [row for row, _ in gap if row is not None]
        right = [column for _, column in gap if column is not None]
        lone = len(left) == len(right) == 1 and may_be(left[0], right[0])
        joined.extend([(left[0], right[0])] if lone else gap)
        joined.extend(pairs[end : end + 1])
        at = end + 1
    return joined


def likeness(left: Counter[str], right: Counter[str]) -> float:
    """Twice what two bags share over what both hold: 1 for equal bags, 0 for bags with nothing in common."""
    total = left.total() + right.total()
    if not total:
        return 1.0
    if min(left.total(), right.total()) * 2 < _NEAR * total:
        return 0.0
    return 2 * (left & right).total() / total
