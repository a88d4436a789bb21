"""What a name may bring: numbers of words from a vocabulary that somebody else keeps."""

import hashlib
from collections.abc import Sequence

from auditor.evidence.observation import Observation

_RULE = ("external-resource",)


def number_words(words: Sequence[str], vocabulary: Sequence[str]) -> tuple[int, ...]:
    """The place of each word in the vocabulary. Raises `ValueError` for a word that is not in it."""
    return tuple(vocabulary.index(word) for word in words)


def digest(vocabulary: Sequence[str]) -> str:
    """SHA-256 of a vocabulary, one word a line."""
    return hashlib.sha256("\n".join(vocabulary).encode()).hexdigest()


def observe() -> tuple[Observation, ...]:
    """The same name on two days: one entry was added at the front."""
    monday = ("the", "wind", "is", "light", "today")
    tuesday = ("[PAD]", *monday)
    sentence = ("today", "the", "wind", "is", "light")
    before, after = number_words(sentence, monday), number_words(sentence, tuesday)
    moved = sum(old != new for old, new in zip(before, after, strict=True))
    told = digest(monday) != digest(tuesday)
    return (
        Observation(
            "moved-numbers",
            "one entry added to a vocabulary that is fetched by name: of 5 words, with another number",
            "按名字下载的词表多了一项：5 个词里编号变了的有",
            moved,
            moved == 5,
            _RULE,
        ),
        Observation(
            "digest-tells",
            "a recorded SHA-256 tells the two apart",
            "事先记下的 SHA-256 能分辨两者",
            "yes" if told else "no",
            told,
            _RULE,
        ),
    )
