"""Sub-matches of a rule in order along the control flow of one function, and what they have to do with each other."""

from collections.abc import Iterator, Sequence

from auditor.matching.environment import Env, Run, merge
from auditor.matching.flow import Flow
from auditor.matching.hits import Hit
from auditor.matching.predicates import Binding, Carries, Link, Predicate, StandsFor
from auditor.matching.rule import Sequence as Clause
from auditor.matching.scene import Scene
from auditor.matching.tree import Node, Tree
from auditor.matching.where import read_predicate

# Combinations of sub-matches that one sequence may try in one function. Predicates and shared metavariables cut most
# off before they are counted; what is left belongs to generated code.
MOST_COMBINATIONS = 20_000


def evaluate_sequence(clause: Clause, steps: Sequence[Sequence[Hit]], tree: Tree, flow: Flow) -> list[Hit]:
    """The places where all steps hold in one function, in order, with every predicate true of them.

    `steps` holds for each step its hits in the whole text, `flow` the flow of the whole text. Not every combination is
    given, but every hit of a step that has a part in one, with its bindings and under its label. Raises `ValueError`
    for a predicate that cannot be read; rules were checked for that when they were loaded.
    """
    labels = tuple(step.label for step in clause.steps)
    ready: list[list[Predicate]] = [[] for _ in labels]
    for predicate in check(clause):
        ready[max((labels.index(label) for label in predicate.labels), default=len(labels) - 1)].append(predicate)
    by_function: list[dict[int, list[Hit]]] = []
    for step, hits in zip(clause.steps, steps, strict=True):
        if step.anywhere:
            continue
        grouped: dict[int, list[Hit]] = {}
        for hit in hits:
            if hit.node is not None and not hit.inside:
                grouped.setdefault(function_around(tree, hit.node).index, []).append(hit)
        by_function.append(grouped)
    found: list[Hit] = []
    anywhere = [step.anywhere for step in clause.steps]
    for function in sorted(set.intersection(*(set(grouped) for grouped in by_function))):
        here = iter(by_function)
        candidates = [
            [hit for hit in hits if not hit.inside] if loose else next(here)[function]
            for loose, hits in zip(anywhere, steps, strict=True)
        ]
        found.extend(_in_function(labels, anywhere, ready, candidates, tree, flow))
    return found


def check(clause: Clause) -> list[Predicate]:
    """The predicates of a clause; raises `ValueError` for labels and predicates that cannot be right."""
    labels = tuple(step.label for step in clause.steps)
    if len(set(labels)) != len(labels):
        raise ValueError("two steps have the same label")
    if all(step.anywhere for step in clause.steps):
        raise ValueError("a step must stand in a function")
    if clause.at is not None and clause.at not in labels:
        raise ValueError(f"`at` names {clause.at}, which is no step: {', '.join(labels)}")
    return [read_predicate(where.name, where.arguments, labels) for where in clause.where]


def function_around(tree: Tree, node: Node) -> Node:
    """The function, class body or module whose control flow a node belongs to; a lambda runs within it."""
    around = tree.function_of(node)
    while around.kind == "Lambda":
        around = tree.function_of(around)
    return around


def _in_function(
    labels: Sequence[str],
    anywhere: Sequence[bool],
    predicates: Sequence[Sequence[Predicate]],
    candidates: Sequence[Sequence[Hit]],
    tree: Tree,
    flow: Flow,
) -> Iterator[Hit]:
    """Combinations in one function, until each hit that has a part in one was given once."""
    scene = Scene(tree, flow, dict(zip(labels, candidates, strict=True)))
    buckets = [
        _Buckets(tree, scene, candidates[:at], hits, _link(labels, at, predicates[at]))
        for at, hits in enumerate(candidates)
    ]
    # What stands anywhere need not all be given: it is there to tell something of the others.
    missing = [set() if loose else {id(hit) for hit in hits} for loose, hits in zip(anywhere, candidates, strict=True)]
    left = MOST_COMBINATIONS
    # A stack of ways begun: the hits of the steps that are laid, and the bindings so far.
    ways: list[tuple[tuple[Hit, ...], Env]] = [((), {})]
    while ways and left > 0:
        taken, env = ways.pop()
        at = len(taken)
        new = any(id(hit) in still for hit, still in zip(taken, missing, strict=False))
        if not new and not any(missing[at:]):
            continue
        if at == len(candidates):
            for hit, still in zip(taken, missing, strict=True):
                still.discard(id(hit))
            own = [hit for loose, hit in zip(anywhere, taken, strict=True) if not loose]
            start, end = min(hit.start for hit in own), max(hit.end for hit in own)
            yield Hit(start, end, env, own[0].node, labels=dict(zip(labels, taken, strict=True)))
            continue
        following: list[tuple[tuple[Hit, ...], Env]] = []
        for hit in buckets[at].following(taken, env):
            merged = _merged_as_written(tree, env, hit.env) if anywhere[at] else merge(tree, env, hit.env)
            if merged is None:
                continue
            left -= 1
            before = [] if anywhere[at] else [one for loose, one in zip(anywhere, taken, strict=False) if not loose]
            if before and not follows(flow, before[-1], hit):
                continue
            laid = dict(zip(labels, (*taken, hit), strict=False))
            if all(predicate.holds(scene, laid, merged) for predicate in predicates[at]):
                following.append(((*taken, hit), merged))
        ways.extend(reversed(following))


