"""Which metavariables the clauses of a rule bind, and which of those that its texts name stand for nothing."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import reduce

from auditor.matching.rule import (
    All,
    Any,
    CommentLeaf,
    Condition,
    Formula,
    Inside,
    Leaf,
    MetavariablePattern,
    MetavariableRegex,
    Not,
    RegexLeaf,
    Rule,
    Sequence,
    Taint,
)
from auditor.rulebook.keys import FACTS_OF
from auditor.rulebook.problems import Problem

_METAVARIABLE = re.compile(r"\$(?:\.\.\.)?[A-Z_][A-Z_0-9]*")
_GROUP = re.compile(r"\(\?P?<([A-Z_][A-Z_0-9]*)>")
# What a message about a tie may say beside the facts that a rule may ask for.
_SAID_OF_LINKS = frozenset({"operations"})


def unbound(text: str, bound: frozenset[str]) -> list[str]:
    """The metavariables that a text names and nothing binds, once each; they would be printed as they are written."""
    return [name for name in dict.fromkeys(_METAVARIABLE.findall(text)) if name not in bound]


def doubts(rules: Iterable[Rule]) -> Iterator[Problem]:
    """The messages that name what nothing binds, at the line of the rule.

    Semgrep prints such a name as it is, and some of its published rules have one: the rule is not wrong for it.
    """
    for rule in rules:
        known = _known(rule)
        if known is None:
            continue
        for name in dict.fromkeys(name for text in rule.messages.values() for name in unbound(text, known)):
            yield Problem(
                rule.path, rule.line, 1, "message", f"{name} is bound by no clause, and stands there as it is"
            )


def _known(rule: Rule) -> frozenset[str] | None:
    """What a rule's message may name; `None` for a rule on a diagnosis, whose arguments are the kind's own."""
    if rule.match is not None:
        return bound_by(rule.match)
    if rule.link is not None:
        return _as_names(FACTS_OF["link"] | _SAID_OF_LINKS)
    return _as_names(FACTS_OF["definition"]) if rule.definition is not None else None


def _as_names(facts: Iterable[str]) -> frozenset[str]:
    return frozenset(f"${fact.upper()}" for fact in facts)


def bound_by(formula: Formula | Taint) -> frozenset[str]:
    """The metavariables that some clause of a rule binds; what must not be there binds nothing."""
    match formula:
        case Leaf(pattern):
            return frozenset(_METAVARIABLE.findall(pattern))
        case RegexLeaf(pattern):
            return _groups(pattern)
        case CommentLeaf(pattern, part):
            return _groups(pattern) | bound_by(part)
        case Any(parts):
            return _all(parts)
        case Inside(part):
            return bound_by(part)
        case Not():
            return frozenset()
        case All(parts, conditions):
            return _all(parts) | _by_conditions(conditions)
        case Sequence(steps, where, conditions):
            named = (_by_arguments(each.arguments) for each in where)
            return reduce(frozenset.union, named, _all(step.part for step in steps) | _by_conditions(conditions))
        case Taint(sources, sinks, _, propagators):
            return _all([*(each.part for each in (*sources, *sinks)), *(each.part for each in propagators)])


def _all(parts: Iterable[Formula]) -> frozenset[str]:
    return frozenset[str]().union(*map(bound_by, parts))


def _by_conditions(conditions: Iterable[Condition]) -> frozenset[str]:
    found = frozenset[str]()
    for condition in conditions:
        if isinstance(condition, MetavariablePattern):
            found |= bound_by(condition.part)
        elif isinstance(condition, MetavariableRegex):
            found |= _groups(condition.regex)
    return found


def _by_arguments(arguments: Mapping[str, str]) -> frozenset[str]:
    return frozenset(name for text in arguments.values() for name in _METAVARIABLE.findall(text))


def _groups(pattern: str) -> frozenset[str]:
    return frozenset(f"${name}" for name in _GROUP.findall(pattern))
