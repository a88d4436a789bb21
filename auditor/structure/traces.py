"""What a text does to names, wherever it does it: those it stores, names in strings, hands on, gives a decorator."""

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import attrgetter
from typing import Any

from auditor.structure.dotted import dotted
from auditor.structure.shape import SELF

_DEFINING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_ASKS = frozenset({"hasattr", "getattr", "setattr", "delattr"})
# Calls that a class or an instance comes out of as it was.
_HARMLESS = frozenset({"print", "isinstance", "issubclass", "type", "repr", "str", "len", "super", "id", "help", "dir"})


def bound_by(alias: ast.alias) -> str:
    """The name that one name of an import is bound to."""
    return alias.asname or alias.name.partition(".")[0]


# The nodes that bind a name, and where they hold it; the name may be missing.
_STORES: Mapping[type, Callable[[Any], str | None]] = {
    ast.Name: attrgetter("id"),
    ast.arg: attrgetter("arg"),
    ast.alias: bound_by,
    ast.MatchMapping: attrgetter("rest"),
    **dict.fromkeys((*_DEFINING, ast.ExceptHandler, ast.MatchAs, ast.MatchStar), attrgetter("name")),
}


def stored_in(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """The names that some of the nodes of a flat tree bind, those of parameters and definitions among them."""
    for node in nodes:
        stores = _STORES.get(node.__class__)
        if stores is not None:
            name = stores(node)
            if name is not None:
                yield name


class Traces:
    """The traces in a flat tree's nodes; `auditor.structure.shape.Program` says what each of them is."""

    def __init__(self, nodes: Iterable[ast.AST]) -> None:
        self.stored = set(stored_in(nodes))
        self.quoted: set[str] = set()
        self.handed: set[str] = set()
        self.patched: set[str] = set()
        for node in nodes:
            kind = node.__class__
            if kind is ast.Attribute:
                if node.ctx.__class__ is not ast.Load:  # type: ignore[attr-defined]  # told by its kind
                    self._set(node)  # type: ignore[arg-type]  # so is this
            elif kind is ast.Call:
                self._call(node)  # type: ignore[arg-type]  # told by its kind
            elif kind is ast.Subscript:
                self._subscript(node)  # type: ignore[arg-type]  # told by its kind
            elif kind in _DEFINING:
                self._define(node)  # type: ignore[arg-type]  # told by its kind

    def _define(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
        for decorator in node.decorator_list:
            if isinstance(decorator, ast.Call):
                self.patched.update(name[-1] for given in decorator.args if (name := dotted(given)))

    def _set(self, node: ast.Attribute) -> None:
        if not (isinstance(node.value, ast.Name) and node.value.id == SELF):
            self.quoted.add(node.attr)

    def _subscript(self, node: ast.Subscript) -> None:
        through = node.value
        if isinstance(through, ast.Attribute) and through.attr == "__dict__":
            self._quote(node.slice)

    def _quote(self, given: ast.expr) -> None:
        if isinstance(given, ast.Constant) and isinstance(given.value, str):
            self.quoted.add(given.value)

    def _call(self, node: ast.Call) -> None:
        function = node.func
        if isinstance(function, ast.Name):
            word = function.id
            if word in _HARMLESS:
                return
        else:
            word = function.attr if isinstance(function, ast.Attribute) else ""
        if word in _ASKS and dotted(function):
            for given in node.args[1:2]:
                self._quote(given)
            if word != "setattr":
                return
        for given in node.args:
            if given.__class__ is ast.Name:
                self.handed.add(given.id)
        for keyword in node.keywords:
            if keyword.value.__class__ is ast.Name:
                self.handed.add(keyword.value.id)