def _merged_as_written(tree: Tree, one: Env, other: Env) -> Env | None:
    """The bindings of both, or None where they contradict; a name in another function is the same if written alike."""
    for name in one.keys() & other.keys():
        if [tree.shape_of(node) for node in _nodes(one[name])] != [tree.shape_of(node) for node in _nodes(other[name])]:
            return None
    return {**other, **one}


def _nodes(value: Node | Run) -> tuple[Node, ...]:
    return value.nodes if isinstance(value, Run) else (value,)


class _Buckets:
    """The hits of one step by what they share with the steps before them, so that few pairs are tried.

    That is what a link asks for, where a predicate links the step to an earlier one; else the metavariables that all
    hits of all steps so far bind.
    """

    def __init__(
        self,
        tree: Tree,
        scene: Scene,
        before: Sequence[Sequence[Hit]],
        hits: Sequence[Hit],
        link: tuple[Link, int] | None,
    ) -> None:
        self._tree = tree
        self._scene = scene
        self._link = link
        self._hits = hits
        bound = {name for step in before for name in _always_bound(step)}
        self._shared = sorted(bound & _always_bound(hits))
        self._places: dict[object, list[int]] = {}
        for at, hit in enumerate(hits):
            for key in [self._key(hit.env)] if link is None else link[0].asked(scene, hit):
                self._places.setdefault(key, []).append(at)

    def _key(self, env: Env) -> tuple[object, ...]:
        return tuple(tuple(map(self._tree.shape_of, _nodes(env[name]))) for name in self._shared)

    def following(self, taken: Sequence[Hit], env: Env) -> list[Hit]:
        """The hits that may go with those that are laid."""
        if self._link is None:
            return [self._hits[at] for at in self._places.get(self._key(env), ())]
        link, origin = self._link
        places = {at for key in link.offered(self._scene, taken[origin]) for at in self._places.get(key, ())}
        return [self._hits[at] for at in sorted(places)]


def _always_bound(hits: Sequence[Hit]) -> set[str]:
    """The metavariables that every one of some hits binds."""
    return set.intersection(*({*hit.env} for hit in hits)) if hits else set()


def _link(labels: Sequence[str], at: int, predicates: Sequence[Predicate]) -> tuple[Link, int] | None:
    """A predicate that links a step to an earlier one, with that one's number."""
    for predicate in predicates:
        if isinstance(predicate, (Binding, Carries, StandsFor)):
            origin, asking = predicate.ends
            if asking == labels[at] and labels.index(origin) < at:
                return predicate, labels.index(origin)
    return None


def follows(flow: Flow, first: Hit, second: Hit) -> bool:
    """Whether the second hit may be reached after the first one, leaving and entering blocks."""
    one, other = statement_of(flow, first), statement_of(flow, second)
    if one is None or other is None:
        return first.end <= second.start
    if one is not other:
        return flow.precedes(one.cst, other.cst)
    if first.node is second.node:
        return False
    # Within one statement parts are evaluated from left to right, and what stands inside before what is around it.
    inside = second.start <= first.start and first.end <= second.end and first.node is not one
    return first.end <= second.start or inside or flow.precedes(one.cst, one.cst)


def statement_of(flow: Flow, hit: Hit) -> Node | None:
    """The statement that a hit lies in, as the flow counts statements."""
    node = hit.node
    while node is not None and not (node.cst is not None and flow.knows(node.cst)):
        node = node.parent
    return node
