"""What statements bind, told from their tree and their text: rather a name too many than one too few."""

import ast
import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from keyword import kwlist

from auditor.matching.needs import words_in
from auditor.structure.reading import Reading
from auditor.structure.traces import bound_by as imported_as

Function = ast.FunctionDef | ast.AsyncFunctionDef
# What a function that holds it may do for others: bind names.
FOR_OTHERS = re.compile(r"(?<!\w)(?:import|global)(?!\w)")
_HOLDERS = (ast.stmt, ast.ExceptHandler, ast.match_case)
_KEYWORDS = frozenset(kwlist)


def bound_by(node: ast.stmt, text: str) -> AbstractSet[str]:
    """The names that a statement, which has a text, may bind or change."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        return set(map(imported_as, node.names))
    if isinstance(node, ast.ClassDef | Function) and ":=" not in text and not FOR_OTHERS.search(text):
        return {node.name}
    if isinstance(node, ast.Expr) and ":=" not in text:
        return set()
    if isinstance(node, ast.Assign) and ":=" not in text:
        return {
            each.id
            for target in node.targets
            for each in ([target] if isinstance(target, ast.Name) else ast.walk(target))
            if isinstance(each, ast.Name)
        }
    return words_in(text) - _KEYWORDS


def aliases_in(reading: Reading, earlier: Sequence[tuple[str, str | None]]) -> dict[str, set[str]]:
    """By name, the words of the dotted names that imports bind it to.

    `earlier` are the imports of earlier texts: dotted name, the name it is bound to.
    """
    found: dict[str, set[str]] = {}
    for dotted, bound in earlier:
        if bound is not None:
            found.setdefault(bound, set()).update(dotted.split("."))
    statements: list[ast.AST] = list(reading.tree.body)
    if sum(isinstance(node, ast.Import | ast.ImportFrom) for node in statements) == reading.code.count("import"):
        statements = [node for node in statements if isinstance(node, ast.Import | ast.ImportFrom)]
    while statements:
        node = statements.pop()
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            origin = (getattr(node, "module", None) or "").split(".")
            for name in node.names:
                found.setdefault(imported_as(name), set()).update(origin, name.name.split("."))
        elif isinstance(node, _HOLDERS) and not isinstance(node, ast.Expr):
            statements.extend(child for child in ast.iter_child_nodes(node) if isinstance(child, _HOLDERS))
    return found
