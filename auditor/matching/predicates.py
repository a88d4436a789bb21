"""What the sub-matches of a sequence may be asked: the predicates of `where:`, one class each.

`docs/rule-flow.md` says what each means, with examples. A rule's regexes are searched for within a time limit, beyond
which a `TimeoutError` is raised.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from auditor.matching.regexes import compile_regex, time_limit
from auditor.matching.tree import Node

if TYPE_CHECKING:
    from auditor.matching.environment import Env
    from auditor.matching.hits import Hit
    from auditor.matching.scene import Scene

Labels = Mapping[str, "Hit"]

_NAMED = re.compile(r"\$[A-Z_][A-Z_0-9]*")


@dataclass(frozen=True, slots=True)
class Ref:
    """A place in the sub-matches: `NORM` (the whole), `NORM.$X` (what `$X` stands for there), `$X` (wherever)."""

    label: str | None
    metavariable: str | None


class Predicate(Protocol):
    """A question to the sub-matches under their labels, asked as soon as all `labels` of it are laid."""

    @property
    def labels(self) -> frozenset[str]:
        """The labels that it speaks of."""
        ...

    def holds(self, scene: "Scene", labels: Labels, env: "Env", /) -> bool:
        """Whether it is true of these sub-matches."""
        ...


class Link(Predicate, Protocol):
    """A predicate that is true of two hits exactly if what the one offers and what the other asks for meet.

    So the hits of a step need not all be tried: those that ask for something that was offered are found by it.
    """

    @property
    def ends(self) -> tuple[str, str]:
        """The label whose hit offers, and the one whose hit asks."""
        ...

    def offered(self, scene: "Scene", hit: "Hit", /) -> frozenset[int]:
        """What a hit of the first label offers, as identities."""
        ...

    def asked(self, scene: "Scene", hit: "Hit", /) -> frozenset[int]:
        """What a hit of the second label asks for, any of it."""
        ...


@dataclass(frozen=True, slots=True)
class Binding:
    """What `from` binds under the name is what `to` reads under it: a definition that may still reach."""

    of: str
    origin: str
    to: str

    @property
    def labels(self) -> frozenset[str]:
        """The labels that it speaks of."""
        return frozenset((self.origin, self.to))

    def holds(self, scene: "Scene", labels: Labels, _env: "Env") -> bool:
        """Whether it is true of these sub-matches."""
        return not self.offered(scene, labels[self.origin]).isdisjoint(self.asked(scene, labels[self.to]))

    @property
    def ends(self) -> tuple[str, str]:
        """The label whose hit offers, and the one whose hit asks."""
        return self.origin, self.to

    def offered(self, scene: "Scene", hit: "Hit") -> frozenset[int]:
        """The definitions that a hit makes of the name."""
        return frozenset(map(id, scene.made(hit, self.of)))

    def asked(self, scene: "Scene", hit: "Hit") -> frozenset[int]:
        """The definitions that may reach a hit's reads of the name."""
        return frozenset(id(one) for read in scene.reads(hit, self.of) for one in scene.reaching(read))


@dataclass(frozen=True, slots=True)
class Carries:
    """What `of` stands for in `to` is a name that still has what `from` binds to the metavariable, or a copy of it."""

    name: str
    origin: str
    of: str
    to: str

    @property
    def labels(self) -> frozenset[str]:
        """The labels that it speaks of."""
        return frozenset((self.origin, self.to))

    def holds(self, scene: "Scene", labels: Labels, _env: "Env") -> bool:
        """Whether it is true of these sub-matches."""
        return not self.offered(scene, labels[self.origin]).isdisjoint(self.asked(scene, labels[self.to]))

    @property
    def ends(self) -> tuple[str, str]:
        """The label whose hit offers, and the one whose hit asks."""
        return self.origin, self.to

    def offered(self, scene: "Scene", hit: "Hit") -> frozenset[int]:
        """The definitions that a hit makes of the name."""
        return frozenset(map(id, scene.made(hit, self.name)))

    def asked(self, scene: "Scene", hit: "Hit") -> frozenset[int]:
        """The definitions that may reach the name that the metavariable stands for, copies followed."""
        value = hit.env.get(self.of)
        if not isinstance(value, Node) or value.kind != "Name":
            return frozenset()
        return frozenset(map(id, scene.lineage(value)))


