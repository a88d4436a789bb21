"""Reads and bindings inside one expression, in the order of evaluation, on an explicit stack."""

import libcst as cst

from auditor.matching.flow_definitions import Axis, Definition, DefinitionKind, unpack
from auditor.matching.flow_expressions import EVALUATED, generators_of, parameters_of, parts_of
from auditor.matching.flow_scopes import Scope
from auditor.matching.flow_state import NOTHING, Definitions, State, TooMuchError, TryFrame, either

# The names that a comprehension or a lambda binds for its own parts.
Local = dict[str, Definitions]
# How a part is read: at a moment that is not known, perhaps not at all, or for what it binds.
_LATE, _MAYBE, _BIND = 1, 2, 4
_Item = tuple[cst.CSTNode, Local | None, int]


class Evaluation:
    """Reads expressions and binds names in one analysis; `definitions` has one a binding node, whatever the paths.

    `budget` is the number of steps that are left for the scope at work.
    """

    def __init__(self, budget: int) -> None:
        self.budget = budget
        self.definitions: dict[int, Definition] = {}

    def spend(self) -> None:
        """Count one step. Raises `TooMuchError` past the budget."""
        self.budget -= 1
        if self.budget < 0:
            raise TooMuchError

    def define(
        self,
        node: cst.CSTNode,
        name: str,
        kind: DefinitionKind,
        value: cst.BaseExpression | None = None,
        axis: Axis = (),
    ) -> Definition:
        """The one definition that a node makes."""
        known = self.definitions.get(id(node))
        if known is None:
            known = self.definitions[id(node)] = Definition(node, name, kind, value, axis)
        return known

    def bind(self, scope: Scope, state: State, definition: Definition, *, weak: bool = False) -> None:
        """Let a definition reach what follows; a weak one leaves those before it."""
        scope.bind(definition)
        if scope.coarse or definition.name in scope.declared:
            return
        name = definition.name
        alone: Definitions = frozenset((definition,))
        before = state.names.get(name, NOTHING) if weak else NOTHING
        state.names[name] = either(before, alone) if before else alone
        for frame in scope.frames:
            if isinstance(frame, TryFrame):
                reached = frame.reached.names
                reached[name] = either(reached.get(name, NOTHING), alone)

    def unbind(self, scope: Scope, state: State, name: str) -> None:
        """Let nothing reach a name any more (`del`, the end of an `except` clause)."""
        if not scope.coarse and name not in scope.declared:
            state.names[name] = NOTHING
        self.own(scope, name)

    def own(self, scope: Scope, name: str) -> None:
        """Make a name the scope's own without a definition, as a `del` or a bare annotation does."""
        if name not in scope.declared:
            scope.bound.setdefault(name, {})

    def assign(
        self,
        scope: Scope,
        state: State,
        target: cst.CSTNode,
        value: cst.BaseExpression | None,
        kind: DefinitionKind = "assign",
    ) -> None:
        """Bind every name of a target, and read what its attributes and items stand on."""
        if not isinstance(target, cst.Name):
            self.read_target(scope, state, target)
        for part in unpack(target, value):
            definition = self.define(part.name, part.name.value, "store" if part.store else kind, part.value, part.axis)
            self.bind(scope, state, definition, weak=part.store)

    def read_target(self, scope: Scope, state: State, target: cst.CSTNode) -> None:
        """Read the parts of a target that are evaluated: all but the names that it binds itself."""
        work = [target]
        while work:
            node = work.pop()
            if isinstance(node, (cst.Attribute, cst.Subscript)):
                self.read(scope, state, node)
            elif isinstance(node, (cst.Tuple, cst.List)):
                work.extend(element.value for element in reversed(node.elements))
            elif isinstance(node, cst.StarredElement):
                work.append(node.value)

    def read(self, scope: Scope, state: State, root: cst.CSTNode | None, *, late: bool = False) -> None:
        """Note what reaches each name of an expression, and bind what its walruses bind."""
        if root is None:
            return
        work: list[_Item] = [(root, None, _LATE if late or scope.coarse else 0)]
        while work:
            node, local, mode = work.pop()
            if isinstance(node, cst.Name):
                if local is not None and node.value in local:
                    scope.record(node, local[node.value])
                else:
                    scope.read(node, state, late=bool(mode & _LATE))
                continue
            if type(node) not in EVALUATED:
                continue
            self.spend()
            if isinstance(node, cst.NamedExpr):
                if mode & _BIND:
                    self._bind_walrus(scope, state, node, weak=bool(mode & (_LATE | _MAYBE)) or local is not None)
                else:
                    work.extend(((node, local, mode | _BIND), (node.value, local, mode)))
            elif isinstance(node, cst.BooleanOperation):
                work.extend(((node.right, local, mode | _MAYBE), (node.left, local, mode)))
            elif isinstance(node, cst.IfExp):
                work.extend(((node.orelse, local, mode | _MAYBE), (node.body, local, mode | _MAYBE)))
                work.append((node.test, local, mode))
            elif isinstance(node, cst.Comparison):
                # The operands of a chain from the third on are evaluated only if the links before them hold.
                rest = [(link, local, mode | _MAYBE) for link in node.comparisons[1:]]
                work.extend((*reversed(rest), (node.comparisons[0], local, mode), (node.left, local, mode)))
            elif isinstance(node, cst.Lambda):
                names = {**(local or {}), **self._parameters(node.params)}
                work.append((node.body, names, mode | _LATE))
                work.extend((part.default, local, mode) for part in parameters_of(node.params) if part.default)
            elif isinstance(node, cst.BaseComp):
                work.extend(reversed(self._comprehension(node, local, mode)))
            else:
                work.extend(reversed([(part, local, mode) for part in parts_of(node)]))

    def _bind_walrus(self, scope: Scope, state: State, node: cst.NamedExpr, *, weak: bool) -> None:
        if not isinstance(node.target, cst.Name):
            return
        definition = self.define(node.target, node.target.value, "assign", node.value)
        self.bind(scope, state, definition, weak=weak)
        if weak:
            # Inside a comprehension or a closure the reads before it see it too, on the next round.
            scope.leaked.add(definition.name)

    def _parameters(self, parameters: cst.Parameters) -> Local:
        return {
            part.name.value: frozenset((self.define(part.name, part.name.value, "param"),))
            for part in parameters_of(parameters)
        }

    def _comprehension(self, node: cst.BaseComp, local: Local | None, mode: int) -> "list[_Item]":
        """The parts of a comprehension in order; only the outermost iterable is read at once and outside of it."""
        inside = mode | _LATE if isinstance(node, cst.GeneratorExp) else mode
        names = dict(local or {})
        items: list[_Item] = []
        for clause in generators_of(node):
            items.append((clause.iter, names, inside) if items else (clause.iter, local, mode))
            for part in unpack(clause.target, clause.iter):
                if not part.store:
                    definition = self.define(part.name, part.name.value, "for", part.value, part.axis)
                    names[part.name.value] = frozenset((definition,))
            items.extend((condition.test, names, inside) for condition in clause.ifs)
        fields = [name for name in EVALUATED[type(node)] if name != "for_in"]
        items.extend((getattr(node, name), names, inside) for name in fields)
        return items
