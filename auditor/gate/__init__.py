"""What a run is held to: what is new against a base revision and what left it, and what a baseline file accepts."""

from auditor.gate.baseline import (
    Accepted,
    BaselineError,
    accept,
    dump_baseline,
    load_baseline,
    prune,
    under_baseline,
)
from auditor.gate.comparison import Side, against
from auditor.gate.departure import Departed, departed

__all__ = [
    "Accepted",
    "BaselineError",
    "Departed",
    "Side",
    "accept",
    "against",
    "departed",
    "dump_baseline",
    "load_baseline",
    "prune",
    "under_baseline",
]
