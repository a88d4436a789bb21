import numpy as np
import pytest

from auditor.evidence.positions import sine_table, sine_table_for_even_widths


def test_odd_width_breaks_the_table() -> None:
    with pytest.raises(ValueError, match="broadcast"):
        sine_table_for_even_widths(3, 5)
    assert sine_table(3, 5).shape == (3, 5)


def test_even_widths_agree() -> None:
    np.testing.assert_array_equal(sine_table_for_even_widths(7, 6), sine_table(7, 6))


def test_rows_that_can_be_looked_up() -> None:
    # Base 100 and width 4: the second pair turns ten times as slowly as the first.
    assert sine_table(1, 4).tolist() == [[0.0, 1.0, 0.0, 1.0]]
    np.testing.assert_allclose(
        sine_table(3, 4, base=100.0)[1:],
        [
            [0.8414709848078965, 0.5403023058681398, 0.09983341664682815, 0.9950041652780258],
            [0.9092974268256817, -0.4161468365471424, 0.19866933079506122, 0.9800665778412416],
        ],
        rtol=1e-14,
    )


def test_the_default_base() -> None:
    np.testing.assert_allclose(sine_table(2, 4)[1, 2], np.sin(0.01), rtol=1e-14)


def test_an_odd_width_ends_with_a_sine() -> None:
    np.testing.assert_allclose(sine_table(2, 3, base=8.0)[1], [np.sin(1.0), np.cos(1.0), np.sin(0.25)], rtol=1e-14)
