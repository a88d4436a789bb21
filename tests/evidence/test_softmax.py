import numpy as np

from auditor.evidence.attention import softmax
from auditor.evidence.softmax_precision import softmax_of_halves, softmax_through_float32


def test_float32_softmax_of_float64_scores_loses_digits() -> None:
    # 1 + 1e-9 is 1 in float32, whose neighbour of 1 stands 1.2e-7 away.
    near = np.array([1.0, 1.0 + 1e-9])
    told, blurred = softmax(near), softmax_through_float32(near)
    np.testing.assert_allclose(told[1] - told[0], 5e-10, rtol=1e-6)
    assert blurred[1] - blurred[0] == 0.0


def test_float32_is_as_coarse_as_seven_digits() -> None:
    scores = np.random.RandomState(2).randn(50, 20)
    error = np.abs(softmax_through_float32(scores) - softmax(scores)) / softmax(scores)
    assert 1e-9 < error.max() < 1e-5


def test_float32_softmax_of_float16_scores_gains_digits() -> None:
    # Added up in float16, ones stall at 2048, where the next number is 2050.
    many = np.zeros(3000, dtype=np.float16)
    assert softmax_of_halves(many, wide=False)[0] == 1 / 2048
    np.testing.assert_allclose(softmax_of_halves(many, wide=True), 1 / 3000, rtol=1e-3)


def test_halves_come_out_right_where_nothing_stalls() -> None:
    scores = np.array([0.0, 1.0, 2.0], dtype=np.float16)
    exact = softmax(scores.astype(np.float64))
    np.testing.assert_allclose(softmax_of_halves(scores, wide=False), exact, rtol=5e-3)
    np.testing.assert_allclose(softmax_of_halves(scores, wide=True), exact, rtol=5e-4)


def test_large_halves_do_not_overflow() -> None:
    # exp(12) is beyond the largest float16.
    np.testing.assert_array_equal(softmax_of_halves(np.array([12.0, 12.0], dtype=np.float16), wide=False), [0.5, 0.5])


def test_rows_of_large_scores_do_not_overflow_in_float32() -> None:
    np.testing.assert_allclose(softmax_through_float32(np.array([500.0, 500.0])), [0.5, 0.5])
