"""From a libcst module to a `Tree`; the order of each kind's children is set here and in `lowering_expressions`.

Children by kind: If (test, body, orelse), While (test, body, orelse), For (target, iter, body, orelse),
Try (body, orelse, finally, *handlers), Handler (type, name, body), With (body, *items), WithItem (expression, target),
Def (name, parameters, returns, body, *decorators), Class (name, bases, body, *decorators), Assign (*targets, value),
Del (*targets), AnnAssign (target, annotation, value), AugAssign (target, value), Import (*names),
ImportName (dotted, alias), ImportFrom (*names; value: dots and module), Match (subject, *cases),
Case (pattern, guard, body), Block (*statements).
A child that is missing is of kind `Absent`. `value` of For, With and Def is "async" where they are.
"""

from collections.abc import Callable

import libcst as cst

from auditor.matching.lowering_reader import Misread, Origin
from auditor.matching.lowering_small import SmallStatements
from auditor.matching.tree import Node, Tree, absent

__all__ = ["Misread", "lower"]


def lower(module: cst.Module, code: str) -> Tree:
    """The tree of a module that was parsed from `code`; raises `Misread` where text and tree differ."""
    reader = Statements(code)
    kids: list[Node] = []
    for statement in module.body:
        kids.extend(reader.statement(statement))
    reader.skip()
    if reader.pos != len(code):
        raise Misread("the parser's tree and the text differ")
    start = kids[0].start if kids else 0
    reader.pos = kids[-1].end if kids else 0
    reader.node("Block", "", kids, start, 0, module)
    return Tree(code, reader.nodes)


