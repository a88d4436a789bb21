"""What a text must hold for a rule to match in it, looked for before anything is parsed: words, and parts of words."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from auditor.matching.patterns import PatternError, metavariables_in, parse_pattern
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


@dataclass(frozen=True, slots=True)
class Needs:
    """All of `words`, one text of each of `texts` (lower-case, anywhere), and of each of `choices` one alternative.

    Empty: any text will do.
    """

    words: frozenset[str] = frozenset()
    texts: frozenset[frozenset[str]] = frozenset()
    choices: "tuple[tuple[Needs, ...], ...]" = ()

    def __bool__(self) -> bool:
        return bool(self.words or self.texts or self.choices)

    def met(self, text: "Words") -> bool:
        """Whether a text has what is needed."""
        return (
            all(map(text.has, self.words))
            and all(map(text.has_one, self.texts))
            and all(any(need.met(text) for need in alternatives) for alternatives in self.choices)
        )


class Words:
    """The words of some texts, each looked for once; `aliases` are other words that stand for a word."""

    def __init__(self, texts: Iterable[str], aliases: Mapping[str, Iterable[str]] | None = None) -> None:
        self._aliases = aliases or {}
        self.texts = [text for text in texts if text]
        self._known: dict[str, bool] = {}
        self._parts: dict[frozenset[str], bool] = {}
        self._lower: list[str] | None = None

    def has(self, word: str) -> bool:
        """Whether the word stands in one of the texts as a whole word."""
        known = self._known.get(word)
        if known is None:
            known = self._known[word] = any(map(self._holds, (word, *self._aliases.get(word, ()))))
        return known

    def _holds(self, word: str) -> bool:
        return any(
            word in text and re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None for text in self.texts
        )

    def has_one(self, parts: frozenset[str]) -> bool:
        """Whether one of some lower-case texts stands in one of the texts, in whatever case."""
        known = self._parts.get(parts)
        if known is None:
            if self._lower is None:
                self._lower = [text.lower() for text in self.texts]
            known = self._parts[parts] = any(part in text for text in self._lower for part in parts)
        return known


def needs_of(match: Formula | Taint | None, texts: Texts | None = None) -> Needs:
    """What a text must hold for a clause to match in it; `texts` is what conditions around it ask of metavariables."""
    texts = texts or {}
    if isinstance(match, Taint):
        sources = any_of([needs_of(source.part) for source in match.sources])
        return all_of([sources, any_of([needs_of(sink.part) for sink in match.sinks])])
    if isinstance(match, Leaf):
        return leaf_needs(match, texts)
    if isinstance(match, Any):
        return any_of([needs_of(part, texts) for part in match.parts])
    if isinstance(match, All):
        texts = {**texts, **texts_of(match.conditions)}
        return all_of([needs_of(part, texts) for part in match.parts])
    if isinstance(match, Inside):
        return needs_of(match.part, texts)
    if isinstance(match, Sequence):
        texts = {**texts, **texts_of(match.conditions)}
        return all_of([needs_of(step.part, texts) for step in match.steps])
    if isinstance(match, CommentLeaf):
        return needs_of(match.on, texts)
    return Needs()


def leaf_needs(leaf: Leaf, texts: Texts) -> Needs:
    """The words of a pattern, and what its metavariables must hold."""
    try:
        pattern = parse_pattern(leaf.pattern)
    except PatternError:
        return Needs()
    asked = frozenset(texts[name] for name in metavariables_in(pattern) if name in texts) if texts else frozenset()
    return Needs(pattern.words, asked)


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
    )


def any_of(parts: list[Needs]) -> Needs:
    """What is needed for one of some clauses."""
    if len(parts) == 1:
        return parts[0]
    if not parts or not all(parts):
        return Needs()
    return Needs(choices=(tuple(dict.fromkeys(parts)),))
