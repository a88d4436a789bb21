"""One thing that differs between two pieces of code."""

from dataclasses import dataclass
from typing import Literal

OperationKind = Literal[
    "statement-added", "statement-removed", "statement-changed",
    "argument-added", "argument-removed", "argument-changed", "default-changed", "annotation-changed",
    "condition-changed", "name-replaced", "base-changed", "decorator-changed",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing that differs: what it was in the definition (`before`), what it is in the fence (`after`).

    `path` is the qualified name of the innermost definition around it, empty at the outermost level. Both texts are
    code on one line without comments, of a compound statement its head, cut where they are very long.
    """

    kind: OperationKind
    path: str
    before: str | None = None
    after: str | None = None
