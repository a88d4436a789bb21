"""The frozen values that flow from a path to the ledger.

Every value is immutable, needs only the standard library, and holds offsets until the moment it is made concrete:
a `Span` is a pair of offsets in a source's text, a `Place` is the same pair with lines and columns.
"""

from auditor.model.blocks import (
    Adjustment,
    Argument,
    Block,
    BlockKind,
    Compilation,
    Context,
    Diagnosis,
    Extraction,
    NotAudited,
    Suppression,
    Verdict,
)
from auditor.model.findings import Finding, Severity, Suppressed
from auditor.model.mapping import MappedText, Segment
from auditor.model.names import Definition, Imported, Names, Need, Use
from auditor.model.text import Edit, Newline, Place, Position, Source, Span, apply_edits

__all__ = [
    "Adjustment",
    "Argument",
    "Block",
    "BlockKind",
    "Compilation",
    "Context",
    "Definition",
    "Diagnosis",
    "Edit",
    "Extraction",
    "Finding",
    "Imported",
    "MappedText",
    "Names",
    "Need",
    "Newline",
    "NotAudited",
    "Place",
    "Position",
    "Segment",
    "Severity",
    "Source",
    "Span",
    "Suppressed",
    "Suppression",
    "Use",
    "Verdict",
    "apply_edits",
]
