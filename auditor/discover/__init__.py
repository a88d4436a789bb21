"""From paths and revisions to sources: which files are looked at, and their bytes as text."""

from auditor.discover.decoding import PYTHON, Unreadable, decode
from auditor.discover.files import (
    ENDINGS,
    MARKDOWN,
    Candidate,
    Discovery,
    LeftOut,
    MissingPathError,
    discover,
    find_root,
    given,
    named_source,
    read,
    relative,
)

__all__ = [
    "ENDINGS",
    "MARKDOWN",
    "PYTHON",
    "Candidate",
    "Discovery",
    "LeftOut",
    "MissingPathError",
    "Unreadable",
    "decode",
    "discover",
    "find_root",
    "given",
    "named_source",
    "read",
    "relative",
]
