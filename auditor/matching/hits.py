"""Where a pattern or a clause of a rule matched, and what its metavariables stand for there."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from auditor.matching.environment import EMPTY, Env
from auditor.matching.tree import Node

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True, eq=False)
class Hit:
    """A place in the code, as offsets.

    `node` is the node that was matched (the first statement of several; None where a regex matched text). `env` binds
    metavariables to nodes. `inside` marks a place that only narrows where others may lie. `labels` holds the hits of a
    `sequence` by their `as:`.
    """

    start: int
    end: int
    env: Env = field(default_factory=lambda: EMPTY)
    node: Node | None = None
    inside: bool = False
    labels: "Mapping[str, Hit]" = field(default_factory=dict)
