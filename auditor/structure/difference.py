"""How the code of a fence differs from the code of the definition that it shows: one word for it, and what was done."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import dedent
from typing import Literal

from auditor.compiling.tokens import tokens_of
from auditor.structure.changes import Change, Changes
from auditor.structure.definitions import DEFINING
from auditor.structure.normal import body_of, form, is_text
from auditor.structure.operation import Operation
from auditor.structure.reading import Reading, read
from auditor.structure.renaming import is_renaming, name_pairs

DifferenceKind = Literal[
    "identical", "comments", "formatting", "renamed", "elided", "subset", "signature", "diverged"
]  # fmt: skip

_COMMENT = re.compile(r"#[^\r\n]*")
# A comment that stands for code: `# ...`, `# … as before`, `# ······`.
_ELISION = re.compile(r"^[ \t]*#+[ \t]*(?:\.{3,}|…|·{3,})", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Difference:
    """A fence against its definition.

    `identical`: the same text, margin, line ends and blanks at line ends aside. `comments`: only comments and
    docstrings differ. `formatting`: the same tree. `renamed`: the same but for names that the code binds itself.
    `elided`: the fence marks what it leaves out, and the rest is the same. `subset`: it leaves out without a mark.
    `signature`: only headers differ. `diverged`: anything else, a text that cannot be read included.
    """

    kind: DifferenceKind
    operations: tuple[Operation, ...] = ()


def difference(fence_code: str, definition_code: str) -> Difference:
    """The difference between a fence's code and a definition's; operations lead from the definition to the fence.

    A fence that holds statements only is compared with the body of a function. Never raises.
    """
    if _plain(fence_code) == _plain(definition_code):
        return Difference("identical")
    before, after = read(dedent(definition_code)), read(dedent(fence_code))
    if before is None or after is None:
        return Difference("diverged")
    if _is_same(before, after):
        return Difference("comments" if _bare(before) == _bare(after) else "formatting")
    pairs = name_pairs(before.tree, after.tree)
    left, right, path = _sides(before, after)
    if pairs is not None and _newer(before) == _newer(after) and is_renaming(before.tree, pairs):
        operations = tuple(
            Operation("name-replaced", path, old, new) for old, new in dict.fromkeys(pairs) if old != new
        )
        return Difference("renamed", operations)
    changes = Changes(before, after)
    found = list(changes.statements(left, right, path))
    elided = changes.elided or _ELISION.search(fence_code) is not None
    return Difference(_kind(found, elided=elided), tuple(dict.fromkeys(change.operation for change in found)))


def _kind(changes: list[Change], *, elided: bool) -> DifferenceKind:
    if all(change.operation.kind == "statement-removed" for change in changes):
        return "elided" if elided else "subset" if changes else "formatting"
    return "signature" if all(change.header for change in changes) else "diverged"


def _sides(before: Reading, after: Reading) -> tuple[list[ast.stmt], list[ast.stmt], str]:
    """The statements to compare, of a body where the fence shows statements alone, and the path around them."""
    left, right = body_of(before.tree), body_of(after.tree)
    if len(left) == 1 and isinstance(left[0], DEFINING) and not any(isinstance(node, DEFINING) for node in right):
        return body_of(left[0]), right, left[0].name
    return left, right, ""


def _plain(code: str) -> list[str]:
    lines = [line.rstrip() for line in re.split(r"\r\n|\n|\r", code)]
    return dedent("\n".join(lines)).strip("\n").split("\n")


def _is_same(before: Reading, after: Reading) -> bool:
    return form([before.tree]) == form([after.tree]) and _newer(before) == _newer(after)


def _newer(reading: Reading) -> list[str]:
    return reading.newer(0, len(reading.code)) if reading.edits else []


def _bare(reading: Reading) -> list[str]:
    """The lines of a text without comments, docstrings and blank lines."""
    documents = {reading.start(node): reading.end(node) for node in _documents(reading.tree)}
    parts: list[str] = []
    end = inside = 0
    for token in tokens_of(reading.code):
        inside = max(inside, documents.get(token.start, 0))
        parts.append(_COMMENT.sub("", reading.code[end : token.start]))
        if token.start >= inside:
            parts.append(token.text)
        end = token.end
    return [line.rstrip() for line in "".join(parts).split("\n") if line.strip()]


def _documents(tree: ast.Module) -> Iterator[ast.stmt]:
    """The docstrings of a module and of all definitions in it."""
    for node in ast.walk(tree):
        if isinstance(node, (*DEFINING, ast.Module)) and node.body and is_text(node.body[0]):
            yield node.body[0]
