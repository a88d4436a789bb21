"""From libcst's small statements, those that fit in a line, to nodes."""

from collections.abc import Callable, Sequence

import libcst as cst

from auditor.matching.lowering_expressions import OPERATORS, Expressions
from auditor.matching.lowering_reader import Origin
from auditor.matching.tree import Node, absent


class SmallStatements(Expressions):
    """Reads small statements."""

    def small(self, body: Sequence[Origin]) -> list[Node]:
        """The small statements of one line."""
        kids: list[Node] = []
        for origin in body:
            start = self.skip()
            kids.append(_SMALL[type(origin)](self, origin, start))
            if not isinstance(origin.semicolon, cst.MaybeSentinel):
                self.token(";")
        return kids

    def _expression_statement(self, origin: Origin, start: int) -> Node:
        first = len(self.nodes)
        return self.node("ExprStmt", "", (self.expression(origin.value),), start, first, origin)

    def _assign(self, origin: Origin, start: int) -> Node:
        first = len(self.nodes)
        kids = []
        for target in origin.targets:
            kids.append(self.expression(target.target))
            self.token("=")
        kids.append(self.expression(origin.value))
        return self.node("Assign", "", kids, start, first, origin)

    def _annotated(self, origin: Origin, start: int) -> Node:
        first = len(self.nodes)
        target = self.expression(origin.target)
        self.token(":")
        annotation = self.expression(origin.annotation.annotation)
        value = absent()
        if origin.value is not None:
            self.token("=")
            value = self.expression(origin.value)
        return self.node("AnnAssign", "", (target, annotation, value), start, first, origin)

    def _augmented(self, origin: Origin, start: int) -> Node:
        first = len(self.nodes)
        target = self.expression(origin.target)
        operator = OPERATORS[type(origin.operator)]
        self.token(operator)
        return self.node("AugAssign", operator, (target, self.expression(origin.value)), start, first, origin)

    def _return(self, origin: Origin, start: int) -> Node:
        first = len(self.nodes)
        self.token("return")
        return self.node("Return", "", (self.maybe(origin.value),), start, first, origin)

    def _raise(self, origin: Origin, start: int) -> Node:
        first = len(self.nodes)
        self.token("raise")
        kids = [self.maybe(origin.exc), absent()]
        if origin.cause is not None:
            self.token("from")
            kids[1] = self.expression(origin.cause.item)
        return self.node("Raise", "", kids, start, first, origin)

    def _del(self, origin: Origin, start: int) -> Node:
        first = len(self.nodes)
        self.token("del")
        if isinstance(origin.target, cst.Tuple) and not origin.target.lpar:
            return self.node("Del", "", self.elements(origin.target.elements), start, first, origin)
        return self.node("Del", "", (self.expression(origin.target),), start, first, origin)

    def _word(self, origin: Origin, start: int) -> Node:
        self.token(_WORDS[type(origin)])
        return self.node(type(origin).__name__, "", (), start, len(self.nodes), origin)

    def _names(self, origin: Origin, start: int) -> Node:
        first = len(self.nodes)
        self.token(type(origin).__name__.lower())
        names = []
        for item in origin.names:
            names.append(self.ident(item.name))
            self.optional(",")
        return self.node(type(origin).__name__, "", names, start, first, origin)

    def _assert(self, origin: Origin, start: int) -> Node:
        first = len(self.nodes)
        self.token("assert")
        kids = [self.expression(origin.test), absent()]
        if origin.msg is not None:
            self.token(",")
            kids[1] = self.expression(origin.msg)
        return self.node("Assert", "", kids, start, first, origin)

    def _alias(self, origin: Origin) -> Node:
        begin, first = self.skip(), len(self.nodes)
        dotted = self.dotted(origin.name)
        alias = absent()
        if origin.asname is not None:
            self.token("as")
            alias = self.ident(origin.asname.name)
        made = self.node("ImportName", "", (dotted, alias), begin, first, origin)
        self.optional(",")
        return made

    def _import(self, origin: Origin, start: int) -> Node:
        first = len(self.nodes)
        if isinstance(origin, cst.LazyImport):
            self.token("lazy")
        self.token("import")
        return self.node("Import", "", [self._alias(name) for name in origin.names], start, first, origin)

    def _import_from(self, origin: Origin, start: int) -> Node:
        first = len(self.nodes)
        if isinstance(origin, cst.LazyImportFrom):
            self.token("lazy")
        self.token("from")
        for _ in origin.relative:
            self.token(".")
        module = "." * len(origin.relative)
        if origin.module is not None:
            module += self.dotted(origin.module).value
        self.token("import")
        if isinstance(origin.names, cst.ImportStar):
            begin = self.token("*")
            kids = [self.node("ImportStar", "*", (), begin, len(self.nodes), origin.names)]
        else:
            bracketed = self.optional("(")
            kids = [self._alias(name) for name in origin.names]
            if bracketed:
                self.token(")")
        return self.node("ImportFrom", module, kids, start, first, origin)

    def _type_alias(self, origin: Origin, start: int) -> Node:
        first = len(self.nodes)
        self.token("type")
        name = self.ident(origin.name)
        if origin.type_parameters is not None:
            self.opaque(origin.type_parameters)
        self.token("=")
        return self.node("TypeAlias", "", (name, self.expression(origin.value)), start, first, origin)


_WORDS = {cst.Pass: "pass", cst.Break: "break", cst.Continue: "continue"}
_SMALL: dict[type, Callable[[SmallStatements, Origin, int], Node]] = {
    cst.Expr: SmallStatements._expression_statement,  # noqa: SLF001 — its own
    cst.Assign: SmallStatements._assign,  # noqa: SLF001
    cst.AnnAssign: SmallStatements._annotated,  # noqa: SLF001
    cst.AugAssign: SmallStatements._augmented,  # noqa: SLF001
    cst.Return: SmallStatements._return,  # noqa: SLF001
    cst.Raise: SmallStatements._raise,  # noqa: SLF001
    cst.Del: SmallStatements._del,  # noqa: SLF001
    cst.Pass: SmallStatements._word,  # noqa: SLF001
    cst.Break: SmallStatements._word,  # noqa: SLF001
    cst.Continue: SmallStatements._word,  # noqa: SLF001
    cst.Global: SmallStatements._names,  # noqa: SLF001
    cst.Nonlocal: SmallStatements._names,  # noqa: SLF001
    cst.Assert: SmallStatements._assert,  # noqa: SLF001
    cst.Import: SmallStatements._import,  # noqa: SLF001
    cst.ImportFrom: SmallStatements._import_from,  # noqa: SLF001
    cst.LazyImport: SmallStatements._import,  # noqa: SLF001
    cst.LazyImportFrom: SmallStatements._import_from,  # noqa: SLF001
    cst.TypeAlias: SmallStatements._type_alias,  # noqa: SLF001
}
