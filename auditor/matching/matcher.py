"""One pattern node against one node of the code: all ways in which they match, as bindings."""

from collections.abc import Callable
from typing import Any

from auditor.matching.arguments import match_arguments, match_parameters
from auditor.matching.elements import ElementMatcher
from auditor.matching.environment import EMPTY, Env, Run, bind
from auditor.matching.names import Names
from auditor.matching.operators import match_commutative, match_ordered
from auditor.matching.tree import EXPRESSIONS, Node, Tree
from auditor.matching.values import Values

# Comparisons of a pattern node with a code node that one rule may ask for in one text, so that a hostile text ends
# with a reason instead of never.
BUDGET = 3_000_000
_TOO_MANY = "the rule asks for too many steps"

_COMMUTATIVE = frozenset("|&^")
_ORDERED = frozenset({"and", "or", "+"})
# `[...]` is a comprehension, too, and `{...}` may be a dict.
_OPEN_DISPLAYS = frozenset({
    ("List", "Comp", "list"), ("Set", "Comp", "set"), ("Set", "Comp", "dict"), ("Set", "Dict", ""),
    ("Dict", "Comp", "dict"),
})  # fmt: skip
_CONSTANT_PATTERNS = frozenset({"Str", "Num", "Const", "AnyStr", "ReStr", "MvStr"})


# Kinds of patterns that a node of another kind can match.
_SAID_OTHERWISE = (
    _CONSTANT_PATTERNS | {"Assign", "Import", "ImportFrom", "StrConcat"} | {wanted for wanted, _, _ in _OPEN_DISPLAYS}
)


class BudgetError(Exception):
    """The rule asks for more steps than one text may cost."""


