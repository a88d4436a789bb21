"""The blocks of statements that a statement holds."""

import ast
from collections.abc import Iterator


def bodies_of(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    """Each block of a compound statement itself and of its clauses, but none of the statements that stand in these."""
    for name in ("body", "orelse", "finalbody"):
        body = getattr(node, name, None)
        if body:
            yield body
    for name in ("handlers", "cases"):
        for clause in getattr(node, name, ()):
            yield clause.body
