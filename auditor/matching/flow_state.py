"""What is known at one point of a path, and the frames that a jump or an exception leaves through."""

from dataclasses import dataclass, field
from typing import Literal

from auditor.matching.flow_definitions import Definition

Definitions = frozenset[Definition]
Jump = Literal["return", "break", "continue"]

NOTHING: Definitions = frozenset()
# Generated code gives one name thousands of definitions; sets that grow by one at each of them would make the analysis
# quadratic.
MOST_DEFINITIONS = 256


class TooMuchError(Exception):
    """The function asks for more than the counted budget: it is read again without regard to paths."""


class State:
    """The definitions that reach one point by name, and the statements that may have run before, as bits."""

    __slots__ = ("names", "past")

    def __init__(self, names: dict[str, Definitions], past: int = 0) -> None:
        self.names = names
        self.past = past

    def copy(self) -> "State":
        """A state of its own with the same content."""
        return State(self.names.copy(), self.past)

    def equals(self, other: "State") -> bool:
        """Whether nothing tells the two apart."""
        return self.past == other.past and self.names == other.names

    def absorb(self, other: "State") -> None:
        """Add what may hold in the other state; a name that only one of them knows keeps what it has."""
        self.past |= other.past
        names = self.names
        for name, definitions in other.names.items():
            mine = names.get(name)
            if mine is None:
                names[name] = definitions
            elif mine is not definitions:
                names[name] = either(mine, definitions)


def either(one: Definitions, other: Definitions) -> Definitions:
    """The definitions of both. Raises `TooMuchError` past `MOST_DEFINITIONS`."""
    both = one | other
    if len(both) > MOST_DEFINITIONS:
        raise TooMuchError
    return both


def join(one: State | None, other: State | None) -> State | None:
    """What may hold where two paths meet; None is a path that does not arrive. The first state may be changed."""
    if one is None:
        return other
    if other is not None and other is not one:
        one.absorb(other)
    return one


@dataclass(slots=True)
class LoopFrame:
    """A loop around the current point: the states in which it was left and begun again."""

    jumps: dict[Jump, State] = field(default_factory=dict)


@dataclass(slots=True)
class TryFrame:
    """A `try` around the current point: `reached` is what any prefix of its body may have done.

    `holds_jumps` is set where a `finally` runs before a jump goes on; `jumps` are those that wait for it.
    """

    reached: State
    holds_jumps: bool = False
    jumps: dict[Jump, State] = field(default_factory=dict)


Frame = LoopFrame | TryFrame
