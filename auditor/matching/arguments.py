"""Arguments of calls and parameters of functions: in order around `...`, keywords of calls in any order."""

from collections.abc import Callable, Sequence

from auditor.matching.environment import Env, Run, bind
from auditor.matching.operators import Matches
from auditor.matching.tree import Node

_DOTS = frozenset({"Dots", "MvDots"})
_Matching = Callable[[Matches, Sequence[Node], Sequence[Node], Env], list[Env]]


def match_arguments(matcher: Matches, patterns: Sequence[Node], nodes: Sequence[Node], env: Env) -> list[Env]:
    """All ways in which a pattern's arguments are those of a call; without `...` every argument is spoken of.

    A keyword of the pattern is found wherever it stands among the arguments that are left, and taken away from them;
    all else is laid over them in order.
    """
    if not patterns:
        return [] if nodes else [env]
    first, rest = patterns[0], patterns[1:]
    if first.kind in _DOTS:
        return _over_dots(match_arguments, matcher, patterns, nodes, env)
    found: list[Env] = []
    if first.kind == "Kwarg":
        for at, node in enumerate(nodes):
            if node.kind == "Kwarg":
                for named in matcher.match(first.kids[0], node.kids[0], env):
                    for before in matcher.match(first.kids[1], node.kids[1], named):
                        found.extend(match_arguments(matcher, rest, [*nodes[:at], *nodes[at + 1 :]], before))
        return found
    if not nodes:
        return []
    for before in matcher.match(first, nodes[0], env):
        found.extend(match_arguments(matcher, rest, nodes[1:], before))
    return found


def match_parameters(matcher: Matches, patterns: Sequence[Node], nodes: Sequence[Node], env: Env) -> list[Env]:
    """Parameters in order; a default or an annotation that the pattern leaves out may be there."""
    if not patterns:
        return [] if nodes else [env]
    first, rest = patterns[0], patterns[1:]
    if first.kind in _DOTS:
        return _over_dots(match_parameters, matcher, patterns, nodes, env)
    found: list[Env] = []
    if not nodes:
        return []
    for before in _parameter(matcher, first, nodes[0], env):
        found.extend(match_parameters(matcher, rest, nodes[1:], before))
    return found


def _over_dots(
    go_on: _Matching, matcher: Matches, patterns: Sequence[Node], nodes: Sequence[Node], env: Env
) -> list[Env]:
    """All ways in which `...` or `$...X`, the first of the patterns, takes some of the nodes."""
    first, rest = patterns[0], patterns[1:]
    found: list[Env] = []
    if first.kind == "Dots":
        if not rest:
            return [env]
        for skip in range(len(nodes) + 1):
            found.extend(go_on(matcher, rest, nodes[skip:], env))
        return found
    for taken in range(len(nodes), -1, -1):
        bound = bind(matcher.tree, env, first.value, Run(tuple(nodes[:taken]), 0, 0))
        if bound is not None:
            found.extend(go_on(matcher, rest, nodes[taken:], bound))
    return found


def _parameter(matcher: Matches, pattern: Node, node: Node, env: Env) -> list[Env]:
    if pattern.kind != "Param" or node.kind != "Param":
        return [env] if pattern.kind == node.kind else []
    if pattern.value != node.value:
        return []
    envs = matcher.match(pattern.kids[0], node.kids[0], env)
    for wanted, given in zip(pattern.kids[1:], node.kids[1:], strict=True):
        if wanted.kind != "Absent":
            envs = [after for before in envs for after in matcher.match(wanted, given, before)]
    return envs
