"""Statements: sequences with `...` that go down into blocks, and statements whose parts may be left out."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from auditor.matching.environment import EMPTY, Env, Run, bind
from auditor.matching.tree import ASSIGNMENTS, EXPRESSIONS, STATEMENTS, Node, Tree

_DEFINITIONS = frozenset({"Def", "Class"})
_DEEP = frozenset({"ExprStmt", "Return"}) | ASSIGNMENTS


class StatementMatcher:
    """Matches statements; expressions are the business of the class built on it."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._flat: dict[int, tuple[list[Node], dict[int, int]]] = {}

    def match(self, pattern: Node, node: Node, env: Env = EMPTY) -> list[Env]:
        """All bindings under which the pattern is the node."""
        raise NotImplementedError

    def flat(self, block: Node) -> tuple[list[Node], dict[int, int]]:
        """The statements of a block with all that are nested in them, and the place of each by its index."""
        known = self._flat.get(block.index)
        if known is None:
            statements = [node for node in self.tree.within(block) if node.kind in STATEMENTS]
            # Finished children first: in the order of their beginnings, the outer one first.
            statements.sort(key=lambda node: (node.start, -node.index))
            known = self._flat[block.index] = (statements, {node.index: at for at, node in enumerate(statements)})
        return known

    def sequences(self, patterns: Sequence[Node], block: Node, env: Env = EMPTY) -> Iterator[tuple[int, int, Env]]:
        """Each place in a block where a sequence of patterns stands: offsets from the first to the last statement."""
        dotted = any(pattern.kind in {"DotsStmt", "MvDotsStmt"} for pattern in patterns)
        for at, first in enumerate(block.kids):
            if at and patterns[0].kind == "DotsStmt":
                break
            if not could_be(patterns[0], first):
                continue
            if dotted:
                nodes, places = self.flat(block)
                ways = self._lay(patterns, nodes, places[first.index], env, exact=False)
            else:
                ways = self._lay(patterns, block.kids, at, env, exact=False)
            for last, bound in ways:
                yield first.start, max(first.start, last), bound

    def _lay(
        self, patterns: Sequence[Node], nodes: Sequence[Node], at: int, env: Env, *, exact: bool
    ) -> list[tuple[int, Env]]:
        """Lay patterns over statements from one on: the end of the last statement matched, and the bindings.

        With `exact` nothing may be left over.
        """
        reached: list[tuple[int, int, Env]] = [(at, -1, env)]
        for number, pattern in enumerate(patterns):
            final = number == len(patterns) - 1
            after: list[tuple[int, int, Env]] = []
            for place, end, before in reached:
                if pattern.kind == "DotsStmt":
                    if final:
                        # The last statement of all ends where what it is nested in ends.
                        stop = nodes[-1].end if place < len(nodes) else end
                        after.append((len(nodes), max(end, stop), before))
                    else:
                        after.extend(self._skip(patterns[number + 1], nodes, place, end, before))
                elif pattern.kind == "MvDotsStmt":
                    after.extend(
                        (stop, max(end, nodes[stop - 1].end), before) for stop in range(place + 1, len(nodes) + 1)
                    )
                elif place < len(nodes):
                    node = nodes[place]
                    below = final or patterns[number + 1].kind == "DotsStmt"
                    following = place + 1 if below else self._sibling(nodes, place)
                    after.extend(
                        (following, max(end, node.end), found) for found in self.statement(pattern, node, before)
                    )
            reached = after
        return [(end, bound) for place, end, bound in reached if not exact or place >= len(nodes)]

    def _sibling(self, nodes: Sequence[Node], place: int) -> int:
        """The place of the statement behind one and all that are nested in it."""
        return bisect_left(nodes, nodes[place].end, place + 1, key=lambda node: node.start)

    def _skip(
        self, following: Node, nodes: Sequence[Node], place: int, end: int, env: Env
    ) -> Iterator[tuple[int, int, Env]]:
        """The places from which the pattern after a `...` can be tried."""
        if following.kind in {"DotsStmt", "MvDotsStmt"}:
            yield (place, end, env)
            return
        for at in range(place, len(nodes)):
            if could_be(following, nodes[at]):
                yield (at, end, env)

    def block(self, pattern: Node, node: Node, env: Env) -> list[Env]:
        """A block of the pattern against one of the code; without `...` it is the whole block."""
        patterns = pattern.kids
        if len(patterns) == 1 and patterns[0].kind == "DotsStmt":
            return [env]
        if pattern.parent is not None and pattern.parent.kind == "Class":
            members = [part for part in patterns if part.kind != "DotsStmt"]
            return self._members(members, list(node.kids), env)
        if len(patterns) == 1 and patterns[0].kind == "MvStmt" and len(node.kids) > 1:
            bound = bind(self.tree, env, patterns[0].value, Run(node.kids, node.start, node.end))
            return [] if bound is None else [bound]
        if any(part.kind in {"DotsStmt", "MvDotsStmt"} for part in patterns):
            nodes, _ = self.flat(node)
            return [bound for _, bound in self._lay(patterns, nodes, 0, env, exact=False)]
        return [bound for _, bound in self._lay(patterns, node.kids, 0, env, exact=True)]

    def _members(self, patterns: Sequence[Node], nodes: list[Node], env: Env) -> list[Env]:
        """Members of a class in any order, others allowed."""
        if not patterns:
            return [env]
        found: list[Env] = []
        for at, node in enumerate(nodes):
            if could_be(patterns[0], node):
                for before in self.statement(patterns[0], node, env):
                    found.extend(self._members(patterns[1:], nodes[:at] + nodes[at + 1 :], before))
        return found

    def statement(self, pattern: Node, node: Node, env: Env) -> list[Env]:
        """One statement of a sequence; an expression may lie anywhere in the statement's own expressions."""
        if pattern.kind == "MvStmt":
            value = node.kids[0] if node.kind == "ExprStmt" else node
            bound = bind(self.tree, env, pattern.value, value)
            return [] if bound is None else [bound]
        if pattern.kind == "ExprStmt":
            inner = pattern.kids[0]
            if inner.kind == "Deep":
                return [found for part in self.header(node) for found in self.match(inner, part, env)]
            return [found for part in self.deep(node) for found in self.match(inner, part, env)]
        if pattern.kind in ASSIGNMENTS:
            found = self.match(pattern, node, env)
            if found or node.kind in ASSIGNMENTS:
                return found
            walruses = (part for part in self.deep(node) if part.kind == "Walrus")
            return [after for part in walruses for after in self.match(pattern, part, env)]
        return self.match(pattern, node, env)

    def deep(self, node: Node) -> Iterator[Node]:
        """The expressions in which a pattern's expression statement may lie, outermost first.

        Semgrep looks into expression statements, assignments and returned values, not into conditions and the like, and
        not into a lambda.
        """
        if node.kind not in _DEEP:
            return
        if node.kind in ASSIGNMENTS:
            yield node
        skipped = -1
        for part in reversed(self.tree.within(node)[:-1]):
            if skipped >= 0 and part.index >= skipped:
                continue
            if part.kind in EXPRESSIONS:
                yield part
            if part.kind == "Lambda":
                skipped = part.first

    def header(self, node: Node) -> Iterator[Node]:
        """The outermost expressions of a statement that do not lie in its blocks, for `<... e ...>` to go down from."""
        if node.kind not in _DEFINITIONS:
            yield from (kid for kid in node.kids if kid.kind in EXPRESSIONS)
            yield from (kid.kids[0] for kid in node.kids if kid.kind == "WithItem")


