"""The blocks of statements that a statement holds."""

import ast
from collections.abc import Iterator


def bodies_of(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    """Each block of a compound statement, those of its clauses included; none are those of statements in them."""
    for name in ("body", "orelse", "finalbody"):
        body = getattr(node, name, None)
        if body:
            yield body
    for name in ("handlers", "cases"):
        for clause in getattr(node, name, ()):
            yield clause.body
