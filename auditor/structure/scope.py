"""What is told of a text's names, and the scopes in which they are looked up."""

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from auditor.structure.reading import Reading

# What every module, class body and method has without binding it.
IMPLICIT = frozenset({
    "__name__", "__file__", "__doc__", "__package__", "__spec__", "__loader__", "__path__", "__builtins__",
    "__annotations__", "__dict__", "__debug__", "__class__", "__module__", "__qualname__",
})  # fmt: skip

Use = Literal["now", "later", "annotation"]
_RANK: Mapping[Use, int] = {"now": 0, "later": 1, "annotation": 2}


@dataclass(frozen=True, slots=True)
class Need:
    """A name that a text uses and does not bind before; `offset` is where it is first used.

    `use` is `now` where running the text needs it at once, `later` where only a function's body does, `annotation`
    where only an annotation does.
    """

    name: str
    offset: int
    use: Use


@dataclass(frozen=True, slots=True)
class Imported:
    """One name that an import statement asks for.

    `import a.b as c`: module `a.b`, name `None`, bound `c`. `from ..a import b`: module `a`, level 2, name and bound
    `b`. `from a import *`: name `*`, nothing that is known bound. `later` says that a function's body imports it.
    """

    module: str
    name: str | None
    bound: str | None
    level: int
    offset: int
    later: bool


@dataclass(frozen=True, slots=True)
class Names:
    """What a text binds at its outermost level, in order, and what it needs; builtins are among the needs.

    `stars` are the modules that are imported whole: a need may come from one of them.
    """

    binds: tuple[str, ...]
    needs: tuple[Need, ...]
    imports: tuple[Imported, ...]
    stars: tuple[str, ...]


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


class Store:
    """The binding of a definition's name, in its turn."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


def keep(loads: dict[str, tuple[Use, Where]], name: str, use: Use, where: Where) -> None:
    """Remember the use that needs a name most; of equals the first."""
    known = loads.get(name)
    if known is None or _RANK[use] < _RANK[known[0]]:
        loads[name] = (use, where)


def parameters(arguments: ast.arguments) -> list[ast.arg]:
    """All parameters, those after a star last."""
    extra = [parameter for parameter in (arguments.vararg, arguments.kwarg) if parameter is not None]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *extra]


_NOT_CODE = frozenset({"ctx", "op", "ops", "type_params"})


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes below a node, in the order of its fields."""
    found: list[ast.AST] = []
    for name in node._fields:
        if name in _NOT_CODE:
            continue
        value = getattr(node, name, None)
        if isinstance(value, ast.AST):
            found.append(value)
        elif isinstance(value, list):
            found.extend(item for item in value if isinstance(item, ast.AST))
    return found
