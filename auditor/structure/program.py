"""Reads the outside of a text: what its outermost level binds, its functions and classes, and the names it asks for."""

import ast
import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from auditor.structure.builtin_names import BUILTINS
from auditor.structure.class_body import ClassBody
from auditor.structure.dataclass_fields import dataclass_signature
from auditor.structure.dotted import dotted
from auditor.structure.flat import Flat
from auditor.structure.headers import given_in, reached, signature
from auditor.structure.reading import Reading, read
from auditor.structure.shape import (
    SELF,
    Binding,
    Bound,
    ClassShape,
    FunctionShape,
    Program,
    UseShape,
)

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SCOPES = (*_FUNCTIONS, ast.Lambda)
_Function = ast.FunctionDef | ast.AsyncFunctionDef
# The most frequent nodes that bind nothing and call nothing.
_LEAVES: frozenset[type[ast.AST]] = frozenset({ast.Constant, ast.Expr, ast.keyword, ast.BinOp, ast.List, ast.Tuple})
# Those that tell of a name besides names themselves.
_TELLING: frozenset[type[ast.AST]] = frozenset({
    ast.arg, ast.alias, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler, ast.MatchAs,
    ast.MatchStar, ast.Attribute, ast.Subscript, ast.Call,
})  # fmt: skip
# What a statement of the outermost level may stand in and then not happen.
_MAYBE = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.Try, ast.TryStar, ast.Match)
_GUARDING = frozenset({ast.Try, ast.TryStar, ast.With, ast.AsyncWith})
_OWN_SCOPES = frozenset({ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp})
_GUARDS = re.compile(r"(?:^|\.)(?:raises|suppress|warns|assertRaises\w*)$")
_ASKS = frozenset({"hasattr", "getattr", "setattr", "delattr"})
# Calls that a class or an instance comes out of as it was.
_HARMLESS = frozenset({"print", "isinstance", "issubclass", "type", "repr", "str", "len", "super", "id", "help", "dir"})


def program(code: str, *, uses: bool = True) -> Program | None:
    """The outside of a text, with offsets in it; `None` where the text has no tree. Never raises.

    Without `uses` what it asks for is left out.
    """
    reading = read(code)
    return None if reading is None else _Reader(reading, uses=uses).program()


