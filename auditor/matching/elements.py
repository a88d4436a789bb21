"""Elements in order and in any order, and strings: what kinds of expressions have in common."""

from collections.abc import Iterator, Sequence

from auditor.matching.assignments import AssignmentMatcher
from auditor.matching.environment import Env, Run, bind
from auditor.matching.regexes import searches
from auditor.matching.tree import Node


class ElementMatcher(AssignmentMatcher):
    """Matches elements and strings."""

    def each(self, patterns: Sequence[Node], nodes: Sequence[Node], env: Env) -> list[Env]:
        """Child by child, in order."""
        if len(patterns) != len(nodes):
            return []
        envs = [env]
        for pattern, node in zip(patterns, nodes, strict=True):
            envs = [after for before in envs for after in self.match(pattern, node, before)]
            if not envs:
                break
        return envs

    def in_order(self, patterns: Sequence[Node], nodes: Sequence[Node], env: Env) -> list[Env]:
        """All ways to lay a sequence with `...` and `$...X` over another."""
        if not patterns:
            return [] if nodes else [env]
        first, rest = patterns[0], patterns[1:]
        if first.kind == "Dots":
            if not rest:
                return [env]
            return [after for skip in range(len(nodes) + 1) for after in self.in_order(rest, nodes[skip:], env)]
        if first.kind == "MvDots":
            found: list[Env] = []
            for taken in range(len(nodes) + 1):
                place = nodes[0].start if nodes else 0
                bound = bind(self.tree, env, first.value, Run(tuple(nodes[:taken]), place, place))
                if bound is not None:
                    found.extend(self.in_order(rest, nodes[taken:], bound))
            return found
        if not nodes:
            return []
        return [
            after for before in self.match(first, nodes[0], env) for after in self.in_order(rest, nodes[1:], before)
        ]

    def in_any_order(self, patterns: Sequence[Node], nodes: list[Node], env: Env) -> Iterator[Env]:
        """All ways to give each pattern a node of its own, one after the other."""
        if not patterns:
            yield env
            return
        for at, node in enumerate(nodes):
            for before in self.match(patterns[0], node, env):
                yield from self.in_any_order(patterns[1:], nodes[:at] + nodes[at + 1 :], before)

    def any_string(self, _pattern: Node, node: Node, env: Env) -> list[Env]:
        """`"..."`: a constant string, or a piece of one."""
        return [env] if node.kind in {"Str", "SomeStr", "FText"} else []

    def string_content(self, pattern: Node, node: Node, env: Env) -> list[Env]:
        """`"$X"`: the content of a constant string."""
        if node.kind != "Str":
            return []
        text = self.tree.code[node.start : node.end]
        inside = text.find(node.value)
        start = node.start + inside if inside >= 0 and node.cst is not None else node.start
        end = start + len(node.value) if inside >= 0 else node.end
        content = Node("Text", node.value, (), start, end, -1, -1, node.cst)
        bound = bind(self.tree, env, pattern.value, content)
        return [] if bound is None else [bound]

    def regex_string(self, pattern: Node, node: Node, env: Env) -> list[Env]:
        """`"=~/re/"`: a constant string, or a piece of one, that the regex finds."""
        if node.kind not in {"Str", "FText"}:
            return []
        return [env] if searches(pattern.value, node.value) else []

    def formatted(self, pattern: Node, node: Node, env: Env) -> list[Env]:
        """The pieces and the holes of an f-string."""
        return self.in_order(pattern.kids, node.kids, env)

    def joined_strings(self, pattern: Node, node: Node, env: Env) -> list[Env]:
        """Strings written one after the other; `"..." "..."` stands for any number of them."""
        if all(part.kind == "AnyStr" for part in pattern.kids):
            return [env] if len(node.kids) >= len(pattern.kids) else []
        return self.in_order(pattern.kids, node.kids, env)

    def hole(self, pattern: Node, node: Node, env: Env) -> list[Env]:
        """What stands between braces; a conversion or a format must be the pattern's."""
        if pattern.value != node.value:
            return []
        return self.each(pattern.kids, node.kids, env)
