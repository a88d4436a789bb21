import numpy as np
import pytest

from auditor.evidence.heads import add_residual, merge_heads, split_heads, split_without_swap


def test_reshape_without_swap_mixes_heads() -> None:
    # Two places, two heads of two columns; every number is place·10 + head.
    x = np.array([[[0.0, 0.0, 1.0, 1.0], [10.0, 10.0, 11.0, 11.0]]])
    swapped, straight = split_heads(x, 2), split_without_swap(x, 2)
    assert swapped[0].tolist() == [[[0, 0], [10, 10]], [[1, 1], [11, 11]]]
    assert straight[0].tolist() == [[[0, 0], [1, 1]], [[10, 10], [11, 11]]]
    assert swapped.shape == straight.shape
    assert sorted(straight.ravel()) == sorted(swapped.ravel())


def test_laying_side_by_side_undoes_the_cut() -> None:
    x = np.random.RandomState(8).randn(2, 3, 32)
    assert split_heads(x, 4).shape == (2, 4, 3, 8)
    np.testing.assert_array_equal(merge_heads(split_heads(x, 4)), x)


def test_a_length_that_is_not_its_own_does_not_fit() -> None:
    with pytest.raises(ValueError, match="reshape"):
        split_heads(np.zeros((1, 3, 4)), 2, length=2)


def test_divisible_heads_do_not_make_widths_agree() -> None:
    width, heads = 4, 2
    assert width % heads == 0
    with pytest.raises(ValueError, match="broadcast"):
        add_residual(np.zeros((2, 3, 6)), np.zeros((2, 3, width)))
    assert add_residual(np.zeros((2, 3, 1)), np.ones((2, 3, width))).shape == (2, 3, width)


def test_a_residual_is_a_sum() -> None:
    np.testing.assert_array_equal(add_residual(np.array([1.0, 2.0]), np.array([10.0, 20.0])), [11.0, 22.0])
