"""The predicates of `where:` by name, and how each is made of the arguments that a rule gives it."""

import re
from collections.abc import Callable, Mapping, Sequence

import regex

from auditor.matching.predicates import (
    Binding,
    Carries,
    Comment,
    Distinct,
    Flows,
    Incoming,
    NotFlows,
    Predicate,
    Ref,
    Roots,
    Same,
    StandsFor,
)
from auditor.matching.regexes import compile_regex

_METAVARIABLE = re.compile(r"\$[A-Z_][A-Z_0-9]*\Z")


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

    def place(self, key: str) -> tuple[str, str]:
        """A metavariable of a step, and the step's label."""
        ref = self.ref(key)
        if ref.label is None or ref.metavariable is None:
            raise ValueError(f"`{self.name}`: `{key}` wants a step's metavariable such as {self.labels[0]}.$X")
        return ref.metavariable, ref.label

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
    "carries": (("from", "to"), lambda given: Carries(*given.place("from"), *given.place("to"))),
    "stands-for": (("of", "from"), lambda given: StandsFor(*given.place("of"), given.label("from"))),
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
