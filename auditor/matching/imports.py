"""Imports: one thing in several spellings, matched by the dotted names that they bring."""

from collections.abc import Iterator
from dataclasses import dataclass

from auditor.matching.compound import CompoundMatcher
from auditor.matching.environment import Env, bind
from auditor.matching.pattern_text import DOTS, METAVARIABLE
from auditor.matching.tree import Node


@dataclass(frozen=True, slots=True)
class _Brought:
    """One name of an import: the module (as it is written, dots included) and the name in it, and its alias.

    `module` is None for `import a`; `name` is None for a star.
    """

    module: str | None
    name: str | None
    alias: Node
    node: Node
    plain: bool

    @property
    def full(self) -> str:
        """The dotted name of what is brought."""
        return joined(self.module or "", self.name or "").rstrip(".")


def joined(module: str, name: str) -> str:
    """A module and a name in it as one dotted name; the module may be dots alone."""
    return f"{module}{'' if not module or module.endswith('.') else '.'}{name}"


def _brought(node: Node) -> Iterator[_Brought]:
    for kid in node.kids:
        if kid.kind == "ImportStar":
            yield _Brought(node.value, None, Node("Absent", "", (), -1, -1, -1, -1, None), kid, plain=False)
            continue
        dotted, alias = kid.kids
        if node.kind == "Import":
            module, _, name = dotted.value.rpartition(".")
            yield _Brought(module or None, name, alias, dotted, plain=True)
        else:
            yield _Brought(node.value, dotted.value, alias, dotted, plain=False)


class ImportMatcher(CompoundMatcher):
    """Matches imports."""

    def import_statement(self, pattern: Node, node: Node, env: Env) -> list[Env]:
        """`import a.b`: every form of import that brings `a.b` or something in it."""
        envs = [env]
        for wanted in pattern.kids:
            envs = [after for before in envs for after in self._plain(wanted, node, before)]
        return envs

    def _plain(self, wanted: Node, node: Node, env: Env) -> list[Env]:
        dotted, alias = wanted.kids
        found: list[Env] = []
        for given in _brought(node):
            if alias.kind != "Absent":
                if given.plain and given.alias.kind != "Absent":
                    ways = self._dotted(dotted.value, given.full, given.node, env, prefix=True)
                    found.extend(after for before in ways for after in self.match(alias, given.alias, before))
            else:
                found.extend(self._dotted(dotted.value, given.full, given.node, env, prefix=True))
        return found if METAVARIABLE in dotted.value else found[:1]

    def import_from(self, pattern: Node, node: Node, env: Env) -> list[Env]:
        """`from a import b`: every import that brings `a.b` or something in it, whatever else the line imports."""
        envs = [env]
        for wanted in pattern.kids:
            envs = [after for before in envs for after in self._from(pattern.value, wanted, node, before)]
        return envs

    def _from(self, module: str, wanted: Node, node: Node, env: Env) -> list[Env]:
        found: list[Env] = []
        for given in _brought(node):
            if wanted.kind == "ImportStar" or given.name is None:
                if wanted.kind == "ImportStar" and given.name is None:
                    found.extend(self._dotted(module, given.module or "", given.node, env, prefix=False))
                continue
            dotted, alias = wanted.kids
            if alias.kind != "Absent" and (given.plain or given.alias.kind == "Absent"):
                continue
            ways = self._in_module(module, dotted.value, given, env)
            if alias.kind != "Absent":
                ways = [after for before in ways for after in self.match(alias, given.alias, before)]
            found.extend(ways)
        return found

    def _in_module(self, module: str, name: str, given: _Brought, env: Env) -> list[Env]:
        """The module and the name each by itself, else both as the beginning of a dotted name."""
        if given.module is not None and given.name is not None:
            ways = self._dotted(module, given.module, given.node, env, prefix=False)
            ways = [
                after for before in ways for after in self._dotted(name, given.name, given.node, before, prefix=False)
            ]
            if ways:
                return ways
        if module.startswith(METAVARIABLE) and "." not in module:
            return []
        return self._dotted(joined(module, name), given.full, given.node, env, prefix=True)

    def _dotted(self, wanted: str, given: str, node: Node, env: Env, *, prefix: bool) -> list[Env]:
        """A dotted name, part by part; a metavariable alone stands for all of it."""
        if wanted == DOTS:
            return [env]
        if wanted.startswith(METAVARIABLE) and "." not in wanted:
            whole = Node("Dotted", given, (), node.start, node.end, -1, -1, node.cst)
            bound = bind(self.tree, env, "$" + wanted[len(METAVARIABLE) :], whole)
            return [] if bound is None else [bound]
        parts, names = wanted.split("."), given.split(".")
        if len(parts) > len(names) or (len(parts) < len(names) and not prefix):
            return []
        after = env
        start = node.start
        for part, name in zip(parts, names, strict=False):
            if part.startswith(METAVARIABLE):
                piece = Node("Ident", name, (), start, start + len(name), -1, -1, node.cst)
                bound = bind(self.tree, after, "$" + part[len(METAVARIABLE) :], piece)
                if bound is None:
                    return []
                after = bound
            elif part not in {name, DOTS}:
                return []
            start += len(name) + 1
        return [after]
