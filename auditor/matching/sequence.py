"""Sub-matches of a rule in order along the control flow of one function, and what they have to do with each other."""

from collections.abc import Iterator, Sequence

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
    for hits in steps:
        grouped: dict[int, list[Hit]] = {}
        for hit in hits:
            if hit.node is not None and not hit.inside:
                grouped.setdefault(function_around(tree, hit.node).index, []).append(hit)
        by_function.append(grouped)
    found: list[Hit] = []
    for function in sorted(set.intersection(*(set(grouped) for grouped in by_function))):
        candidates = [grouped[function] for grouped in by_function]
        found.extend(_in_function(labels, ready, candidates, tree, flow))
    return found


def check(clause: Clause) -> list[Predicate]:
    """The predicates of a clause; raises `ValueError` for labels and predicates that cannot be right."""
    labels = tuple(step.label for step in clause.steps)
    if len(set(labels)) != len(labels):
        raise ValueError("two steps have the same label")
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
    predicates: Sequence[Sequence[Predicate]],
    candidates: Sequence[Sequence[Hit]],
    tree: Tree,
    flow: Flow,
) -> Iterator[Hit]:
    """Combinations in one function, until each hit that has a part in one was given once."""
    scene = Scene(tree, flow, dict(zip(labels, candidates, strict=True)))
    buckets = [_Buckets(tree, candidates[:at], hits) for at, hits in enumerate(candidates)]
    missing = [{id(hit) for hit in hits} for hits in candidates]
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
            start, end = min(hit.start for hit in taken), max(hit.end for hit in taken)
            yield Hit(start, end, env, taken[0].node, labels=dict(zip(labels, taken, strict=True)))
            continue
        following: list[tuple[tuple[Hit, ...], Env]] = []
        for hit in buckets[at].following(env):
            merged = merge(tree, env, hit.env)
            if merged is None:
                continue
            left -= 1
            if taken and not follows(flow, taken[-1], hit):
                continue
            laid = dict(zip(labels, (*taken, hit), strict=False))
            if all(predicate.holds(scene, laid, merged) for predicate in predicates[at]):
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
