"""What a text must hold for a rule to match in it, looked for before anything is parsed: words, and parts of words."""

import re
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache

# An import of all that a module has: any name may be one of its attributes.
STAR = re.compile(r"import(?:[ \t\f]|\\\r?\n)*\*")
_WORD = re.compile(r"\w+")
_ATTRIBUTE = re.compile(r"\.(?:[\s\\]|#[^\n]*\n)*(\w+)")
_IMPORT = re.compile(r"\b(?:from|import)\b(?:[^\n(;\\]|\\[\s\S])*(?:\((?:[^)#]|#[^\n]*)*)?")


@lru_cache(maxsize=128)
def words_in(text: str) -> frozenset[str]:
    """The words of a text, each once; a page's texts are asked about again by those below them."""
    return frozenset(_WORD.findall(text))


def rarest(words: AbstractSet[str]) -> str:
    """The word of some that is likely to stand in the fewest texts."""
    return max(words, key=lambda word: (len(word), word))


@dataclass(frozen=True, slots=True)
class Needs:
    """All of `words`, one text of each of `texts` (lower-case, anywhere), and of each of `choices` one alternative.

    Those of the words that are `attributes` must stand behind a dot, or in an import. Empty: any text will do.
    """

    words: frozenset[str] = frozenset()
    texts: frozenset[frozenset[str]] = frozenset()
    choices: "tuple[tuple[Needs, ...], ...]" = ()
    attributes: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.words or self.texts or self.choices)

    def met(self, text: "Words") -> bool:
        """Whether a text has what is needed."""
        return (
            self.words <= text.words
            and (not self.attributes or self.attributes <= text.attributes)
            and all(map(text.has_one, self.texts))
            and all(any_met(alternatives, text) for alternatives in self.choices)
        )

    def trigger(self) -> frozenset[str] | None:
        """A few words, one of which any text holds that has what is needed; None where it may hold none."""
        if self.words:
            return frozenset({rarest(self.words)})
        found = [trigger_of(alternatives) for alternatives in self.choices]
        return min(
            (each for each in found if each is not None), key=lambda each: (len(each), sorted(each)), default=None
        )


def any_met(alternatives: Iterable[Needs], text: "Words") -> bool:
    """Whether a text has what one of some needs asks for."""
    words = text.words  # first, since this is asked of every part of a text
    return any(need.words <= words and need.met(text) for need in alternatives)


def trigger_of(alternatives: Iterable[Needs]) -> frozenset[str] | None:
    """The same for a choice of needs."""
    triggers = [each.trigger() for each in alternatives]
    told = [each for each in triggers if each is not None]
    return frozenset().union(*told) if told and len(told) == len(triggers) else None


@dataclass(frozen=True, slots=True)
class Touches:
    """What a part of a text must hold to concern a rule, one of each tuple being enough.

    Something is found only `where` a part holds what is needed; what is `around`, or must not be there, counts then.
    """

    where: tuple[Needs, ...]
    around: tuple[Needs, ...] = ()


class Words:
    """The words of some texts; `aliases` says which words a name stands for besides."""

    def __init__(self, texts: Iterable[str], aliases: Mapping[str, Iterable[str]] | None = None) -> None:
        self.texts = [text for text in texts if text]
        self.words: frozenset[str] = frozenset().union(*map(words_in, self.texts))
        self._stood_for: list[str] = []
        if aliases:
            self._stood_for = [word for name in self.words & aliases.keys() for word in aliases[name]]
            self.words = self.words.union(self._stood_for)
        self._parts: dict[frozenset[str], bool] = {}
        self._lower: list[str] | None = None
        self._attributes: frozenset[str] | None = None

    @property
    def attributes(self) -> frozenset[str]:
        """The words that stand behind a dot, or in an import that may bring an attribute under its own name."""
        if self._attributes is None:
            if any(map(STAR.search, self.texts)):
                self._attributes = self.words
            else:
                found = [word for text in self.texts for word in _ATTRIBUTE.findall(text)]
                imports = [words_in(text) for whole in self.texts for text in _IMPORT.findall(whole)]
                self._attributes = frozenset(found).union(self._stood_for, *imports)
        return self._attributes

    def has(self, word: str) -> bool:
        """Whether the word stands in one of the texts as a whole word."""
        return word in self.words

    def may(self, trigger: frozenset[str] | None) -> bool:
        """Whether one of a few words is there, or none is asked for."""
        return trigger is None or not self.words.isdisjoint(trigger)

    def has_one(self, parts: frozenset[str]) -> bool:
        """Whether one of some lower-case texts stands in one of the texts, in whatever case."""
        known = self._parts.get(parts)
        if known is None:
            if self._lower is None:
                # What an alias stands for may be asked for, too.
                self._lower = [*map(str.lower, self.texts), *map(str.lower, self._stood_for)]
            known = self._parts[parts] = any(part in text for text in self._lower for part in parts)
        return known
