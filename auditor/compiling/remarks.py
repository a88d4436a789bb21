"""What the compiler only warns of, found in the tree and the text so that every interpreter says the same."""

import ast
import re
import warnings
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from auditor.compiling.compiler import Failure, parse
from auditor.model import Diagnosis, Span

# An escape beyond a byte, of which 3.11 does not warn; and any that CPython reads as itself, and would rather not.
_OCTAL = re.compile(r"\\[4-7][0-7][0-7]")
_MAY_BE_ESCAPE = re.compile(r"\\[^\n\\'\"abfnrtvxNuU0-7]|\\[NuU]")
_ESCAPE = re.compile(r"\\([0-7]{1,3}|.)", re.DOTALL)
_PREFIX = re.compile(r"[A-Za-z]*")
_SOUND = frozenset("\n\\'\"abfnrtvx")
_GLUED = re.compile(
    r"(?<![\w.])(?:0[xX][\da-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][-+]?\d[\d_]*)?[jJ]?)"
    r"(?=(?:and|else|for|if|in|is|not|or)\b)"
)
_CALLED_IN_VAIN = (
    ast.Tuple, ast.List, ast.ListComp, ast.Dict, ast.DictComp, ast.Set, ast.SetComp, ast.GeneratorExp, ast.JoinedStr,
)  # fmt: skip
_INDEXED_IN_VAIN = (ast.Set, ast.SetComp, ast.GeneratorExp, ast.Lambda)
_SEQUENCES = (ast.Tuple, ast.List, ast.ListComp, ast.JoinedStr)
_NO_INDEX = (*_CALLED_IN_VAIN, ast.Lambda)
_WARNED = re.compile(r"\"is(?: not)?\" with|perhaps you missed a comma|assertion is always true|invalid \w+ literal")


def remark(code: str, caught: Sequence[warnings.WarningMessage], *, newer: bool) -> tuple[Diagnosis, ...]:
    """Notes on text that compiles, in its offsets and by position.

    `caught` only says whether a look is worth it. `newer` says that the text needs a newer Python, so that a host may
    have compiled other words in its place and warned of less.
    """
    found: list[Diagnosis] = []
    messages = [str(warning.message) for warning in caught]
    if "\\" in code and (
        _OCTAL.search(code)
        or any("invalid escape" in message for message in messages)
        or (newer and _MAY_BE_ESCAPE.search(code))
    ):
        found.extend(_escapes(code))
    if any(_WARNED.search(message) for message in messages):
        tree = parse(code)
        if not isinstance(tree, Failure):
            found.extend(_in_tree(code, tree))
        if any("literal" in message and "is" not in message.split() for message in messages):
            found.extend(_glued(code))
    found.sort(key=lambda said: (said.span.start, said.kind))
    return tuple(found)


def _escapes(code: str) -> Iterator[Diagnosis]:
    """The first such escape of each literal, as CPython warns."""
    from auditor.compiling.scanner import scan  # noqa: PLC0415 - few texts have a faulty escape

    for start, end in scan(code).strings:
        prefix = _PREFIX.match(code, start, end)[0].lower()  # type: ignore[index]  # it matches nothing, too
        if "r" in prefix:
            continue
        for escape in _ESCAPE.finditer(code, start, end):
            mark = escape[1]
            if mark[0] in "01234567":
                sound = len(mark) < 3 or mark[0] in "0123"
            else:
                sound = mark in _SOUND or (mark in {"N", "u", "U"} and "b" not in prefix)
            if not sound:
                yield Diagnosis("invalid-escape", Span(*escape.span()), {"escape": escape[0]})
                break


def _glued(code: str) -> Iterator[Diagnosis]:
    from auditor.compiling.scanner import scan  # noqa: PLC0415 - as above

    for found in _GLUED.finditer(scan(code).masked):
        yield Diagnosis("glued-number", Span(*found.span()), {"number": found[0]})


def _in_tree(code: str, tree: ast.Module) -> Iterator[Diagnosis]:
    lines = Lines(code)
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            values = [node.left, *node.comparators]
            for operator, left, right in zip(node.ops, values, values[1:], strict=False):
                if isinstance(operator, ast.Is | ast.IsNot) and (_is_literal(left) or _is_literal(right)):
                    word = "is" if isinstance(operator, ast.Is) else "is not"
                    span = Span(lines.start(left), lines.end(right))
                    yield Diagnosis("is-literal", span, {"operator": word})
                    break
        elif isinstance(node, ast.Call):
            if isinstance(node.func, _CALLED_IN_VAIN) or _is_constant(node.func):
                yield _missing_comma(lines, node.func, node)
        elif isinstance(node, ast.Subscript):
            if _indexed_in_vain(node):
                yield _missing_comma(lines, node.value, node)
        elif isinstance(node, ast.Assert) and isinstance(node.test, ast.Tuple) and node.test.elts:
            yield Diagnosis("always-true-assert", Span(lines.start(node.test), lines.end(node.test)))


def _missing_comma(lines: "Lines", left: ast.expr, whole: ast.expr) -> Diagnosis:
    """It goes behind the left part, whose own closing parenthesis the tree does not hold."""
    return Diagnosis("perhaps-missing-comma", Span(lines.end(left), lines.end(whole)))


def _is_constant(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is not ...


def _is_literal(node: ast.expr) -> bool:
    """What CPython folds to a constant of which there may be many, so that `is` compares by chance."""
    if isinstance(node, ast.Constant):
        return not (node.value is None or node.value is ... or isinstance(node.value, bool))
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.operand, ast.Constant) and isinstance(node.operand.value, int | float | complex)
    return isinstance(node, ast.Tuple) and all(isinstance(item, ast.Constant) for item in node.elts)


def _indexed_in_vain(node: ast.Subscript) -> bool:
    value, index = node.value, node.slice
    if isinstance(value, _INDEXED_IN_VAIN):
        return True
    if isinstance(value, ast.Constant) and not isinstance(value.value, str | bytes):
        return value.value is not ...
    if isinstance(value, (*_SEQUENCES, ast.Constant)):
        if isinstance(index, ast.Constant):
            return not isinstance(index.value, int)
        return isinstance(index, _NO_INDEX)
    return False


class Lines:
    """Where each line of a text starts, to turn a tree's lines and UTF-8 columns into offsets."""

    def __init__(self, code: str) -> None:
        self._code = code
        self._starts = [0, *(found.end() for found in re.finditer("\n", code))]
        self._ascii = code.isascii()

    def offset(self, line: int, column: int) -> int:
        """The offset of a 1-based line and a column counted in bytes."""
        start = self._starts[min(line, len(self._starts)) - 1]
        if self._ascii:
            return min(start + column, len(self._code))
        end = self._code.find("\n", start)
        text = self._code[start : len(self._code) if end < 0 else end]
        return start + len(text.encode("utf-8", "surrogatepass")[:column].decode("utf-8", "ignore"))

    def line_of(self, offset: int) -> int:
        """The 1-based line of an offset."""
        return bisect_right(self._starts, offset)

    def start(self, node: ast.expr | ast.stmt) -> int:
        """Where the node starts."""
        return self.offset(node.lineno, node.col_offset)

    def end(self, node: ast.expr | ast.stmt) -> int:
        """Where the node ends, excluded."""
        return self.offset(node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)
