"""Which valid texts libcst may not be able to read, told without loading it: they are few, and only they are tried.

The forms were found by reading CPython's `Lib/test` and 6,000 pairs of a keyword and its neighbour with libcst 1.9.
"""

import ast
import operator
import re
from collections.abc import Iterator
from itertools import accumulate, count
from keyword import kwlist

from auditor.compiling.nesting import depth_of, may_be_deep
from auditor.matching.guard import MAX_CHARACTERS, MAX_LINES, refused
from auditor.structure.bodies import bodies_of
from auditor.structure.reading import Reading, read

# Far fewer brackets in each other than `guard` and the reader of trees refuse.
_MANY_BRACKETS = 50
# Fewer levels of a tree than the reader of trees refuses.
_MANY_LEVELS = 90
# Strings side by side; libcst's parser stacks up no more than 3,000 of them.
_MANY_STRINGS = 1000

_WORD = re.compile(r"\w+\Z")
_LONGEST_KEYWORD = max(map(len, kwlist))
_NO_BRACKETS = bytes(code for code in range(256) if chr(code) not in "()[]{}")
_STEPS = bytes(2 if chr(code) in "([{" else 0 for code in range(256))
# `case {1:{1:…` and `del ((f()))`, on which `guard` is stricter.
_DOUBLING = tuple(re.compile(rf"{word}(?<!\w{word})\b") for word in ("case", "del"))
_DOUBLED = re.compile(r"[(\[{\\]")
# `return.5`: libcst asks for a blank between a keyword and what it does not take for a sign.
_NUMBER = re.compile(r"\.\d")
# `else(lambda: 0)`: libcst fails on the parentheses of a lambda right behind a keyword; how far back it may stand.
_BEFORE_LAMBDA = " \t\f\r\n\\("
_FAR = 300
# `await f()or x` and `await(x)or y`: libcst asks for blanks between an `await` and a keyword behind it.
_GLUED_KEYWORD = re.compile(r"[)\]}\"'\d.](?:or|and|if|else|in|is|not|for|async|as)\b")
# A block that begins with nothing but the sign that a line goes on.
_CARRIED = re.compile(r":[ \t]*\r?\n[ \t\f]*\\\r?\n")
# `(x): int`, and `class A(B, key=C, *D)`: where they may stand; the tree tells whether they do.
_OPENED = re.compile(r"[\n;:][ \t\f]*\(")
_BRACKET = re.compile(r"[()\[\]{}\"'#]")
_ANNOTATED = re.compile(r"[ \t\f\\\r\n]*:(?!=)")
_CLASS = re.compile(r"class(?<!\wclass)\b")
_MOST_LINES = 60
_SIDE_BY_SIDE = re.compile(r"[\"'][\s\\]*[A-Za-z]{0,2}[\"']")


def may_be_unreadable(code: str) -> bool:
    """Whether libcst perhaps cannot read a text that compiles, or is not allowed to; an over-estimate."""
    if len(code) > MAX_CHARACTERS or code.count("\n") > MAX_LINES:
        return True
    if _lambda_follows_keyword(code) or _follows_keyword(_NUMBER, code):
        return True
    if ("await" in code and _GLUED_KEYWORD.search(code)) or ("\\" in code and _CARRIED.search(code)):
        return True
    if _doubles(code) and refused(code) is not None:
        return True
    if (may_be_deep(code) and (refused(code) is not None or _is_deep(code))) or _nests(code):
        return True
    if code.count('"') + code.count("'") > 2 * _MANY_STRINGS and len(_SIDE_BY_SIDE.findall(code)) > _MANY_STRINGS:
        return True
    if _annotates_in_brackets(f"\n{code}") or _stars_behind_keyword(code):
        reading = read(code)
        return reading is not None and any(_is_unreadable(node, reading) for node in _statements(reading.tree))
    return False


def _follows_keyword(form: re.Pattern[str], code: str) -> bool:
    """Whether a keyword stands right before what a pattern finds."""
    return any(_ends_in_keyword(code, found.start()) for found in form.finditer(code, 1))


