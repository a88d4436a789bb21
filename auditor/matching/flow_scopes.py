"""The scopes of names inside one function: what each binds, and what its closures read and write later."""

from dataclasses import dataclass, field
from typing import Literal

import libcst as cst

from auditor.matching.flow_definitions import Definition
from auditor.matching.flow_state import NOTHING, Definitions, Frame, State


@dataclass(slots=True)
class Scope:
    """A function, a class body or a module while it is read.

    `bound` holds every definition of the scope by name. `reads` are the names read, by identity, and `reaching` what
    reaches them. A read is `unbound` where the scope has not bound the name before, `late` where its moment is not
    known (closures, generators), `distant` where the name was declared global. `declared` holds the names declared
    global or nonlocal, `writes` the definitions that they get here, `inner` those that inner scopes make. `around` is
    the state in which a class body runs. In a `coarse` scope no order is followed: every definition of a name reaches
    every read of it. `owner` is the identity of its node.
    """

    kind: Literal["function", "class", "module"]
    owner: int
    coarse: bool = False
    around: "tuple[Scope, State] | None" = None
    bound: dict[str, dict[int, Definition]] = field(default_factory=dict)
    reads: dict[int, cst.Name] = field(default_factory=dict)
    reaching: dict[int, Definitions] = field(default_factory=dict)
    unbound: dict[int, cst.Name] = field(default_factory=dict)
    late: dict[int, cst.Name] = field(default_factory=dict)
    distant: dict[int, cst.Name] = field(default_factory=dict)
    declared: dict[str, Literal["global", "nonlocal"]] = field(default_factory=dict)
    writes: dict[int, Definition] = field(default_factory=dict)
    inner: list[tuple[Definition, bool]] = field(default_factory=list)
    leaked: set[str] = field(default_factory=set)
    frames: list[Frame] = field(default_factory=list)

    def bind(self, definition: Definition) -> None:
        """Note that the scope defines a name, whichever scope the name belongs to."""
        if definition.name in self.declared:
            self.writes[id(definition.node)] = definition
        else:
            self.bound.setdefault(definition.name, {})[id(definition.node)] = definition

    def read(self, node: cst.Name, state: State, *, late: bool) -> None:
        """Note a read of a name in a state."""
        name, key = node.value, id(node)
        declared = self.declared.get(name)
        if declared == "global":
            self.distant[key] = node
        elif late or declared:
            self.late[key] = node
        else:
            found = state.names.get(name, NOTHING)
            if found:
                self.record(node, found)
            elif key not in self.reaching and self.around is None:
                self.unbound[key] = node
            if self.around is not None:  # what a class body has not bound is read from around it, at this moment
                scope, outer = self.around
                scope.read(node, outer, late=False)

    def record(self, node: cst.Name, definitions: Definitions) -> None:
        """Note what reaches a read; on several paths, all of it."""
        key = id(node)
        before = self.reaching.get(key)
        self.reads[key] = node
        if before is None:
            self.reaching[key] = definitions
        elif before is not definitions:
            self.reaching[key] = before | definitions

    def close(self, result: dict[int, Definitions], outer: "Scope | None") -> None:
        """Settle what was left open; what is not this scope's goes to the outer one, all else to the result."""
        passing = [(definition, self.declared[definition.name] == "global") for definition in self.writes.values()]
        for definition, is_global in self.inner:
            if self._owns(definition.name) and not is_global:
                self._leak(definition)
            else:
                passing.append((definition, is_global))
        beyond: dict[str, Definitions] = {}
        if outer is not None:
            outer.inner.extend(passing)
        for definition, _ in passing if outer is None else ():
            if self.kind == "module":
                self._leak(definition)
            else:
                unknown = beyond.get(definition.name) or {Definition(definition.node, definition.name, "outside")}
                beyond[definition.name] = frozenset({*unknown, definition})
        everything = {name: frozenset(found.values()) for name, found in self.bound.items()}
        for key, node in self.unbound.items():
            if not self._owns(node.value):
                self._hand_on(node, self.reaching.pop(key, NOTHING), beyond, outer)
        for key, node in self.late.items():
            known = self.reaching.pop(key, NOTHING)
            if self._owns(node.value):
                self.record(node, known | everything[node.value])
            else:
                # A class body's own names are not its closures', yet a read in no known order may be the body's.
                self._hand_on(node, known | everything.get(node.value, NOTHING), beyond, outer)
        for key, node in self.distant.items():
            if outer is not None:
                outer.distant[key] = node
            else:
                self.record(node, everything.get(node.value, NOTHING) | beyond.get(node.value, NOTHING))
        for key in [key for key, node in self.reads.items() if node.value in self.leaked]:
            if key in self.reaching:
                self.reaching[key] |= everything.get(self.reads[key].value, NOTHING)
        for key, definitions in self.reaching.items():
            result[key] = result.get(key, NOTHING) | definitions

    def _owns(self, name: str) -> bool:
        return self.kind != "class" and name in self.bound and name not in self.declared

    def _leak(self, definition: Definition) -> None:
        self.bound.setdefault(definition.name, {})[id(definition.node)] = definition
        self.leaked.add(definition.name)

    def _hand_on(
        self, node: cst.Name, known: Definitions, beyond: dict[str, Definitions], outer: "Scope | None"
    ) -> None:
        if outer is None:
            self.record(node, known | beyond.get(node.value, NOTHING))
            return
        outer.late[id(node)] = node
        if known:
            outer.reaching[id(node)] = outer.reaching.get(id(node), NOTHING) | known


def fork(scope: Scope, state: State) -> State:
    """A state for one of several ways on; without regard to order there is only one."""
    return state if scope.coarse else state.copy()
