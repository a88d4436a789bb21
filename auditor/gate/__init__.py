"""What a run is held to: which findings are new against a base revision, and which a baseline file accepts."""

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

__all__ = [
    "Accepted",
    "BaselineError",
    "Side",
    "accept",
    "against",
    "dump_baseline",
    "load_baseline",
    "prune",
    "under_baseline",
]
