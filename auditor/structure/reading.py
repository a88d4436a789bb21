"""A text as a tree of the oldest host's kind, on every host, and the way from the tree's places back to the text.

Syntax newer than 3.11 is rewritten before the text is parsed (`auditor.compiling.newer`), so that trees, and what is
told from them, do not depend on the interpreter. What the rewriting left out of the tree is kept beside it.
"""

import ast
import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from auditor.compiling.compiler import Failure, parse_silently
from auditor.compiling.versions import minimum_python, order
from auditor.model import Edit, apply_edits

# What every supported host can parse by itself.
_OLDEST_HOST = (3, 11)
_LINE_END = re.compile(r"\r\n|\n|\r")
# The nodes that have a place.
Placed = ast.expr | ast.stmt | ast.excepthandler | ast.pattern | ast.arg | ast.keyword | ast.alias


@dataclass(frozen=True, slots=True)
class TypeParameters:
    """The type parameters of a definition or a `type` statement: names, and (offset, text) of bounds and defaults."""

    names: tuple[str, ...]
    expressions: tuple[tuple[int, str], ...]


class Reading:
    """A text that has a tree. `text` is what was parsed, `edits` lead to it from `code`."""

    __slots__ = ("_ascii", "_edit_starts", "_line_starts", "code", "edits", "text", "tree", "type_parameters")

    def __init__(self, code: str, text: str, tree: ast.Module, edits: tuple[Edit, ...]) -> None:
        self.code = code
        self.text = text
        self.tree = tree
        self.edits = edits
        self.type_parameters = _type_parameters(code) if edits else {}
        self._ascii = text.isascii()
        if "\r" in text:
            self._line_starts = [0, *(found.end() for found in _LINE_END.finditer(text))]
        else:
            self._line_starts = list(accumulate((len(line) + 1 for line in text.split("\n")), initial=0))
        self._edit_starts: list[int] = []
        shift = 0
        for edit in edits:
            self._edit_starts.append(edit.start + shift)
            shift += len(edit.replacement) - (edit.end - edit.start)

    def offset(self, line: int, column: int) -> int:
        """The offset in the code of a place in the tree: the line counted from 1, the column in UTF-8 bytes."""
        start = self._line_starts[line - 1]
        if not self._ascii:
            end = self._line_starts[line] if line < len(self._line_starts) else len(self.text)
            text = self.text[start:end]
            if not text.isascii():
                column = len(text.encode("utf-8", "surrogatepass")[:column].decode("utf-8", "surrogatepass"))
        offset = start + column
        if not self.edits:
            return offset
        index = bisect_right(self._edit_starts, offset) - 1
        if index < 0:
            return offset
        edit = self.edits[index]
        inside = offset - self._edit_starts[index]
        if inside < len(edit.replacement):
            return min(edit.start + inside, edit.end)
        return edit.end + inside - len(edit.replacement)

    def start(self, node: Placed) -> int:
        """Where a node begins in the code."""
        return self.offset(node.lineno, node.col_offset)

    def end(self, node: Placed) -> int:
        """Where a node ends in the code."""
        return self.offset(node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)

    def is_written(self, offset: int) -> bool:
        """Whether what stands at an offset of the code is its own and not a stand-in for newer syntax."""
        at = bisect_left(self.edits, offset, key=_edit_start)
        return not (
            at < len(self.edits) and self.edits[at].start == offset and self.edits[at].replacement[:1] in {"f", "0"}
        )

    def newer(self, start: int, end: int) -> list[str]:
        """What newer syntax says between two offsets beyond what the tree tells."""
        parts = []
        for index in range(bisect_left(self.edits, start, key=_edit_start), len(self.edits)):
            edit = self.edits[index]
            if edit.start >= end:
                break
            said = self.code[edit.start : edit.end]
            if edit.replacement in {"(", ")", "0  ;"} and said.strip() in {"", "type"}:
                continue
            parameters = said[:1] == "[" and edit.replacement[:1] in {" ", "\\"}
            from auditor.compiling.tokens import tokens_of  # noqa: PLC0415 - few texts hold newer syntax

            parts.append(" ".join(token.text for token in tokens_of(said)) if parameters else said)
        return parts


def _edit_start(edit: Edit) -> int:
    return edit.start


def _type_parameters(code: str) -> Mapping[int, TypeParameters]:
    """Type parameters by the offset of the name before them."""
    from auditor.compiling.syntax import uses_of  # noqa: PLC0415 - few texts hold newer syntax
    from auditor.compiling.tokens import Tokens  # noqa: PLC0415 - as above

    tokens = Tokens(code)
    found: dict[int, TypeParameters] = {}
    for use in uses_of(tokens):
        if use.feature != "type-parameters":
            continue
        names: list[str] = []
        expressions: list[tuple[int, str]] = []
        begin: int | None = None
        fresh = True
        closer = use.last - 1
        for index in [*tokens.children(use.first + 1, closer), closer]:
            token = tokens.all[index]
            if fresh and token.kind == "name":
                names.append(token.text)
                fresh = False
            elif token.text in {",", ":", "="} or index == closer:
                if begin is not None:
                    expressions.append((begin, code[begin : token.start]))
                begin = token.end if token.text in {":", "="} else None
                fresh = token.text == ","
        found[tokens.all[use.first - 1].start] = TypeParameters(tuple(names), tuple(expressions))
    return found


@lru_cache(maxsize=4)
def read(code: str) -> Reading | None:
    """The text with its tree, or `None` where no supported Python gives it one. Never raises."""
    needed = minimum_python(code)
    edits: tuple[Edit, ...] = ()
    text = code
    if needed is not None and order(needed.version) > _OLDEST_HOST:
        from auditor.compiling.newer import newer_edits  # noqa: PLC0415 - few texts hold newer syntax

        edits = newer_edits(code)
        text = apply_edits(code, edits)
    tree = parse_silently(text)
    return None if isinstance(tree, Failure) else Reading(code, text, tree, edits)
