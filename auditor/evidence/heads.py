"""Heads: cut from one projection, mixed each on its own, laid side by side."""

import numpy as np

from auditor.evidence.attention import Array, attend
from auditor.evidence.observation import Observation


def split_heads(x: Array, heads: int, length: int | None = None) -> Array:
    """(batch, length, heads·depth) → (batch, heads, length, depth): cut first, swap after.

    `length` is what the caller believes the length to be, as in `x.view(batch, length, heads, depth)`; by default it is
    read off `x`. Raises `ValueError` where the numbers do not fill that shape.
    """
    batch, own, width = x.shape
    cut = x.reshape(batch, own if length is None else length, heads, width // heads)
    return np.swapaxes(cut, 1, 2)


def split_without_swap(x: Array, heads: int) -> Array:
    """The form under audit: straight to (batch, heads, length, depth)."""
    batch, length, width = x.shape
    return x.reshape(batch, heads, length, width // heads)


def merge_heads(x: Array) -> Array:
    """(batch, heads, length, depth) → (batch, length, heads·depth)."""
    batch, heads, length, depth = x.shape
    return np.swapaxes(x, 1, 2).reshape(batch, length, heads * depth)


def add_residual(stream: Array, branch: Array) -> Array:
    """Stream plus branch. Raises `ValueError` where the widths disagree; a width of one is stretched in silence."""
    return stream + branch


def observe() -> tuple[Observation, ...]:
    """A table of numbers that name their own head, and the shapes of an exercise."""
    heads, length, depth = 4, 3, 8
    # Column c of every row belongs to head c // depth and says so.
    owners = np.broadcast_to(np.arange(heads * depth) // depth, (1, length, heads * depth)).astype(np.float64)
    swapped, straight = split_heads(owners, heads), split_without_swap(owners, heads)
    ids = np.arange(heads)[None, :, None, None]
    foreign = float((straight != ids).mean())
    query, key = np.zeros((2, 4, 3, 8)), np.zeros((2, 4, 5, 8))
    shown = attend(query, key, key)
    try:
        add_residual(np.zeros((2, 3, 6)), np.zeros((2, 3, 4)))
        fits = "fits"
    except ValueError:
        fits = "fails"
    stretched = add_residual(np.zeros((2, 3, 1)), np.ones((2, 3, 4)))
    return (
        Observation(
            "swapped",
            "4 heads, 3 places, cut and then swapped: share of entries that stand in a foreign head",
            "4 个头、3 个位置，先切再换轴：落到别的头里的数占",
            float((swapped != ids).mean()),
            bool((swapped == ids).all()),
            ("reshape-mixes-heads",),
        ),
        Observation(
            "straight",
            "4 heads, 3 places, viewed straight to heads × length: share of entries that stand in a foreign head",
            "4 个头、3 个位置，直接 view 成 头×长度：落到别的头里的数占",
            foreign,
            foreign == 8 / 12,
            ("reshape-mixes-heads",),
        ),
        Observation(
            "exercise-scores",
            "B = 2, H = 4, Tq = 3, Tk = 5, depth 8: the scores are",
            "B = 2，H = 4，Tq = 3，Tk = 5，每头宽 8：分数的形状是",
            shown.scores.shape,
            shown.scores.shape == (2, 4, 3, 5),
        ),
        Observation(
            "exercise-heads",
            "and the heads",
            "各头结果的形状是",
            shown.output.shape,
            shown.output.shape == (2, 4, 3, 8),
        ),
        Observation(
            "exercise-merged",
            "and laid side by side",
            "拼接以后的形状是",
            merge_heads(shown.output).shape,
            merge_heads(shown.output).shape == (2, 3, 32),
        ),
        Observation(
            "widths-disagree",
            "model width 4 is divisible by 2 heads, embedding width is 6: the residual sum 6 + 4",
            "模型宽 4 能被 2 个头整除，词向量宽 6：残差相加 6 + 4 的结果是",
            fits,
            fits == "fails",
            ("head-divisibility-only",),
        ),
        Observation(
            "width-one-stretched",
            "embedding width 1 passes in silence; what comes out is",
            "词向量宽 1 时悄悄通过，得到的形状是",
            stretched.shape,
            stretched.shape == (2, 3, 4),
            ("head-divisibility-only",),
        ),
    )