class _Reader:
    """One reading of one tree; no step of it is deeper than the tree's own lists."""

    def __init__(self, reading: Reading, *, uses: bool) -> None:
        self.reading = reading
        self.flat = Flat(reading.tree)
        self.with_uses = uses
        self.bound: list[Bound] = []
        self.functions: list[FunctionShape] = []
        self.classes: list[ClassShape] = []
        self.uses: list[UseShape] = []
        self.stored: set[str] = set()
        self.quoted: set[str] = set()
        self.handed: set[str] = set()
        self.patched: set[str] = set()
        self.guarded: set[int] = set()
        body = reading.tree.body
        self.following = {id(node): reading.start(after) for node, after in pairwise(body)}
        if body:
            self.following[id(body[-1])] = len(reading.code)

    def program(self) -> Program:
        stack: list[tuple[ast.stmt, bool]] = [(node, True) for node in reversed(self.reading.tree.body)]
        while stack:
            node, sure = stack.pop()
            if isinstance(node, _FUNCTIONS):
                self._bind(node.name, "function", node, sure=sure)
                self._function(node, node.name, "")
            elif isinstance(node, ast.ClassDef):
                self._bind(node.name, "class", node, sure=sure)
                self._class(node)
            elif hasattr(node, "body"):
                self._guard(node)
                inner = list(self._suites(node))
                certain = sure and not isinstance(node, _MAYBE)
                stack.extend((each, certain) for each in reversed(inner))
                self._module_part(_heads(node), sure=certain)
            else:
                self._simple(node, sure=sure)
        stored = self.stored
        for each in self.flat.nodes:
            kind = type(each)
            if kind is ast.Name:
                if type(each.ctx) is not ast.Load:  # type: ignore[attr-defined]  # told by its kind
                    stored.add(each.id)  # type: ignore[attr-defined]  # told by its kind
            elif kind in _TELLING:
                self._anywhere(each)
        return Program(
            tuple(self.bound),
            tuple(self.functions),
            tuple(self.classes),
            tuple(self.uses),
            frozenset(self.stored),
            frozenset(self.quoted),
            frozenset(self.handed),
            frozenset(self.patched),
        )

    def _bind(self, name: str, by: Binding, node: ast.stmt | ast.expr, target: str = "", *, sure: bool) -> None:
        self.bound.append(Bound(name, by, self.reading.start(node), target, sure))

    def _suites(self, node: ast.stmt) -> Iterator[ast.stmt]:
        """The statements inside a compound one."""
        inner = [
            each
            for name in ("body", "orelse", "finalbody")
            for each in getattr(node, name, ())
            if isinstance(each, ast.stmt)
        ]
        for clause in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
            inner.extend(clause.body)
        yield from inner

    # Statements of the outermost level

    def _simple(self, node: ast.stmt, *, sure: bool) -> None:
        if isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                if alias.name != "*":
                    self._bind(alias.asname or alias.name.partition(".")[0], "import", node, sure=sure)
            return
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets: list[ast.expr] = node.targets if isinstance(node, ast.Assign) else [node.target]
            made = ".".join(dotted(node.value.func)) if isinstance(node.value, ast.Call) else ""
            if made and node.value is not None and len(targets) == 1 and isinstance(targets[0], ast.Name):
                self._module_part([node.value], sure=sure)
                self._bind(targets[0].id, "made", node, made, sure=sure)
                return
        self._module_part([node], sure=sure)

    def _module_part(self, nodes: Iterable[ast.AST], *, sure: bool) -> None:
        """Expressions of the outermost level: what they bind besides, and what they ask for."""
        for top in nodes:
            for node in self.flat.under(top):
                kind = type(node)
                if kind is ast.Name:
                    if type(node.ctx) is not ast.Load:  # type: ignore[attr-defined]  # told by its kind
                        self._bind(node.id, "other", node, sure=sure)  # type: ignore[attr-defined, arg-type]  # so is this
                elif isinstance(node, ast.MatchAs | ast.MatchStar) and node.name:
                    self.bound.append(Bound(node.name, "other", self.reading.start(node), sure=False))
            self._ask(top, frozenset(), "", "", now=True)

    # Functions and classes

    def _function(self, node: _Function, qualname: str, owner: str) -> None:
        how = reached(node, in_class=bool(owner))
        if how in {"function", "method"} and _is_sketch(node):
            how = "unknown"
        self.functions.append(FunctionShape(qualname, signature(node.args), how, self.reading.start(node)))
        if not self.with_uses:
            return
        for outer in (*node.decorator_list, *node.args.defaults, *(each for each in node.args.kw_defaults if each)):
            self._ask(outer, frozenset(), "", "", now=True)
        plain = [*node.args.posonlyargs, *node.args.args]
        this = plain[0].arg if owner and how == "method" and plain else ""
        if not owner and plain and plain[0].arg == SELF:  # a method shown without its class
            this, owner = SELF, SELF
        stored = list(stored_in(self.flat.under(node)))
        own = frozenset(stored)
        if this and stored.count(this) > 1:  # it means something else somewhere inside
            this = ""
        for each in node.body:
            self._ask(each, own, this, owner, now=False)

    def _class(self, outermost: ast.ClassDef) -> None:
        stack = [(outermost, outermost.name)]
        while stack:
            node, qualname = stack.pop()
            body = ClassBody(node, self.flat)
            bases = tuple(
                ".".join(dotted(base.value if isinstance(base, ast.Subscript) else base)) for base in node.bases
            )
            fields = dataclass_signature(node)
            altered = fields is None and (bool(node.decorator_list) or bool(node.keywords))
            self.classes.append(
                ClassShape(
                    qualname,
                    bases,
                    frozenset(body.attributes),
                    {name: made for name, made in body.makes.items() if made},
                    body.open or self._elides(node),
                    altered,
                    self.reading.start(node),
                    fields,
                )
            )
            for part in (*node.decorator_list, *node.bases, *node.keywords):
                self._ask(part, frozenset(), "", "", now=True)
            for statement in node.body:
                if isinstance(statement, _FUNCTIONS):
                    self._function(statement, f"{qualname}.{statement.name}", qualname)
                elif isinstance(statement, ast.ClassDef):
                    stack.append((statement, f"{qualname}.{statement.name}"))
                else:
                    self._ask(statement, frozenset(body.attributes), "", "", now=True)

    def _elides(self, node: ast.ClassDef) -> bool:
        """Whether a class says that it leaves something out."""
        end = max(self.reading.end(node), self.following.get(id(node), 0))  # a comment may be the last thing in it
        return _LEFT_OUT.search(self.reading.code, self.reading.start(node), end) is not None

    # What is asked for

    def _ask(self, top: ast.AST, own: frozenset[str], this: str, owner: str, *, now: bool) -> None:
        """Note the dotted names under a node, but for those that begin with a function's own name."""
        if not self.with_uses:
            return
        called: dict[int, ast.Call] = {}
        inner: set[int] = set()
        asked: list[ast.Name | ast.Attribute] = []
        for node in self.flat.under(top):
            kind = type(node)
            if kind is ast.Name or kind is ast.Attribute:
                asked.append(node)  # type: ignore[arg-type]  # told by its kind
            elif kind is ast.Call:
                called[id(node.func)] = node  # type: ignore[attr-defined, assignment]  # told by its kind
            elif kind in _OWN_SCOPES:
                own = own.union(stored_in(self.flat.under(node)))
            elif kind in _GUARDING:
                self._guard(node)  # type: ignore[arg-type]  # told by its kind
        for node in asked:
            if id(node) in inner or (type(node) is ast.Name and id(node) not in called):
                continue
            at: ast.expr = node
            while isinstance(at, ast.Attribute):
                at = at.value
                inner.add(id(at))
            name = dotted(node)
            if not name or not isinstance(node.ctx, ast.Load) or id(node) in self.guarded:
                continue
            call = called.get(id(node))
            inside = owner if this and name[0] == this else ""
            if (call is None and len(name) == 1) or (not inside and (name[0] in own or name[0] in BUILTINS)):
                continue
            start, end = self.reading.start(node), self.reading.end(node)
            if self.reading.edits and not self.reading.is_written(start):
                continue
            given = given_in(call) if call is not None else None
            self.uses.append(UseShape(name, start, end, given, inside, now))

    def _guard(self, node: ast.stmt) -> None:
        """Mark what stands where an error is expected."""
        if isinstance(node, ast.With | ast.AsyncWith):
            calls = (item.context_expr for item in node.items if isinstance(item.context_expr, ast.Call))
            expected = any(_GUARDS.search(".".join(dotted(call.func))) for call in calls)
        else:
            expected = bool(getattr(node, "handlers", ()))
        if expected:
            self.guarded.update(id(each) for part in getattr(node, "body", ()) for each in self.flat.under(part))

    def _anywhere(self, node: ast.AST) -> None:
        """What is told of a node wherever it stands."""
        if isinstance(node, ast.arg):
            self.stored.add(node.arg)
        elif isinstance(node, ast.alias):
            self.stored.add(node.asname or node.name.partition(".")[0])
        elif isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            self.stored.add(node.name)
            for decorator in node.decorator_list:
                if isinstance(decorator, ast.Call):
                    self.patched.update(name[-1] for given in decorator.args if (name := dotted(given)))
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar):
            if node.name:
                self.stored.add(node.name)
        elif isinstance(node, ast.Attribute):
            inside = isinstance(node.value, ast.Name) and node.value.id == SELF
            if not isinstance(node.ctx, ast.Load) and not inside:
                self.quoted.add(node.attr)
        elif isinstance(node, ast.Subscript):
            key = node.slice
            through = isinstance(node.value, ast.Attribute) and node.value.attr == "__dict__"
            if through and isinstance(key, ast.Constant) and isinstance(key.value, str):
                self.quoted.add(key.value)
        elif isinstance(node, ast.Call):
            self._hand(node)

    def _hand(self, node: ast.Call) -> None:
        name = dotted(node.func)
        if name and name[-1] in _ASKS:
            for given in node.args[1:2]:
                if isinstance(given, ast.Constant) and isinstance(given.value, str):
                    self.quoted.add(given.value)
            if name[-1] != "setattr":
                return
        if name and len(name) == 1 and name[0] in _HARMLESS:
            return
        for given in (*node.args, *(each.value for each in node.keywords)):
            if isinstance(given, ast.Name):
                self.handed.add(given.id)