class Statements(SmallStatements):
    """Reads statements."""

    def statement(self, origin: Origin) -> list[Node]:
        """Read a statement, or all of a line's small ones."""
        if isinstance(origin, cst.SimpleStatementLine):
            return self.small(origin.body)
        self.descend()
        start = self.skip()
        made = _COMPOUND[type(origin)](self, origin, start)
        self.depth -= 1
        return [made]

    def block(self, origin: Origin) -> Node:
        """Read a colon and what follows it."""
        self.token(":")
        start, first = self.skip(), len(self.nodes)
        kids: list[Node] = []
        if isinstance(origin, cst.IndentedBlock):
            for statement in origin.body:
                kids.extend(self.statement(statement))
        else:
            kids.extend(self.small(origin.body))
        made = self.node("Block", "", kids, start, first, origin)
        if kids:
            made.end = kids[-1].end
        return made

    def _else(self, origin: Origin) -> Node:
        if origin is None:
            return absent()
        self.token("else")
        return self.block(origin.body)

    def _finished(self, made: Node, last: Node) -> Node:
        """A compound statement ends where its last block ends; comments below it are not its own."""
        if last.end >= 0:
            made.end = last.end
        return made

    # Compound statements

    def _if(self, origin: Origin, _start: int) -> Node:
        arms: list[tuple[Origin, int, int, Node, Node]] = []
        word = "if"
        while True:
            first = len(self.nodes)
            begin = self.token(word)
            test = self.expression(origin.test)
            arms.append((origin, begin, first, test, self.block(origin.body)))
            if not isinstance(origin.orelse, cst.If):
                break
            origin, word = origin.orelse, "elif"
        orelse = self._else(origin.orelse)
        while arms:
            origin, begin, first, test, body = arms.pop()
            made = self.node("If", "", (test, body, orelse), begin, first, origin)
            orelse = self._finished(made, orelse if orelse.end >= 0 else body)
        return orelse

    def _while(self, origin: Origin, start: int) -> Node:
        first = len(self.nodes)
        self.token("while")
        test = self.expression(origin.test)
        body = self.block(origin.body)
        orelse = self._else(origin.orelse)
        made = self.node("While", "", (test, body, orelse), start, first, origin)
        return self._finished(made, orelse if orelse.end >= 0 else body)

    def _async(self, origin: Origin) -> str:
        if origin.asynchronous is None:
            return ""
        self.token("async")
        return "async"

    def _for(self, origin: Origin, start: int) -> Node:
        first = len(self.nodes)
        value = self._async(origin)
        self.token("for")
        target = self.expression(origin.target)
        self.token("in")
        over = self.expression(origin.iter)
        body = self.block(origin.body)
        orelse = self._else(origin.orelse)
        made = self.node("For", value, (target, over, body, orelse), start, first, origin)
        return self._finished(made, orelse if orelse.end >= 0 else body)

    def _try(self, origin: Origin, start: int) -> Node:
        first = len(self.nodes)
        self.token("try")
        body = last = self.block(origin.body)
        handlers = [self._handler(handler) for handler in origin.handlers]
        orelse = self._else(origin.orelse)
        final = absent()
        if origin.finalbody is not None:
            self.token("finally")
            final = self.block(origin.finalbody.body)
        for part in (*handlers, orelse, final):
            if part.end > last.end:
                last = part
        return self._finished(self.node("Try", "", (body, orelse, final, *handlers), start, first, origin), last)

    def _handler(self, origin: Origin) -> Node:
        start, first = self.token("except"), len(self.nodes)
        if isinstance(origin, cst.ExceptStarHandler):
            self.token("*")
        kind = self.maybe(origin.type)
        name = absent()
        if origin.name is not None:
            self.token("as")
            name = self.expression(origin.name.name)
        body = self.block(origin.body)
        return self._finished(self.node("Handler", "", (kind, name, body), start, first, origin), body)

    def _with(self, origin: Origin, start: int) -> Node:
        first = len(self.nodes)
        value = self._async(origin)
        self.token("with")
        bracketed = isinstance(origin.lpar, cst.LeftParen)
        if bracketed:
            self.token("(")
        items = []
        for item in origin.items:
            begin, inner = self.skip(), len(self.nodes)
            expression = self.expression(item.item)
            target = absent()
            if item.asname is not None:
                self.token("as")
                target = self.expression(item.asname.name)
            items.append(self.node("WithItem", "", (expression, target), begin, inner, item))
            self.optional(",")
        if bracketed:
            self.token(")")
        body = self.block(origin.body)
        return self._finished(self.node("With", value, (body, *items), start, first, origin), body)

    def _decorators(self, origin: Origin) -> list[Node]:
        made = []
        for decorator in origin.decorators:
            start, first = self.token("@"), len(self.nodes)
            made.append(self.node("Decorator", "", (self.expression(decorator.decorator),), start, first, decorator))
        return made

    def _def(self, origin: Origin, start: int) -> Node:
        first = len(self.nodes)
        decorators = self._decorators(origin)
        value = self._async(origin)
        self.token("def")
        name = self.ident(origin.name)
        if origin.type_parameters is not None:
            self.opaque(origin.type_parameters)
        self.token("(")
        params = self.parameters(origin.params)
        self.token(")")
        returns = absent()
        if origin.returns is not None:
            self.token("->")
            returns = self.expression(origin.returns.annotation)
        body = self.block(origin.body)
        return self._finished(
            self.node("Def", value, (name, params, returns, body, *decorators), start, first, origin), body
        )

    def _class(self, origin: Origin, start: int) -> Node:
        first = len(self.nodes)
        decorators = self._decorators(origin)
        self.token("class")
        name = self.ident(origin.name)
        if origin.type_parameters is not None:
            self.opaque(origin.type_parameters)
        inner = len(self.nodes)
        begin = self.pos
        arguments: list[Node] = []
        if self.optional("("):
            arguments = self.arguments([*origin.bases, *origin.keywords])
            self.token(")")
        bases = self.node("Bases", "", arguments, begin, inner, None)
        body = self.block(origin.body)
        return self._finished(self.node("Class", "", (name, bases, body, *decorators), start, first, origin), body)

    def _match(self, origin: Origin, start: int) -> Node:
        first = len(self.nodes)
        self.token("match")
        subject = self.expression(origin.subject)
        self.token(":")
        cases = []
        for case in origin.cases:
            begin, inner = self.token("case"), len(self.nodes)
            pattern = self.opaque(case.pattern)
            guard = absent()
            if case.guard is not None:
                self.token("if")
                guard = self.expression(case.guard)
            body = self.block(case.body)
            cases.append(self._finished(self.node("Case", "", (pattern, guard, body), begin, inner, case), body))
        made = self.node("Match", "", (subject, *cases), start, first, origin)
        return self._finished(made, cases[-1] if cases else subject)


_COMPOUND: dict[type, Callable[[Statements, Origin, int], Node]] = {
    cst.If: Statements._if, cst.While: Statements._while, cst.For: Statements._for, cst.Try: Statements._try,  # noqa: SLF001 — its own
    cst.TryStar: Statements._try, cst.With: Statements._with, cst.FunctionDef: Statements._def,  # noqa: SLF001
    cst.ClassDef: Statements._class, cst.Match: Statements._match,  # noqa: SLF001
}  # fmt: skip