class Matcher(ElementMatcher):
    """Matches patterns on one tree."""

    def __init__(self, tree: Tree, names: Names, values: Values) -> None:
        super().__init__(tree)
        self.names = names
        self.values = values
        self.steps = 0
        # Options of the rule at work.
        self.constants = True
        self.symbolic = False
        self.commutative = True

    def spend(self, steps: int) -> None:
        """Count steps; raises `BudgetError` past the rule's last."""
        self.steps += steps
        if self.steps > BUDGET:
            raise BudgetError(_TOO_MANY)

    def match(self, pattern: Node, node: Node, env: Env = EMPTY) -> list[Env]:
        """All bindings under which the pattern is the node."""
        self.steps += 1
        if self.steps > BUDGET:
            raise BudgetError(_TOO_MANY)
        kind = pattern.kind
        special = _SPECIAL.get(kind)
        if special is not None:
            found = special(self, pattern, node, env)
            if found:
                return found
        elif node.kind == kind:
            structure = _STRUCTURE.get(kind)
            if structure is not None:
                found = structure(self, pattern, node, env)
            elif pattern.value == node.value:
                found = self.each(pattern.kids, node.kids, env)
            else:
                found = []
            if found:
                return found
        if node.kind == "Name" or kind in _SAID_OTHERWISE:
            return self._otherwise(pattern, node, env)
        return []

    def _otherwise(self, pattern: Node, node: Node, env: Env) -> list[Env]:
        """What the node is the same as: an imported name, a constant, the expression that a name stands for."""
        kind = pattern.kind
        if node.kind == "Name" and kind in {"Attr", "Name"} and node.index >= 0:
            for dotted in self.names.dotted(node):
                if dotted != node.value and (found := self.match(pattern, self.names.chain(node, dotted), env)):
                    return found
            if kind == "Attr" and self.names.stars and not has_metavariable(pattern):
                for dotted in self.names.from_star(node):
                    if found := self.match(pattern, self.names.chain(node, dotted), env):
                        return found
        if kind in _CONSTANT_PATTERNS:
            if kind == "Str" and node.kind == "FText":
                return [env] if pattern.value == node.value else []
            if self.constants and node.kind not in {"Str", "Num", "Const"} and node.kind in EXPRESSIONS:
                value = self.values.constant(node)
                if value is not None and value is not node:
                    return self._constant(pattern, value, env)
            return []
        if (
            (kind, node.kind, node.value) in _OPEN_DISPLAYS
            and len(pattern.kids) == 1
            and pattern.kids[0].kind == "Dots"
        ):
            return [env]
        if kind == "StrConcat" and node.kind == "FStr":
            return [env] if all(part.kind == "AnyStr" for part in pattern.kids) else []
        if kind == "Assign":
            return self.match_assignment(pattern, node, env) if node.kind != "Assign" else []
        if kind in {"Import", "ImportFrom"} and node.kind in {"Import", "ImportFrom"} and node.kind != kind:
            return _STRUCTURE[kind](self, pattern, node, env)
        if self.symbolic and node.kind == "Name" and kind in EXPRESSIONS and kind not in {"Name", "Dots"}:
            value = self.values.symbol(node)
            if value is not None and value.kind != "Name":
                return self.match(pattern, value, env)
        return []

    def _constant(self, pattern: Node, value: Node, env: Env) -> list[Env]:
        if value.kind == "SomeStr":
            return [env] if pattern.kind == "AnyStr" else []
        if pattern.kind in _SPECIAL:
            return _SPECIAL[pattern.kind](self, pattern, value, env)
        return [env] if (pattern.kind, pattern.value) == (value.kind, value.value) else []

    # Kinds that only templates have

    def _metavariable(self, pattern: Node, node: Node, env: Env) -> list[Env]:
        if node.kind in {"Kwarg", "Absent", "KeywordOnly", "Pair"}:
            return []
        if node.kind == "Param":
            node = node.kids[0]
        bound = bind(self.tree, env, pattern.value, node)
        if bound is None and self.constants and self._same_constant(env[pattern.value], node):
            return [env]
        return [] if bound is None else [bound]

    def _same_constant(self, known: "Node | Run", node: Node) -> bool:
        """Whether what a metavariable stands for already and another expression have one constant value."""
        if isinstance(known, Run) or "Name" not in {known.kind, node.kind}:
            return False
        one = self.values.constant(known) if known.kind in EXPRESSIONS else None
        other = self.values.constant(node) if one is not None and node.kind in EXPRESSIONS else None
        if one is None or other is None or one.kind == "SomeStr":
            return False
        return self.tree.shape_of(one) == self.tree.shape_of(other)  # which tells bytes from text

    def _dots(self, _pattern: Node, _node: Node, env: Env) -> list[Env]:
        return [env]

    def _many(self, pattern: Node, node: Node, env: Env) -> list[Env]:
        bound = bind(self.tree, env, pattern.value, node)
        return [] if bound is None else [bound]

    def _deep(self, pattern: Node, node: Node, env: Env) -> list[Env]:
        inner = pattern.kids[0]
        found: list[Env] = []
        for part in self.tree.within(node):
            if part.kind in EXPRESSIONS:
                found.extend(self.match(inner, part, env))
        return found

    def _typed(self, pattern: Node, node: Node, env: Env) -> list[Env]:
        bound = self.match(pattern.kids[0], node, env)
        if not bound:
            return []
        return self.match_type(pattern.kids[1], node, bound)

    def match_type(self, wanted: Node, node: Node, envs: list[Env]) -> list[Env]:
        """Keep the bindings if the node is known to have a type: by its literal, or by an annotation."""
        literal = self.values.constant(node)
        if literal is not None and wanted.kind == "Name":
            if literal.kind in {"Str", "SomeStr"}:
                return envs if wanted.value == "str" else []
            if literal.kind == "Num":
                return envs if wanted.value == literal.value.split(" ", 1)[0] else []
            if literal.kind == "Const":
                return envs if wanted.value == ("None" if literal.value == "None" else "bool") else []
        if node.kind == "Name":
            for annotation in self.values.annotations(node):
                if found := [after for env in envs for after in self.match(wanted, annotation, env)]:
                    return found
        if node.kind == "Call":
            return [after for env in envs for after in self.match(wanted, node.kids[0], env)]
        value = self.values.symbol(node)
        if value is not None and value.kind == "Call":
            return [after for env in envs for after in self.match(wanted, value.kids[0], env)]
        return []

    def _chain(self, pattern: Node, node: Node, env: Env) -> list[Env]:
        """`a. ...`: what the pattern's left side is, with any number of attributes, calls and items after it."""
        found: list[Env] = []
        link: Node | None = node
        while link is not None:
            found.extend(self.match(pattern.kids[0], link, env))
            link = link.kids[0] if link.kind in {"Attr", "Call", "Sub"} else None
        return found

    # Kinds whose structure is not child by child

    def _call(self, pattern: Node, node: Node, env: Env) -> list[Env]:
        envs = self.match(pattern.kids[0], node.kids[0], env)
        return [after for before in envs for after in match_arguments(self, pattern.kids[1:], node.kids[1:], before)]

    def _sequence(self, pattern: Node, node: Node, env: Env) -> list[Env]:
        """Elements in order, with `...` for any number of them."""
        return self.in_order(pattern.kids, node.kids, env)

    def _unordered(self, pattern: Node, node: Node, env: Env) -> list[Env]:
        """Elements of a set or a dict, in any order where `...` stands beside them."""
        wanted = [kid for kid in pattern.kids if kid.kind != "Dots"]
        loose = len(wanted) != len(pattern.kids)
        if not loose and len(wanted) != len(node.kids):
            return []
        return list(self.in_any_order(wanted, list(node.kids), env))

    def _binary(self, pattern: Node, node: Node, env: Env) -> list[Env]:
        if pattern.value != node.value:
            return []
        if self.commutative and pattern.value in _COMMUTATIVE:
            return match_commutative(self, pattern, node, env)
        if pattern.value in _ORDERED:
            return match_ordered(self, pattern, node, env)
        return self.each(pattern.kids, node.kids, env)

    def _subscript(self, pattern: Node, node: Node, env: Env) -> list[Env]:
        if node.kids[1].kind == "Slice" and pattern.kids[1].kind != "Slice":
            return []  # a slice is nothing that one metavariable, or `...`, stands for
        envs = self.match(pattern.kids[0], node.kids[0], env)
        return [after for before in envs for after in self.in_order(pattern.kids[1:], node.kids[1:], before)]

    def _comprehension(self, pattern: Node, node: Node, env: Env) -> list[Env]:
        if pattern.value != node.value:
            return []
        return self.in_order(pattern.kids, node.kids, env)

    def _parameters(self, pattern: Node, node: Node, env: Env) -> list[Env]:
        return match_parameters(self, pattern.kids, node.kids, env)


