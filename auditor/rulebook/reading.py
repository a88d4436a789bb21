"""Values of the schema out of a document's items; a wrong one is noted with its place, and reading goes on."""

from collections.abc import Iterable, Mapping
from typing import NoReturn

from auditor.rulebook.document import Entry, Item
from auditor.rulebook.problems import Mistake, Problems

_TRUE = frozenset({"true", "yes", "on"})
_FALSE = frozenset({"false", "no", "off"})


class Reader:
    """Reads typed values."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems

    def fail(self, item: Item | Entry, key: str, message: str) -> NoReturn:
        """Note a mistake and give the rule up."""
        self.problems.say(item.line, item.column, key, message)
        raise Mistake(message)

    def entries(self, item: Item, key: str) -> Mapping[str, Entry]:
        """A mapping."""
        if item.entries is None:
            self.fail(item, key, "is no mapping")
        return item.entries

    def items(self, item: Item, key: str) -> list[Item]:
        """A list."""
        if item.items is None:
            self.fail(item, key, "is no list")
        return item.items

    def text(self, item: Item, key: str) -> str:
        """A text that is not empty."""
        if item.text is None:
            self.fail(item, key, "is no text")
        if item.empty or not item.text.strip():
            self.fail(item, key, "is empty")
        return item.text

    def any_text(self, item: Item, key: str) -> str:
        """A text that may be empty."""
        if item.text is None:
            self.fail(item, key, "is no text")
        return "" if item.empty else item.text

    def texts(self, item: Item, key: str) -> tuple[str, ...]:
        """One text or a list of them."""
        if item.items is None:
            return (self.text(item, key),)
        return tuple(self.text(part, key) for part in item.items)

    def truth(self, item: Item, key: str) -> bool:
        """`true` or `false`."""
        word = (item.text or "").lower()
        if word not in _TRUE | _FALSE:
            self.fail(item, key, "is neither true nor false")
        return word in _TRUE

    def number(self, item: Item, key: str) -> int:
        """A whole number of a bearable size."""
        text = item.text or ""
        if len(text) > 12 or not text.removeprefix("-").isdecimal():
            self.fail(item, key, "is no whole number")
        return int(text)

    def one_of(self, item: Item, key: str, known: Iterable[str]) -> str:
        """One of some words."""
        text = self.text(item, key)
        words = sorted(known)
        if text not in words:
            self.fail(item, key, f"is {text!r}, not one of {', '.join(words)}")
        return text

    def only(self, entries: Mapping[str, Entry], known: Iterable[str]) -> None:
        """Note every key that is not among some; reading ends if there is one."""
        names = set(known)
        wrong = [entry for entry in entries.values() if entry.key not in names]
        for entry in wrong:
            self.problems.unknown(entry.line, entry.column, entry.key, names)
        if wrong:
            raise Mistake("unknown key")
