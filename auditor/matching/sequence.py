"""Sub-matches of a rule in order along the control flow of one function, and what they have to do with each other."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from auditor.matching.environment import Env, Run, merge
from auditor.matching.flow import Flow
from auditor.matching.hits import Hit
from auditor.matching.predicates import Predicate, read_predicate
from auditor.matching.rule import Sequence as Clause
from auditor.matching.scene import Scene
from auditor.matching.tree import Node, Tree

# Combinations of sub-matches that one sequence may try in one function. Predicates and shared metavariables cut most
# off before they are counted; what is left belongs to generated code.
MOST_COMBINATIONS = 20_000


@dataclass(frozen=True, slots=True)
class _Plan:
    """A clause read once: its labels, the step at which each predicate can first be asked, and the step reported."""

    labels: tuple[str, ...]
    predicates: tuple[tuple[Predicate, ...], ...]
    at: int


def evaluate_sequence(clause: Clause, steps: Sequence[Sequence[Hit]], tree: Tree, flow: Flow) -> list[Hit]:
    """The places where all steps hold in one function, in order, with every predicate true of them.

    `steps` holds for each step its hits in the whole text, `flow` the flow of the whole text. Each place that is to be
    reported is given once, with the bindings and labels of the first way to get there. Raises `ValueError` for a
    predicate that cannot be read; rules were checked for that when they were loaded.
    """
    plan = _plan(clause)
    by_function: list[dict[int, list[Hit]]] = []
    for hits in steps:
        grouped: dict[int, list[Hit]] = {}
        for hit in hits:
            if hit.node is not None and not hit.inside:
                grouped.setdefault(function_around(tree, hit.node).index, []).append(hit)
        by_function.append(grouped)
    found: list[Hit] = []
    for function in sorted(set.intersection(*(set(grouped) for grouped in by_function))):
        candidates = [grouped[function] for grouped in by_function]
        found.extend(_in_function(plan, candidates, tree, flow, bool(clause.at)))
    return found


def function_around(tree: Tree, node: Node) -> Node:
    """The function, class body or module whose control flow a node belongs to; a lambda runs within it."""
    around = tree.function_of(node)
    while around.kind == "Lambda":
        around = tree.function_of(around)
    return around


def check(clause: Clause) -> None:
    """Raise `ValueError` for labels or predicates that cannot be right."""
    _plan(clause)


def _plan(clause: Clause) -> _Plan:
    labels = tuple(step.label for step in clause.steps)
    if len(set(labels)) != len(labels):
        raise ValueError("two steps have the same label")
    if clause.at is not None and clause.at not in labels:
        raise ValueError(f"`at` names {clause.at}, which is no step: {', '.join(labels)}")
    ready: list[list[Predicate]] = [[] for _ in labels]
    for where in clause.where:
        predicate = read_predicate(where.name, where.arguments, labels)
        ready[max((labels.index(label) for label in predicate.labels), default=len(labels) - 1)].append(predicate)
    at = labels.index(clause.at) if clause.at is not None else 0
    return _Plan(labels, tuple(tuple(predicates) for predicates in ready), at)


def _in_function(
    plan: _Plan, candidates: Sequence[Sequence[Hit]], tree: Tree, flow: Flow, narrow: bool
) -> Iterator[Hit]:
    """The places to report in one function, each once."""
    scene = Scene(tree, flow, dict(zip(plan.labels, candidates, strict=True)))
    buckets = [_Buckets(tree, candidates[:at], hits) for at, hits in enumerate(candidates)]
    left = MOST_COMBINATIONS
    reported: set[tuple[int, int]] = set()
    # A stack of ways begun: how many steps are laid, their hits, and the bindings so far.
    ways: list[tuple[tuple[Hit, ...], Env]] = [((), {})]
    while ways and left > 0:
        taken, env = ways.pop()
        at = len(taken)
        if at > plan.at and (taken[plan.at].start, taken[plan.at].end) in reported:
            continue
        if at == len(candidates):
            place = taken[plan.at]
            labels = dict(zip(plan.labels, taken, strict=True))
            reported.add((place.start, place.end))
            start, end = place.start, place.end
            if not narrow:
                start, end = min(hit.start for hit in taken), max(hit.end for hit in taken)
            yield Hit(start, end, env, place.node, labels=labels)
            continue
        following: list[tuple[tuple[Hit, ...], Env]] = []
        for hit in buckets[at].following(env):
            merged = merge(tree, env, hit.env)
            if merged is None:
                continue
            left -= 1
            if taken and not follows(flow, taken[-1], hit):
                continue
            labels = dict(zip(plan.labels, (*taken, hit), strict=False))
            if all(predicate.holds(scene, labels, merged) for predicate in plan.predicates[at]):
                following.append(((*taken, hit), merged))
        ways.extend(reversed(following))


class _Buckets:
    """The hits of one step by what they share with all steps before them, so that few pairs are tried."""

    def __init__(self, tree: Tree, before: Sequence[Sequence[Hit]], hits: Sequence[Hit]) -> None:
        self._tree = tree
        bound = {name for step in before for name in _always_bound(step)}
        self._shared = sorted(bound & _always_bound(hits))
        self._hits: dict[tuple[object, ...], list[Hit]] = {}
        for hit in hits:
            self._hits.setdefault(self._key(hit.env), []).append(hit)

    def _key(self, env: Env) -> tuple[object, ...]:
        values = (env[name] for name in self._shared)
        return tuple(
            tuple(self._tree.shape_of(node) for node in (value.nodes if isinstance(value, Run) else (value,)))
            for value in values
        )

    def following(self, env: Env) -> Sequence[Hit]:
        """The hits that may go with some bindings."""
        return self._hits.get(self._key(env), ())


def _always_bound(hits: Sequence[Hit]) -> set[str]:
    """The metavariables that every one of some hits binds."""
    return set.intersection(*({*hit.env} for hit in hits)) if hits else set()


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