def has_metavariable(pattern: Node) -> bool:
    """Whether a metavariable stands in a dotted pattern."""
    while True:
        if pattern.kind == "Mv":
            return True
        if pattern.kind != "Attr":
            return False
        if pattern.kids[1].kind == "Mv":
            return True
        pattern = pattern.kids[0]


Handler = Callable[[Any, Node, Node, Env], list[Env]]

_SPECIAL: dict[str, Handler] = {
    "Mv": Matcher._metavariable, "Dots": Matcher._dots, "MvDots": Matcher._many, "Deep": Matcher._deep,  # noqa: SLF001 — its own
    "Typed": Matcher._typed, "AnyStr": Matcher.any_string, "MvStr": Matcher.string_content,  # noqa: SLF001
    "ReStr": Matcher.regex_string, "Chain": Matcher._chain,  # noqa: SLF001
}  # fmt: skip
_STRUCTURE: dict[str, Handler] = {
    "Call": Matcher._call, "List": Matcher._sequence, "Tuple": Matcher._sequence, "Set": Matcher._unordered,  # noqa: SLF001
    "Dict": Matcher._unordered, "Bin": Matcher._binary, "Sub": Matcher._subscript,  # noqa: SLF001
    "Comp": Matcher._comprehension, "Params": Matcher._parameters,  # noqa: SLF001
    "FStr": Matcher.formatted, "StrConcat": Matcher.joined_strings, "FExpr": Matcher.hole,
    "Block": Matcher.block, "Def": Matcher.definition, "Class": Matcher.class_definition,
    "If": Matcher.conditional, "While": Matcher.loop, "For": Matcher.loop, "Try": Matcher.try_statement,
    "Handler": Matcher.handler, "With": Matcher.with_statement, "Assert": Matcher.assertion, "Raise": Matcher.raised,
    "Assign": Matcher.assignment,
    "Import": Matcher.import_statement, "ImportFrom": Matcher.import_from,
}  # fmt: skip
