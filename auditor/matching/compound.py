"""Compound statements: definitions, classes, branches, loops, `try`, `with`; what of them a pattern may leave out."""

from collections.abc import Sequence

from auditor.matching.arguments import match_arguments
from auditor.matching.environment import Env
from auditor.matching.statements import StatementMatcher
from auditor.matching.tree import Node


class CompoundMatcher(StatementMatcher):
    """Matches compound statements."""

    def definition(self, pattern: Node, node: Node, env: Env) -> list[Env]:
        """`def` also matches `async def`; decorators in any order, others allowed."""
        if pattern.value and not node.value:
            return []
        envs = self.match(pattern.kids[0], node.kids[0], env)
        envs = [after for before in envs for after in self.decorators(pattern.kids[4:], node.kids[4:], before)]
        envs = [after for before in envs for after in self.match(pattern.kids[1], node.kids[1], before)]
        if pattern.kids[2].kind != "Absent":
            envs = [after for before in envs for after in self.match(pattern.kids[2], node.kids[2], before)]
        return [after for before in envs for after in self.block(pattern.kids[3], node.kids[3], before)]

    def class_definition(self, pattern: Node, node: Node, env: Env) -> list[Env]:
        """The first bases are those of the pattern; members in any order; decorators likewise."""
        envs = self.match(pattern.kids[0], node.kids[0], env)
        envs = [after for before in envs for after in self.decorators(pattern.kids[3:], node.kids[3:], before)]
        wanted, bases = pattern.kids[1].kids, node.kids[1].kids
        if wanted:
            rest = Node("Dots", "", (), -1, -1, -1, -1, None)
            envs = [after for before in envs for after in self.bases((*wanted, rest), bases, before)]
        return [after for before in envs for after in self.block(pattern.kids[2], node.kids[2], before)]

    def bases(self, patterns: Sequence[Node], nodes: Sequence[Node], env: Env) -> list[Env]:
        """The bases of a class."""
        return match_arguments(self, patterns, nodes, env)  # type: ignore[arg-type]

    def decorators(self, patterns: Sequence[Node], nodes: Sequence[Node], env: Env) -> list[Env]:
        """Each decorator of the pattern is one of the code's; `@a(...)` is `@a`, too."""
        if not patterns:
            return [env]
        found: list[Env] = []
        wanted = patterns[0].kids[0]
        if wanted.kind == "Dots":
            return self.decorators(patterns[1:], nodes, env)
        for at, node in enumerate(nodes):
            for before in self.decorator(wanted, node.kids[0], env):
                found.extend(self.decorators(patterns[1:], [*nodes[:at], *nodes[at + 1 :]], before))
        return found

    def decorator(self, wanted: Node, given: Node, env: Env) -> list[Env]:
        """One decorator; a call without arguments is no call, and `@$X` stands for none that has arguments."""
        if given.kind == "Call" and len(given.kids) == 1:
            given = given.kids[0]
        if wanted.kind == "Call" and given.kind != "Call":
            if all(kid.kind in {"Dots", "MvDots"} for kid in wanted.kids[1:]):
                return self.match(wanted.kids[0], given, env)
            return []
        if wanted.kind == "Mv" and given.kind == "Call":
            return []
        return self.match(wanted, given, env)

    def conditional(self, pattern: Node, node: Node, env: Env) -> list[Env]:
        """`if` without `else` also matches one with it."""
        envs = self.match(pattern.kids[0], node.kids[0], env)
        envs = [after for before in envs for after in self.block(pattern.kids[1], node.kids[1], before)]
        return self._optional(pattern.kids[2], node.kids[2], envs)

    def _optional(self, pattern: Node, node: Node, envs: list[Env]) -> list[Env]:
        if pattern.kind == "Absent":
            return envs
        return self._part(pattern, node, envs)

    def _part(self, pattern: Node, node: Node, envs: list[Env]) -> list[Env]:
        if pattern.kind == "Dots":
            return envs
        if pattern.kind == "Absent" or node.kind == "Absent":
            return envs if pattern.kind == node.kind else []
        if pattern.kind == node.kind == "Block":
            return [after for before in envs for after in self.block(pattern, node, before)]
        if node.kind == "If" and pattern.kind == "Block":
            # `else:` with `...` alone stands for an `elif`, too.
            return envs if all(part.kind == "DotsStmt" for part in pattern.kids) else []
        return [after for before in envs for after in self.match(pattern, node, before)]

    def loop(self, pattern: Node, node: Node, env: Env) -> list[Env]:
        """`for` and `while`; `for` also matches `async for`."""
        if pattern.value and pattern.value != node.value:
            return []
        envs = [env]
        for wanted, given in zip(pattern.kids[:-2], node.kids[:-2], strict=True):
            envs = [after for before in envs for after in self.match(wanted, given, before)]
        envs = [after for before in envs for after in self.block(pattern.kids[-2], node.kids[-2], before)]
        return self._optional(pattern.kids[-1], node.kids[-1], envs)

    def try_statement(self, pattern: Node, node: Node, env: Env) -> list[Env]:
        """`else` and `finally` must agree; each handler of the pattern is one of the code's."""
        envs = self.block(pattern.kids[0], node.kids[0], env)
        for wanted, given in zip(pattern.kids[1:3], node.kids[1:3], strict=True):
            envs = self._part(wanted, given, envs)
        return [after for before in envs for after in self._handlers(pattern.kids[3:], list(node.kids[3:]), before)]

    def _handlers(self, patterns: Sequence[Node], nodes: list[Node], env: Env) -> list[Env]:
        if not patterns:
            return [env]
        found: list[Env] = []
        for at, node in enumerate(nodes):
            for before in self.handler(patterns[0], node, env):
                found.extend(self._handlers(patterns[1:], nodes[:at] + nodes[at + 1 :], before))
        return found

    def handler(self, pattern: Node, node: Node, env: Env) -> list[Env]:
        """One `except` clause; a name must be there or not be there, as in the pattern, but for `except ...`."""
        wanted, given = pattern.kids[0], node.kids[0]
        if wanted.kind == "Tuple" and given.kind not in {"Tuple", "Absent"}:
            # `except (..., E, ...)` is `except E`, too.
            named = [kid for kid in wanted.kids if kid.kind != "Dots"]
            envs = self.match(named[0], given, env) if len(named) == 1 < len(wanted.kids) else []
        elif wanted.kind == "Mv" and given.kind == "Tuple":
            return []
        else:
            envs = self._part(wanted, given, [env])
        if pattern.kids[1].kind != "Absent" or wanted.kind not in {"Dots", "Absent"}:
            envs = self._part(pattern.kids[1], node.kids[1], envs)
        return [after for before in envs for after in self.block(pattern.kids[2], node.kids[2], before)]

    def assertion(self, pattern: Node, node: Node, env: Env) -> list[Env]:
        """`assert ...` is any, with a message or without."""
        envs = self.match(pattern.kids[0], node.kids[0], env)
        if pattern.kids[0].kind == "Dots" and pattern.kids[1].kind == "Absent":
            return envs
        return self._part(pattern.kids[1], node.kids[1], envs)

    def raised(self, pattern: Node, node: Node, env: Env) -> list[Env]:
        """`raise $X` also matches one with a cause."""
        envs = self._part(pattern.kids[0], node.kids[0], [env])
        return self._optional(pattern.kids[1], node.kids[1], envs)

    def with_statement(self, pattern: Node, node: Node, env: Env) -> list[Env]:
        """The items in order; further ones are as if in its body, or around it, like a `with` in a `with`."""
        wanted, given = pattern.kids[1:], node.kids[1:]
        loose = _begins_open(pattern.kids[0])
        found: list[Env] = []
        for at in range(len(given) - len(wanted) + 1):
            if at + len(wanted) < len(given) and not loose:
                continue
            envs = [env]
            for one, other in zip(wanted, given[at:], strict=False):
                envs = self._item(one, other, envs)
            found.extend(after for before in envs for after in self.block(pattern.kids[0], node.kids[0], before))
        return found

    def _item(self, wanted: Node, given: Node, envs: list[Env]) -> list[Env]:
        """`with $X` stands for an item with a target, too; another expression does not."""
        expression, target = wanted.kids
        if expression.kind in {"Mv", "Dots"} and target.kind == "Absent" and given.kids[1].kind != "Absent":
            return [after for before in envs for after in self.match(expression, given, before)]
        envs = [after for before in envs for after in self.match(expression, given.kids[0], before)]
        return self._part(target, given.kids[1], envs)


def _begins_open(block: Node) -> bool:
    """Whether a block of a pattern begins with `...`."""
    return bool(block.kids) and block.kids[0].kind == "DotsStmt"
