"""From a rule to what a text must hold for it to match there."""

from collections.abc import Iterable, Mapping

from auditor.matching.needs import Needs
from auditor.matching.patterns import metavariables_in, pattern_of
from auditor.matching.regex_words import required
from auditor.matching.rule import (
    All,
    Any,
    CommentLeaf,
    Condition,
    Formula,
    Inside,
    Leaf,
    MetavariableRegex,
    Sequence,
    Taint,
)  # fmt: skip

# What the text of a metavariable must hold, by its name: one of some lower-case texts.
Texts = Mapping[str, frozenset[str]]


def needs_of(match: Formula | Taint | None, texts: Texts | None = None, *, here: bool = False) -> Needs:
    """What a text must hold for a clause to match in it; `texts` is what conditions around it ask of metavariables.

    With `here` the text is only where the clause matches: what it asks to be around that may stand elsewhere.
    """
    texts = texts or {}
    if isinstance(match, Taint):
        sources = any_of([needs_of(source.part, here=here) for source in match.sources])
        return all_of([sources, any_of([needs_of(sink.part, here=here) for sink in match.sinks])])
    if isinstance(match, Leaf):
        return leaf_needs(match, texts)
    if isinstance(match, Any):
        return any_of([needs_of(part, texts, here=here) for part in match.parts])
    if isinstance(match, All):
        texts = {**texts, **texts_of(match.conditions)}
        return all_of([needs_of(part, texts, here=here) for part in match.parts])
    if isinstance(match, Inside):
        return Needs() if here else needs_of(match.part, texts)
    if isinstance(match, Sequence):
        # All steps lie in one function, but for those that may stand anywhere.
        texts = {**texts, **texts_of(match.conditions)}
        return all_of([needs_of(step.part, texts, here=here) for step in match.steps if not (here and step.anywhere)])
    if isinstance(match, CommentLeaf):
        return needs_of(match.on, texts, here=here)
    return Needs()


def leaf_needs(leaf: Leaf, texts: Texts) -> Needs:
    """The words of a pattern, and what its metavariables must hold."""
    pattern = pattern_of(leaf.pattern)
    if pattern is None:
        return Needs()
    asked = frozenset(texts[name] for name in metavariables_in(pattern) if name in texts) if texts else frozenset()
    kinds = {node.kind for node in pattern.tree.nodes}
    if "Bin" in kinds and "Typed" not in kinds:  # a type need not be written
        operators = (node.value for node in pattern.tree.nodes if node.kind == "Bin" and not node.value.isalpha())
        asked |= {frozenset({operator}) for operator in operators}
    attributes = {node.kids[1].value for node in pattern.tree.nodes if node.kind == "Attr"}
    return Needs(pattern.words, asked, attributes=pattern.words & attributes)


def texts_of(conditions: Iterable[Condition]) -> Texts:
    """What the regexes on metavariables require of their texts."""
    found = {}
    for condition in conditions:
        if isinstance(condition, MetavariableRegex) and not condition.constants:
            parts = required(condition.regex)
            if parts:
                found[condition.metavariable] = parts
    return found


def all_of(parts: list[Needs]) -> Needs:
    """What is needed for all of some clauses."""
    return Needs(
        frozenset().union(*(part.words for part in parts)),
        frozenset().union(*(part.texts for part in parts)),
        tuple(choice for part in parts for choice in part.choices),
        frozenset().union(*(part.attributes for part in parts)),
    )


def any_of(parts: list[Needs]) -> Needs:
    """What is needed for one of some clauses."""
    if len(parts) == 1:
        return parts[0]
    if not parts or not all(parts):
        return Needs()
    return Needs(choices=(tuple(dict.fromkeys(parts)),))
