"""One function as the predicates of a sequence see it: its flow, and what labels and metavariables stand for in it."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

import libcst as cst
import regex

from auditor.matching.comments import comments_of
from auditor.matching.environment import Env, Run
from auditor.matching.flow import Flow
from auditor.matching.flow_definitions import Definition, root_name
from auditor.matching.flow_state import Definitions
from auditor.matching.hits import Hit
from auditor.matching.predicates import Labels, Ref
from auditor.matching.regexes import compile_regex, time_limit
from auditor.matching.tree import Node, Tree

# A method's first parameter is where it finds its parts, not what comes in.
_RECEIVERS = frozenset({"self", "cls"})
# Parts and definitions that one expression is followed back through, the nearest first; counted, so that a function of
# thousands of statements, each computed from the one before it, costs no more than it is long.
MOST_SOURCES = 1_000
# Identities that one function's scene may remember before it forgets them all.
_MOST_KEPT = 500_000
# A comment speaks of this many statements below it at most.
_PARAGRAPH = 12
_BLANK_LINE = re.compile(r"\n[ \t\f]*\n")
_CONSTANTS = frozenset({"None", "True", "False"})


class Scene:
    """Answers about one function; `candidates` holds for each label all hits of its step there."""

    def __init__(self, tree: Tree, flow: Flow, candidates: Mapping[str, Sequence[Hit]]) -> None:
        self._tree = tree
        self._flow = flow
        self._candidates = candidates
        self._roots: dict[int, frozenset[str]] = {}
        # What a node is computed from, by identity; the flow keeps all of it alive.
        self._sources: dict[tuple[int, str | None], frozenset[int]] = {}
        self._kept = 0

    def nodes(self, ref: Ref, labels: Labels, env: Env) -> tuple[Node, ...]:
        """What a reference stands for; nothing where it is not bound."""
        if ref.metavariable is None:
            node = labels[ref.label].node if ref.label is not None else None
            return (node,) if node is not None else ()
        value = (labels[ref.label].env if ref.label is not None else env).get(ref.metavariable)
        if value is None:
            return ()
        return value.nodes if isinstance(value, Run) else (value,)

    def made(self, hit: Hit, name: str) -> Definitions:
        """The definitions that a hit makes of what a metavariable stands for, if that is a name."""
        found = (self._flow.definition_at(node.cst) for node in self._occurrences(hit, name))
        return frozenset(one for one in found if one is not None and one.kind != "store")

    def reads(self, hit: Hit, name: str) -> list[Node]:
        """Where a hit reads what a metavariable stands for, if that is a name."""
        found = []
        for node in self._occurrences(hit, name):
            made = self._flow.definition_at(node.cst)
            if made is None or made.kind in {"augment", "store"}:
                found.append(node)
        return found

    def reaching(self, node: Node) -> Definitions:
        """The definitions that may reach a name where it is read."""
        return self._flow.definitions_of(node.cst)

    def lineage(self, node: Node) -> Definitions:
        """The definitions that may reach a name where it is read, with those of what it is a copy of."""
        return self._flow.lineage(node.cst)

    def meanings(self, node: Node) -> frozenset[int]:
        """The identities of an expression and, of a name (or a copy of one) with one definition, of its value."""
        found = {id(node.cst)}
        if node.kind == "Name":
            definitions = self._flow.origins(node.cst)
            values = {id(one.value) for one in definitions if one.kind == "assign" and not one.axis}
            if len(values) == len(definitions) == 1:
                found |= values
        return frozenset(found)

    def origins(self, ref: Ref, labels: Labels, env: Env) -> list[cst.CSTNode | Definition]:
        """Where a flow may begin: the definitions that a name gets there, else the expression itself."""
        found: list[cst.CSTNode | Definition] = []
        for node in self.nodes(ref, labels, env):
            hit = labels.get(ref.label or "")
            made: Iterable[Definition] = ()
            if hit is not None and ref.metavariable is not None:
                made = self.made(hit, ref.metavariable)
            elif ref.metavariable is None:
                parts = (self._flow.definition_at(part.cst) for part in self._tree.within(node) if part.kind == "Name")
                made = [one for one in parts if one is not None]
            found.extend(made or [node.cst])
        return found

    def derives(self, node: Node, origins: Iterable[cst.CSTNode | Definition], not_through: str | None) -> bool:
        """Whether a node is computed from one of the origins, not through what the regex matches the name of."""
        wanted = compile_regex(not_through or "")

        def skip(part: cst.CSTNode) -> bool:
            named = part.func if isinstance(part, cst.Call) else part if isinstance(part, cst.Attribute) else None
            return named is not None and bool(wanted.match(dotted(named), timeout=time_limit()))

        key = (node.index, not_through)
        known = self._sources.get(key) if node.index >= 0 else None
        if known is None:
            sources = self._flow.sources(node.cst, skip if not_through is not None else None)
            known = frozenset(map(id, islice(sources, MOST_SOURCES)))
            if self._kept > _MOST_KEPT:
                self._sources.clear()
                self._kept = 0
            self._sources[key] = known
            self._kept += len(known)
        return any(id(origin) in known for origin in origins)

    def roots(self, ref: Ref, labels: Labels, env: Env) -> frozenset[str]:
        """The names under which what a reference is computed from came in: parameters, and names from outside.

        What is only called (`F` in `F.softmax(x)`) or looked up in (`self`) did not come in as a value. Nothing is said
        of what is computed from more than `MOST_SOURCES` parts.
        """
        found: set[str] = set()
        for node in self.nodes(ref, labels, env):
            known = self._roots.get(node.index) if node.index >= 0 else None
            if known is None:
                known = self._roots[node.index] = self._roots_of(node.cst)
            found |= known
        return frozenset(found)

    def _roots_of(self, expression: cst.CSTNode) -> frozenset[str]:
        found: set[str] = set()
        only_called: set[int] = set()
        for number, source in enumerate(self._flow.sources(expression)):
            if number >= MOST_SOURCES:
                return frozenset()
            if isinstance(source, Definition):
                if source.kind in {"param", "outside"}:
                    found.add(source.name)
            elif isinstance(source, cst.Call):
                only_called.add(id(root_name(source.func)))
            elif (
                isinstance(source, cst.Name)
                and id(source) not in only_called
                and source.value not in _CONSTANTS
                and not self._flow.definitions_of(source)
            ):
                found.add(source.value)
        return frozenset(found - _RECEIVERS)

    def is_incoming(self, node: Node) -> bool:
        """Whether a name still is (a copy of, a part of) a parameter, or comes from outside of the code."""
        if not self._flow.definitions_of(node.cst):
            return True
        for origin in self._flow.origins(node.cst):
            if origin.kind == "param" and origin.name not in _RECEIVERS:
                return True
            if origin.kind == "assign" and isinstance(origin.value, cst.Name):
                arriving = self._flow.definitions_of(origin.value)
                if not arriving or any(one.kind == "param" and one.name not in _RECEIVERS for one in arriving):
                    return True
        return False

    def alike(self, label: str, name: str, hit: Hit) -> list[Hit]:
        """All hits of a label in the function in which the metavariable stands for the same as in one of them."""
        value = hit.env.get(name)
        if not isinstance(value, Node):
            return [hit]
        shape = self._tree.shape_of(value)
        return [
            other
            for other in self._candidates[label]
            if isinstance(found := other.env.get(name), Node) and self._tree.shape_of(found) == shape
        ]

    def same(self, one: Ref, other: Ref, labels: Labels, env: Env) -> bool:
        """Whether two references are written alike and all names in them have the same definitions; or copies are."""
        first, second = self.nodes(one, labels, env), self.nodes(other, labels, env)
        if [node.kind for node in (*first, *second)] == ["Name", "Name"]:
            origins = self._flow.origins(first[0].cst)
            if origins and origins == self._flow.origins(second[0].cst):
                return True
        if not first or not self._alike(first, second):
            return False
        return all(
            self._flow.definitions_of(here.cst) == self._flow.definitions_of(there.cst)
            for left, right in zip(first, second, strict=True)
            for here, there in zip(self._names(left), self._names(right), strict=True)
        )

    def distinct(self, one: Ref, other: Ref, labels: Labels, env: Env) -> bool:
        """Whether two references are bound and not written alike, `self.width` and `width` being alike."""
        first, second = self.nodes(one, labels, env), self.nodes(other, labels, env)
        if not first or not second or self._alike(first, second):
            return False
        texts = [self._tree.code[nodes[0].start : nodes[-1].end] for nodes in (first, second)]
        shorter, longer = sorted(texts, key=len)
        return not longer.endswith("." + shorter)

    def escaped(self, name: str, env: Env) -> str:
        """What a metavariable stands for, as a regex that matches just that; its name where it is not bound."""
        value = env.get(name)
        return (
            regex.escape(self._tree.code[value.start : value.end]) if value is not None and value.start >= 0 else name
        )

    def comments(self, hit: Hit) -> list[str]:
        """The comments of the statement of a hit, and of those above it that no blank line parts from it."""
        statement = hit.node
        while statement is not None and (statement.parent is None or statement.parent.kind != "Block"):
            statement = statement.parent
        if statement is None or statement.parent is None:
            return []
        start = statement.start
        siblings = statement.parent.kids
        at = bisect_left(siblings, start, key=lambda sibling: sibling.start)
        for other in reversed(siblings[max(at - _PARAGRAPH, 0) : at]):
            if _BLANK_LINE.search(self._tree.code, other.end, start):
                break
            start = other.start
        return [text for _, text in comments_of(self._tree, Hit(start, hit.end))]

    def _alike(self, first: tuple[Node, ...], second: tuple[Node, ...]) -> bool:
        shape = self._tree.shape_of
        return [shape(node) for node in first] == [shape(node) for node in second]

    def _names(self, node: Node) -> list[Node]:
        return [part for part in self._tree.within(node) if part.kind == "Name"]

    def _occurrences(self, hit: Hit, name: str) -> list[Node]:
        """The names in a hit that are what a metavariable stands for."""
        value = hit.env.get(name)
        if not isinstance(value, Node) or value.kind != "Name" or hit.node is None:
            return []
        around = hit.node if hit.end <= hit.node.end else hit.node.parent or hit.node
        return [
            part
            for part in self._tree.within(around)
            if part.kind == "Name" and part.value == value.value and hit.start <= part.start and part.end <= hit.end
        ]


def dotted(node: cst.BaseExpression) -> str:
    """An expression as a dotted name, items left out: `self.norms` of `self.norms[0]`."""
    parts: list[str] = []
    while isinstance(node, (cst.Attribute, cst.Subscript)):
        if isinstance(node, cst.Attribute):
            parts.append(node.attr.value)
        node = node.value
    if isinstance(node, cst.Name):
        parts.append(node.value)
    parts.reverse()
    return ".".join(parts)
