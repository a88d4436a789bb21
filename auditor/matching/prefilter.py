"""Which rules a text can concern at all: words that every match of a rule must hold, found before anything is parsed."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from auditor.matching.patterns import PatternError, parse_pattern
from auditor.matching.rule import All, Any, CommentLeaf, Formula, Inside, Leaf, Sequence, Taint


@dataclass(frozen=True, slots=True)
class Needs:
    """All of `words` and, of each of `choices`, one alternative. Empty: any text will do."""

    words: frozenset[str] = frozenset()
    choices: "tuple[tuple[Needs, ...], ...]" = ()

    def met(self, text: "Words") -> bool:
        """Whether a text has what is needed."""
        return all(map(text.has, self.words)) and all(
            any(need.met(text) for need in alternatives) for alternatives in self.choices
        )


class Words:
    """The words of some texts, each looked for once."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.texts = [text for text in texts if text]
        self._known: dict[str, bool] = {}

    def has(self, word: str) -> bool:
        """Whether the word stands in one of the texts as a whole word."""
        known = self._known.get(word)
        if known is None:
            known = False
            for text in self.texts:
                if word in text and re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text):
                    known = True
                    break
            self._known[word] = known
        return known


def needs_of(match: Formula | Taint | None) -> Needs:
    """What a text must hold for a clause to match in it."""
    if match is None:
        return Needs()
    if isinstance(match, Taint):
        return _all(
            [_any([needs_of(source.part) for source in match.sources]), _any([needs_of(s.part) for s in match.sinks])]
        )
    if isinstance(match, Leaf):
        try:
            return Needs(parse_pattern(match.pattern).words)
        except PatternError:
            return Needs()
    if isinstance(match, Any):
        return _any([needs_of(part) for part in match.parts])
    if isinstance(match, All):
        return _all([needs_of(part) for part in match.parts])
    if isinstance(match, Inside):
        return needs_of(match.part)
    if isinstance(match, Sequence):
        return _all([needs_of(step.part) for step in match.steps])
    if isinstance(match, CommentLeaf):
        return needs_of(match.on)
    return Needs()


def _all(parts: list[Needs]) -> Needs:
    words = frozenset().union(*(part.words for part in parts)) if parts else frozenset()
    return Needs(words, tuple(choice for part in parts for choice in part.choices))


def _any(parts: list[Needs]) -> Needs:
    if len(parts) == 1:
        return parts[0]
    if not parts or any(not part.words and not part.choices for part in parts):
        return Needs()
    return Needs(choices=(tuple(parts),))
