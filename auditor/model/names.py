"""What a block holds as a program: definitions, names bound and needed."""

from dataclasses import dataclass
from typing import Literal

from auditor.model.text import Span


@dataclass(frozen=True, slots=True)
class Definition:
    """A class, function or method that a block binds: `qualname` within its module, `code` its text without its margin.

    `signature_hash` covers the header (name left out), `structure_hash` the whole without comments, formatting and
    docstring; both are hex SHA-256 of a normal form that is the same on every interpreter.
    """

    qualname: str
    kind: Literal["class", "function", "method"]
    span: Span
    code: str
    signature_hash: str
    structure_hash: str


# When running a text needs a name: at once, when a function of it is called, or for an annotation alone.
Use = Literal["now", "later", "annotation"]


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
