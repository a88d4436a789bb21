import numpy as np

from auditor.evidence.attention import attend, causal_mask, safe_softmax, softmax


def test_figures_worked_out_by_hand() -> None:
    # exp(1/√2) = 2.0281149816474726 against exp(0) = 1.
    found = attend(np.array([[1.0, 0.0]]), np.eye(2), np.array([[10.0], [20.0]]))
    large = 2.0281149816474726
    np.testing.assert_allclose(found.scores, [[1.0, 0.0]])
    np.testing.assert_allclose(found.scaled, [[0.7071067811865475, 0.0]], rtol=1e-15)
    np.testing.assert_allclose(found.weights, [[large / (large + 1), 1 / (large + 1)]], rtol=1e-15)
    assert [round(weight, 4) for weight in found.weights[0]] == [0.6698, 0.3302]
    assert round(float(found.output[0, 0]), 4) == 13.3024


def test_scale_can_be_left_out() -> None:
    found = attend(np.array([[3.0, 4.0]]), np.eye(2), np.eye(2), scale=False)
    np.testing.assert_array_equal(found.scaled, [[3.0, 4.0]])


def test_zero_scores_under_a_causal_mask_of_three() -> None:
    found = attend(np.zeros((3, 2)), np.zeros((3, 2)), np.eye(3), causal_mask(3, 3))
    np.testing.assert_allclose(found.weights, [[1.0, 0.0, 0.0], [1 / 2, 1 / 2, 0.0], [1 / 3, 1 / 3, 1 / 3]], rtol=1e-15)


def test_two_queries_and_five_keys_give_two_rows() -> None:
    found = attend(np.zeros((2, 4)), np.zeros((5, 4)), np.ones((5, 4)))
    assert found.weights.shape == (2, 5)
    assert found.output.shape == (2, 4)


def test_rows_sum_to_one_and_masked_weights_are_zero() -> None:
    draw = np.random.RandomState(11)
    mask = causal_mask(6, 6)
    found = attend(draw.randn(3, 6, 4), draw.randn(3, 6, 4), draw.randn(3, 6, 4), mask)
    np.testing.assert_allclose(found.weights.sum(axis=-1), 1.0, rtol=0, atol=1e-15)
    assert (found.weights[:, np.isneginf(mask)] == 0.0).all()
    assert (found.weights[:, ~np.isneginf(mask)] > 0.0).all()


def test_a_batch_is_attended_one_by_one() -> None:
    draw = np.random.RandomState(12)
    query, key, value = draw.randn(2, 3, 4), draw.randn(2, 5, 4), draw.randn(2, 5, 6)
    together = attend(query, key, value)
    for index in range(2):
        alone = attend(query[index], key[index], value[index])
        np.testing.assert_allclose(together.scaled[index], alone.scores / 2.0, rtol=1e-12)
        np.testing.assert_allclose(together.output[index], alone.output, rtol=1e-12)


def test_large_scores_do_not_overflow() -> None:
    np.testing.assert_allclose(softmax(np.array([1000.0, 1000.0])), [0.5, 0.5])


def test_a_fully_masked_row_is_nan_and_the_safe_form_is_not() -> None:
    scores = np.array([[-np.inf, -np.inf], [0.0, -np.inf]])
    assert np.isnan(softmax(scores)[0]).all()
    np.testing.assert_array_equal(safe_softmax(scores), [[0.0, 0.0], [1.0, 0.0]])


def test_the_safe_form_agrees_where_a_key_is_left() -> None:
    scores = np.random.RandomState(3).randn(2, 4, 5)
    np.testing.assert_array_equal(safe_softmax(scores), softmax(scores))


def test_the_mask_shuts_the_later_keys_only() -> None:
    shut = np.isneginf(causal_mask(2, 4))
    assert shut.tolist() == [[False, True, True, True], [False, False, True, True]]
    assert (causal_mask(2, 4)[~shut] == 0.0).all()
