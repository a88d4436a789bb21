"""`mode: taint`: which sinks a source reaches inside one function, by reaching definitions and by expressions."""

from collections.abc import Iterable, Iterator

from auditor.matching.environment import Run
from auditor.matching.flow_definitions import Definition
from auditor.matching.formula import Evaluation
from auditor.matching.hits import Hit
from auditor.matching.labels import PLAIN, holds, read_labels
from auditor.matching.places import Places
from auditor.matching.rule import Propagator, Source, Taint
from auditor.matching.tree import EXPRESSIONS, STATEMENTS, Node, Tree

# What an expression of a kind takes its taint from, as indexes of its children; all of them where a kind is not named.
_TAKES: dict[str, slice] = {
    "IfExp": slice(1, 3),
    "Lambda": slice(0, 0),
    "Kwarg": slice(1, 2),
    "Attr": slice(0, 1),
    "Walrus": slice(1, 2),
    "Param": slice(0, 0),
}


def tainted_sinks(rule: Taint, evaluation: Evaluation) -> list[Hit]:
    """The sinks of a rule that taint reaches, in source order, with the bindings of the source added to the sink's."""
    sinks = [(sink, hit) for sink in rule.sinks for hit in evaluation.hits(sink.part)]
    if not sinks:
        return []
    analysis = _Analysis(rule, evaluation, sinks)
    if not analysis.found_sources:
        return []
    found = []
    for sink, hit in sinks:
        origin = analysis.reaches(sink, hit)
        if origin is not None:
            found.append(Hit(hit.start, hit.end, {**origin.env, **hit.env}, hit.node, labels=hit.labels))
    return found


