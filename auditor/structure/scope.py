"""What is told of a text's names, and the scopes in which they are looked up."""

import ast
from collections.abc import Iterable, Mapping

from auditor.model import Use
from auditor.structure.reading import Reading

# What every module, class body and method has without binding it.
IMPLICIT = frozenset({
    "__name__", "__file__", "__doc__", "__package__", "__spec__", "__loader__", "__path__", "__builtins__",
    "__annotations__", "__dict__", "__debug__", "__class__", "__module__", "__qualname__",
})  # fmt: skip

_RANK: Mapping[Use, int] = {"now": 0, "later": 1, "annotation": 2}


# A load's place: the node, and for code inside type parameters the text it was read from and that text's offset.
Where = tuple[ast.expr, Reading | None, int]


class Scope:
    """Names bound in one scope, and for a function those it loads."""

    __slots__ = ("bound", "globals", "kind", "later", "loads", "nonlocals", "parent")

    def __init__(self, kind: str, parent: "Scope | None", bound: Iterable[str] = (), *, later: bool = False) -> None:
        self.kind = kind
        self.parent = parent
        self.bound = set(bound)
        self.globals: set[str] = set()
        self.nonlocals: set[str] = set()
        self.loads: dict[str, tuple[Use, Where]] = {}
        self.later: bool = later or (parent is not None and parent.later)


def keep(loads: dict[str, tuple[Use, Where]], name: str, use: Use, where: Where) -> None:
    """Remember the use that needs a name most; of equals the first."""
    known = loads.get(name)
    if known is None or _RANK[use] < _RANK[known[0]]:
        loads[name] = (use, where)


def parameters(arguments: ast.arguments) -> list[ast.arg]:
    """All parameters, those after a star last."""
    extra = [parameter for parameter in (arguments.vararg, arguments.kwarg) if parameter is not None]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *extra]
