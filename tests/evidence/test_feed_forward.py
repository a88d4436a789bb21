import numpy as np
import pytest

from auditor.evidence.feed_forward import bends, feed_forward, weight_count


@pytest.mark.parametrize("hidden", [1, 2, 4, 8])
def test_hidden_width_bounds_the_bends(hidden: int) -> None:
    assert bends(hidden) == hidden


def test_the_weights_of_two_maps() -> None:
    assert weight_count(64, 64) == 2 * 64 * 64
    assert weight_count(64, 256) == 4 * weight_count(64, 64)


def test_the_middle_is_cut_at_zero() -> None:
    widen, narrow = np.array([[1.0, -1.0]]), np.array([[10.0], [100.0]])
    x = np.array([[3.0], [-2.0], [0.0]])
    assert feed_forward(x, widen, np.array([0.0, 1.0]), narrow).tolist() == [[30.0], [300.0], [100.0]]
