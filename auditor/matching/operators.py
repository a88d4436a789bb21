"""Chains of one operator: `|`, `&`, `^` in any order, `and`, `or`, `+` in theirs, however they are bracketed."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Protocol

from auditor.matching.environment import Env, Run, bind
from auditor.matching.tree import Node, Tree

# Operands of one chain beyond which only chains of equal length are tried.
_LONGEST_CHAIN = 40
# Ways to lay a pattern over a chain in any order that are kept: there may be thousands, few of which bind otherwise.
_MOST_WAYS = 30


class Matches(Protocol):
    """What chains need of a matcher."""

    tree: Tree

    def match(self, pattern: Node, node: Node, env: Env) -> list[Env]:
        """All bindings under which the pattern is the node."""
        ...

    def each(self, patterns: Sequence[Node], nodes: Sequence[Node], env: Env) -> list[Env]:
        """Child by child, in order."""
        ...

    def in_any_order(self, patterns: Sequence[Node], nodes: list[Node], env: Env) -> Iterator[Env]:
        """All ways to give each pattern a node of its own, one after the other."""
        ...


def flatten(node: Node) -> list[Node]:
    """The operands of a chain of one operator, brackets inside it left out."""
    operands: list[Node] = []
    waiting = [node]
    while waiting:
        part = waiting.pop()
        if part.kind == "Bin" and part.value == node.value:
            waiting.extend(reversed(part.kids))
        else:
            operands.append(part)
    return operands


def match_commutative(matcher: Matches, pattern: Node, node: Node, env: Env) -> list[Env]:
    """Each operand of the pattern is one of the chain's; the chain may have more."""
    wanted = [part for part in flatten(pattern) if part.kind != "Dots"]
    # What is written out decides more than what stands for anything.
    wanted.sort(key=lambda part: part.kind in {"Mv", "MvDots"})
    operands = flatten(node)
    if len(wanted) > len(operands):
        return []
    if len(operands) > _LONGEST_CHAIN:
        return matcher.each(pattern.kids, node.kids, env)
    return list(islice(matcher.in_any_order(wanted, operands, env), _MOST_WAYS))


def match_ordered(matcher: Matches, pattern: Node, node: Node, env: Env) -> list[Env]:
    """Operands in order; `$X` may stand for several of `and` and `or`, `...` for any number."""
    wanted = flatten(pattern)
    dotted = any(part.kind == "Dots" for part in wanted)
    if node.value == "+" and not dotted:
        return matcher.each(pattern.kids, node.kids, env)
    operands = flatten(node)
    if len(wanted) > len(operands) + sum(part.kind == "Dots" for part in wanted):
        return []
    return _lay(matcher, wanted, operands, env, several=node.value != "+")


def _lay(matcher: Matches, wanted: Sequence[Node], operands: Sequence[Node], env: Env, *, several: bool) -> list[Env]:
    """Go along the pattern's operands, keeping each way to have come so far, by the operands used up."""
    reached: dict[int, list[Env]] = {0: [env]}
    for part in wanted:
        after: dict[int, list[Env]] = {}
        for at, envs in reached.items():
            if part.kind == "Dots":
                for skip in range(at, len(operands) + 1):
                    after.setdefault(skip, []).extend(envs)
                continue
            if at >= len(operands):
                continue
            for before in envs:
                for found in matcher.match(part, operands[at], before):
                    after.setdefault(at + 1, []).append(found)
                if several and part.kind == "Mv":
                    for stop in range(at + 2, len(operands) + 1):
                        taken = Run(tuple(operands[at:stop]), 0, 0)
                        bound = bind(matcher.tree, before, part.value, taken)
                        if bound is not None:
                            after.setdefault(stop, []).append(bound)
        reached = after
    return reached.get(len(operands), [])
