"""The coverage ledger: what there is, what was verified, what was found, what was left out and why."""

from auditor.ledger.building import Maker, build
from auditor.ledger.check import Stale, check, holds, review_of
from auditor.ledger.comparison import Difference, compare
from auditor.ledger.entries import Ledger, NeedEntry, Provenance, Review
from auditor.ledger.store import LedgerError, dump, dump_reviews, load, load_merged, load_reviews

__all__ = [
    "Difference",
    "Ledger",
    "LedgerError",
    "Maker",
    "NeedEntry",
    "Provenance",
    "Review",
    "Stale",
    "build",
    "check",
    "compare",
    "dump",
    "dump_reviews",
    "holds",
    "load",
    "load_merged",
    "load_reviews",
    "review_of",
]
