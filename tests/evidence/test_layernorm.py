import numpy as np
import pytest

from auditor.evidence.norms import row_norm, row_norm_by_sample, row_norm_outside


@pytest.mark.parametrize("width", [2, 4, 768])
def test_sample_and_population_deviation_differ(width: int) -> None:
    row = np.random.RandomState(5).randn(3, width)
    population, sample = row_norm(row, eps=0.0), row_norm_by_sample(row, eps=0.0)
    np.testing.assert_allclose(population.var(axis=-1), 1.0, rtol=1e-12)
    np.testing.assert_allclose(sample, population * np.sqrt((width - 1) / width), rtol=1e-12)


def test_epsilon_inside_and_outside_the_root() -> None:
    # The deviation is 1e-3, so the variance is the epsilon: √(2e-6) inside, 1e-3 + 1e-6 outside.
    row = np.array([[-1e-3, 1e-3]])
    np.testing.assert_allclose(row_norm(row), [[-np.sqrt(0.5), np.sqrt(0.5)]], rtol=1e-12)
    np.testing.assert_allclose(row_norm_outside(row), [[-1 / 1.001, 1 / 1.001]], rtol=1e-12)


def test_epsilon_hardly_matters_where_the_row_is_wide_apart() -> None:
    row = np.array([[1.0, 2.0, 3.0, 4.0]])
    np.testing.assert_allclose(row_norm_outside(row), row_norm(row), rtol=1e-6)
    assert (row_norm_outside(row) != row_norm(row)).all()


def test_every_row_is_normalised_by_itself() -> None:
    rows = np.random.RandomState(6).randn(2, 3, 5) * 10
    for norm in (row_norm, row_norm_by_sample, row_norm_outside):
        one_by_one = [[norm(row[None, :])[0] for row in batch] for batch in rows]
        np.testing.assert_allclose(norm(rows), one_by_one, rtol=1e-12)


def test_width_one_gives_nan() -> None:
    single = np.array([[5.0], [-2.0]])
    assert np.isnan(row_norm_by_sample(single)).all()
    np.testing.assert_array_equal(row_norm(single), [[0.0], [0.0]])


def test_epsilon_stands_under_the_root_of_the_sample_form_too() -> None:
    # Two entries ±d: the sample variance is 2d², here just the epsilon.
    edge = 1e-3 / np.sqrt(2)
    np.testing.assert_allclose(row_norm_by_sample(np.array([[-edge, edge]])), [[-0.5, 0.5]], rtol=1e-12)
