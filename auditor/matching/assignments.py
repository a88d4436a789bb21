"""Assignments: plain, annotated, in an expression, of several targets, and of tuples by their elements."""

from collections.abc import Iterator

from auditor.matching.environment import Env
from auditor.matching.imports import ImportMatcher
from auditor.matching.statements import could_be_value
from auditor.matching.tree import Node


def pairs(node: Node) -> Iterator[tuple[Node, Node]]:
    """Target and value of whatever assigns: each target of a chain, and the elements of tuples that fit."""
    if node.kind == "Assign":
        value = node.kids[-1]
        targets: tuple[Node, ...] = node.kids[:-1]
    elif node.kind == "AnnAssign" and node.kids[2].kind != "Absent":
        targets, value = node.kids[:1], node.kids[2]
    elif node.kind == "Walrus":
        targets, value = node.kids[:1], node.kids[1]
    else:
        return
    for target in targets:
        yield target, value
    for target in targets:
        if target.kind in {"Tuple", "List"} and value.kind in {"Tuple", "List"} and len(target.kids) == len(value.kids):
            yield from zip(target.kids, value.kids, strict=True)


class AssignmentMatcher(ImportMatcher):
    """Matches assignments."""

    def assignment(self, pattern: Node, node: Node, env: Env) -> list[Env]:
        """`$X = $Y` against a plain assignment."""
        if len(pattern.kids) > 2 and len(pattern.kids) == len(node.kids):
            envs = [env]
            for wanted, given in zip(pattern.kids, node.kids, strict=True):
                envs = [after for before in envs for after in self.match(wanted, given, before)]
            return envs
        return self.match_assignment(pattern, node, env)

    def match_assignment(self, pattern: Node, node: Node, env: Env) -> list[Env]:
        """`$X = $Y` against whatever assigns; `$X: T = $Y` needs the annotation."""
        if pattern.kind == "AnnAssign":
            return []
        if len(pattern.kids) != 2:
            return []
        found: list[Env] = []
        for target, value in pairs(node):
            if not could_be_value(pattern.kids[1], value):
                continue
            for before in self.match(pattern.kids[0], target, env):
                found.extend(self.match(pattern.kids[1], value, before))
        return found
