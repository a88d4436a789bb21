"""Axes and the names they are unpacked into."""

import numpy as np

from auditor.evidence.attention import Array
from auditor.evidence.observation import Observation

_RULE = ("shape-comment-mismatch",)


def batch_and_length(ids: Array) -> tuple[int, int]:
    """`batch, length = ids.shape`, as a model's first lines have it. Raises `ValueError` unless there are two axes."""
    batch, length = ids.shape
    return batch, length


def outcome(*shape: int) -> str:
    """What unpacking two names from such a shape does."""
    try:
        return "×".join(str(size) for size in batch_and_length(np.zeros(shape)))
    except ValueError:
        return "fails"


def observe() -> tuple[Observation, ...]:
    """The shape that the code takes, and the one that its comment names."""
    taken, named = outcome(2, 7), outcome(2, 7, 1)
    return (
        Observation(
            "two-axes",
            "`batch, length = ids.shape` on 2×7",
            "`batch, length = ids.shape`，形状 2×7",
            taken,
            taken == "2×7",
            _RULE,
        ),
        Observation(
            "three-axes",
            "on the 2×7×1 that the comment names",
            "注释里写的形状 2×7×1",
            named,
            named == "fails",
            _RULE,
        ),
    )
