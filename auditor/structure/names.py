"""Which names a text binds at its outermost level and which it needs from elsewhere, by Python's own rules of scope.

One walk in the order of evaluation: what is used before it is bound is needed, even where it is bound below. Bodies of
functions are looked at last, when everything around them is bound. Done here and not by `symtable`, whose tables differ
between interpreters and hold no places.
"""

import ast
import re
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import Any, ClassVar

from auditor.model import Imported, Names, Need, Use
from auditor.structure.flat import LAST_FIRST
from auditor.structure.reading import Reading, read
from auditor.structure.scope import IMPLICIT, Scope, Where, keep, parameters

_KEYWORD = re.compile(r"(?:async[\s\\]+)?(?:def|class)[\s\\]+")


def names(code: str) -> Names | None:
    """The names of a text, with offsets in it; `None` where the text has no tree. Never raises."""
    reading = read(code)
    return None if reading is None else _Walk(reading).names()


class _Walk:
    """A walk over one tree with an explicit stack of what is still to be evaluated, the next one last.

    A scope on it says where that which comes after it is evaluated; a string is a name that is bound in its turn.
    """

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.module = Scope("module", None)
        self.binds: dict[str, None] = {}
        self.needs: dict[str, tuple[Use, Where]] = {}
        # Uses that any binding of the module satisfies, wherever it stands.
        self.open: dict[str, tuple[Use, Where]] = {}
        # Names that a function binds here by `global`; what needs them may run after it.
        self.late: set[str] = set()
        self.imports: list[Imported] = []
        self.stack: list[Any] = []
        self.bodies: deque[tuple[list[ast.AST], Scope]] = deque()
        self.source: tuple[Reading | None, int] = (None, 0)
        self.use: Use = "now"

    @cached_property
    def outermost(self) -> AbstractSet[int]:
        """The statements of the outermost level, by id."""
        return set(map(id, self.reading.tree.body))

    def names(self) -> Names:
        self._run(self.reading.tree.body, self.module)
        while self.bodies:
            nodes, scope = self.bodies.popleft()
            self._run(nodes, scope)
            self._close(scope)
        for name in self.late:
            self.needs.pop(name, None)
        for name, load in self.open.items():
            if name not in self.module.bound:
                keep(self.needs, name, *load)
        needs = [
            Need(name, self._offset(where), use) for name, (use, where) in self.needs.items() if name not in IMPLICIT
        ]
        needs.sort(key=lambda need: (need.offset, need.name))
        imports = sorted(self.imports, key=lambda imported: imported.offset)
        stars = tuple(dict.fromkeys("." * each.level + each.module for each in imports if each.name == "*"))
        return Names(tuple(self.binds), tuple(needs), tuple(imports), stars)

    def _offset(self, where: Where) -> int:
        node, reading, shift = where
        return (reading or self.reading).start(node) + shift

    def _run(self, nodes: Sequence[Any], scope: Scope) -> None:
        self._push(nodes)
        stack = self.stack
        while stack:
            node = stack.pop()
            kind = node.__class__
            if kind is ast.Name:
                if node.ctx.__class__ is ast.Load:
                    self._load(node.id, node, scope)
                else:
                    self._store(node.id, scope)
            elif kind is Scope:
                scope = node
            elif kind is str:
                self._store(node, scope)
            elif (visit := self._visits.get(kind)) is not None:
                visit(self, node, scope)
            else:
                for field in LAST_FIRST[kind]:
                    value = getattr(node, field)
                    if value.__class__ is list:
                        stack += value[::-1]
                    else:
                        stack.append(value)

    def _push(self, nodes: Sequence[Any]) -> None:
        """Put nodes, scopes and names on the stack so that the first of them comes next."""
        self.stack += nodes[::-1]

    # Names

    def _load(self, name: str, node: ast.expr, scope: Scope | None, use: Use | None = None) -> None:
        use = use or self.use
        hidden = False  # a class' names are seen by its own statements alone
        while scope is not None:
            kind = scope.kind
            if kind == "function":
                keep(scope.loads, name, use, (node, *self.source))
                return
            if kind == "module":
                where = (node, *self.source)
                if name not in scope.bound and self._is_written(where):
                    keep(self.needs if use == "now" else self.open, name, use, where)
                return
            if name in scope.globals:
                scope = self.module
                continue
            if name in scope.bound and not (hidden and kind == "class"):
                return
            hidden = hidden or kind in {"comprehension", "class"}
            scope = scope.parent

    def _is_written(self, where: Where) -> bool:
        node, reading, _ = where
        reading = reading or self.reading
        return not reading.edits or reading.is_written(reading.start(node))

    def _store(self, name: str, scope: Scope) -> None:
        if name in scope.globals:
            scope = self.module
            self.late.add(name)
        elif name in scope.nonlocals:
            return
        scope.bound.add(name)
        if scope is self.module:
            self.binds.setdefault(name)

    def _close(self, scope: Scope) -> None:
        """Find what a function's body loads and does not bind, now that all around it is bound."""
        for name, (use, where) in scope.loads.items():
            if name in scope.bound and name not in scope.globals:
                continue
            around: Scope | None = self.module if name in scope.globals else scope.parent
            while around is not None and around.kind != "module":
                if name in around.globals:
                    around = self.module
                elif around.kind != "class" and name in around.bound:
                    break
                else:
                    around = around.parent
            if around is self.module and self._is_written(where):
                keep(self.open, name, "annotation" if use == "annotation" else "later", where)

    # Statements and expressions whose fields are not in the order of evaluation, or that open a scope

    def _annotate(self, annotation: ast.expr | None, scope: Scope) -> None:
        """Look at an annotation at once; whether it is evaluated depends on the version and on a future import."""
        if annotation is None:
            return
        stack, self.stack = self.stack, []
        use, self.use = self.use, "annotation"
        self._run([annotation], scope)
        self.stack, self.use = stack, use

    def _assign(self, node: ast.Assign, scope: Scope) -> None:
        parameters = self._type_scope(self.reading.start(node), scope)
        if parameters is not scope:  # `type X[T] = …`: the value is evaluated when it is asked for
            self._annotate(node.value, parameters)
            self._push(node.targets)
        else:
            self._push([node.value, *node.targets])

    def _augmented(self, node: ast.AugAssign, scope: Scope) -> None:
        if isinstance(node.target, ast.Name):
            self._load(node.target.id, node.target, scope)
        self._push([node.value, node.target])

    def _annotated(self, node: ast.AnnAssign, scope: Scope) -> None:
        self._annotate(node.annotation, scope)
        if node.value is not None or node.simple:  # `(x): int` alone binds nothing
            self._push([node.value, node.target])

    def _for(self, node: ast.For, _scope: Scope) -> None:
        self._push([node.iter, node.target, *node.body, *node.orelse])

    def _walrus(self, node: ast.NamedExpr, scope: Scope) -> None:
        around = scope
        while around.kind == "comprehension" and around.parent is not None:
            around = around.parent
        self._push([node.value, around, node.target, scope])

    def _delete(self, node: ast.Delete, scope: Scope) -> None:
        for target in node.targets:
            if not isinstance(target, ast.Name):
                self._push([target])
                continue
            self._load(target.id, target, scope)
            if id(node) in self.outermost:  # elsewhere it may not happen
                self.module.bound.discard(target.id)
                self.binds.pop(target.id, None)
            elif scope is not self.module:
                self._store(target.id, scope)

    def _global(self, node: ast.Global, scope: Scope) -> None:
        if scope is not self.module:
            scope.globals.update(node.names)

    def _nonlocal(self, node: ast.Nonlocal, scope: Scope) -> None:
        scope.nonlocals.update(node.names)

    def _import(self, node: ast.Import, scope: Scope) -> None:
        for alias in node.names:
            bound = alias.asname or alias.name.partition(".")[0]
            self.imports.append(Imported(alias.name, None, bound, 0, self.reading.start(alias), scope.later))
            self._store(bound, scope)

    def _import_from(self, node: ast.ImportFrom, scope: Scope) -> None:
        for alias in node.names:
            bound = None if alias.name == "*" else alias.asname or alias.name
            self.imports.append(
                Imported(node.module or "", alias.name, bound, node.level, self.reading.start(alias), scope.later)
            )
            if bound is not None:
                self._store(bound, scope)

    def _handler(self, node: ast.ExceptHandler, scope: Scope) -> None:
        if node.name is not None:
            known = node.name in self.binds
            self._store(node.name, scope)
            if not known:  # it is unbound again where the handler ends
                self.binds.pop(node.name, None)
        self._push([node.type, *node.body])

    def _captured(self, node: ast.MatchAs, _scope: Scope) -> None:
        self._push([node.pattern, node.name])

    def _captured_rest(self, node: ast.MatchStar, _scope: Scope) -> None:
        self._push([node.name])

    def _captured_mapping(self, node: ast.MatchMapping, _scope: Scope) -> None:
        self._push([*node.keys, *node.patterns, node.rest])

    def _class(self, node: ast.ClassDef, scope: Scope) -> None:
        around = self._type_scope(self._name_offset(node), scope)
        own = Scope("class", around)
        self._push([
            *node.decorator_list, around, *node.bases, *node.keywords, own, *node.body, scope, node.name,
        ])  # fmt: skip

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> None:
        around = self._type_scope(self._name_offset(node), scope)
        arguments = node.args
        self._push([*node.decorator_list, *arguments.defaults, *arguments.kw_defaults, node.name])
        own_parameters = parameters(arguments)
        for parameter in own_parameters:
            self._annotate(parameter.annotation, around)
        self._annotate(node.returns, around)
        own = Scope("function", around, [parameter.arg for parameter in own_parameters], later=True)
        self.bodies.append((list(node.body), own))

    def _lambda(self, node: ast.Lambda, scope: Scope) -> None:
        self._push([*node.args.defaults, *node.args.kw_defaults])
        own = Scope("function", scope, [parameter.arg for parameter in parameters(node.args)], later=True)
        self.bodies.append(([node.body], own))

    def _comprehension(self, node: Any, scope: Scope) -> None:  # noqa: ANN401  four kinds of node, told by fields
        own = Scope("comprehension", scope)
        first, *others = node.generators
        inside: list[ast.expr] = [first.target, *first.ifs]
        for other in others:
            inside.extend([other.iter, other.target, *other.ifs])
        inside.extend([node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt])
        self._push([first.iter, own, *inside, scope])

    # Type parameters

    def _name_offset(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> int:
        """Where the name of a definition stands; looked for only where type parameters are in play."""
        if not self.reading.type_parameters:
            return -1
        keyword = _KEYWORD.match(self.reading.code, self.reading.start(node))
        return keyword.end() if keyword else -1

    def _type_scope(self, offset: int, scope: Scope) -> Scope:
        """The scope of the type parameters behind the name at an offset, or the same scope where there are none."""
        parameters = self.reading.type_parameters.get(offset)
        if parameters is None:
            return scope
        own = Scope("type", scope, parameters.names)
        for start, text in parameters.expressions:
            reading = read(f"_[{text}\n]")
            if reading is not None:
                source, self.source = self.source, (reading, start - len("_["))
                self._annotate(reading.tree.body[0].value.slice, own)  # type: ignore[attr-defined]  # it is one index
                self.source = source
        return own

    _visits: ClassVar[Mapping[type, Callable[["_Walk", Any, Scope], None]]] = {
        ast.Assign: _assign,
        ast.AugAssign: _augmented,
        ast.AnnAssign: _annotated,
        ast.For: _for,
        ast.AsyncFor: _for,
        ast.NamedExpr: _walrus,
        ast.Delete: _delete,
        ast.Global: _global,
        ast.Nonlocal: _nonlocal,
        ast.Import: _import,
        ast.ImportFrom: _import_from,
        ast.ExceptHandler: _handler,
        ast.MatchAs: _captured,
        ast.MatchStar: _captured_rest,
        ast.MatchMapping: _captured_mapping,
        ast.ClassDef: _class,
        ast.FunctionDef: _function,
        ast.AsyncFunctionDef: _function,
        ast.Lambda: _lambda,
        ast.ListComp: _comprehension,
        ast.SetComp: _comprehension,
        ast.DictComp: _comprehension,
        ast.GeneratorExp: _comprehension,
    }
