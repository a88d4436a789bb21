"""What a part of a text must hold for a rule to concern it, told from the rule.

A part is a function or method with all that is nested in it, or a statement of the module. A rule concerns it if the
part holds what one of the rule's patterns needs; where that cannot be told of a rule, the whole text is read.
"""

from collections.abc import Collection, Iterator

from auditor.matching.needs import Needs, Touches
from auditor.matching.patterns import Pattern, parse_pattern, pattern_of, words_of
from auditor.matching.prefilter import Texts, any_of, leaf_needs, needs_of, texts_of
from auditor.matching.rule import (
    All,
    Any,
    CommentLeaf,
    Formula,
    Inside,
    Leaf,
    MetavariablePattern,
    MetavariableRegex,
    Not,
    RegexLeaf,
    Rule,
    Sequence,
    Taint,
)
from auditor.matching.tree import Node

# A metavariable that stands twice may stand for two expressions of one value.
_METAVARIABLES = frozenset({"Mv", "MvDots"})
_HOLDING = frozenset({"Class", "If", "For", "While", "With", "Try", "Match", "Block", "Handler", "Case"})
# What holds statements, is a `pass`, or is met by a name that stands for it.
_NOT_BARE = _HOLDING | {
    "Def", "Pass", "DotsStmt", "MvStmt", "MvDotsStmt", "Str", "Num", "Const", "AnyStr", "ReStr", "MvStr", "FStr",
    "FText", "StrConcat", "Typed",
}  # fmt: skip


def parts_of(rule: Rule) -> Touches | None:
    """What a part may hold to concern a rule; None where any may, also since a name may stand for what is elsewhere."""
    return None if rule.options.get("symbolic_propagation", False) else touches_of(rule.match)


def is_bare(rule: Rule) -> bool:
    """Whether what a rule finds lies in one simple statement, or in one header, and all that decides on it is there.

    Nothing then hangs on what a name stands for, but for what imports say, nor on what is around.
    """
    return not rule.options.get("symbolic_propagation", False) and _is_bare(rule.match)


def _is_bare(match: Formula | Taint | None) -> bool:
    if isinstance(match, Any):
        return all(map(_is_bare, match.parts))
    if isinstance(match, All):
        conditions = all(isinstance(each, MetavariableRegex) and not each.constants for each in match.conditions)
        return len(match.parts) == 1 and conditions and _is_bare(match.parts[0])
    if not isinstance(match, Leaf):
        return False
    pattern = pattern_of(match.pattern)
    if pattern is None or pattern.form not in {"expression", "statement"}:
        return False
    nodes = [part for node in pattern.nodes for part in pattern.tree.within(node)]
    metavariables = [node.value for node in nodes if node.kind in _METAVARIABLES]
    return len({*metavariables}) == len(metavariables) and _NOT_BARE.isdisjoint(node.kind for node in nodes)


def lies_in_statement(match: Formula | Taint | None) -> bool:
    """Whether what a rule finds, and all that decides on it but for the values of its names, lies in one statement.

    Or in several, each of which says by its words that it is one of them.
    """
    if match is None or isinstance(match, Taint):
        return False
    if isinstance(match, Leaf):
        return _each_is_told(match)
    if isinstance(match, (Any, All)):
        parts = [*match.parts]
        if isinstance(match, All):
            parts += [each.part for each in match.conditions if isinstance(each, MetavariablePattern)]
        return all(lies_in_statement(part) for part in parts)
    if isinstance(match, (Inside, Not)):
        return lies_in_statement(match.part)
    if isinstance(match, CommentLeaf):
        return lies_in_statement(match.on)
    return False


def _each_is_told(leaf: Leaf) -> bool:
    pattern = pattern_of(leaf.pattern)
    if pattern is None or any(node.kind == "Pass" for node in pattern.tree.nodes):
        return False  # what is blanked out is a `pass`
    if pattern.form != "statements":
        return True
    return all(any(_units(node, pattern)) for node in pattern.nodes if node.kind != "DotsStmt")


def touches_of(match: Formula | Taint | None, texts: Texts | None = None) -> Touches | None:
    """What a part may hold to concern a clause; None where any part may concern it."""
    texts = texts or {}
    if isinstance(match, Taint):
        return _taint(match)
    if isinstance(match, Leaf):
        return _leaf(match, texts)
    if isinstance(match, CommentLeaf):
        return touches_of(match.on, texts)
    if isinstance(match, Any):
        return _union([touches_of(part, texts) for part in match.parts])
    if isinstance(match, Sequence):
        needs = needs_of(match, texts, here=True)
        around = [touch for step in match.steps for touch in (_around if step.anywhere else _insides)(step.part, {})]
        return Touches((needs,), tuple(dict.fromkeys(around))) if needs and not _has_regex(match) else None
    if isinstance(match, All):
        return _all(match, {**texts, **texts_of(match.conditions)})
    return None


def _union(parts: Collection[Touches | None]) -> Touches | None:
    where: list[Needs] = []
    around: list[Needs] = []
    for part in parts:
        if part is None:
            return None
        where.extend(part.where)
        around.extend(part.around)
    return Touches(tuple(dict.fromkeys(where)), tuple(dict.fromkeys(around)))


