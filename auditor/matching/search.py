"""All places of one text where a pattern or a regex matches."""

from collections.abc import Sequence

from auditor.matching.environment import EMPTY, Env
from auditor.matching.hits import Hit
from auditor.matching.matcher import Matcher
from auditor.matching.needs import Words, rarest
from auditor.matching.patterns import Pattern, parse_pattern
from auditor.matching.regexes import compile_regex, time_limit
from auditor.matching.rule import Formula, Leaf
from auditor.matching.tree import EXPRESSIONS, Node, Tree

_STRINGS = ("Str", "Name", "Bin", "FStr", "StrConcat")
# Kinds of code that a pattern of a kind may match, where it is not that kind alone.
_CANDIDATES: dict[str, tuple[str, ...]] = {
    "Attr": ("Attr", "Name"),
    "Str": (*_STRINGS, "FText"), "AnyStr": (*_STRINGS, "FText"), "ReStr": (*_STRINGS, "FText"), "MvStr": _STRINGS,
    "StrConcat": ("StrConcat", "FStr"),
    "List": ("List", "Comp"), "Set": ("Set", "Comp", "Dict"), "Dict": ("Dict", "Comp"),
    "Num": ("Num", "Name", "Bin", "Unary"), "Const": ("Const", "Name"),
    "Assign": ("Assign", "AnnAssign", "Walrus"),
    "Import": ("Import", "ImportFrom"), "ImportFrom": ("Import", "ImportFrom"),
    "Mv": tuple(sorted(EXPRESSIONS)), "Dots": tuple(sorted(EXPRESSIONS)), "Deep": tuple(sorted(EXPRESSIONS)),
    "Typed": tuple(sorted(EXPRESSIONS)), "Chain": ("Attr", "Call", "Sub"),
}  # fmt: skip


# So many alternatives are worth a look at their words; they are sorted once, and known by the tuple they stand in.
_MANY = 6
_MOST_KNOWN = 10_000
_BY_WORD: dict[int, tuple[Sequence[Formula], dict[str, list[int]], list[int]]] = {}


