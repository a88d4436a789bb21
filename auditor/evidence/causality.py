"""Who sees the future: change the last place only and watch the earlier ones."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from auditor.evidence.attention import Array, attend, causal_mask
from auditor.evidence.observation import Observation

_RULE = ("encoder-decoder-same-sequence",)


@dataclass(frozen=True, slots=True)
class Weights:
    """Three projections of one attention, each (width, width)."""

    query: Array
    key: Array
    value: Array


def draw_weights(draw: np.random.RandomState, width: int) -> Weights:
    """Weights of one attention from a generator."""
    query, key, value = (draw.randn(width, width) for _ in range(3))
    return Weights(query, key, value)


def attention_layer(stream: Array, seen: Array, weights: Weights, *, causal: bool) -> Array:
    """`stream` (places, width) asks `seen` and adds what it hears; `causal` masks every later place."""
    mask = causal_mask(len(stream), len(seen)) if causal else None
    heard = attend(stream @ weights.query, seen @ weights.key, seen @ weights.value, mask)
    return np.asarray(stream + heard.output)


def encode_and_decode(source: Array, target: Array, layers: tuple[Weights, Weights, Weights]) -> Array:
    """An encoder of one layer, a decoder of causal self-attention and cross-attention; (target places, width)."""
    memory = attention_layer(source, source, layers[0], causal=False)
    stream = attention_layer(target, target, layers[1], causal=True)
    return attention_layer(stream, memory, layers[2], causal=False)


def earlier_places_move(model: Callable[[Array], Array], sequence: Array) -> float:
    """The largest change of any output before the last place when the last place alone is changed."""
    changed = sequence.copy()
    changed[-1] += 1.0
    return float(np.abs(model(changed)[:-1] - model(sequence)[:-1]).max())


def observe() -> tuple[Observation, ...]:
    """One sequence on both sides, two sequences, and causal self-attention alone."""
    # RandomState is the one generator whose numbers NumPy promises never to change.
    draw = np.random.RandomState(7)
    layers = (draw_weights(draw, 4), draw_weights(draw, 4), draw_weights(draw, 4))
    source, target = draw.randn(5, 4), draw.randn(6, 4)
    both = earlier_places_move(lambda x: encode_and_decode(x, x, layers), target)
    apart = earlier_places_move(lambda x: encode_and_decode(source, x, layers), target)
    alone = earlier_places_move(lambda x: attention_layer(x, x, layers[1], causal=True), target)
    unmasked = earlier_places_move(lambda x: attention_layer(x, x, layers[1], causal=False), target)
    return (
        Observation(
            "same-sequence",
            "encoder and decoder on one sequence, causal mask on, only its last word changed: earlier outputs move by",
            "编码器与解码器读同一序列，开着因果掩码，只改最后一个词：前面的输出变化",
            both,
            both > 0.01,
            _RULE,
        ),
        Observation(
            "source-and-target",
            "a source of its own, the last word of the target changed: earlier outputs move by",
            "源序列与目标序列分开，只改目标的最后一个词：前面的输出变化",
            apart,
            apart == 0.0,
            _RULE,
        ),
        Observation(
            "causal-alone",
            "causal self-attention alone: earlier outputs move by",
            "只有因果自注意力：前面的输出变化",
            alone,
            alone == 0.0,
            _RULE,
        ),
        Observation(
            "unmasked-alone",
            "the same without its mask",
            "去掉掩码",
            unmasked,
            unmasked > 0.01,
        ),
    )