# What a pattern of a plain structure may stand for beside its own kind: a name, through an import or its value.
_OPEN = frozenset({
    "Mv", "Dots", "Deep", "Typed", "Chain", "AnyStr", "MvStr", "ReStr", "Str", "StrConcat", "Num", "Const", "List",
    "Set", "Dict",
})  # fmt: skip


def could_be_value(pattern: Node, node: Node) -> bool:
    """A cheap look at whether an expression's pattern could match an expression."""
    while True:
        if pattern.kind in _OPEN or node.kind == "Name":
            return True
        if pattern.kind != node.kind:
            return False
        if pattern.kind == "Attr":
            wanted = pattern.kids[1]
            return wanted.kind != "Ident" or wanted.value == node.kids[1].value
        if pattern.kind not in {"Call", "Sub"}:
            return True
        pattern, node = pattern.kids[0], node.kids[0]


def could_be(pattern: Node, node: Node) -> bool:
    """A cheap look at whether a statement's pattern could match a statement."""
    kind = pattern.kind
    if kind in {"MvStmt", "DotsStmt", "MvDotsStmt"}:
        return True
    if kind == "Assign" and node.kind == "Assign" and len(pattern.kids) == len(node.kids) == 2:
        return node.kids[1].kind in {"Tuple", "List"} or could_be_value(pattern.kids[1], node.kids[1])
    if kind == "ExprStmt" and pattern.kids[0].kind == "Deep":
        return node.kind not in _DEFINITIONS
    if kind == "ExprStmt" or kind in ASSIGNMENTS:
        return node.kind in _DEEP
    if kind == "Import":
        return node.kind in {"Import", "ImportFrom"}
    return kind == node.kind