class Search:
    """Finds patterns on one tree, each once however many rules ask for it."""

    def __init__(self, matcher: Matcher, words: Words) -> None:
        self.matcher = matcher
        self._words = words
        self.tree: Tree = matcher.tree
        self._known: dict[tuple[str, bool, bool, bool], list[Hit]] = {}
        self._calls: dict[str, list[Node]] | None = None

    def pattern(self, text: str) -> list[Hit]:
        """The hits of a pattern under the matcher's options, in source order."""
        matcher = self.matcher
        key = (text, matcher.constants, matcher.symbolic, matcher.commutative)
        known = self._known.get(key)
        if known is None:
            pattern = parse_pattern(text)
            # A rule of many alternatives is looked for where one of them may stand; the others need no look.
            likely = all(map(self._words.has, pattern.words))
            known = self._known[key] = distinct(self._find(pattern)) if likely else []
        return known

    def likely(self, parts: Sequence[Formula]) -> Sequence[Formula]:
        """Of many alternatives those that may be found: a text holds the words of few of them."""
        if len(parts) < _MANY:
            return parts
        known = _BY_WORD.get(id(parts))
        if known is None:
            by_word: dict[str, list[int]] = {}
            rest = []
            for at, part in enumerate(parts):
                words = parse_pattern(part.pattern).words if isinstance(part, Leaf) else frozenset()
                if words:
                    by_word.setdefault(rarest(words), []).append(at)
                else:
                    rest.append(at)
            if len(_BY_WORD) > _MOST_KNOWN:
                _BY_WORD.clear()
            known = _BY_WORD[id(parts)] = (parts, by_word, rest)
        _, by_word, rest = known
        return [
            parts[at]
            for at in sorted([*rest, *(at for word in by_word.keys() & self._words.words for at in by_word[word])])
        ]

    def _find(self, pattern: Pattern) -> list[Hit]:
        found: list[Hit] = []
        matcher = self.matcher
        if pattern.form == "statements":
            for block in self.tree.of_kind("Block"):
                for start, end, env in matcher.sequences(pattern.nodes, block):
                    first = next((kid for kid in block.kids if kid.start == start), block)
                    found.append(Hit(start, end, env, first))
            return found
        wanted = pattern.nodes[0]
        if pattern.form == "decorator":
            for node in self.tree.of_kind("Decorator"):
                found.extend(
                    Hit(node.start, node.end, env, node) for env in matcher.decorator(wanted, node.kids[0], EMPTY)
                )
            return found
        symbolic = matcher.symbolic
        for node in self._candidates(wanted):
            # What a name stands for is found where it is written, not at each use of the name.
            matcher.symbolic = symbolic and node.kind != "Name"
            found.extend(Hit(node.start, node.end, env, node) for env in matcher.match(wanted, node, EMPTY))
        matcher.symbolic = symbolic
        if wanted.kind == "Call":
            for node in self.tree.of_kind("Decorator"):
                given = node.kids[0]
                if given.kind != "Call":  # `@f` is a call of `f`
                    ways = matcher.decorator(wanted, given, EMPTY)
                    found.extend(Hit(given.start, given.end, env, given) for env in ways)
        return found

    def _candidates(self, wanted: Node) -> list[Node]:
        kinds = _CANDIDATES.get(wanted.kind, (wanted.kind,))
        if kinds == ("Call",):
            name = last_name(wanted)
            if name is not None:
                return self._calls_of(name)
        nodes = self.tree.of_kind(*kinds)
        if wanted.kind == "Bin" and wanted.value in {"and", "or"}:
            # A chain of `and` is one expression of many operands.
            return [node for node in nodes if not _is_inner(node)]
        return nodes

    def _calls_of(self, name: str) -> list[Node]:
        """Calls of something whose last name may be `name`, by its own name or as it was imported."""
        if self._calls is None:
            calls: dict[str, list[Node]] = {}
            for node in self.tree.of_kind("Call"):
                function = node.kids[0]
                own = last_name(node)
                names = {own or ""}
                if function.kind == "Name":
                    names.update(dotted.rsplit(".", 1)[-1] for dotted in self.matcher.names.dotted(function))
                for one in names:
                    calls.setdefault(one, []).append(node)
            self._calls = calls
        return [*self._calls.get(name, ()), *self._calls.get("", ())]

    def regex(self, expression: str) -> list[Hit]:
        """The places of the text where a regex is found; raises `TimeoutError`."""
        found: list[Hit] = []
        for place in compile_regex(expression).finditer(self.tree.code, timeout=time_limit()):
            groups: list[int | str] = [*range(1, place.re.groups + 1), *place.re.groupindex]
            env: dict[str, Node] = {
                f"${group}": text_node(place[group], place.start(group), place.end(group))
                for group in groups
                if place.start(group) >= 0
            }
            found.append(Hit(place.start(), place.end(), env))
        return found


def text_node(text: str, start: int, end: int) -> Node:
    """A piece of text as something that a metavariable can stand for."""
    return Node("Text", text, (), start, end, -1, -1, None)


def last_name(call: Node) -> str | None:
    """The last name of what a call calls, or None where it has none or a pattern leaves it open."""
    function = call.kids[0]
    if function.kind == "Attr":
        function = function.kids[1]
        return function.value if function.kind == "Ident" else None
    return function.value if function.kind == "Name" else None


def _is_inner(node: Node) -> bool:
    around = node.parent
    return around is not None and around.kind == "Bin" and around.value == node.value


def distinct(hits: list[Hit]) -> list[Hit]:
    """Hits in source order, each place and set of bindings once."""
    if len(hits) < 2:
        return hits
    seen: set[tuple[object, ...]] = set()
    kept: list[Hit] = []
    for hit in sorted(hits, key=lambda hit: (hit.start, -hit.end)):
        key = (hit.start, hit.end, hit.inside, binding_key(hit.env))
        if key not in seen:
            seen.add(key)
            kept.append(hit)
    return kept


def binding_key(env: Env) -> tuple[object, ...]:
    """What tells one set of bindings from another: what is bound and where it stands."""
    return tuple(sorted((name, value.start, value.end) for name, value in env.items()))