class _Analysis:
    """The sources, sanitizers and propagators of one rule in one text."""

    def __init__(self, rule: Taint, evaluation: Evaluation, sinks: list[tuple[Source, Hit]]) -> None:
        self.tree: Tree = evaluation.tree
        self.values = evaluation.search.matcher.values
        found = [(source, hit) for source in rule.sources for hit in evaluation.hits(source.part)]
        self.found_sources = bool(found)
        labels = dict.fromkeys(source.label or PLAIN for source in rule.sources)
        self.sources = {label: Places(one for one in found if (one[0].label or PLAIN) == label) for label in labels}
        self.needing = {(hit.start, hit.end, s.label or PLAIN): s.requires for s, hit in found if s.requires}
        taken = {(hit.start, hit.end) for _, hit in (*found, *sinks)}
        self.sanitizers = Places(
            (source, hit)
            for source in rule.sanitizers
            for hit in evaluation.hits(source.part)
            if not (source.not_conflicting and (hit.start, hit.end) in taken)
        )
        self.effects = [hit for source, hit in found if source.by_side_effect]
        self.cleaned = [(s, h) for s, h in self.sanitizers.all if s.by_side_effect]
        self.carried = self._carried(rule.propagators, evaluation)
        self._clean: set[tuple[int, str]] = set()
        self._depth = 0

    def _carried(self, propagators: Iterable[Propagator], evaluation: Evaluation) -> list[tuple[Hit, Node, Node]]:
        """Where taint goes from one node to another: the hit of the propagator, from what, to what."""
        found = []
        for propagator in propagators:
            for hit in evaluation.hits(propagator.part):
                origin, to = hit.env.get(propagator.origin), hit.env.get(propagator.to)
                if isinstance(origin, Node) and isinstance(to, Node):
                    found.append((hit, origin, to))
        return found

    def reaches(self, sink: Source, hit: Hit) -> Hit | None:
        """The source whose taint reaches a sink, or None."""
        for node in self._nodes_of(hit):
            if sink.exact or node.kind not in EXPRESSIONS:
                parts: Iterable[Node] = (node,)
            else:
                parts = self.tree.within(node)
            for part in parts:
                found = self._meets(sink.requires or PLAIN, part)
                if found is not None:
                    return found
        return None

    def _meets(self, requires: str, node: Node) -> Hit | None:
        """A source that taints an expression, if the labels of all that taint it are as required."""
        reached: dict[str, Hit | None] = {}

        def has(label: str) -> bool:
            if label not in reached:
                reached[label] = self.taint_of(node, label) if label in self.sources else None
            return reached[label] is not None

        if not holds(read_labels(requires), has):
            return None
        # What is asked for may be that a label is missing; some taint there must be.
        return next((reached[label] for label in self.sources if has(label)), None)

    def _nodes_of(self, hit: Hit) -> list[Node]:
        """The expressions that a sink stands for."""
        node = hit.node
        for value in hit.env.values():
            # A sink that is focused on several arguments stands for each of them.
            if isinstance(value, Run) and (value.start, value.end) == (hit.start, hit.end):
                return list(value.nodes)
        if node is None:
            return []
        if (node.start, node.end) != (hit.start, hit.end) and node.kind in STATEMENTS:
            return [
                part
                for part in self.tree.within(node.parent or node)
                if hit.start <= part.start and part.end <= hit.end
            ][-1:]
        return [node]

    def taint_of(self, start: Node, label: str) -> Hit | None:
        """The source of a label that taints an expression, found backwards; None where it is clean."""
        seen: set[int] = set()
        work: list[Node] = [start]
        while work:
            node = work.pop()
            if id(node) in seen or (id(node), label) in self._clean:
                continue
            seen.add(id(node))
            if self.sanitizers.holds(node):
                continue
            source = self.sources[label].holding(node)
            if source is not None and self._is_source(source, node, label):
                return source
            work.extend(self._before(node))
        if self._depth == 0:
            self._clean.update((visited, label) for visited in seen)
        return None

    def _is_source(self, source: Hit, node: Node, label: str) -> bool:
        """Whether the labels that a source itself asks for are there."""
        requires = self.needing.get((source.start, source.end, label))
        if requires is None:
            return True
        if self._depth >= len(self.sources):
            return False
        self._depth += 1
        try:
            return any(self._meets(requires, part) is not None for part in (*self._before(node), node))
        finally:
            self._depth -= 1

    def _before(self, node: Node) -> Iterator[Node]:
        """What an expression takes its taint from."""
        for _, origin, to in self._carriers(node):
            if to.start <= node.start and node.end <= to.end:
                yield origin
        if node.kind == "Name":
            # A name that is bound takes nothing from the variable's past; what it is given is found with it.
            if self.values.flow().definition_at(node.cst) is None:
                yield from self._definitions(node)
        elif node.kind == "Attr" and node.kids[0].kind == "Name":
            # A field that is set on a name taints that field alone.
            yield node.kids[0]
        elif node.kind == "Sub" and node.kids[1].kind == "Slice":
            return  # as in Semgrep, whose rules count on it: a slice is something new
        elif node.kind == "Comp":
            yield from (kid for kid in node.kids if kid.kind not in {"CompIf", "CompFor"})
        else:
            yield from node.kids[_TAKES.get(node.kind, slice(None))]

    def _carriers(self, node: Node) -> Iterator[tuple[Hit, Node, Node]]:
        return (one for one in self.carried if one[0].start <= node.start and node.end <= one[0].end)

    def _definitions(self, name: Node, passed: set[int] | None = None) -> Iterator[Node]:
        """What the definitions that reach a name were given; `passed` are those that add to it and were followed."""
        if name.cst is None:
            return
        passed = set() if passed is None else passed
        function = self._function(name)
        yield from self._affected(name)
        for definition in self.values.definitions(name):
            bound = self.tree.node_of(definition.node)
            if bound is None or self._function(bound) not in {function, self.tree.root}:
                continue
            if self._is_cleaned(name, bound):
                continue
            if definition.kind == "store" and not self._concerns(name, bound):
                continue
            yield bound
            yield from self._given(definition, bound, passed)

    def _affected(self, name: Node) -> Iterator[Node]:
        """What a source by side effect, or a propagator, left in the same variable before a read of it."""
        for hit in self.effects:
            if hit.node is not None and self._lasts(hit.node, hit.end, name):
                yield hit.node
        for hit, origin, to in self.carried:
            if self._lasts(to, hit.end, name):
                yield origin

    def _lasts(self, node: Node, end: int, name: Node) -> bool:
        """Whether what was done to a variable at one place is there at a read: it was not assigned in between."""
        if node.kind != "Name" or node.value != name.value:
            return False
        if self.tree.variable_of(node) != self.tree.variable_of(name) or not self._may_precede(node, name):
            return False
        return not any(end <= bound.start for bound in self._bound_for(name))

    def _may_precede(self, node: Node, name: Node) -> bool:
        """Whether the statement of a place may have run before that of a read."""
        one, other = self._statement(node), self._statement(name)
        return one is not None and other is not None and self.values.flow().precedes(one.cst, other.cst)

    def _statement(self, node: Node) -> Node | None:
        """The statement that a node lies in, as the flow knows it."""
        flow = self.values.flow()
        return next((around for around in node.ancestors() if around.cst is not None and flow.knows(around.cst)), None)

    def _bound_for(self, name: Node) -> Iterator[Node]:
        for definition in self.values.definitions(name):
            bound = self.tree.node_of(definition.node)
            if bound is not None and definition.kind != "store":
                yield bound

    def _runs_before(self, node: Node, name: Node) -> bool:
        """Whether the block that a place lies in holds a read, so that the place was passed."""
        block = next((around for around in node.ancestors() if around.kind == "Block"), None)
        return block is None or block.start <= name.start <= block.end

    def _given(self, definition: Definition, bound: Node, passed: set[int]) -> Iterator[Node]:
        if definition.value is not None and definition.kind not in {"except", "import", "def", "class", "type"}:
            value = self.tree.node_of(definition.value)
            if value is not None:
                yield value
        if definition.kind == "param" and bound.parent is not None and bound.parent.kind == "Param":
            yield bound.parent.kids[2]  # the default
        if definition.kind == "augment" and bound.kind == "Name" and bound.index not in passed:
            passed.add(bound.index)
            yield from self._definitions(bound, passed)

    def _function(self, node: Node) -> Node:
        """The function a node runs in; a lambda's body counts as the code around it."""
        around = self.tree.function_of(node)
        while around.kind == "Lambda":
            around = self.tree.function_of(around)
        return around

    def _is_cleaned(self, name: Node, bound: Node) -> bool:
        """Whether a sanitizer by side effect stands between a definition and a read."""
        for _, hit in self.cleaned:
            if bound.end <= hit.start and hit.end <= name.start and hit.node is not None:
                read = (part.kind == "Name" and part.value == name.value for part in self._in(hit))
                if self._runs_before(hit.node, name) and any(read):
                    return True
        return False

    def _in(self, hit: Hit) -> list[Node]:
        return self.tree.within(hit.node) if hit.node is not None else []

    def _concerns(self, name: Node, bound: Node) -> bool:
        """Whether `x.a = …` can be seen in a read of `x`: not in a read of `x.b`."""
        read, stored = name.parent, bound.parent
        if read is None or stored is None or read.kind != "Attr" or stored.kind != "Attr":
            return True
        if read.kids[0] is not name or stored.kids[0] is not bound:
            return True
        return read.kids[1].value == stored.kids[1].value
