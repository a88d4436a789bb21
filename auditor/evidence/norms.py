"""Normalising a row: which deviation divides it, and where the epsilon stands."""

import numpy as np

from auditor.evidence.attention import Array
from auditor.evidence.observation import Observation

_SAMPLE = ("layernorm-sample-std",)
_OUTSIDE = ("layernorm-eps-outside-root",)


def row_norm(x: Array, eps: float = 1e-6) -> Array:
    """Layer normalisation without gain and shift: population variance, epsilon under the root."""
    centred = x - x.mean(axis=-1, keepdims=True)
    return np.asarray(centred / np.sqrt(x.var(axis=-1, keepdims=True) + eps))


def row_norm_by_sample(x: Array, eps: float = 1e-6) -> Array:
    """The same with the sample deviation, which divides by one less than the width; a width of one gives NaN."""
    width = x.shape[-1]
    centred = x - x.mean(axis=-1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = np.divide((centred**2).sum(axis=-1, keepdims=True), np.float64(width - 1))
        return np.asarray(centred / np.sqrt(variance + eps))


def row_norm_outside(x: Array, eps: float = 1e-6) -> Array:
    """Layer normalisation with its epsilon added to the deviation, outside the root."""
    centred = x - x.mean(axis=-1, keepdims=True)
    return np.asarray(centred / (x.std(axis=-1, keepdims=True) + eps))


def observe() -> tuple[Observation, ...]:
    """Rows of four, of one, and a row so flat that epsilon is as large as its variance."""
    row = np.array([[1.0, 2.0, 3.0, 4.0]])
    ratio = float(row_norm_by_sample(row, 0.0)[0, 0] / row_norm(row, 0.0)[0, 0])
    wide = np.arange(768.0)[None, :]
    wide_ratio = float(row_norm_by_sample(wide, 0.0)[0, 0] / row_norm(wide, 0.0)[0, 0])
    single = row_norm_by_sample(np.array([[5.0]]))
    # Deviation 1e-3: the variance is 1e-6, just the epsilon.
    flat = np.array([[-1e-3, 1e-3]])
    inside, outside = float(row_norm(flat)[0, 1]), float(row_norm_outside(flat)[0, 1])
    return (
        Observation(
            "sample-width-4",
            "width 4: rows by the sample deviation are shorter by the factor √(3/4)",
            "宽度 4：用样本标准差，每行缩短为 √(3/4) 倍",
            ratio,
            abs(ratio - np.sqrt(3 / 4)) < 1e-14,
            _SAMPLE,
        ),
        Observation(
            "sample-width-768",
            "width 768: by the factor √(767/768)",
            "宽度 768：缩短为 √(767/768) 倍",
            wide_ratio,
            abs(wide_ratio - np.sqrt(767 / 768)) < 1e-14,
            _SAMPLE,
        ),
        Observation(
            "sample-width-1",
            "width 1: the row becomes",
            "宽度 1：这一行变成",
            "nan" if np.isnan(single).all() else "finite",
            bool(np.isnan(single).all()) and row_norm(np.array([[5.0]]))[0, 0] == 0.0,
            _SAMPLE,
        ),
        Observation(
            "epsilon-inside",
            "a row (−0.001, 0.001), ε = 1e-6 inside the root: its second entry becomes",
            "行 (−0.001, 0.001)，ε = 1e-6 在根号内：第二个数变成",
            inside,
            abs(inside - 1 / np.sqrt(2)) < 1e-14,
            _OUTSIDE,
        ),
        Observation(
            "epsilon-outside",
            "the same row with ε outside the root",
            "同一行，ε 在根号外",
            outside,
            abs(outside - 1 / 1.001) < 1e-14,
            _OUTSIDE,
        ),
    )
