"""What a text's functions, classes and uses look like from outside: how they are called, what they hold, what is asked.

Importing this loads no parser.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

# What a name of the outermost level was bound by; `made` is an assignment of a call, `other` anything not told apart.
Binding = Literal["function", "class", "import", "made", "other"]
# The class that a use is inside of where a method stands without one.
SELF = "self"
# How a function is reached: `unknown` where a decorator may have changed its signature.
Reached = Literal["function", "method", "class", "static", "property", "unknown"]


@dataclass(frozen=True, slots=True)
class Signature:
    """The parameters of a function.

    `positional` are those that a position fills, the first `only_positional` of them not by name, the first `required`
    of them without a default. `named` can be given by name alone, `named_required` must be. `rest` tells `*args`,
    `any_named` `**kwargs`.
    """

    positional: tuple[str, ...] = ()
    only_positional: int = 0
    required: int = 0
    rest: bool = False
    named: tuple[str, ...] = ()
    named_required: tuple[str, ...] = ()
    any_named: bool = False


@dataclass(frozen=True, slots=True)
class FunctionShape:
    """A function or method by its qualified name; `offset` is where its statement begins."""

    qualname: str
    signature: Signature
    reached: Reached
    offset: int


@dataclass(frozen=True, slots=True)
class ClassShape:
    """A class by its qualified name.

    `bases` are dotted names, an empty one where a base is no name. `attributes` are all that the class, its methods
    (through their first parameter) and its body give it; `makes` says of which class, as written, an attribute is an
    instance, where it is assigned once. `open` tells that it may have attributes nobody sees: `__getattr__`, `setattr`,
    an elision. `altered` tells that a decorator or a metaclass may change how it is called. `fields` is the signature
    that `dataclass` gives a class without bases.
    """

    qualname: str
    bases: tuple[str, ...]
    attributes: frozenset[str]
    makes: Mapping[str, str]
    open: bool
    altered: bool
    offset: int
    fields: Signature | None = None


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of a call: how many by position, which by name, and whether `*` or `**` bring more."""

    positional: int = 0
    named: tuple[str, ...] = ()
    starred: bool = False
    spread: bool = False


@dataclass(frozen=True, slots=True)
class UseShape:
    """A dotted name that is read, or called with `arguments`; `offset` to `end` is the name in the text.

    `inside` is the class whose method's first parameter the name begins with, `self` for a method without its class,
    else empty. `now` tells that it stands outside every function.
    """

    name: tuple[str, ...]
    offset: int
    end: int
    arguments: Arguments | None
    inside: str
    now: bool


@dataclass(frozen=True, slots=True)
class Bound:
    """One binding of a name at the outermost level.

    `target` is the class or function as written for `made`; `sure` is false where the binding may not happen.
    """

    name: str
    by: Binding
    offset: int
    target: str = ""
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Program:
    """The outside of one text. `stored` are all names that it binds anywhere, parameters and locals among them.

    `quoted` are attributes that the text names in a string (`hasattr`, `setattr`, `__dict__`) or sets from outside of a
    class; `handed` are names handed to a call, which may alter them; `patched` the last words of names handed to a
    decorator, which may give them what it decorates.
    """

    bound: tuple[Bound, ...] = ()
    functions: tuple[FunctionShape, ...] = ()
    classes: tuple[ClassShape, ...] = ()
    uses: tuple[UseShape, ...] = ()
    stored: frozenset[str] = frozenset()
    quoted: frozenset[str] = frozenset()
    handed: frozenset[str] = frozenset()
    patched: frozenset[str] = frozenset()
