"""Arguments of calls and parameters of functions: positionals in order around `...`, keywords in any order."""

from collections.abc import Sequence

from auditor.matching.environment import Env, Run, bind
from auditor.matching.operators import Matches
from auditor.matching.tree import Node


def match_arguments(matcher: Matches, patterns: Sequence[Node], nodes: Sequence[Node], env: Env) -> list[Env]:
    """All ways in which a pattern's arguments are those of a call; without `...` every argument is spoken of."""
    keywords = [kid for kid in patterns if kid.kind == "Kwarg"]
    places = [kid for kid in patterns if kid.kind != "Kwarg"]
    loose = any(kid.kind in {"Dots", "MvDots"} for kid in places)
    given = [kid for kid in nodes if kid.kind == "Kwarg"]
    positional = [kid for kid in nodes if kid.kind != "Kwarg"]
    if not loose and (len(places) != len(positional) or len(keywords) != len(given)):
        return []
    if len(keywords) > len(given):
        return []
    found: list[Env] = []
    for after_keywords, rest in _keywords(matcher, keywords, given, env):
        found.extend(_places(matcher, places, positional, rest, after_keywords))
    return found


def _keywords(matcher: Matches, keywords: Sequence[Node], given: list[Node], env: Env) -> list[tuple[Env, list[Node]]]:
    """Bindings, and the keywords left over, for each way to find all keywords of the pattern."""
    states: list[tuple[Env, list[Node]]] = [(env, given)]
    # A keyword that is written out is found at once; `$K=$V` takes of what is left.
    for keyword in sorted(keywords, key=lambda kid: kid.kids[0].kind == "Mv"):
        after: list[tuple[Env, list[Node]]] = []
        for before, left in states:
            for at, argument in enumerate(left):
                for named in matcher.match(keyword.kids[0], argument.kids[0], before):
                    rest = left[:at] + left[at + 1 :]
                    after.extend((bound, rest) for bound in matcher.match(keyword.kids[1], argument.kids[1], named))
        states = after
    return states


def _places(
    matcher: Matches, patterns: Sequence[Node], nodes: Sequence[Node], keywords: list[Node], env: Env
) -> list[Env]:
    """Lay positional patterns over positional arguments; `$...X` takes the keywords that are left, too."""
    if not patterns:
        return [] if nodes else [env]
    first, rest = patterns[0], patterns[1:]
    found: list[Env] = []
    if first.kind == "Dots":
        if not rest:
            return [env]
        for skip in range(len(nodes) + 1):
            found.extend(_places(matcher, rest, nodes[skip:], keywords, env))
        return found
    if first.kind == "MvDots":
        for taken in range(len(nodes), -1, -1):
            extra = keywords if not rest and taken == len(nodes) else []
            run = tuple(sorted((*nodes[:taken], *extra), key=lambda node: node.start))
            bound = bind(matcher.tree, env, first.value, Run(run, 0, 0))
            if bound is not None:
                found.extend(_places(matcher, rest, nodes[taken:], keywords, bound))
        return found
    if not nodes:
        return []
    for before in matcher.match(first, nodes[0], env):
        found.extend(_places(matcher, rest, nodes[1:], keywords, before))
    return found


def match_parameters(matcher: Matches, patterns: Sequence[Node], nodes: Sequence[Node], env: Env) -> list[Env]:
    """Parameters in order; a default or an annotation that the pattern leaves out may be there."""
    if not patterns:
        return [] if nodes else [env]
    first, rest = patterns[0], patterns[1:]
    found: list[Env] = []
    if first.kind == "Dots":
        if not rest:
            return [env]
        for skip in range(len(nodes) + 1):
            found.extend(match_parameters(matcher, rest, nodes[skip:], env))
        return found
    if first.kind == "MvDots":
        for taken in range(len(nodes), -1, -1):
            bound = bind(matcher.tree, env, first.value, Run(tuple(nodes[:taken]), 0, 0))
            if bound is not None:
                found.extend(match_parameters(matcher, rest, nodes[taken:], bound))
        return found
    if not nodes:
        return []
    for before in _parameter(matcher, first, nodes[0], env):
        found.extend(match_parameters(matcher, rest, nodes[1:], before))
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