def _is_sketch(node: _Function) -> bool:
    """Whether a function only stands for one: no parameter but perhaps the instance, and dots for its body."""
    arguments = node.args
    plain = [*arguments.posonlyargs, *arguments.args]
    if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or [each.arg for each in plain] not in ([], [SELF]):
        return False
    constants = [
        each.value.value for each in node.body if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant)
    ]
    return len(constants) == len(node.body) and ... in constants


def _heads(node: ast.stmt) -> Iterator[ast.AST]:
    """The parts of a compound statement that are no statements: conditions, iterables, targets, patterns."""
    for name in ("test", "iter", "target", "subject"):
        part = getattr(node, name, None)
        if part is not None:
            yield part
    yield from getattr(node, "items", ())
    for handler in getattr(node, "handlers", ()):
        if handler.type is not None:
            yield handler.type
    for case in getattr(node, "cases", ()):
        yield case.pattern
        if case.guard is not None:
            yield case.guard


def stored_in(nodes: list[ast.AST]) -> Iterator[str]:
    """The names bound anywhere under the first of some nodes, those of its parameters and of functions in it."""
    for each in nodes:
        kind = type(each)
        if kind is ast.Name:
            if type(each.ctx) is not ast.Load:  # type: ignore[attr-defined]  # told by its kind
                yield each.id  # type: ignore[attr-defined]  # told by its kind
        elif kind in _LEAVES:
            continue
        elif isinstance(each, ast.arg):
            yield each.arg
        elif isinstance(each, ast.alias):
            yield each.asname or each.name.partition(".")[0]
        elif isinstance(each, (*_FUNCTIONS, ast.ClassDef)):
            if each is not nodes[0]:
                yield each.name
        elif isinstance(each, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and each.name:
            yield each.name


_LEFT_OUT = re.compile(r"^[ \t]*(?:#[ \t]*)?(?:\.\.\.|…|···|pass[ \t]*#)", re.MULTILINE)
