"""Headers of functions, and calls, as they fit each other: parameters, how a method is reached, arguments."""

import ast

from auditor.structure.dotted import dotted
from auditor.structure.shape import Arguments, Reached, Signature

# Decorators that leave the signature as it is written, and how the method is then reached.
_PLAIN: dict[str, Reached | None] = {
    "staticmethod": "static",
    "classmethod": "class",
    "abstractmethod": None,
    "override": None,
    "final": None,
    "no_grad": None,
    "inference_mode": None,
    "cache": None,
    "lru_cache": None,
}
_PROPERTIES = frozenset({"property", "cached_property"})


def signature(arguments: ast.arguments) -> Signature:
    """The parameters of a function as they are written."""
    plain = [*arguments.posonlyargs, *arguments.args]
    needed = tuple(
        each.arg for each, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if default is None
    )
    return Signature(
        tuple(each.arg for each in plain),
        len(arguments.posonlyargs),
        len(plain) - len(arguments.defaults),
        arguments.vararg is not None,
        tuple(each.arg for each in arguments.kwonlyargs),
        needed,
        arguments.kwarg is not None,
    )


def reached(node: ast.FunctionDef | ast.AsyncFunctionDef, *, in_class: bool) -> Reached:
    """How a function is reached through its decorators."""
    how: Reached = "method" if in_class else "function"
    for decorator in node.decorator_list:
        name = dotted(decorator.func if isinstance(decorator, ast.Call) else decorator)
        last = name[-1] if name else ""
        if last in _PROPERTIES:
            return "property"
        if last not in _PLAIN:
            return "unknown"
        how = _PLAIN[last] or how
    return how


def given_in(call: ast.Call) -> Arguments:
    """The arguments of a call; `...` among them says that some are left out."""
    positional = 0
    starred = elided = spread = False
    for each in call.args:
        if isinstance(each, ast.Starred):
            starred = True
        elif isinstance(each, ast.Constant) and each.value is ...:
            elided = True
        else:
            positional += 1
    named: list[str] = []
    for keyword in call.keywords:
        if keyword.arg is None:
            spread = True
        else:
            named.append(keyword.arg)
    return Arguments(positional, tuple(named), elided or starred, elided or spread)
