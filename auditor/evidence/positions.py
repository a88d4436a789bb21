"""The table of sines and cosines that tells a model where a word stands."""

import numpy as np

from auditor.evidence.attention import Array
from auditor.evidence.observation import Observation


def sine_table(length: int, width: int, base: float = 10000.0) -> Array:
    """Row p, columns 2i and 2i+1: sine and cosine of p / base^(2i/width); an odd width ends with a sine."""
    angles = _angles(length, width, base)
    table = np.zeros((length, width))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles[:, : width // 2])
    return table


def sine_table_for_even_widths(length: int, width: int, base: float = 10000.0) -> Array:
    """The form under audit. Raises `ValueError` for an odd width, which has one cosine less than it has sines."""
    angles = _angles(length, width, base)
    table = np.zeros((length, width))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles)
    return table


def _angles(length: int, width: int, base: float) -> Array:
    return np.arange(length)[:, None] / base ** (np.arange(0, width, 2) / width)


def observe() -> tuple[Observation, ...]:
    """Rows that can be looked up, the turn by a fixed step, and an odd width."""
    second = sine_table(2, 4, base=100.0)[1]
    # A step of three places is one rotation, the same from wherever it is taken.
    table = sine_table(12, 2)
    turn = np.array([[np.cos(3.0), np.sin(3.0)], [-np.sin(3.0), np.cos(3.0)]])
    astray = float(np.abs(table[3:] - table[:-3] @ turn.T).max())
    try:
        sine_table_for_even_widths(3, 5)
        odd = "fits"
    except ValueError:
        odd = "fails"
    mended = sine_table(3, 5)
    return (
        Observation(
            "second-row",
            "width 4, base 100: the row of place 1 is",
            "宽度 4，底数 100：位置 1 那一行是",
            tuple(float(number) for number in second),
            bool(np.allclose(second, [np.sin(1), np.cos(1), np.sin(0.1), np.cos(0.1)], rtol=0, atol=1e-15)),
        ),
        Observation(
            "fixed-step",
            "a step of 3 places is the same rotation everywhere, within 1e-14",
            "相隔 3 个位置总是同一个旋转，误差不超过 1e-14",
            "yes" if astray <= 1e-14 else astray,
            astray <= 1e-14,
        ),
        Observation(
            "odd-width",
            "width 5, 3 sines and 3 cosines for 2 columns: filling the table",
            "宽度 5，3 个正弦、3 个余弦却只有 2 列：填表",
            odd,
            odd == "fails",
            ("odd-width-position-table",),
        ),
        Observation(
            "odd-width-mended",
            "with the last cosine left out the table is",
            "去掉最后一个余弦，表的形状是",
            mended.shape,
            mended.shape == (3, 5) and bool(np.isfinite(mended).all()),
            ("odd-width-position-table",),
        ),
    )
