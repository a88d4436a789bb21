"""Reaching definitions inside one function: which bindings a name may have where it is read."""

from collections import deque
from collections.abc import Callable, Iterator

import libcst as cst

from auditor.matching.flow_definitions import Definition
from auditor.matching.flow_expressions import walk
from auditor.matching.flow_paths import MOST_STATEMENTS, Paths
from auditor.matching.flow_state import NOTHING, Definitions, TooMuchError

# Steps that one function (or what a module runs itself) may take: parts of expressions and statements, each time they
# are read. What is beyond it is read again without regard to order, which takes each part once.
BUDGET = 400_000


class Flow:
    """What is known of one function (class body, module) and all that is nested in it.

    Sound in this sense: whatever definition a read can see at run time is among those given for it, exceptions at any
    point of a `try` included. A read of a name from outside has none.
    """

    def __init__(self, root: cst.CSTNode, paths: Paths | None) -> None:
        self.root = root  # keeps the nodes alive whose identities are the keys below
        self._reaching = paths.reaching if paths is not None else {}
        self._made = paths.evaluation.definitions if paths is not None else {}
        self._order = paths.order if paths is not None else {}
        self._before = paths.before if paths is not None else {}

    def definitions_of(self, name: cst.CSTNode) -> Definitions:
        """The definitions that may reach a name where it is read; for `x += 1`, those before it."""
        return self._reaching.get(id(name), NOTHING)

    def definition_at(self, node: cst.CSTNode) -> Definition | None:
        """The definition that a name makes where it is bound, or where an attribute or an item of it is set."""
        return self._made.get(id(node))

    def only_value(self, name: cst.CSTNode) -> cst.BaseExpression | None:
        """The expression that a name stands for, if exactly one plain assignment of it arrives and nothing else."""
        definitions = self.definitions_of(name)
        if len(definitions) != 1:
            return None
        (definition,) = definitions
        return definition.value if definition.kind == "assign" and not definition.axis else None

    def sources(
        self, expression: cst.CSTNode, skip: Callable[[cst.CSTNode], bool] | None = None
    ) -> Iterator[cst.CSTNode | Definition]:
        """All that an expression is computed from: its own parts, then, through local names, theirs; the nearest first.

        A subtree that `skip` is true of is passed over, wherever on the way it stands.
        """
        seen: set[int] = set()
        work = deque[cst.CSTNode]((expression,))
        while work:
            for node in walk(work.popleft(), skip):
                yield node
                for definition in self.definitions_of(node) if isinstance(node, cst.Name) else ():
                    if id(definition) in seen:
                        continue
                    seen.add(id(definition))
                    yield definition
                    if definition.value is not None:
                        work.append(definition.value)
                    if definition.kind in {"augment", "store"}:
                        work.append(definition.node)

    def lineage(self, name: cst.CSTNode) -> Definitions:
        """The definitions of a name and, of plain copies (`y = x`) among them, those of what they copy, and so on."""
        found: set[Definition] = set()
        work = [name]
        while work:
            new = self.definitions_of(work.pop()) - found
            found |= new
            work.extend(one.value for one in new if is_copy(one) and one.value is not None)
        return frozenset(found)

    def origins(self, name: cst.CSTNode) -> Definitions:
        """The definitions at the end of a name's lineage: no copies, but for those of something from outside."""
        return frozenset(
            one
            for one in self.lineage(name)
            if not is_copy(one) or (one.value is not None and not self.definitions_of(one.value))
        )

    def knows(self, statement: cst.CSTNode) -> bool:
        """Whether the node is a statement that some path reaches."""
        return id(statement) in self._order

    def precedes(self, first: cst.CSTNode, second: cst.CSTNode) -> bool:
        """Whether the first of two statements of one function (class body, module) may have run when the second begins.

        Where paths were not told apart, whether it is written before it.
        """
        one, other = self._order.get(id(first)), self._order.get(id(second))
        if one is None or other is None or one[0] != other[0]:
            return False
        if id(second) not in self._before or one[1] >= MOST_STATEMENTS:
            return one[1] < other[1]
        return bool(self._before[id(second)] >> one[1] & 1)


def is_copy(definition: Definition) -> bool:
    """Whether a definition gives a name what another name stands for."""
    return definition.kind == "assign" and not definition.axis and isinstance(definition.value, cst.Name)


def analyse(root: cst.CSTNode) -> Flow:
    """The flow of a function, a class body or a module; never raises, whatever the code."""
    paths = Paths(BUDGET)
    try:
        paths.run(root)
    except TooMuchError:  # nested deeper than anything that compiles
        return Flow(root, None)
    return Flow(root, paths)
