"""Abstract interpretation of statements: a state a path, a fixpoint a loop, exceptions wherever they may come from."""

import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Literal

import libcst as cst

from auditor.matching.flow_evaluation import Evaluation
from auditor.matching.flow_exceptions import read_try, read_with
from auditor.matching.flow_expressions import parameters_of
from auditor.matching.flow_patterns import captures_of, values_of
from auditor.matching.flow_scopes import Scope, fork
from auditor.matching.flow_state import Definitions, LoopFrame, State, TooMuchError, TryFrame, join
from auditor.matching.flow_statements import SIMPLE

# Statements beyond this many of one scope have no bit of their own: the bits of n statements take n² / 8 bytes.
MOST_STATEMENTS = 4096
# CPython refuses more than 100 levels of indentation; what is deeper never compiled.
MOST_LEVELS = 110

_Reader = Callable[[Scope, State, Any], State | None]


class Paths:
    """One analysis: walks the statements of a scope and of all that is nested in it.

    `reaching` holds what reaches each name read, by identity. `order` numbers the statements of each scope, and
    `before` holds for each the bits of those that may have run before it. A reader of a statement takes the state that
    arrives, which it may change, and gives the state that goes on, None where nothing does.
    """

    def __init__(self, budget: int) -> None:
        self.evaluation = Evaluation(budget)
        self.reaching: dict[int, Definitions] = {}
        self.order: dict[int, tuple[int, int]] = {}
        self.before: dict[int, int] = {}
        self._budget = budget
        self._numbers: dict[int, int] = {}
        self._levels = 0
        self.finallys = 0
        self._heads: dict[int, State] = {}
        self._closed: set[int] = set()
        self._readers: dict[type[cst.CSTNode], _Reader] = {
            cst.FunctionDef: self._function,
            cst.ClassDef: self._class,
            cst.If: self._if,
            cst.For: self._for,
            cst.While: self._while,
            cst.With: partial(read_with, self),
            cst.Try: partial(read_try, self),
            cst.TryStar: partial(read_try, self),
            cst.Match: self._match,
        }

    def run(self, root: cst.CSTNode) -> None:
        """Read a function, a class body or a module with all in it; raises `TooMuchError` if nested too deeply."""
        if isinstance(root, cst.FunctionDef):
            self._body_of(root, None)
        elif isinstance(root, (cst.ClassDef, cst.Module)):
            kind: Literal["class", "module"] = "class" if isinstance(root, cst.ClassDef) else "module"
            body = root.body.body if isinstance(root, cst.ClassDef) else root.body

            def read(*, coarse: bool) -> None:
                scope = Scope(kind, id(root), coarse)
                self.block(scope, State({}), body)
                scope.close(self.reaching, None)

            self._twice(read)

    def _twice(self, read: Callable[..., None]) -> None:
        """Read a scope within a budget of its own; where that does not do, once more without regard to order."""
        left, levels, finallys, closed = self.evaluation.budget, self._levels, self.finallys, self._closed
        for coarse in (False, True):
            self.evaluation.budget = sys.maxsize if coarse else self._budget
            self._levels, self.finallys, self._closed = levels, finallys, set()
            try:
                read(coarse=coarse)
            except TooMuchError:
                if coarse:
                    raise
            else:
                break
        self.evaluation.budget, self._closed = left, closed

    def block(self, scope: Scope, state: State | None, body: Sequence[cst.CSTNode]) -> State | None:
        """Read statements one after another; what follows a jump is not reached."""
        self._levels += 1
        if self._levels > MOST_LEVELS:
            raise TooMuchError
        for statement in body:
            if state is None:
                break
            if isinstance(statement, cst.SimpleStatementLine):
                for small in statement.body:
                    state = self._statement(scope, state, small)
                    if state is None:
                        break
            else:
                state = self._statement(scope, state, statement)
        self._levels -= 1
        return state

    def _statement(self, scope: Scope, state: State, node: cst.CSTNode) -> State | None:
        self._mark(scope, state, node)
        simple = SIMPLE.get(type(node))
        if simple is not None:
            after = simple(self.evaluation, scope, state, node)
        else:
            reader = self._readers.get(type(node))
            after = reader(scope, state, node) if reader is not None else state
        return state if scope.coarse else after

    def _mark(self, scope: Scope, state: State, node: cst.CSTNode) -> None:
        """Note that the statement runs now, and after which others."""
        self.evaluation.spend()
        key = id(node)
        known = self.order.get(key)
        if known is None:
            number = self._numbers[scope.owner] = self._numbers.get(scope.owner, -1) + 1
            known = self.order[key] = (scope.owner, number)
        number = known[1]
        if number >= MOST_STATEMENTS or scope.coarse:
            return
        self.before[key] = self.before.get(key, 0) | state.past
        state.past |= 1 << number
        for frame in scope.frames:
            if isinstance(frame, TryFrame):
                frame.reached.past |= state.past

    def _suite(self, scope: Scope, state: State | None, suite: cst.BaseSuite) -> State | None:
        return self.block(scope, state, suite.body)

    # definitions

    def _function(self, scope: Scope, state: State, node: cst.FunctionDef) -> State:
        for decorator in node.decorators:
            self.evaluation.read(scope, state, decorator.decorator)
        for parameter in parameters_of(node.params):
            self.evaluation.read(scope, state, parameter.default)
            self.evaluation.read(scope, state, parameter.annotation)
        self.evaluation.read(scope, state, node.returns)
        self._body_of(node, scope)
        self.evaluation.bind(scope, state, self.evaluation.define(node.name, node.name.value, "def"))
        return state

    def _body_of(self, node: cst.FunctionDef, outer: Scope | None) -> None:
        """Read a function's body in a scope of its own, once: no path changes what it reads from outside."""
        if id(node) in self._closed:
            return
        self._closed.add(id(node))

        def read(*, coarse: bool) -> None:
            inner = Scope("function", id(node), coarse)
            state = State({})
            for parameter in parameters_of(node.params):
                definition = self.evaluation.define(parameter.name, parameter.name.value, "param")
                self.evaluation.bind(inner, state, definition)
            self.block(inner, state, node.body.body)
            inner.close(self.reaching, outer)

        if outer is not None and outer.kind == "function":
            read(coarse=outer.coarse)
        else:
            self._twice(read)

    def _class(self, scope: Scope, state: State, node: cst.ClassDef) -> State:
        for decorator in node.decorators:
            self.evaluation.read(scope, state, decorator.decorator)
        for argument in (*node.bases, *node.keywords):
            self.evaluation.read(scope, state, argument)
        inner = Scope("class", id(node), scope.coarse, around=(scope, state))
        self._suite(inner, State({}), node.body)
        inner.close(self.reaching, scope)
        self.evaluation.bind(scope, state, self.evaluation.define(node.name, node.name.value, "class"))
        return state

    # branches and loops

    def _if(self, scope: Scope, state: State, node: cst.If) -> State | None:
        after: State | None = None
        clause: cst.If | cst.Else | None = node
        while isinstance(clause, cst.If):  # an `elif` stands inside its `if`: hundreds of them must not recurse
            if clause is not node:
                self._mark(scope, state, clause)
            self.evaluation.read(scope, state, clause.test)
            after = join(after, self._suite(scope, fork(scope, state), clause.body))
            clause = clause.orelse
        return join(self._suite(scope, state, clause.body) if clause is not None else state, after)

    def _match(self, scope: Scope, state: State, node: cst.Match) -> State | None:
        self.evaluation.read(scope, state, node.subject)
        after: State | None = None
        for case in node.cases:
            for value in values_of(case.pattern):
                self.evaluation.read(scope, state, value)
            inside = fork(scope, state)
            for name in captures_of(case.pattern):
                definition = self.evaluation.define(name, name.value, "match", node.subject, (None,))
                self.evaluation.bind(scope, inside, definition)
            if case.guard is not None:
                self.evaluation.read(scope, inside, case.guard)
                if not scope.coarse:  # what a pattern captured stays when the guard turns it down
                    state.absorb(inside)
            after = join(after, self._suite(scope, inside, case.body))
        return join(state, after)

    def _while(self, scope: Scope, state: State, node: cst.While) -> State | None:
        def enter(inside: State) -> None:
            self.evaluation.read(scope, inside, node.test)

        endless = isinstance(node.test, cst.Name) and node.test.value == "True"
        return self._loop(scope, state, node, enter, endless=endless)

    def _for(self, scope: Scope, state: State, node: cst.For) -> State | None:
        self.evaluation.read(scope, state, node.iter)

        def enter(inside: State) -> None:
            self.evaluation.assign(scope, inside, node.target, node.iter, "for")

        return self._loop(scope, state, node, enter, endless=False)

    def _loop(
        self,
        scope: Scope,
        state: State,
        node: cst.For | cst.While,
        enter: Callable[[State], None],
        *,
        endless: bool,
    ) -> State | None:
        """Repeat the body until nothing new arrives at its head; a `for` binds its target only where it goes on."""
        # A loop inside a loop starts from what was found the last time: states only grow, and the rounds stay few.
        head = fork(scope, state)
        if id(node) in self._heads and not scope.coarse:
            head.absorb(self._heads[id(node)])
        while True:
            inside = fork(scope, head)
            if isinstance(node, cst.While):
                enter(inside)
                leaving = fork(scope, inside)
            else:
                leaving = fork(scope, inside)
                enter(inside)
            frame = LoopFrame()
            scope.frames.append(frame)
            end = self._suite(scope, inside, node.body)
            scope.frames.pop()
            if scope.coarse:
                break
            grown = head.copy()
            for arriving in (end, frame.jumps.get("continue")):
                if arriving is not None:
                    grown.absorb(arriving)
            if grown.equals(head):
                break
            head = grown
        self._heads[id(node)] = head
        after: State | None = None if endless and not scope.coarse else leaving
        if node.orelse is not None:
            after = self._suite(scope, after, node.orelse.body)
        return join(after, frame.jumps.get("break"))