def _leaf(leaf: Leaf, texts: Texts) -> Touches | None:
    needs = leaf_needs(leaf, texts)
    if not needs:
        return None
    pattern = pattern_of(leaf.pattern)
    if pattern is None or any(node.kind == "Pass" for node in pattern.tree.nodes):
        return None  # what is blanked out is a `pass`
    if pattern.form == "statements" and pattern.nodes[0].kind == "DotsStmt":
        return None  # it begins where its block does
    if spans_parts(pattern.form, [node.kind for node in pattern.nodes]):
        # It may lie over several functions, each with one of its statements at least.
        units = dict.fromkeys(Needs(words) for node in pattern.nodes for words in _units(node, pattern) if words)
        return Touches(tuple(units)) if units else None
    return Touches((needs,))


def _units(node: Node, pattern: Pattern) -> Iterator[frozenset[str]]:
    """The words of each statement of a pattern that lies in one function: definitions, headers, simple statements."""
    if node.kind not in _HOLDING:
        yield words_of(pattern.tree.within(node)) & pattern.words
        return
    header = [part for kid in node.kids if kid.kind not in _HOLDING for part in pattern.tree.within(kid)]
    if node.kind == "Block":
        for statement in node.kids:
            yield from _units(statement, pattern)
        return
    yield words_of(header) & pattern.words
    for kid in node.kids:
        if kid.kind in _HOLDING:
            yield from _units(kid, pattern)


def spans_parts(form: str, kinds: Collection[str]) -> bool:
    """Whether a pattern may match over several functions, or over functions and what stands between them."""
    return form == "statements" or any(kind in _HOLDING for kind in kinds)


def _all(match: All, texts: Texts) -> Touches | None:
    """The clause that the fewest parts can concern says where; what else must be there, or not, may be around it."""
    if _has_regex(match):
        return None
    # Once for each part: clauses nest, and to ask twice would double the work with each level.
    asked = [(part, None if isinstance(part, (Inside, Not)) else touches_of(part, texts)) for part in match.parts]
    found = [(touches, _spans(part)) for part, touches in asked if not isinstance(part, (Inside, Not))]
    told = [(touches, spans) for touches, spans in found if touches is not None]
    if not told or (len(told) < len(found) and all(spans for _, spans in told)):
        return None
    best, _ = min(told, key=lambda each: (each[1], any(need.trigger() is None for need in each[0].where)))
    others = [Touches((), (*touches.where, *touches.around)) for touches, _ in told if touches is not best]
    around: list[Needs] = []
    for other, touches in asked:
        # Also a choice of clauses that only stand around: it says nothing of where, and its places must be read.
        if touches is None:
            around.extend(_around(other, texts))
    return _union([best, *others, Touches((), tuple(around))])


def _spans(part: Formula) -> bool:
    if isinstance(part, Leaf):
        pattern = parse_pattern(part.pattern)
        return spans_parts(pattern.form, [node.kind for node in pattern.nodes])
    if isinstance(part, Any):
        return any(_spans(one) for one in part.parts)
    if isinstance(part, All):
        return all(_spans(one) for one in part.parts if not isinstance(one, (Inside, Not)))
    return not isinstance(part, Sequence)


def _around(part: Formula, texts: Texts) -> Iterator[Needs]:
    """What the clauses in a clause need that have words; those without stand around what the others find."""
    if isinstance(part, Leaf):
        touches = _leaf(part, texts)
        yield from touches.where if touches is not None else ()
    elif isinstance(part, (Inside, Not)):
        yield from _around(part.part, texts)
    elif isinstance(part, (Any, All)):
        for inner in part.parts:
            yield from _around(inner, texts)
    elif isinstance(part, CommentLeaf):
        yield from _around(part.on, texts)
    elif isinstance(part, Sequence):
        needs = needs_of(part, texts, here=True)
        if needs:
            yield needs


def _taint(match: Taint) -> Touches | None:
    """A sink lies in a function; its source in the same one, or in what the module runs, which is read anyway."""
    clauses = [one.part for one in (*match.sources, *match.sinks, *match.sanitizers)]
    clauses.extend(propagator.part for propagator in match.propagators)
    if any(_has_regex(part) for part in clauses):
        return None
    needs = any_of([needs_of(one.part, here=True) for one in match.sinks])
    if not needs:
        return None
    around = (touch for part in clauses for touch in _insides(part, {}))
    return Touches((needs,), tuple(dict.fromkeys(around)))


def _insides(part: Formula, texts: Texts) -> Iterator[Needs]:
    """What those clauses in a clause need that only say what is around, or must not be."""
    if isinstance(part, (Inside, Not)):
        yield from _around(part.part, texts)
    elif isinstance(part, (Any, All)):
        for inner in part.parts:
            yield from _insides(inner, texts)
    elif isinstance(part, CommentLeaf):
        yield from _insides(part.on, texts)


def _has_regex(part: Formula) -> bool:
    """Whether a clause looks at the text itself, blanks and all."""
    if isinstance(part, RegexLeaf):
        return True
    if isinstance(part, (Any, All)):
        return any(_has_regex(inner) for inner in part.parts)
    if isinstance(part, (Inside, Not)):
        return _has_regex(part.part)
    if isinstance(part, CommentLeaf):
        return _has_regex(part.on)
    if isinstance(part, Sequence):
        return any(_has_regex(step.part) for step in part.steps)
    return False
