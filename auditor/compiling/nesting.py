"""Depth, counted before the compiler meets it, so that no interpreter's own limit decides a verdict."""

import ast
import re
from collections.abc import Iterator
from functools import lru_cache

from auditor.compiling.options import MAX_DEPTH

# CPython reads 199 brackets in each other; finding the fault behind more than 150 overflows 3.13's parser alone.
MAX_BRACKETS = 150
BRACKETS_OF_CPYTHON = 200

# Every `finally` body is generated once more for each way out of its `try`, so nested ones double with each level.
_NESTED_FINALLY = 4
_FINALLY_WORK = 20_000_000

# Trees that stay below the limits of every host need no look: lines of which none has so many marks that can add a
# level, and fewer in a row that carry an expression on than would reach the limit with such lines.
_MARKS_IN_LINE = 100
_LINES_IN_ROW = 12
_CARRYING_START = (*"-+.*/%@&|^<>=!()[]{}", "and ", "or ", "if ", "else ", "for ", "not ", "lambda", "await ")
_CARRYING_END = (*"-+.*/%@&|^<>=~([{:\\", " and", " or", " if", " else", " in", " is", "not")
# Each of these can add a level to a tree: an operator, an attribute, a call, a keyword that takes an operand, a clause.
_LEVEL = re.compile(r"[-+~.(\[{*/%@&|^<>]|\b(?:not|lambda|await|if|else|for|and|or)\b")
_LEVEL_MARKS = (*"-+~.([{*/%@&|^<>", "not", "lambda", "await", "if", "else", "for", "and", "or")
_BRACKET = re.compile(r"[()\[\]{}]")
_FINALLY = re.compile(r"^([ \t]*)finally\b", re.MULTILINE)
_EXIT = re.compile(r"\b(?:return|break|continue)\b")
_OPENERS = frozenset("([{")


@lru_cache(maxsize=4)
def may_be_deep(code: str) -> bool:
    """Whether the text could hold a tree deeper than the limit; an over-estimate, cheap where it cannot."""
    if len(code) < MAX_DEPTH or not _has_marks(code):
        return False
    if code.count("elif") > MAX_DEPTH // 2:
        return True
    return _carries_on(code) and _longest_chain(code) > MAX_DEPTH // 2


def _has_marks(code: str) -> bool:
    """Whether half as many marks as the limit has levels stand in the text at all."""
    marks = 0
    for mark in _LEVEL_MARKS:
        marks += code.count(mark)
        if marks >= MAX_DEPTH // 2:
            return True
    return False


def _carries_on(code: str) -> bool:
    """Whether a line is full of marks, or many in a row carry an expression on; a list's items carry none."""
    in_row = 0
    item = False
    for line in code.split("\n"):
        if len(line) > _MARKS_IN_LINE and sum(map(line.count, _LEVEL_MARKS)) > _MARKS_IN_LINE:
            return True
        text = line.strip()
        if text.endswith(_CARRYING_END) or (text.startswith(_CARRYING_START) and not item):
            in_row += 1
            if in_row >= _LINES_IN_ROW:
                return True
        elif text:
            in_row = 0
        item = text.endswith(",")
    return False


def _longest_chain(code: str) -> int:
    """The most level-making marks in one statement; strings and comments count as if they were code."""
    longest = chain = depth = 0
    carried = False
    for line in code.split("\n"):
        if depth == 0 and not carried:
            chain = 0
        chain += len(_LEVEL.findall(line))
        longest = max(longest, chain)
        for mark in _BRACKET.findall(line):
            depth = depth + 1 if mark in _OPENERS else max(depth - 1, 0)
        carried = line.endswith("\\")
    return longest


def bracket_depth(code: str) -> int:
    """How deep brackets nest at most; those in strings and comments count, too."""
    deepest = depth = 0
    for mark in _BRACKET.findall(code):
        depth = depth + 1 if mark in _OPENERS else max(depth - 1, 0)
        deepest = max(deepest, depth)
    return deepest


def depth_of(tree: ast.AST) -> int:
    """The tree's depth in nodes, found without recursion."""
    deepest = 0
    level: list[ast.AST] = [tree]
    while level:
        deepest += 1
        level = [child for node in level for child in ast.iter_child_nodes(node)]
    return deepest


def finally_explodes(code: str) -> bool:
    """Whether making code for the text's `finally` bodies could take out of proportion long."""
    if "finally" not in code:
        return False
    if len({found[1] for found in _FINALLY.finditer(code)}) > _NESTED_FINALLY:
        return True
    return len(code) > 1000 and len(code) * len(_EXIT.findall(code)) > _FINALLY_WORK


def hoist_finally(tree: ast.Module) -> ast.Module:
    """The tree, changed in place, with each `finally` body moved behind its `try`, where it is generated only once.

    Scopes, loops and names stay what they were, so that the compiler judges the same program.
    """
    for node in list(ast.walk(tree)):
        for name in ("body", "orelse", "finalbody"):
            statements = getattr(node, name, None)
            if isinstance(statements, list):
                setattr(node, name, list(_hoisted(statements)))
    return tree


def _hoisted(statements: list[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in statements:
        yield statement
        if isinstance(statement, ast.Try | ast.TryStar) and statement.finalbody:
            moved = statement.finalbody
            statement.finalbody = [ast.copy_location(ast.Pass(), moved[0])]
            yield from _hoisted(moved)
