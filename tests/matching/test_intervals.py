"""Hits by place: what a range lies in, what lies in it, what it touches."""

from hypothesis import given
from hypothesis import strategies as st

from auditor.matching.hits import Hit
from auditor.matching.intervals import Intervals

RANGES = st.tuples(st.integers(0, 20), st.integers(0, 8)).map(lambda pair: (pair[0], pair[0] + pair[1]))


@given(st.lists(RANGES, max_size=12), RANGES)
def test_as_if_every_pair_were_looked_at(ranges: list[tuple[int, int]], wanted: tuple[int, int]) -> None:
    start, end = wanted
    places = Intervals(Hit(*one) for one in ranges)
    around = sorted((one.start, one.end) for one in places.around(start, end))
    assert around == sorted(one for one in ranges if one[0] <= start and end <= one[1])
    nested = sorted((one.start, one.end) for one in places.nested(start, end))
    inside = [one for one in ranges if start <= one[0] and one[1] <= end]
    assert nested == sorted([*inside, *(one for one in ranges if one[0] <= start and end <= one[1] and one != wanted)])
    assert places.touch(start, end) == any(one[0] < end and start < one[1] for one in ranges)
