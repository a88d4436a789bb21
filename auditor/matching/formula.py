"""Clauses combined: intersect what must be, take away what must not, ask the conditions, narrow to the focus."""

from collections.abc import Iterable

from auditor.matching.conditions import holds
from auditor.matching.environment import Run, merge, same
from auditor.matching.hits import Hit
from auditor.matching.intervals import Intervals
from auditor.matching.patterns import parse_pattern
from auditor.matching.rule import All, Any, CommentLeaf, Formula, Inside, Leaf, Not, RegexLeaf, Sequence
from auditor.matching.search import Search, distinct
from auditor.matching.tree import Node, Tree


class Evaluation:
    """Evaluates clauses on one tree."""

    def __init__(self, search: Search) -> None:
        self.search = search
        self.tree: Tree = search.tree

    def hits(self, part: Formula) -> list[Hit]:
        """The places where a clause holds, in source order."""
        if isinstance(part, Leaf):
            return self.search.pattern(part.pattern)
        if isinstance(part, RegexLeaf):
            return self.search.regex(part.regex)
        if isinstance(part, Any):
            return distinct([hit for inner in self.search.likely(part.parts) for hit in self.hits(inner)])
        if isinstance(part, Inside):
            return [_as_inside(hit) for hit in self.hits(part.part)]
        if isinstance(part, All):
            return self._all(part)
        if isinstance(part, Sequence):
            return self._sequence(part)
        if isinstance(part, CommentLeaf):
            return commented(self.search, self.hits(part.on), part.regex)
        return []  # a negative clause alone says nothing about where

    def within(self, part: Formula, around: Hit) -> list[Hit]:
        """The places inside a hit where a clause holds; one that only excludes holds of the hit itself."""
        if isinstance(part, Leaf) and around.node is not None and around.node.kind == "Ident":
            return self._named(part, around)
        if isinstance(part, All):
            found = self._all(part, around)
        elif isinstance(part, Any):
            found = [hit for inner in part.parts for hit in self.within(inner, around)]
        elif isinstance(part, Not):
            found = self._all(All((part,)), around)
        else:
            found = self.hits(part)
        return [hit for hit in found if around.start <= hit.start and hit.end <= around.end]

    def _named(self, part: Leaf, around: Hit) -> list[Hit]:
        """A pattern on a name that is no expression of its own (an attribute, a keyword), as if it were one."""
        pattern = parse_pattern(part.pattern)
        if pattern.form != "expression" or around.node is None:
            return []
        name = Node("Name", around.node.value, (), around.start, around.end, -1, -1, None)
        envs = self.search.matcher.match(pattern.nodes[0], name, {})
        return [Hit(around.start, around.end, env, around.node) for env in envs]

    def _all_named(self, part: All, around: Hit) -> list[Hit]:
        current = [around]
        for inner in part.parts:
            if isinstance(inner, Not):
                current = subtract(self.tree, current, self.within(inner.part, around), inner)
            else:
                current = intersect(self.tree, current, self.within(inner, around))
        for condition in part.conditions:
            current = [after for hit in current for after in holds(self, condition, hit)]
        return current

    def _all(self, part: All, around: Hit | None = None) -> list[Hit]:
        if around is not None and around.node is not None and around.node.kind == "Ident":
            return self._all_named(part, around)
        positives = [inner for inner in part.parts if not isinstance(inner, Not)]
        # Clauses that say where a match is come before those that only say what is around it.
        positives.sort(key=lambda inner: isinstance(inner, Inside))
        current: list[Hit] | None = None
        for inner in positives:
            found = self.hits(inner)
            current = found if current is None else intersect(self.tree, current, found)
            if not current:
                return []
        if current is None:
            if around is None:
                return []
            current = [around]
        for negative in part.parts:
            if isinstance(negative, Not) and current:
                current = subtract(self.tree, current, self.hits(negative.part), negative)
        for condition in part.conditions:
            current = [after for hit in current for after in holds(self, condition, hit)]
        for names in part.focus:
            current = focus(current, names)
        return distinct(current)

    def _sequence(self, part: Sequence) -> list[Hit]:
        steps: list[list[Hit]] = []
        for step in part.steps:
            found = self.hits(step.part)
            for condition in part.conditions:
                name = condition.metavariable
                found = [
                    after
                    for hit in found
                    for after in (holds(self, condition, hit) if name is None or name in hit.env else [hit])
                ]
            steps.append(found)
            if not found:
                return []
        from auditor.matching.sequence import evaluate_sequence  # noqa: PLC0415 — flow is needed by such rules alone

        return distinct(evaluate_sequence(part, steps, self.tree, self.search.matcher.values.flow()))