@dataclass(frozen=True, slots=True)
class StandsFor:
    """What `of` stands for in `to` is the expression that `from` matched, or a name with it as value on every path."""

    of: str
    to: str
    origin: str

    @property
    def labels(self) -> frozenset[str]:
        """The labels that it speaks of."""
        return frozenset((self.origin, self.to))

    def holds(self, scene: "Scene", labels: Labels, _env: "Env") -> bool:
        """Whether it is true of these sub-matches."""
        return not self.offered(scene, labels[self.origin]).isdisjoint(self.asked(scene, labels[self.to]))

    @property
    def ends(self) -> tuple[str, str]:
        """The label whose hit offers, and the one whose hit asks."""
        return self.origin, self.to

    def offered(self, _scene: "Scene", hit: "Hit") -> frozenset[int]:
        """The expression that a hit matched."""
        return frozenset((id(hit.node.cst),)) if hit.node is not None else frozenset()

    def asked(self, scene: "Scene", hit: "Hit") -> frozenset[int]:
        """The expressions that stand where the metavariable does, itself and what it has as its value."""
        value = hit.env.get(self.of)
        return scene.meanings(value) if isinstance(value, Node) else frozenset()


@dataclass(frozen=True, slots=True)
class Flows:
    """`to` is computed from `from`, perhaps under local names; not through calls and attributes of that name."""

    origin: Ref
    to: Ref
    not_through: str | None = None

    @property
    def labels(self) -> frozenset[str]:
        """The labels that it speaks of."""
        return _labels_of(self.origin, self.to)

    def holds(self, scene: "Scene", labels: Labels, env: "Env") -> bool:
        """Whether it is true of these sub-matches."""
        origins = scene.origins(self.origin, labels, env)
        return any(scene.derives(node, origins, self.not_through) for node in scene.nodes(self.to, labels, env))


@dataclass(frozen=True, slots=True)
class NotFlows:
    """What comes in from outside and makes up the one has no part in the other; each has something of its own."""

    origin: Ref
    to: Ref

    @property
    def labels(self) -> frozenset[str]:
        """The labels that it speaks of."""
        return _labels_of(self.origin, self.to)

    def holds(self, scene: "Scene", labels: Labels, env: "Env") -> bool:
        """Whether it is true of these sub-matches."""
        one = scene.roots(self.origin, labels, env)
        other = scene.roots(self.to, labels, env)
        return bool(one) and bool(other) and one.isdisjoint(other)


@dataclass(frozen=True, slots=True)
class Incoming:
    """At a sub-match of this label on this name, in this function, the name still is what came in from outside."""

    of: str
    at: str

    @property
    def labels(self) -> frozenset[str]:
        """The labels that it speaks of."""
        return frozenset((self.at,))

    def holds(self, scene: "Scene", labels: Labels, _env: "Env") -> bool:
        """Whether it is true of these sub-matches."""
        return any(
            scene.is_incoming(read)
            for hit in scene.alike(self.at, self.of, labels[self.at])
            for read in scene.reads(hit, self.of)
        )


@dataclass(frozen=True, slots=True)
class Same:
    """Both are written alike and every name in them has the same definitions in both places; or they are copies."""

    one: Ref
    other: Ref

    @property
    def labels(self) -> frozenset[str]:
        """The labels that it speaks of."""
        return _labels_of(self.one, self.other)

    def holds(self, scene: "Scene", labels: Labels, env: "Env") -> bool:
        """Whether it is true of these sub-matches."""
        return scene.same(self.one, self.other, labels, env)


@dataclass(frozen=True, slots=True)
class Distinct:
    """Both are bound, and they are not written alike; a name and an attribute of that name count as alike."""

    one: Ref
    other: Ref

    @property
    def labels(self) -> frozenset[str]:
        """The labels that it speaks of."""
        return _labels_of(self.one, self.other)

    def holds(self, scene: "Scene", labels: Labels, env: "Env") -> bool:
        """Whether it is true of these sub-matches."""
        return scene.distinct(self.one, self.other, labels, env)


@dataclass(frozen=True, slots=True)
class Roots:
    """Something that comes in from outside under a name that the regex matches has a part in it."""

    of: Ref
    regex: str

    @property
    def labels(self) -> frozenset[str]:
        """The labels that it speaks of."""
        return _labels_of(self.of)

    def holds(self, scene: "Scene", labels: Labels, env: "Env") -> bool:
        """Whether it is true of these sub-matches."""
        wanted = compile_regex(self.regex)
        return any(wanted.match(name, timeout=time_limit()) for name in scene.roots(self.of, labels, env))


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment that belongs to the step's statement, or to one that stands with it without a blank line, says it."""

    at: str
    regex: str

    @property
    def labels(self) -> frozenset[str]:
        """The labels that it speaks of."""
        return frozenset((self.at,))

    def holds(self, scene: "Scene", labels: Labels, env: "Env") -> bool:
        """Whether it is true of these sub-matches."""
        wanted = compile_regex(_NAMED.sub(lambda name: scene.escaped(name[0], env), self.regex))
        return any(wanted.search(text, timeout=time_limit()) for text in scene.comments(labels[self.at]))


def _labels_of(*refs: Ref) -> frozenset[str]:
    return frozenset(ref.label for ref in refs if ref.label is not None)
