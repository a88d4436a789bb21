"""Which valid texts libcst may not be able to read, told without loading it: they are few, and only they are tried.

The forms were found by reading CPython's `Lib/test` and 6,000 pairs of a keyword and its neighbour with libcst 1.9.
"""

import ast
import operator
import re
from collections.abc import Iterator
from itertools import accumulate, count
from keyword import kwlist

from auditor.compiling.nesting import may_be_deep
from auditor.matching.guard import MAX_CHARACTERS, MAX_LINES, refused
from auditor.structure.reading import Reading, read

# Far fewer brackets in each other than `guard` and the reader of trees refuse.
_MANY_BRACKETS = 50
# Strings side by side; libcst's parser stacks up no more than 3,000 of them.
_MANY_STRINGS = 1000

_WORD = re.compile(r"\w+\Z")
_LONGEST_KEYWORD = max(map(len, kwlist))
_NO_BRACKETS = bytes(code for code in range(256) if chr(code) not in "()[]{}")
_STEPS = bytes(2 if chr(code) in "([{" else 0 for code in range(256))
# `case {1:{1:…` and `del ((f()))`, on which `guard` is stricter.
_DOUBLING = tuple(re.compile(rf"{word}(?<!\w{word})\b[^\n]*[(\[{{\\]") for word in ("case", "del"))
# `return.5`: libcst asks for a blank between a keyword and what it does not take for a sign.
_NUMBER = re.compile(r"\.\d")
# `else(lambda: 0)`: libcst fails on the parentheses of a lambda right behind a keyword.
_LAMBDA = re.compile(r"\((?:[\s(\\]|#[^\n]*\n)*lambda\b")
# `await f()or x` and `await(x)or y`: libcst asks for blanks between an `await` and a keyword behind it.
_GLUED_KEYWORD = re.compile(r"[)\]}\"'](?:or|and|if|else|in|is|not|for|async|as)\b")
# `(x): int`, and `class A(B, key=C, *D)`: where they may stand; the tree tells whether they do.
_ANNOTATED = re.compile(r"[\n;:][ \t]*\((?:[\w.()\[\]\"', :\s\\]|#[^\n]*\n){1,1000}?\)[\s\\]*:(?!=)")
_STARRED = re.compile(
    r"class[ \t\\\n]+\w+[ \t\\\n]*(?:\[[^\]]{0,1000}\])?[ \t]*\([^:]{0,1000}?=[^:]{0,1000}?,(?:[\s\\]|#[^\n]*\n)*\*[^*]"
)
_SIDE_BY_SIDE = re.compile(r"[\"'][\s\\]*[A-Za-z]{0,2}[\"']")
_COMPOUND = (
    ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.If, ast.For, ast.AsyncFor, ast.While, ast.With,
    ast.AsyncWith, ast.Try, ast.TryStar, ast.Match,
)  # fmt: skip


def may_be_unreadable(code: str) -> bool:
    """Whether libcst perhaps cannot read a text that compiles, or is not allowed to; an over-estimate."""
    if len(code) > MAX_CHARACTERS or code.count("\n") > MAX_LINES:
        return True
    if "lambda" in code and _follows_keyword(_LAMBDA, code):
        return True
    if _follows_keyword(_NUMBER, code) or ("await" in code and _GLUED_KEYWORD.search(code)):
        return True
    if any(doubling.search(code) for doubling in _DOUBLING) and refused(code) is not None:
        return True
    if may_be_deep(code) or _nests(code):
        return True
    if code.count('"') + code.count("'") > 2 * _MANY_STRINGS and len(_SIDE_BY_SIDE.findall(code)) > _MANY_STRINGS:
        return True
    if _ANNOTATED.search(f"\n{code}") or ("class" in code and _STARRED.search(code)):
        reading = read(code)
        return reading is not None and any(_is_unreadable(node, reading) for node in _statements(reading.tree))
    return False


def _follows_keyword(form: re.Pattern[str], code: str) -> bool:
    """Whether a keyword stands right before what a pattern finds."""
    for found in form.finditer(code, 1):
        at = found.start()
        if code[at - 1].isalpha():
            word = _WORD.search(code, max(at - _LONGEST_KEYWORD - 1, 0), at)
            if word and word[0] in kwlist:
                return True
    return False


def _nests(code: str) -> bool:
    if sum(map(code.count, "([{")) < _MANY_BRACKETS:
        return False
    # An opener counts two and a closer nothing; what stands there less the number of brackets is the depth.
    brackets = code.encode("utf-8", "replace").translate(_STEPS, _NO_BRACKETS)
    deepest: int = max(map(operator.sub, accumulate(brackets), count(1)))
    return deepest >= _MANY_BRACKETS


def _statements(tree: ast.Module) -> Iterator[ast.stmt]:
    """All statements of a tree, without recursion."""
    bodies: list[list[ast.stmt]] = [tree.body]
    while bodies:
        for statement in bodies.pop():
            yield statement
            if isinstance(statement, _COMPOUND):
                bodies.extend(_bodies(statement))


def _bodies(node: ast.AST) -> Iterator[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        body = getattr(node, name, None)
        if isinstance(body, list):
            yield body
    for name in ("handlers", "cases"):
        for clause in getattr(node, name, ()):
            yield clause.body


def _is_unreadable(node: ast.stmt, reading: Reading) -> bool:
    if isinstance(node, ast.AnnAssign):
        return reading.start(node) != reading.start(node.target)
    if isinstance(node, ast.ClassDef) and node.keywords:
        keyword = min(reading.start(one) for one in node.keywords)
        return any(isinstance(base, ast.Starred) and reading.start(base) > keyword for base in node.bases)
    return False
