"""Scaled dot-product attention in float64: scores, scale, mask, softmax, mix."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from auditor.evidence.observation import Observation

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Attended:
    """Every intermediate value of one attention; last two axes (queries, keys), of `output` (queries, width)."""

    scores: Array
    scaled: Array
    masked: Array
    weights: Array
    output: Array


def softmax(scores: Array) -> Array:
    """Softmax over the last axis, as PyTorch computes it: a row of minus infinities gives NaN."""
    with np.errstate(invalid="ignore"):
        shifted = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=-1, keepdims=True))


def safe_softmax(scores: Array) -> Array:
    """Softmax over the last axis that gives a fully masked row no weight at all instead of NaN."""
    top = scores.max(axis=-1, keepdims=True)
    shifted = np.exp(scores - np.where(np.isneginf(top), 0.0, top))
    total = shifted.sum(axis=-1, keepdims=True)
    return np.asarray(shifted / np.where(total == 0.0, 1.0, total))


def causal_mask(queries: int, keys: int) -> Array:
    """0 where the query may look, minus infinity above the diagonal; shape (queries, keys)."""
    return np.triu(np.full((queries, keys), -np.inf), k=1)


def attend(query: Array, key: Array, value: Array, mask: Array | None = None, *, scale: bool = True) -> Attended:
    """Attention over the last two axes: query (…, queries, depth), key (…, keys, depth), value (…, keys, width).

    Raises `ValueError` where the shapes do not fit.
    """
    scores = query @ np.swapaxes(key, -2, -1)
    scaled = scores / math.sqrt(query.shape[-1]) if scale else scores
    masked = scaled if mask is None else scaled + mask
    weights = softmax(masked)
    return Attended(scores, scaled, masked, weights, weights @ value)


def observe() -> tuple[Observation, ...]:
    """Row sums, masked weights, a fully masked row, and the two examples that can be worked out by hand."""
    hand = attend(np.array([[1.0, 0.0]]), np.eye(2), np.array([[10.0], [20.0]]))
    causal = attend(np.zeros((3, 2)), np.zeros((3, 2)), np.eye(3), causal_mask(3, 3))
    # RandomState is the one generator whose numbers NumPy promises never to change.
    draw = np.random.RandomState(7)
    mask = causal_mask(5, 5)
    mixed = attend(draw.randn(2, 3, 5, 4), draw.randn(2, 3, 5, 4), draw.randn(2, 3, 5, 4), mask)
    off_one = float(np.abs(mixed.weights.sum(axis=-1) - 1.0).max())
    leaked = float(np.abs(mixed.weights[..., np.isneginf(mask)]).max())
    shut = np.full((1, 3), -np.inf)
    return (
        Observation(
            "hand-weights",
            "q = (1, 0), k = (1, 0), (0, 1), scaled by √2: the weights are",
            "q = (1, 0)，k = (1, 0)、(0, 1)，除以 √2，权重是",
            tuple(float(weight) for weight in hand.weights[0]),
            bool(np.allclose(hand.weights[0], [0.6697615493266569, 0.3302384506733431], rtol=0, atol=1e-15)),
        ),
        Observation(
            "hand-output",
            "with v = 10, 20 the output is",
            "v = 10、20 时，输出是",
            float(hand.output[0, 0]),
            abs(float(hand.output[0, 0]) - 13.302384506733431) < 1e-13,
        ),
        Observation(
            "causal-last-row",
            "three zero scores under a causal mask: the last row of weights is",
            "三个零分数加因果掩码，最后一行权重是",
            tuple(float(weight) for weight in causal.weights[2]),
            bool(np.allclose(causal.weights, np.tri(3) / [[1], [2], [3]], rtol=0, atol=1e-15)),
        ),
        Observation(
            "row-sums",
            "every row of weights sums to one, within 1e-15",
            "每行权重之和为 1，误差不超过 1e-15",
            "yes" if off_one <= 1e-15 else off_one,
            off_one <= 1e-15,
        ),
        Observation(
            "masked-weights",
            "the largest weight on a masked key is",
            "被掩盖的键分到的最大权重是",
            leaked,
            leaked == 0.0,
        ),
        Observation(
            "fully-masked-row",
            "a row in which every key is masked becomes",
            "整行都被掩盖时，结果是",
            "nan" if np.isnan(softmax(shut)).all() else "finite",
            bool(np.isnan(softmax(shut)).all()),
        ),
        Observation(
            "fully-masked-row-safe",
            "the safe form gives that row weights that sum to",
            "安全写法下，这一行权重之和是",
            float(safe_softmax(shut).sum()),
            float(safe_softmax(shut).sum()) == 0.0,
        ),
    )
