"""Edits of a text: applied, kept apart, and what they move."""

import ast
from collections.abc import Iterable

from auditor.compiling.compiler import Failure, parse
from auditor.model import Edit, Finding, apply_edits


def shifted(offset: int, edits: Iterable[Edit]) -> int:
    """Where a block's first offset is after edits that lie before it or in it."""
    return offset + sum(
        len(edit.replacement) - (edit.end - edit.start) for edit in edits if edit.start < offset and edit.end <= offset
    )


def apply(text: str, edits: Iterable[Edit]) -> str:
    """The text after disjoint edits, in any order."""
    return apply_edits(text, sorted(edits, key=lambda edit: (edit.start, edit.end)))


def edits_of(findings: Iterable[Finding]) -> list[Edit]:
    """The edits of all fixes."""
    return [edit for finding in findings for edit in finding.fix or ()]


def disjoint(findings: Iterable[Finding]) -> list[Finding]:
    """Findings whose fixes do not touch one another, the widest first where they do, by position."""
    kept: list[tuple[int, int, Finding]] = []
    ranged = [
        (min(edit.start for edit in finding.fix), max(edit.end for edit in finding.fix), finding)
        for finding in findings
        if finding.fix
    ]
    for start, end, finding in sorted(ranged, key=lambda item: (item[0] - item[1], item[0])):
        if all(end < other or start > last for other, last, _ in kept):
            kept.append((start, end, finding))
    return [finding for _, _, finding in sorted(kept, key=lambda item: item[:2])]


def stands_alone(edit: Edit) -> bool:
    """Whether a replacement is one expression, which parentheses do not change: no list of arguments, no statement."""
    try:
        body = ast.parse(edit.replacement.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return not isinstance(body, ast.Tuple | ast.Starred)


def tree_of(code: str) -> str | None:
    """The tree of a code as text; `None` where it has none."""
    tree = parse(code)
    return None if isinstance(tree, Failure) else ast.dump(tree)
