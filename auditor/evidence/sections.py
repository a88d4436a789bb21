"""The sections of the offline check, by name."""

from collections.abc import Callable, Mapping

from auditor.evidence import (
    attention,
    causality,
    feed_forward,
    heads,
    layers,
    lengths,
    norms,
    positions,
    residual,
    resources,
    shapes,
    softmax_precision,
)
from auditor.evidence.observation import Observation

SECTIONS: Mapping[str, Callable[[], tuple[Observation, ...]]] = {
    "attention": attention.observe,
    "lengths": lengths.observe,
    "heads": heads.observe,
    "causality": causality.observe,
    "softmax": softmax_precision.observe,
    "norms": norms.observe,
    "residual": residual.observe,
    "positions": positions.observe,
    "feed-forward": feed_forward.observe,
    "layers": layers.observe,
    "shapes": shapes.observe,
    "resources": resources.observe,
}
