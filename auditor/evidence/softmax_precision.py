"""Softmax computed in float32 whatever comes in: float64 scores lose digits by it, float16 scores gain them."""

import numpy as np
import numpy.typing as npt

from auditor.evidence.attention import Array, softmax
from auditor.evidence.observation import Observation

_RULE = ("softmax-float-downcast",)


def softmax_through_float32(scores: Array) -> Array:
    """The form under audit: scores to float32, softmax, result back to float64."""
    narrow = scores.astype(np.float32)
    shifted = np.exp(narrow - narrow.max(axis=-1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=-1, keepdims=True, dtype=np.float32), dtype=np.float64)


def softmax_of_halves(scores: npt.NDArray[np.float16], *, wide: bool) -> Array:
    """Softmax of one row of float16 scores; `wide` adds up in float32, else every step stays in float16."""
    kind = np.float32 if wide else np.float16
    shifted = np.exp((scores - scores.max()).astype(kind))
    total = kind(0)
    for term in shifted:
        total = kind(total + term)
    return np.asarray((shifted / total).astype(np.float16), dtype=np.float64)


def observe() -> tuple[Observation, ...]:
    """Two scores a billionth apart, and three thousand equal ones."""
    near = np.array([1.0, 1.0 + 1e-9])
    told, blurred = softmax(near), softmax_through_float32(near)
    apart, lost = float(told[1] - told[0]), float(blurred[1] - blurred[0])
    many = np.zeros(3000, dtype=np.float16)
    stalled, kept = (float(softmax_of_halves(many, wide=wide).sum()) for wide in (False, True))
    return (
        Observation(
            "float64-keeps",
            "scores 1 and 1 + 1e-9 in float64: the weights differ by",
            "float64 分数 1 与 1 + 1e-9，权重相差",
            apart,
            abs(apart - 5e-10) < 1e-15,
            _RULE,
        ),
        Observation(
            "float32-loses",
            "the same scores through float32: the weights differ by",
            "同样的分数先转成 float32，权重相差",
            lost,
            lost == 0.0,
            _RULE,
        ),
        Observation(
            "float16-stalls",
            "3000 equal float16 scores, added up in float16: the weights sum to",
            "3000 个相等的 float16 分数，用 float16 累加，权重之和是",
            stalled,
            abs(stalled - 3000 / 2048) < 1e-3,
            _RULE,
        ),
        Observation(
            "float16-gains",
            "the same scores through float32: the weights sum to",
            "同样的分数先转成 float32，权重之和是",
            kept,
            abs(kept - 1.0) < 1e-3,
            _RULE,
        ),
    )
