"""A layer with a bypass: the raw stream kept, and the stream overwritten by its norm."""

from collections.abc import Callable

import numpy as np

from auditor.evidence.attention import Array
from auditor.evidence.norms import row_norm
from auditor.evidence.observation import Observation

_RULE = ("residual-overwrite",)
Branch = Callable[[Array], Array]


def pre_norm_layer(x: Array, branch: Branch) -> Array:
    """`x + branch(norm(x))`: what walks on the bypass is the raw stream."""
    return x + branch(row_norm(x))


def overwritten_layer(x: Array, branch: Branch) -> Array:
    """`x = norm(x); x + branch(x)`: the form under audit."""
    x = row_norm(x)
    return x + branch(x)


def observe() -> tuple[Observation, ...]:
    """A branch that has learnt nothing yet, and one that has."""
    row = np.array([[1.0, 2.0, 3.0, 4.0]])
    # RandomState is the one generator whose numbers NumPy promises never to change.
    draw = np.random.RandomState(7)
    weights = draw.randn(4, 4)

    def silent(x: Array) -> Array:
        return np.zeros_like(x)

    def learnt(x: Array) -> Array:
        return np.asarray(np.tanh(x @ weights))

    kept, lost = pre_norm_layer(row, silent)[0], overwritten_layer(row, silent)[0]
    moved = float(np.abs(pre_norm_layer(row, learnt) - overwritten_layer(row, learnt)).max())
    tenfold = float(np.abs(overwritten_layer(10 * row, silent) - overwritten_layer(row, silent)).max())
    return (
        Observation(
            "silent-branch-kept",
            "F = 0 and x = (1, 2, 3, 4): the raw skip gives back",
            "F = 0，x = (1, 2, 3, 4)：保留原样的旁路送回",
            tuple(float(number) for number in kept),
            bool((kept == row[0]).all()),
            _RULE,
        ),
        Observation(
            "silent-branch-overwritten",
            "after x = norm(x) the same layer gives back",
            "先执行 x = norm(x)，同一层送回",
            tuple(float(number) for number in lost),
            bool(np.abs(lost - row[0]).max() > 1.0),
            _RULE,
        ),
        Observation(
            "learnt-branch",
            "with F(x) = tanh(x·W) the two layers differ by up to",
            "F(x) = tanh(x·W) 时，两种写法最多相差",
            moved,
            moved > 1.0,
            _RULE,
        ),
        Observation(
            "scale-is-lost",
            "ten times the input moves the overwritten layer by less than 1e-5",
            "输入放大十倍，被覆盖的那一层变化不到 1e-5",
            "yes" if tenfold < 1e-5 else tenfold,
            tenfold < 1e-5,
            _RULE,
        ),
    )
