"""Parts of statements that are compared or shown by themselves: heads, parameters, calls."""

import ast
import re
from collections.abc import Sequence

from auditor.compiling.tokens import tokens_of
from auditor.structure.definitions import DEFINING, span_of
from auditor.structure.normal import form
from auditor.structure.reading import Reading

_BLANKS = re.compile(r"\s+")
# Characters of code that one operation shows; a ledger is no second copy of a book.
_LONG = 240
# Levels of an expression that are looked into for the call that differs.
_DEEP = 40


def text_of(side: Reading, node: ast.AST) -> str:
    """The code of a node on one line, without comments; of a compound statement its head alone."""
    if isinstance(node, ast.stmt) and hasattr(node, "body"):
        return head_text(side, node)
    if isinstance(node, ast.Pass):  # perhaps one that stands for a docstring alone
        return "pass"
    return _flat(side.code[side.start(node) : side.end(node)])  # type: ignore[arg-type]  # all of these have places


def head_text(side: Reading, node: ast.AST) -> str:
    """The code of a compound statement up to its first suite, on one line."""
    start = span_of(side, node).start if isinstance(node, DEFINING) else side.start(node)  # type: ignore[arg-type]
    body: list[ast.stmt] = node.body  # type: ignore[attr-defined]  # only compound statements come here
    return _flat(side.code[start : side.start(body[0])])


def newer_in(side: Reading, node: ast.stmt) -> list[str]:
    """What newer syntax says in a statement beyond its tree."""
    return side.newer(side.start(node), side.end(node)) if side.edits else []


def _flat(code: str) -> str:
    parts: list[str] = []
    end = 0
    for token in tokens_of(code):
        if token.kind in {"newline", "comment"}:
            continue
        parts.append(" " if parts and token.start > end else "")
        parts.append(_BLANKS.sub(" ", token.text))
        end = token.end
    text = "".join(parts)
    return text if len(text) <= _LONG else text[: _LONG - 1] + "…"


def keys_of(nodes: Sequence[ast.AST]) -> list[str]:
    """The normal form of each node."""
    return ["".join(form([node])) for node in nodes]


def is_dots(node: ast.stmt) -> bool:
    """Whether a statement is `...` alone."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and node.value.value is ...


_SUITES = frozenset({"body", "orelse", "finalbody"})


def head_of(node: ast.AST) -> list[str]:
    """The normal form of a compound statement without its suites."""
    pieces: list[str] = [type(node).__name__]
    for name in node._fields:
        value = getattr(node, name, None)
        if name in {"handlers", "cases"}:
            pieces.append(f"{len(value or ())}")
            for clause in value or ():
                pieces.extend(head_of(clause))
        elif name not in _SUITES and isinstance(value, ast.AST):
            pieces.extend(form([value]))
        elif name not in _SUITES and isinstance(value, list):
            pieces.extend(form(value))
        elif isinstance(value, str) and name == "name":
            pieces.append(value)
    return pieces


def parameters_of(arguments: ast.arguments) -> list[tuple[str, ast.arg, ast.expr | None]]:
    """Each parameter as it is written (stars with it), and its default."""
    plain = [*arguments.posonlyargs, *arguments.args]
    defaults: list[ast.expr | None] = [None] * (len(plain) - len(arguments.defaults))
    found: list[tuple[str, ast.arg, ast.expr | None]] = [
        (each.arg, each, default) for each, default in zip(plain, [*defaults, *arguments.defaults], strict=True)
    ]
    if arguments.vararg:
        found.append((f"*{arguments.vararg.arg}", arguments.vararg, None))
    found.extend(
        (each.arg, each, default) for each, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    )
    if arguments.kwarg:
        found.append((f"**{arguments.kwarg.arg}", arguments.kwarg, None))
    return found


def differing_calls(before: ast.AST, after: ast.AST) -> tuple[ast.Call, ast.Call] | None:
    """The innermost pair of calls of one function in which everything that differs between two trees lies."""
    found: tuple[ast.Call, ast.Call] | None = None
    for _ in range(_DEEP):
        if type(before) is not type(after):
            break
        if isinstance(before, ast.Call) and isinstance(after, ast.Call) and form([before.func]) == form([after.func]):
            found = before, after
        left, right = list(ast.iter_child_nodes(before)), list(ast.iter_child_nodes(after))
        if len(left) != len(right):
            break
        different = [pair for pair in zip(left, right, strict=True) if form([pair[0]]) != form([pair[1]])]
        if len(different) != 1:
            break
        before, after = different[0]
    return found
