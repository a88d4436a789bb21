"""YAML as rules need it, over PyYAML's events: every scalar is text, every value knows its line, nothing can explode.

No tags, no duplicate keys, aliases bounded by what they expand to, depth and size capped. What a scalar means is for
the schema to say: `no`, `3.10` and `012` are text.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import yaml

from auditor.rulebook.bounds import MOST_BYTES, USUAL, Bounds

if TYPE_CHECKING:
    from collections.abc import Iterator


class DocumentError(ValueError):
    """A document that is not read; `line` and `column` are 1-based."""

    def __init__(self, message: str, line: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


@dataclass(slots=True)
class Item:
    """A value: a text, a list or a mapping; `line` and `column` (1-based) are where it begins.

    `block_line` of a text in block style (`|`, `>`) is the line of its first line, else that of the value. `size`
    counts the values in it.
    """

    line: int
    column: int
    text: str | None = None
    plain: bool = False
    block_line: int = 0
    items: "list[Item] | None" = None
    entries: "dict[str, Entry] | None" = None
    size: int = 1
    done: bool = False

    @property
    def empty(self) -> bool:
        """Whether nothing stands there (`key:` alone, or `~`)."""
        return self.text is not None and self.plain and self.text in {"", "~", "null"}


@dataclass(slots=True)
class Entry:
    """One key of a mapping, where it stands, and its value."""

    key: str
    line: int
    column: int
    value: Item


@dataclass(slots=True)
class _Open:
    item: Item
    key: "tuple[str, int, int] | None" = None
    waiting: bool = field(default=True)


def read(text: str, bounds: Bounds = USUAL) -> Item:
    """The document in a text; raises `DocumentError`, and nothing else, on any text."""
    if len(text) > MOST_BYTES:
        raise DocumentError("larger than the limit")
    try:
        return _build(text, bounds)
    except DocumentError:
        raise
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise DocumentError(
            f"no YAML: {error.problem or error.context}", mark.line + 1 if mark else 1, mark.column + 1 if mark else 1
        ) from None
    except yaml.YAMLError as error:
        at = getattr(error, "position", None)  # of a character that YAML does not have
        before = text[:at] if isinstance(at, int) else ""
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        raise DocumentError(f"no YAML: {' '.join(str(error).split())}", line, column) from None
    except (ValueError, LookupError, AttributeError, TypeError, RecursionError) as error:
        raise DocumentError(f"no YAML ({type(error).__name__})") from None


def _events(text: str) -> "Iterator[yaml.Event]":
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    events: Iterator[yaml.Event] = yaml.parse(text, Loader=loader)
    return events


def _build(text: str, bounds: Bounds) -> Item:
    root: Item | None = None
    anchors: dict[str, Item] = {}
    opened: list[_Open] = []
    total = 0

    def put(item: Item) -> None:
        nonlocal root
        if not opened:
            if root is not None:
                raise DocumentError("more than one document", item.line, item.column)
            root = item
            return
        top = opened[-1]
        if top.item.items is not None:
            top.item.items.append(item)
        elif top.key is None:
            if item.text is None:
                raise DocumentError("a key is no text", item.line, item.column)
            top.key = (item.text, item.line, item.column)
        elif top.item.entries is not None:
            key, line, column = top.key
            before = top.item.entries.get(key)
            if before is not None:
                raise DocumentError(f"key {key!r} stands twice: at lines {before.line} and {line}", line, column)
            top.item.entries[key] = Entry(key, line, column, item)
            top.key = None

    for event in _events(text):
        mark = event.start_mark
        line, column = (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)
        if isinstance(event, yaml.NodeEvent):
            total += 1
            tag = getattr(event, "tag", None)
            if tag not in {None, "!"}:
                raise DocumentError(f"tag {tag!r} is not read", line, column)
        if isinstance(event, yaml.AliasEvent):
            target = anchors.get(event.anchor or "")
            if target is None or not target.done:
                raise DocumentError(f"alias {event.anchor!r} stands for nothing yet", line, column)
            total += target.size
            if total > bounds.values:
                raise DocumentError("aliases expand to more than the limit", line, column)
            put(target)
            if opened:
                opened[-1].item.size += target.size
        elif isinstance(event, yaml.ScalarEvent):
            style = event.style
            item = Item(line, column, text=event.value, plain=style is None or style == "", done=True)
            item.block_line = line + 1 if style in {"|", ">"} else line
            if event.anchor:
                anchors[event.anchor] = item
            put(item)
            if opened:
                opened[-1].item.size += 1
        elif isinstance(event, (yaml.SequenceStartEvent, yaml.MappingStartEvent)):
            if len(opened) >= bounds.depth:
                raise DocumentError("nested too deeply", line, column)
            is_list = isinstance(event, yaml.SequenceStartEvent)
            item = Item(line, column, items=[] if is_list else None, entries=None if is_list else {})
            if event.anchor:
                anchors[event.anchor] = item
            put(item)
            opened.append(_Open(item))
        elif isinstance(event, (yaml.SequenceEndEvent, yaml.MappingEndEvent)):
            closed = opened.pop().item
            closed.done = True
            if opened:
                opened[-1].item.size += closed.size
        if total > bounds.values:
            raise DocumentError("larger than the limit", line, column)
    if root is None:
        return Item(1, 1, text="", plain=True, done=True)
    return root
