"""A rule's hit at a place."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from auditor.model.blocks import Argument
from auditor.model.text import Edit, Place

Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True, slots=True)
class Suppressed:
    """By what a finding is suppressed."""

    reason: str
    where: str


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule's hit at a place.

    `block` is the index of the block in its source, and `source` that source's path where `place` lies in an included
    file. `fix` holds edits of the source.
    """

    rule: str
    severity: Severity
    place: Place
    message: str
    block: int
    source: str | None = None
    metavariables: Mapping[str, Argument] = field(default_factory=dict)
    detail: str | None = None
    fingerprint: str = ""
    fix: tuple[Edit, ...] | None = None
    fix_safety: Literal["safe", "unsafe"] = "safe"
    suppressed: Suppressed | None = None
    status: Literal["new", "existing", "baselined"] | None = None
