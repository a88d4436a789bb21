"""From paths and revisions to sources: which files are looked at, and their bytes as text."""

from auditor.discover.decoding import PYTHON, Unreadable, decode
from auditor.discover.files import (
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
from auditor.discover.listing import ENDINGS, MARKDOWN, is_gone, top_of

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
    "is_gone",
    "named_source",
    "read",
    "relative",
    "top_of",
]
