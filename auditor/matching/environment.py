"""What metavariables are bound to while a pattern is tried, and when two bindings are the same."""

from collections.abc import Mapping

from auditor.matching.tree import Node, Tree

Env = Mapping[str, "Node | Run"]


class Run:
    """Several nodes in a row under one name: `$...ARGS`, or statements."""

    __slots__ = ("end", "nodes", "start")

    def __init__(self, nodes: tuple[Node, ...], start: int, end: int) -> None:
        self.nodes = nodes
        self.start = nodes[0].start if nodes else start
        self.end = max(node.end for node in nodes) if nodes else end


EMPTY: Env = {}


def same(tree: Tree, one: "Node | Run", other: "Node | Run") -> bool:
    """Whether two bindings are written alike: formatting, quotes and the role of a name do not count."""
    if one is other:
        return True
    if isinstance(one, Run) or isinstance(other, Run):
        first = one.nodes if isinstance(one, Run) else (one,)
        second = other.nodes if isinstance(other, Run) else (other,)
        return len(first) == len(second) and all(same(tree, a, b) for a, b in zip(first, second, strict=True))
    if tree.shape_of(one) != tree.shape_of(other):
        if tree.symbol_of is None:
            return False
        # A name is what it stands for, where the rule asks for that.
        for name, value in ((one, other), (other, one)):
            stands = tree.symbol_of(name) if name.kind == "Name" else None
            if stands is not None and tree.shape_of(stands) == tree.shape_of(value):
                return True
        return False
    if one.kind == other.kind == "Name" and one.index >= 0 and other.index >= 0:
        # One name in two functions is two variables, and so it is where an annotation declares it anew.
        return tree.variable_of(one) == tree.variable_of(other)
    return True


def bind(tree: Tree, env: Env, name: str, value: "Node | Run") -> Env | None:
    """The bindings with one more, or None where the name is bound to something else; `$_` is never bound."""
    if name in {"$_", "$..._"}:
        return env
    known = env.get(name)
    if known is None:
        return {**env, name: value}
    return env if same(tree, known, value) else None


def merge(tree: Tree, one: Env, other: Env) -> Env | None:
    """The bindings of both, or None where they contradict."""
    if not other:
        return one
    if not one:
        return other
    for name, value in other.items():
        known = one.get(name)
        if known is not None and not same(tree, known, value):
            return None
    return {**other, **one}