def _as_inside(hit: Hit) -> Hit:
    return Hit(hit.start, hit.end, hit.env, hit.node, inside=True, labels=hit.labels)


def intersect(tree: Tree, one: list[Hit], other: list[Hit]) -> list[Hit]:
    """The inner of each two hits that lie in each other and whose bindings agree; an `inside` hit is only around."""
    found: list[Hit] = []
    for first, second in _overlapping(tree, one, other):
        within = second.start <= first.start and first.end <= second.end
        around = first.start <= second.start and second.end <= first.end
        if within and (not first.inside or second.inside):
            inner = first
        elif around and (not second.inside or first.inside):
            inner = second
        else:
            continue
        env = merge(tree, inner.env, (second if inner is first else first).env)
        if env is not None:
            labels = {**first.labels, **second.labels}
            found.append(Hit(inner.start, inner.end, env, inner.node, inside=inner.inside, labels=labels))
    return distinct(found)


def _overlapping(tree: Tree, one: list[Hit], other: list[Hit]) -> Iterable[tuple[Hit, Hit]]:
    """Pairs that may lie in each other; bucketed by what they bind in common, so that few pairs are looked at."""
    shared = sorted(set.intersection(*({*hit.env} for hit in (*one, *other)))) if one and other else []
    if tree.symbol_of is not None:
        shared = []  # a name may be what another one stands for

    def key(hit: Hit) -> tuple[tuple[int, ...], ...]:
        return tuple(_value_key(tree, hit.env[name]) for name in shared)

    grouped: dict[tuple[tuple[int, ...], ...], list[Hit]] = {}
    for hit in other:
        grouped.setdefault(key(hit), []).append(hit)
    buckets = {values: Intervals(hits) for values, hits in grouped.items()}
    for first in one:
        bucket = buckets.get(key(first))
        if bucket is not None:
            for second in bucket.nested(first.start, first.end):
                yield first, second


def _value_key(tree: Tree, value: Node | Run) -> tuple[int, ...]:
    return tuple(tree.shape_of(node) for node in (value.nodes if isinstance(value, Run) else (value,)))


def subtract(tree: Tree, hits: list[Hit], others: list[Hit], clause: Not) -> list[Hit]:
    """The hits that a negative clause leaves, whose own hits are the others.

    Under agreeing bindings one goes that is exactly another, or within it (`pattern-not-inside`), or that a regex
    (`pattern-not-regex`) touches.
    """
    if not others:
        return hits
    if isinstance(clause.part, RegexLeaf):
        texts = Intervals(others)
        return [hit for hit in hits if not texts.touch(hit.start, hit.end)]
    if not clause.inside:
        places: dict[tuple[int, int], list[Hit]] = {}
        for other in others:
            places.setdefault((other.start, other.end), []).append(other)
        return [
            hit for hit in hits if not any(_agree(tree, hit, other) for other in places.get((hit.start, hit.end), ()))
        ]
    around = Intervals(others)
    return [hit for hit in hits if not any(_agree(tree, hit, other) for other in around.around(hit.start, hit.end))]


def _agree(tree: Tree, one: Hit, other: Hit) -> bool:
    return all(name not in one.env or same(tree, one.env[name], value) for name, value in other.env.items())


def focus(hits: list[Hit], names: tuple[str, ...]) -> list[Hit]:
    """The places of some metavariables instead of the hits; hits that bind none of them are gone."""
    found: list[Hit] = []
    for hit in hits:
        for name in names:
            value = hit.env.get(name)
            if value is not None and hit.start <= value.start and value.end <= hit.end:
                nodes = value.nodes if isinstance(value, Run) else (value,)
                found.append(Hit(value.start, value.end, hit.env, nodes[0] if nodes else None, labels=hit.labels))
    return found


def commented(search: Search, hits: list[Hit], expression: str) -> list[Hit]:
    """The hits whose statement has a comment that the regex finds: in its lines, or on the lines right above."""
    from auditor.matching.comments import comment_of  # noqa: PLC0415 — few rules ask

    return [hit for hit in hits if comment_of(search.tree, hit, expression)]
