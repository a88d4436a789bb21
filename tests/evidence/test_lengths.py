import numpy as np
import pytest

from auditor.evidence.attention import attend
from auditor.evidence.lengths import attend_with_limits, cross_attention, cross_attention_by_query_length, outcome


def test_query_length_for_keys_fails() -> None:
    query, key = np.ones((1, 2, 4)), np.ones((1, 3, 4))
    with pytest.raises(ValueError, match="reshape"):
        cross_attention_by_query_length(query, key, key, heads=2)


def test_outcomes_are_said_in_words() -> None:
    assert outcome(2, 3) == "fails"
    assert outcome(3, 2) == "fails"
    assert outcome(5, 5) == "5×4"


def test_equal_lengths_hide_the_fault() -> None:
    draw = np.random.RandomState(4)
    query, key, value = (draw.randn(2, 3, 4) for _ in range(3))
    np.testing.assert_array_equal(
        cross_attention_by_query_length(query, key, value, heads=2), cross_attention(query, key, value, heads=2)
    )


def test_keys_cut_by_their_own_length() -> None:
    # Equal keys share the weight, so that every query hears the mean of the values, head by head.
    query, key = np.random.RandomState(6).randn(1, 2, 4), np.zeros((1, 5, 4))
    value = np.arange(20.0).reshape(1, 5, 4)
    found = cross_attention(query, key, value, heads=2)
    assert found.shape == (1, 2, 4)
    np.testing.assert_allclose(found, np.broadcast_to(value.mean(axis=1, keepdims=True), (1, 2, 4)))


def test_heads_attend_apart() -> None:
    # The second head alone tells the two keys apart; the first hears the mean of both.
    query = np.array([[[0.0, 0.0, 50.0, 0.0]]])
    key = np.array([[[0.0, 0.0, 9.0, 0.0], [0.0, 0.0, -9.0, 0.0]]])
    value = np.array([[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]])
    np.testing.assert_allclose(cross_attention(query, key, value, heads=2), [[[3.0, 4.0, 3.0, 4.0]]])


def test_values_longer_than_the_weights_fail_at_the_product() -> None:
    with pytest.raises(ValueError, match="matmul"):
        attend(np.zeros((2, 4)), np.zeros((5, 4)), np.zeros((6, 4)))


def test_shorter_mask_than_table_fails_between_the_limits() -> None:
    assert attend_with_limits(np.zeros((4, 2)), mask_length=4, table_length=6).weights.shape == (4, 4)
    with pytest.raises(ValueError, match="broadcast"):
        attend_with_limits(np.zeros((5, 2)), mask_length=4, table_length=6)
    with pytest.raises(OverflowError, match="7 places, the table has 6"):
        attend_with_limits(np.zeros((7, 2)), mask_length=4, table_length=6)


def test_the_mask_is_causal_below_its_limit() -> None:
    found = attend_with_limits(np.zeros((2, 2)), mask_length=4, table_length=6)
    np.testing.assert_allclose(found.weights, [[1.0, 0.0], [0.5, 0.5]])
