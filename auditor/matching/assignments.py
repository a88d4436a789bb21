"""Assignments and imports: statements that say one thing in several spellings."""

from collections.abc import Iterator

from auditor.matching.compound import CompoundMatcher
from auditor.matching.environment import Env, bind
from auditor.matching.pattern_text import DOTS, METAVARIABLE
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


class AssignmentMatcher(CompoundMatcher):
    """Matches assignments and imports."""

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

    # Imports

    def import_statement(self, pattern: Node, node: Node, env: Env) -> list[Env]:
        """`import a.b`: every form of import that brings `a.b` or something in it."""
        envs = [env]
        for wanted in pattern.kids:
            envs = [after for before in envs for after in self._imported(wanted, node, before)]
        return envs

    def _imported(self, wanted: Node, node: Node, env: Env) -> list[Env]:
        found: list[Env] = []
        for full, alias in self._brought(node):
            envs = self._dotted(wanted.kids[0].value, full, env, prefix=True)
            if wanted.kids[1].kind != "Absent":
                if alias.kind == "Absent":
                    continue
                envs = [after for before in envs for after in self.match(wanted.kids[1], alias, before)]
            found.extend(envs)
        return found[:1] if wanted.kids[0].value.find(METAVARIABLE) < 0 else found

    def _brought(self, node: Node) -> Iterator[tuple[Node, Node]]:
        """What an import names, as dotted nodes with aliases."""
        if node.kind == "Import":
            for name in node.kids:
                yield name.kids[0], name.kids[1]
            return
        module = self._module(node)
        if node.value.startswith(".") or module is None:
            return
        for name in node.kids:
            if name.kind == "ImportStar":
                yield module, Node("Absent", "", (), -1, -1, -1, -1, None)
            else:
                dotted, alias = name.kids
                yield (
                    Node("Dotted", f"{module.value}.{dotted.value}", (), dotted.start, dotted.end, -1, -1, dotted.cst),
                    alias
                    if alias.kind != "Absent"
                    else Node("Ident", dotted.value, (), dotted.start, dotted.end, -1, -1, dotted.cst),
                )

    def _module(self, node: Node) -> Node | None:
        """The module of a `from` import; it is no child, since `value` says it."""
        for part in self.tree.within(node):
            if part.kind == "Dotted" and part.parent is None:
                return part
        return None

    def _dotted(self, wanted: str, given: Node, env: Env, *, prefix: bool) -> list[Env]:
        """A dotted name, part by part; a metavariable alone stands for all of it."""
        if wanted == DOTS:
            return [env]
        if wanted.startswith(METAVARIABLE) and "." not in wanted:
            bound = bind(self.tree, env, "$" + wanted[len(METAVARIABLE) :], given)
            return [] if bound is None else [bound]
        parts, names = wanted.split("."), given.value.split(".")
        if len(parts) > len(names) or (len(parts) < len(names) and not prefix):
            return []
        after: Env | None = env
        start = given.start
        for part, name in zip(parts, names, strict=False):
            if part.startswith(METAVARIABLE):
                piece = Node("Ident", name, (), start, start + len(name), -1, -1, given.cst)
                after = bind(self.tree, after or env, "$" + part[len(METAVARIABLE) :], piece)
                if after is None:
                    return []
            elif part not in {name, DOTS}:
                return []
            start += len(name) + 1
        return [after if after is not None else env]

    def import_from(self, pattern: Node, node: Node, env: Env) -> list[Env]:
        """`from a import b`: the same import, whatever else the line imports."""
        if node.kind == "Import":
            return self._from_plain(pattern, node, env)
        module = self._module(node)
        if module is None or node.value.startswith("."):
            envs = [env] if pattern.value == node.value else []
        else:
            envs = self._dotted(pattern.value, module, env, prefix=False)
        for wanted in pattern.kids:
            envs = [after for before in envs for after in self._named(wanted, node, before)]
        return envs

    def _named(self, wanted: Node, node: Node, env: Env) -> list[Env]:
        found: list[Env] = []
        for name in node.kids:
            if wanted.kind == "ImportStar" or name.kind == "ImportStar":
                found.extend([env] if wanted.kind == name.kind else [])
                continue
            envs = self._dotted(wanted.kids[0].value, name.kids[0], env, prefix=False)
            if wanted.kids[1].kind != "Absent":
                envs = [after for before in envs for after in self.match(wanted.kids[1], name.kids[1], before)]
            found.extend(envs)
        return found

    def _from_plain(self, pattern: Node, node: Node, env: Env) -> list[Env]:
        """`from a import b` against `import a.b`."""
        envs = [env]
        for wanted in pattern.kids:
            if wanted.kind == "ImportStar":
                return []
            full = f"{pattern.value}.{wanted.kids[0].value}"
            envs = [
                after
                for before in envs
                for name in node.kids
                for after in self._dotted(full, name.kids[0], before, prefix=False)
            ]
        return envs