def _ends_in_keyword(code: str, at: int) -> bool:
    if at == 0 or not code[at - 1].isalpha():
        return False
    word = _WORD.search(code, max(at - _LONGEST_KEYWORD - 1, 0), at)
    return word is not None and word[0] in kwlist


def _lambda_follows_keyword(code: str) -> bool:
    at = code.find("lambda")
    while at >= 0:
        if _opens_behind_keyword(code[max(at - _FAR, 0) : at]):
            return True
        at = code.find("lambda", at + 1)
    return False


def _opens_behind_keyword(before: str) -> bool:
    """Whether a text ends in a keyword and brackets behind it; comments may end the lines between them."""
    ends = [len(before)]
    while ends:
        end = ends.pop()
        bare = before[:end].rstrip(_BEFORE_LAMBDA)
        if "(" in before[len(bare) :] and _ends_in_keyword(bare, len(bare)):
            return True
        if "\n" in before[len(bare) : end]:
            ends.extend(at for at in range(bare.rfind("\n") + 1, len(bare)) if before[at] == "#")
    return False


def _doubles(code: str) -> bool:
    """Whether a bracket stands behind one of the words in its line."""
    for word in _DOUBLING:
        found = word.search(code)
        while found is not None:
            end = code.find("\n", found.end())
            end = len(code) if end < 0 else end
            if _DOUBLED.search(code, found.end(), end):
                return True
            found = word.search(code, end)
    return False


def _annotates_in_brackets(code: str) -> bool:
    """Whether a line begins with brackets that a colon stands behind; an over-estimate where a text stands in them."""
    for opened in _OPENED.finditer(code):
        depth = 0
        for found in _BRACKET.finditer(code, opened.end() - 1):
            mark = found[0]
            if mark in "\"'#":
                return True
            depth += 1 if mark in "([{" else -1
            if depth == 0:
                if _ANNOTATED.match(code, found.end()):
                    return True
                break
        else:
            return True
    return False


def _stars_behind_keyword(code: str) -> bool:
    """Whether the header of a class may hold a keyword and a star, looked for in the lines that its brackets take."""
    for found in _CLASS.finditer(code):
        start = at = found.end()
        depth = 0
        for _ in range(_MOST_LINES):
            end = code.find("\n", at)
            end = len(code) if end < 0 else end
            line = code[at:end]
            depth += sum(map(line.count, "([{")) - sum(map(line.count, ")]}"))
            at = end + 1
            if (depth <= 0 and not line.endswith(("\\", "\\\r"))) or at > len(code):
                break
        header = code[start:end]
        if "*" in header and "=" in header:
            return True
    return False


def _nests(code: str) -> bool:
    if sum(map(code.count, "([{")) < _MANY_BRACKETS:
        return False
    # An opener counts two and a closer nothing; what stands there less the number of brackets is the depth.
    brackets = code.encode("utf-8", "replace").translate(_STEPS, _NO_BRACKETS)
    deepest: int = max(map(operator.sub, accumulate(brackets), count(1)))
    return deepest >= _MANY_BRACKETS


def _is_deep(code: str) -> bool:
    """Whether the tree is; what stands side by side in it, libcst reads as long as `guard` lets it pass."""
    reading = read(code)
    if reading is None or depth_of(reading.tree) > _MANY_LEVELS:
        return True
    imports = (node for node in _statements(reading.tree) if isinstance(node, ast.Import | ast.ImportFrom))
    return any(alias.name.count(".") > _MANY_LEVELS for node in imports for alias in node.names)


def _statements(tree: ast.Module) -> Iterator[ast.stmt]:
    """All statements of a tree, without recursion."""
    bodies: list[list[ast.stmt]] = [tree.body]
    while bodies:
        for statement in bodies.pop():
            yield statement
            bodies.extend(bodies_of(statement))


def _is_unreadable(node: ast.stmt, reading: Reading) -> bool:
    if isinstance(node, ast.AnnAssign):
        return reading.start(node) != reading.start(node.target)
    if isinstance(node, ast.ClassDef) and node.keywords:
        keyword = min(reading.start(one) for one in node.keywords)
        return any(isinstance(base, ast.Starred) and reading.start(base) > keyword for base in node.bases)
    return False
