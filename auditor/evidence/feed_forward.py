"""The feed-forward network: what its hidden width buys."""

import numpy as np

from auditor.evidence.attention import Array
from auditor.evidence.observation import Observation

_RULE = ("hidden-width-equals-model-width",)


def feed_forward(x: Array, widen: Array, bias: Array, narrow: Array) -> Array:
    """`relu(x·widen + bias)·narrow`; x (…, width), widen (width, hidden), narrow (hidden, width)."""
    return np.asarray(np.maximum(x @ widen + bias, 0.0) @ narrow)


def bends(hidden: int) -> int:
    """In how many places the graph of a network of width 1 bends, when its hidden units are spread out over 0 … 1."""
    spots = (np.arange(hidden) + 0.5) / hidden
    x = np.linspace(0.0, 1.0, 64 * hidden + 1)
    y = feed_forward(x[:, None], np.ones((1, hidden)), -spots, np.ones((hidden, 1)))[:, 0]
    return int((np.abs(np.diff(y, n=2)) > 1e-9).sum())


def weight_count(width: int, hidden: int) -> int:
    """Weights of the two maps, biases left out."""
    return width * hidden + hidden * width


def observe() -> tuple[Observation, ...]:
    """A hidden width as wide as the model, and four times that."""
    same, four = bends(1), bends(4)
    share = weight_count(64, 64) / weight_count(64, 4 * 64)
    return (
        Observation(
            "bends-same",
            "width 1, hidden 1: bends of the graph",
            "宽 1，隐藏宽 1：曲线的折点数",
            same,
            same == 1,
            _RULE,
        ),
        Observation(
            "bends-four",
            "width 1, hidden 4: bends of the graph",
            "宽 1，隐藏宽 4：曲线的折点数",
            four,
            four == 4,
            _RULE,
        ),
        Observation(
            "weights-share",
            "weights at hidden = width, as a share of those at four times the width",
            "隐藏宽等于模型宽时，参数占四倍宽时的",
            share,
            share == 0.25,
            _RULE,
        ),
    )
