"""Reads a text along a libcst tree: offsets come from the text itself, and every token is checked where it is expected.

Blanks, comments and line ends are skipped. libcst's own code generator loses a blank here and a parenthesis there; a
text that does not hold what the tree says is refused (`Misread`) instead of placed wrongly.
"""

import re
from collections.abc import Sequence
from typing import Any

import libcst as cst

from auditor.matching.tree import Node, absent

# A libcst node; which class it is of, the table says that chose the method.
Origin = Any
# Counted, not timed: deeper texts are refused before Python's own recursion limit is near.
MAX_DEPTH = 100

_TRIVIA = re.compile(r"(?:[ \t\f\r\n]+|\\\r?\n|#[^\n]*)*")
_BLANK_START = frozenset(" \t\f\r\n\\#")


class Misread(Exception):  # noqa: N818 — it names what happened, and never leaves this package
    """The text and the tree do not agree, or the tree is deeper than is read; `str()` says which."""


class Reader:
    """Goes along a text; `pos` is the offset up to which it has been read."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.pos = 0
        self.depth = 0
        self.nodes: list[Node] = []

    def node(self, kind: str, value: str, kids: Sequence[Node], start: int, first: int, origin: Origin) -> Node:
        """A finished node from `start` up to here; `first` is the number of the first node in it."""
        made = Node(kind, value, tuple(kids), start, self.pos, first, len(self.nodes), origin)
        self.nodes.append(made)
        return made

    def skip(self) -> int:
        """Move over blanks, comments and line ends; the offset after them."""
        pos = self.pos
        if pos < len(self.code) and self.code[pos] in _BLANK_START:
            found = _TRIVIA.match(self.code, pos)
            if found:
                self.pos = found.end()
        return self.pos

    def token(self, text: str) -> int:
        """Move over a token; the offset at which it stands."""
        start = self.pos
        if not self.code.startswith(text, start):  # most stand right behind what was read
            start = self.skip()
            if not self.code.startswith(text, start):
                raise Misread("the parser's tree and the text differ")
        self.pos = start + len(text)
        return start

    def optional(self, text: str) -> bool:
        """Move over a token if it stands next; otherwise stay, so that a node does not end in blanks."""
        before = start = self.pos
        if not self.code.startswith(text, start):
            start = self.skip()
            if start == before or not self.code.startswith(text, start):
                self.pos = before
                return False
        self.pos = start + len(text)
        return True

    def opaque(self, origin: Origin) -> Node:
        """A part that no pattern looks into, as it is written."""
        start = self.skip()
        text = cst.Module([]).code_for_node(origin).strip()
        self.token(text)
        return self.node("Opaque", " ".join(text.split()), (), start, len(self.nodes), origin)

    def descend(self) -> None:
        """Count one level more; raises `Misread` past `MAX_DEPTH`."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise Misread("nested too deeply")

    def expression(self, origin: Origin) -> Node:
        """Read one expression, its parentheses included."""
        raise NotImplementedError

    def maybe(self, origin: Origin) -> Node:
        """An expression, or what stands in its place where there is none."""
        return absent() if origin is None else self.expression(origin)
