"""What the sub-matches of a sequence may be asked: the predicates of `where:`, one class each, in one table by name.

`docs/rule-flow.md` says what each means, with examples. A rule's regexes are searched for within a time limit, beyond
which a `TimeoutError` is raised.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import regex

from auditor.matching.patterns import REGEX_SECONDS, compile_regex

if TYPE_CHECKING:
    from auditor.matching.environment import Env
    from auditor.matching.hits import Hit
    from auditor.matching.scene import Scene

Labels = Mapping[str, "Hit"]

_METAVARIABLE = re.compile(r"\$[A-Z_][A-Z_0-9]*\Z")
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

    def holds(self, scene: "Scene", labels: Labels, env: "Env") -> bool:
        """Whether it is true of these sub-matches."""
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

    def holds(self, scene: "Scene", labels: Labels, env: "Env") -> bool:
        """Whether it is true of these sub-matches."""
        made = scene.made(labels[self.origin], self.of, env)
        return any(not made.isdisjoint(scene.reaching(read)) for read in scene.reads(labels[self.to], self.of, env))


@dataclass(frozen=True, slots=True)
class StandsFor:
    """`of` is the expression that `from` matched, or a name that has it as its value on every path."""

    of: Ref
    origin: str

    @property
    def labels(self) -> frozenset[str]:
        """The labels that it speaks of."""
        return _labels_of(self.of) | {self.origin}

    def holds(self, scene: "Scene", labels: Labels, env: "Env") -> bool:
        """Whether it is true of these sub-matches."""
        meant = labels[self.origin].node
        return meant is not None and any(scene.stands_for(node, meant) for node in scene.nodes(self.of, labels, env))


@dataclass(frozen=True, slots=True)
class Flows:
    """`to` is computed from `from`, perhaps under local names; not through calls of what the regex matches."""

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

    def holds(self, scene: "Scene", labels: Labels, env: "Env") -> bool:
        """Whether it is true of these sub-matches."""
        return any(
            scene.is_incoming(read)
            for hit in scene.alike(self.at, self.of, labels[self.at])
            for read in scene.reads(hit, self.of, env)
        )


@dataclass(frozen=True, slots=True)
class Same:
    """Both are written alike, and every name in them has the same definitions in both places."""

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
        return any(wanted.match(name, timeout=REGEX_SECONDS) for name in scene.roots(self.of, labels, env))


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
        return any(wanted.search(text, timeout=REGEX_SECONDS) for text in scene.comments(labels[self.at]))


def _labels_of(*refs: Ref) -> frozenset[str]:
    return frozenset(ref.label for ref in refs if ref.label is not None)


class _Arguments:
    """The arguments of one predicate while they are read; every mistake is a `ValueError` that names the key."""

    def __init__(self, name: str, given: Mapping[str, str], labels: Sequence[str]) -> None:
        self.name = name
        self.given = given
        self.labels = labels

    def text(self, key: str) -> str:
        if key not in self.given:
            raise ValueError(f"`{self.name}` needs `{key}`")
        return self.given[key]

    def label(self, key: str) -> str:
        label = self.text(key)
        if label not in self.labels:
            raise ValueError(f"`{self.name}`: `{key}` names {label}, which is no step: {', '.join(self.labels)}")
        return label

    def metavariable(self, key: str) -> str:
        name = self.text(key)
        if not _METAVARIABLE.match(name):
            raise ValueError(f"`{self.name}`: `{key}` wants a metavariable such as $X, not {name}")
        return name

    def ref(self, key: str) -> Ref:
        text = self.text(key)
        label, dot, metavariable = text.partition(".")
        if text.startswith("$"):
            return Ref(None, self.metavariable(key))
        if label not in self.labels:
            raise ValueError(f"`{self.name}`: `{key}` names {label}, which is no step: {', '.join(self.labels)}")
        if dot and not _METAVARIABLE.match(metavariable):
            raise ValueError(
                f"`{self.name}`: `{key}` wants a metavariable after the dot, not {metavariable or 'nothing'}"
            )
        return Ref(label, metavariable or None)

    def regex(self, key: str) -> str:
        try:
            compile_regex(self.text(key))
        except (regex.error, RecursionError, OverflowError) as error:
            raise ValueError(f"`{self.name}`: `{key}` is no regex: {error}") from error
        return self.text(key)


# For each predicate the keys it may have, and how it is made of its arguments.
PREDICATES: dict[str, tuple[tuple[str, ...], Callable[[_Arguments], Predicate]]] = {
    "binding": (
        ("of", "from", "to"),
        lambda given: Binding(given.metavariable("of"), given.label("from"), given.label("to")),
    ),
    "stands-for": (("of", "from"), lambda given: StandsFor(given.ref("of"), given.label("from"))),
    "flow": (
        ("from", "to", "not-through"),
        lambda given: Flows(
            given.ref("from"), given.ref("to"), given.regex("not-through") if "not-through" in given.given else None
        ),
    ),
    "not-flow": (("from", "to"), lambda given: NotFlows(given.ref("from"), given.ref("to"))),
    "incoming": (("of", "at"), lambda given: Incoming(given.metavariable("of"), given.label("at"))),
    "same": (("of", "and"), lambda given: Same(given.ref("of"), given.ref("and"))),
    "distinct": (("of", "and"), lambda given: Distinct(given.ref("of"), given.ref("and"))),
    "roots": (("of", "regex"), lambda given: Roots(given.ref("of"), given.regex("regex"))),
    "comment": (("at", "regex"), lambda given: Comment(given.label("at"), given.regex("regex"))),
}


def read_predicate(name: str, arguments: Mapping[str, str], labels: Sequence[str]) -> Predicate:
    """The predicate of a name and its arguments; raises `ValueError` for what cannot be right."""
    if name not in PREDICATES:
        raise ValueError(f"`{name}` is no predicate: {', '.join(PREDICATES)}")
    keys, make = PREDICATES[name]
    for key in arguments:
        if key not in keys:
            raise ValueError(f"`{name}` has no `{key}`: {', '.join(keys)}")
    return make(_Arguments(name, arguments, labels))
