"""The attributes that a class gives itself and its instances, as far as its own text shows them."""

import ast

from auditor.structure.dotted import dotted
from auditor.structure.flat import Flat
from auditor.structure.traces import bound_by, stored_in

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
# What PyTorch's modules register by name (torch.nn.Module's own methods).
_REGISTERS = frozenset({"register_buffer", "register_parameter", "add_module", "register_module"})
_DYNAMIC = frozenset({"__getattr__", "__getattribute__"})


class ClassBody:
    """One class's body.

    `makes` maps an attribute to the dotted name it was called into being by, to nothing where it is assigned otherwise
    or more than once. `open` tells that attributes may come about unseen.
    """

    def __init__(self, node: ast.ClassDef, flat: Flat) -> None:
        self.flat = flat
        self.attributes: set[str] = set()
        self.makes: dict[str, str] = {}
        self.open = False
        self.own: set[str] = set()  # the names that the method at hand binds
        for statement in node.body:
            if isinstance(statement, _FUNCTIONS):
                self.attributes.add(statement.name)
                self.open = self.open or statement.name in _DYNAMIC
                self._method(statement)
            elif isinstance(statement, ast.ClassDef):
                self.attributes.add(statement.name)
            else:
                self._statement(statement)

    def _statement(self, statement: ast.stmt) -> None:
        for node in self.flat.under(statement):
            if isinstance(node, ast.Name):
                self.attributes.add(node.id)
            elif isinstance(node, ast.alias):
                self.attributes.add(bound_by(node))
            elif isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
                self.attributes.add(node.name)
                if isinstance(node, _FUNCTIONS):
                    self._method(node)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"vars", "locals"}:
                self.open = True

    def _method(self, method: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        plain = [*method.args.posonlyargs, *method.args.args]
        this = plain[0].arg if plain else ""
        nodes = self.flat.under(method)
        self.own = set(stored_in(node for node in nodes if isinstance(node, ast.arg | ast.Name)))
        for node in nodes:
            kind = node.__class__
            if kind is ast.Attribute:
                self._attribute(node, this)  # type: ignore[arg-type]  # told by its kind
            elif kind is ast.Call:
                self._call(node)  # type: ignore[arg-type]  # told by its kind
            elif isinstance(node, ast.Assign):
                for target in node.targets:
                    self._made(target, node.value if len(node.targets) == 1 else None, this)
            elif isinstance(node, ast.AnnAssign):
                self._made(node.target, node.value, this)

    def _made(self, target: ast.expr, value: ast.expr | None, this: str) -> None:
        if not (isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == this):
            return
        made = ""
        if isinstance(value, ast.Call):
            words = dotted(value.func)
            made = ".".join(words) if words and words[0] not in self.own else ""
        self.makes[target.attr] = made if target.attr not in self.makes else ""

    def _attribute(self, node: ast.Attribute, this: str) -> None:
        if isinstance(node.value, ast.Name) and node.value.id == this:
            if not isinstance(node.ctx, ast.Load):
                self.attributes.add(node.attr)
                self.makes.setdefault(node.attr, "")
            elif node.attr == "__dict__":
                self.open = True
        elif node.attr == "__setattr__":
            self.open = True

    def _call(self, node: ast.Call) -> None:
        function = node.func
        if isinstance(function, ast.Name):
            if function.id in {"setattr", "vars"}:
                self.open = True
        elif isinstance(function, ast.Attribute) and function.attr in _REGISTERS and node.args:
            given = node.args[0]
            if isinstance(given, ast.Constant) and isinstance(given.value, str):
                self.attributes.add(given.value)
            else:
                self.open = True
