"""What a text must hold for a rule to match in it, looked for before anything is parsed: words, and parts of words."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


def holds_word(text: str, word: str) -> bool:
    """Whether a word stands in a text as a whole word; by hand, since each word would be a regex of its own."""
    size, width = len(text), len(word)
    at = text.find(word)
    while at >= 0:
        end = at + width
        if (at == 0 or not _in_word(text[at - 1])) and (end == size or not _in_word(text[end])):
            return True
        at = text.find(word, at + 1)
    return False


def _in_word(character: str) -> bool:
    return character == "_" or character.isalnum()


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
        return any(holds_word(text, word) for text in self.texts)

    def has_one(self, parts: frozenset[str]) -> bool:
        """Whether one of some lower-case texts stands in one of the texts, in whatever case."""
        known = self._parts.get(parts)
        if known is None:
            if self._lower is None:
                # What an alias stands for may be asked for, too.
                stood_for = (word for word, names in self._aliases.items() if any(map(self._holds, names)))
                self._lower = [*(text.lower() for text in self.texts), *(word.lower() for word in stood_for)]
            known = self._parts[parts] = any(part in text for text in self._lower for part in parts)
        return known
