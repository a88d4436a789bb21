"""The `__init__` that the standard library's `dataclass` gives a class, as far as the class' own text tells."""

import ast

from auditor.structure.dotted import dotted
from auditor.structure.shape import Signature

_NAMES = frozenset({("dataclass",), ("dataclasses", "dataclass")})
# Keywords of the decorator that leave the parameters of `__init__` as they are.
_PLAIN_OPTIONS = frozenset({"repr", "eq", "order", "unsafe_hash", "frozen", "match_args", "slots", "weakref_slot"})


def dataclass_signature(node: ast.ClassDef) -> Signature | None:
    """The parameters of a dataclass's `__init__`, `self` among them; `None` where it is none or says more than this.

    A class with bases may inherit fields, so that it is not told.
    """
    if len(node.decorator_list) != 1 or node.bases or node.keywords:
        return None
    decorator = node.decorator_list[0]
    function = decorator.func if isinstance(decorator, ast.Call) else decorator
    if dotted(function) not in _NAMES:
        return None
    by_name = False
    for option in decorator.keywords if isinstance(decorator, ast.Call) else ():
        truth = option.value.value if isinstance(option.value, ast.Constant) else None
        if option.arg == "kw_only" and isinstance(truth, bool):
            by_name = truth
        elif option.arg not in _PLAIN_OPTIONS:
            return None
    names: list[str] = []
    needed: list[str] = []
    for statement in node.body:
        if isinstance(statement, ast.FunctionDef) and statement.name == "__init__":
            return None
        if not isinstance(statement, ast.AnnAssign) or not isinstance(statement.target, ast.Name):
            continue
        kind = _has_default(statement)
        if kind is None:
            return None
        if _is_variable_of_class(statement.annotation):
            continue
        names.append(statement.target.id)
        if not kind:
            needed.append(statement.target.id)
    if by_name:
        return Signature(("self",), 0, 1, named=tuple(names), named_required=tuple(needed))
    return Signature(("self", *names), 0, 1 + len(needed))


def _has_default(statement: ast.AnnAssign) -> bool | None:
    """Whether a field has a default; `None` for what cannot be told (`KW_ONLY`, `field` with other options)."""
    if dotted(statement.annotation)[-1:] == ("KW_ONLY",):
        return None
    value = statement.value
    if value is None:
        return False
    if not isinstance(value, ast.Call):
        return True
    if dotted(value.func)[-1:] != ("field",):
        return True
    options = {option.arg for option in value.keywords}
    if not options <= {"default", "default_factory", "repr", "hash", "compare", "metadata"}:
        return None
    return bool(options & {"default", "default_factory"})


def _is_variable_of_class(annotation: ast.expr) -> bool:
    outer = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    return dotted(outer)[-1:] == ("ClassVar",)
