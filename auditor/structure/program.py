"""Reads the outside of a text: what its outermost level binds, its functions and classes, and the names it asks for."""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain

from auditor.structure.bodies import bodies_of
from auditor.structure.builtin_names import BUILTINS
from auditor.structure.class_body import ClassBody
from auditor.structure.dataclass_fields import dataclass_signature
from auditor.structure.dotted import dotted
from auditor.structure.flat import OWN_SCOPES, Flat
from auditor.structure.headers import given_in, reached, signature
from auditor.structure.reading import Placed, Reading, read
from auditor.structure.shape import (
    SELF,
    Binding,
    Bound,
    ClassShape,
    FunctionShape,
    Program,
    UseShape,
)
from auditor.structure.traces import Traces, bound_by, stored_in

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_IMPORTS = frozenset({ast.Import, ast.ImportFrom})
_ASSIGNING = frozenset({ast.Assign, ast.AnnAssign})
_CAPTURING = frozenset({ast.MatchAs, ast.MatchStar, ast.MatchMapping})
# What a statement of the outermost level may stand in and then not happen.
_MAYBE = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.Try, ast.TryStar, ast.Match)
_GUARDING = frozenset({ast.Try, ast.TryStar, ast.With, ast.AsyncWith})
_GUARDS = re.compile(r"(?:^|\.)(?:raises|suppress|warns|assertRaises\w*)$")
# How a class says that it leaves something out, each beginning with one of a few words.
_LEFT_OUT = re.compile(r"^[ \t]*(?:#[ \t]*)?(?:\.\.\.|…|···|pass[ \t]*#)", re.MULTILINE)
_WORDS_LEFT_OUT = ("...", "…", "···", "pass")


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
        self.guarded: set[int] = set()

    def program(self) -> Program:
        stack: list[tuple[ast.stmt, bool]] = [(node, True) for node in reversed(self.reading.tree.body)]
        while stack:
            node, sure = stack.pop()
            kind = node.__class__
            if kind in _IMPORTS:
                self._import(node.names, self.reading.start(node), sure=sure)  # type: ignore[attr-defined]  # told by its kind
            elif kind in _ASSIGNING:
                self._assign(node, sure=sure)  # type: ignore[arg-type]  # told by its kind
            elif isinstance(node, _FUNCTIONS):
                self._bind(node.name, "function", node, sure=sure)
                self._function(node, node.name, "")
            elif isinstance(node, ast.ClassDef):
                self._bind(node.name, "class", node, sure=sure)
                self._class(node)
            elif hasattr(node, "body"):
                self._guard(node)
                certain = sure and not isinstance(node, _MAYBE)
                stack.extend((each, certain) for each in reversed([*chain.from_iterable(bodies_of(node))]))
                for head in _heads(node):
                    self._module_part(head, sure=certain)
            else:
                self._module_part(node, sure=sure)
        traces = Traces(self.flat.nodes)
        return Program(
            tuple(self.bound),
            tuple(self.functions),
            tuple(self.classes),
            tuple(self.uses),
            frozenset(traces.stored),
            frozenset(traces.quoted),
            frozenset(traces.handed),
            frozenset(traces.patched),
        )

    def _bind(self, name: str, by: Binding, node: Placed, target: str = "", *, sure: bool) -> None:
        self.bound.append(Bound(name, by, self.reading.start(node), target, sure))

    # Statements of the outermost level

    def _import(self, names: Sequence[ast.alias], offset: int, *, sure: bool) -> None:
        for alias in names:
            if alias.name != "*":
                self.bound.append(Bound(bound_by(alias), "import", offset, "", sure))

    def _assign(self, node: ast.Assign | ast.AnnAssign, *, sure: bool) -> None:
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        if isinstance(node.value, ast.Call) and isinstance(target, ast.Name):
            made = ".".join(dotted(node.value.func))
            if made and not (isinstance(node, ast.Assign) and len(node.targets) > 1):
                self._module_part(node.value, sure=sure)
                self._bind(target.id, "made", node, made, sure=sure)
                return
        self._module_part(node, sure=sure)

    def _module_part(self, top: ast.AST, *, sure: bool) -> None:
        """A part of the outermost level: what it binds besides, and what it asks for."""
        nodes = self.flat.under(top)
        for node in nodes:
            kind = node.__class__
            if kind is ast.Name:
                self._bind(node.id, "other", node, sure=sure)  # type: ignore[attr-defined, arg-type]  # told by its kind
            elif kind in _CAPTURING:
                for name in stored_in([node]):
                    self._bind(name, "other", node, sure=False)  # type: ignore[arg-type]  # told by its kind
        self._ask(nodes, frozenset(), "", "", now=True)

    # Functions and classes

    def _function(self, node: _Function, qualname: str, owner: str) -> None:
        how = reached(node, in_class=bool(owner))
        if how in {"function", "method"} and _is_sketch(node):
            how = "unknown"
        self.functions.append(FunctionShape(qualname, signature(node.args), how, self.reading.start(node)))
        if not self.with_uses:
            return
        for outer in (*node.decorator_list, *node.args.defaults, *(each for each in node.args.kw_defaults if each)):
            self._ask(self.flat.under(outer), frozenset(), "", "", now=True)
        plain = [*node.args.posonlyargs, *node.args.args]
        this = plain[0].arg if owner and how == "method" and plain else ""
        if not owner and plain and plain[0].arg == SELF:  # a method shown without its class
            this, owner = SELF, SELF
        stored = list(stored_in(self.flat.under(node)[1:]))
        own = frozenset(stored)
        if this and stored.count(this) > 1:  # it means something else somewhere inside
            this = ""
        for each in node.body:
            self._ask(self.flat.under(each), own, this, owner, now=False)

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
                self._ask(self.flat.under(part), frozenset(), "", "", now=True)
            for statement in node.body:
                if isinstance(statement, _FUNCTIONS):
                    self._function(statement, f"{qualname}.{statement.name}", qualname)
                elif isinstance(statement, ast.ClassDef):
                    stack.append((statement, f"{qualname}.{statement.name}"))
                else:
                    self._ask(self.flat.under(statement), frozenset(body.attributes), "", "", now=True)

    def _elides(self, node: ast.ClassDef) -> bool:
        """Whether a class says that it leaves something out."""
        if not self.may_elide:
            return False
        end = max(self.reading.end(node), self.following.get(id(node), 0))  # a comment may be the last thing in it
        return _LEFT_OUT.search(self.reading.code, self.reading.start(node), end) is not None

    @cached_property
    def may_elide(self) -> bool:
        """Whether the text has a word that may say so."""
        return any(word in self.reading.code for word in _WORDS_LEFT_OUT)

    @cached_property
    def following(self) -> Mapping[int, int]:
        """Where the next statement of the outermost level begins, or the text ends."""
        body = self.reading.tree.body
        starts = (*map(self.reading.start, body[1:]), len(self.reading.code))
        return dict(zip(map(id, body), starts, strict=True))

    # What is asked for

    def _ask(self, nodes: Sequence[ast.AST], own: frozenset[str], this: str, owner: str, *, now: bool) -> None:
        """Note the dotted names among some nodes, but for those that begin with a function's own name."""
        if not self.with_uses:
            return
        asked: list[tuple[ast.Name | ast.Attribute, ast.Call | None]] = []
        called: dict[int, ast.Call] = {}
        inner: set[int] = set()
        for node in nodes:
            kind = node.__class__
            if kind is ast.Attribute:
                if id(node) not in inner:
                    asked.append((node, called.get(id(node))))  # type: ignore[arg-type]  # told by its kind
                inner.add(id(node.value))  # type: ignore[attr-defined]  # so is this
            elif kind is ast.Call:
                function = node.func  # type: ignore[attr-defined]  # told by its kind
                if function.__class__ is ast.Name:
                    asked.append((function, node))  # type: ignore[arg-type]  # so is this
                else:
                    called[id(function)] = node  # type: ignore[assignment]  # and this
            elif kind in OWN_SCOPES:
                own = own.union(stored_in(self.flat.under(node)))
            elif kind in _GUARDING:
                self._guard(node)  # type: ignore[arg-type]  # told by its kind
        reading = self.reading
        for expression, call in asked:
            name = dotted(expression)
            if not name or expression.ctx.__class__ is not ast.Load or id(call or expression) in self.guarded:
                continue
            inside = owner if this and name[0] == this else ""
            if not inside and (name[0] in own or name[0] in BUILTINS):
                continue
            start = reading.start(expression)
            if reading.edits and not reading.is_written(start):
                continue
            given = given_in(call) if call is not None else None
            self.uses.append(UseShape(name, start, reading.end(expression), given, inside, now))

    def _guard(self, node: ast.stmt) -> None:
        """Mark what stands where an error is expected."""
        if isinstance(node, ast.With | ast.AsyncWith):
            calls = (item.context_expr for item in node.items if isinstance(item.context_expr, ast.Call))
            expected = any(_GUARDS.search(".".join(dotted(call.func))) for call in calls)
        else:
            expected = bool(getattr(node, "handlers", ()))
        if expected:
            self.guarded.update(id(each) for part in getattr(node, "body", ()) for each in self.flat.under(part))


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
