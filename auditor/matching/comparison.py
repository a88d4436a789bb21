"""The small language of `metavariable-comparison`: comparisons and arithmetic on constants, read, never run."""

import ast
import operator
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from auditor.matching.regexes import compile_regex, time_limit

_METAVARIABLE = re.compile(r"\$([A-Z_][A-Z_0-9]*|[0-9]+)")
_PREFIX = "MV_"
_DEEPEST = 50
# What a constant can be; operators that do not take it raise `TypeError`, which is "cannot be worked out".
_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.BitAnd: operator.and_, ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
}  # fmt: skip
_COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge, ast.In: lambda one, many: one in many, ast.NotIn: lambda one, many: one not in many,
}  # fmt: skip


@lru_cache(maxsize=1000)
def parse_comparison(text: str) -> ast.expr:
    """The expression of a comparison; raises `SyntaxError` or `ValueError`."""
    return ast.parse(_METAVARIABLE.sub(rf"{_PREFIX}\1", text.strip()), mode="eval").body


def compare(text: str, value_of: Callable[[str], object], text_of: Callable[[str], str]) -> bool:
    """Whether a comparison is true; one that cannot be worked out is not.

    `value_of` gives a metavariable's constant value and `text_of` its text; both raise `KeyError` where there is none.
    Raises `TimeoutError` where a regex takes too long.
    """
    try:
        return bool(_Evaluation(value_of, text_of).of(parse_comparison(text)))
    except (
        KeyError, TypeError, ValueError, ArithmeticError, SyntaxError, RecursionError, AttributeError, IndexError,
        MemoryError,
    ):  # fmt: skip
        return False


class _Evaluation:
    def __init__(self, value_of: Callable[[str], object], text_of: Callable[[str], str]) -> None:
        self.value_of = value_of
        self.text_of = text_of
        self.depth = 0

    def of(self, node: ast.expr) -> object:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise ValueError("nested too deeply")
        try:
            return self._of(node)
        finally:
            self.depth -= 1

    def _of(self, node: ast.expr) -> object:
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            return self.value_of("$" + node.id[len(_PREFIX) :])
        if isinstance(node, (ast.Tuple, ast.List)):
            return [self.of(item) for item in node.elts]
        if isinstance(node, ast.UnaryOp):
            inner = self.of(node.operand)
            return not inner if isinstance(node.op, ast.Not) else -inner  # type: ignore[operator]
        if isinstance(node, ast.BinOp):
            left, right = self.of(node.left), self.of(node.right)
            if isinstance(node.op, ast.Mult | ast.Mod) and not (_is_number(left) and _is_number(right)):
                # A number of the audited code's can make a text of gigabytes of another.
                raise TypeError("not of numbers")
            return _BINARY[type(node.op)](left, right)
        if isinstance(node, ast.BoolOp):
            test = all if isinstance(node.op, ast.And) else any
            return test(bool(self.of(value)) for value in node.values)
        if isinstance(node, ast.Compare):
            left = self.of(node.left)
            for comparison, right_node in zip(node.ops, node.comparators, strict=True):
                right = self.of(right_node)
                if not _COMPARISONS[type(comparison)](left, right):
                    return False
                left = right
            return True
        if isinstance(node, ast.Call):
            return self._call(node)
        raise ValueError("not a comparison")

    def _call(self, node: ast.Call) -> object:
        name = ast.unparse(node.func)
        if name == "str" and node.args and isinstance(node.args[0], ast.Name):
            return self.text_of("$" + node.args[0].id[len(_PREFIX) :])
        arguments = [self.of(argument) for argument in node.args]
        if name == "int":
            return int(*arguments)  # type: ignore[call-overload]
        if name == "str":
            return str(arguments[0])
        if name == "len":
            return len(arguments[0])  # type: ignore[arg-type]
        if name == "re.match":
            found = compile_regex(str(arguments[0])).match(str(arguments[1]), timeout=time_limit())
            return found is not None
        raise ValueError("not a comparison")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float)
