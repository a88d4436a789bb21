"""The conditions of a rule on what its metavariables stand for."""

import math
from typing import TYPE_CHECKING, assert_never

from auditor.matching.environment import Run, merge
from auditor.matching.hits import Hit
from auditor.matching.patterns import PatternError, parse_pattern
from auditor.matching.regexes import compile_regex, time_limit
from auditor.matching.rule import (
    All,
    Condition,
    Formula,
    Leaf,
    MetavariableAnalysis,
    MetavariableComparison,
    MetavariablePattern,
    MetavariableRegex,
    MetavariableType,
    Not,
    RegexLeaf,
)  # fmt: skip
from auditor.matching.rule import (
    Any as AnyOf,
)
from auditor.matching.tree import Node

if TYPE_CHECKING:
    from auditor.matching.formula import Evaluation

# A repeated group that repeats inside, or alternatives that begin alike: what makes a regex take exponential time.
_SLOW = (
    r"\((?:[^()\\]|\\.)*[+*](?:[^()\\]|\\.)*\)[+*{]",
    r"\((?:[^()\\|]|\\.)+(?:\|(?:[^()\\|]|\\.)+)+\)[+*]",
)
# A text of some length looks drawn at random where few of its letter pairs are common in words.
_RANDOM_LENGTH = 12
_WORDLIKE = 0.35
_COMMON_PAIRS = frozenset(
    [
        "th",
        "he",
        "in",
        "er",
        "an",
        "re",
        "nd",
        "at",
        "on",
        "nt",
        "ha",
        "es",
        "st",
        "en",
        "ed",
        "to",
        "it",
        "ou",
        "ea",
        "hi",
        "is",
        "or",
        "ti",
        "as",
        "te",
        "et",
        "ng",
        "of",
        "al",
        "de",
        "se",
        "le",
        "sa",
        "si",
        "ar",
        "ve",
        "ra",
        "ld",
        "ur",
        "me",
        "co",
        "ro",
        "ic",
        "ne",
        "ri",
        "io",
        "ll",
        "be",
        "ma",
        "ta",
        "el",
        "om",
        "us",
        "ec",
        "ch",
        "la",
        "ce",
        "ss",
        "no",
        "di",
        "em",
        "pa",
        "ac",
        "ut",
        "ca",
        "tr",
        "ai",
        "il",
        "ns",
        "po",
        "ol",
        "am",
        "ee",
        "ge",
        "pe",
        "wo",
        "id",
        "rs",
    ]
)


# What a search in what a metavariable stands for counts in the rule's budget: such conditions may stand in each other.
_STEPS_OF_A_SEARCH = 20


def holds(evaluation: "Evaluation", condition: Condition, hit: Hit) -> list[Hit]:
    """The hit where the condition holds, with what the condition bound; nothing where it does not."""
    if isinstance(condition, MetavariableComparison):
        return [hit] if _compares(evaluation, condition, hit) else []
    value = hit.env.get(condition.metavariable)
    if value is None:
        return []
    if isinstance(condition, MetavariableRegex):
        text = text_of(evaluation, value, constants=condition.constants)
        return [hit] if _begins(condition.regex, text) else []
    if isinstance(condition, MetavariablePattern):
        return _holds_pattern(evaluation, condition, hit, value)
    if isinstance(condition, MetavariableType):
        return [hit] if isinstance(value, Node) and _has_type(evaluation, condition, value) else []
    if isinstance(condition, MetavariableAnalysis):
        return [hit] if _analysed(condition.analyzer, text_of(evaluation, value, constants=True)) else []
    assert_never(condition)


def text_of(evaluation: "Evaluation", value: "Node | Run", *, constants: bool = False) -> str:
    """What a metavariable stands for, as it is written, or its constant value."""
    if isinstance(value, Node):
        if constants:
            constant = evaluation.search.matcher.values.constant(value)
            if constant is not None and constant.kind == "Str":
                return constant.value
        return evaluation.tree.text_of(value)
    return evaluation.tree.code[value.start : value.end] if value.start >= 0 else ""


def _begins(expression: str, text: str) -> bool:
    return compile_regex(expression).match(text, timeout=time_limit()) is not None


def _compares(evaluation: "Evaluation", condition: MetavariableComparison, hit: Hit) -> bool:
    from auditor.matching.comparison import compare  # noqa: PLC0415 - few rules compare

    def value_of(name: str) -> object:
        value = hit.env.get(name)
        if value is None:
            raise KeyError(name)
        if isinstance(value, Node):
            return _literal_value(evaluation, value, condition)
        return evaluation.tree.code[value.start : value.end]

    def text(name: str) -> str:
        value = hit.env.get(name)
        if value is None:
            raise KeyError(name)
        return text_of(evaluation, value, constants=True)

    return compare(condition.comparison, value_of, text)


def _literal_value(evaluation: "Evaluation", value: Node, condition: MetavariableComparison) -> object:
    if value.kind == "Text" or condition.strip:
        text = text_of(evaluation, value).strip("'\"` ")
        try:
            return int(text, condition.base or 10)
        except ValueError:
            return text
    constant = evaluation.search.matcher.values.constant(value)
    if constant is None:
        raise KeyError(condition.comparison)
    if constant.kind == "Str":
        return constant.value
    if constant.kind == "Const":
        return {"True": True, "False": False, "None": None}[constant.value]
    kind, _, number = constant.value.partition(" ")
    if kind == "int":
        return int(number, 16) if len(number) < 4000 else math.inf
    return float(number) if kind == "float" else number


def _has_type(evaluation: "Evaluation", condition: MetavariableType, value: Node) -> bool:
    matcher = evaluation.search.matcher
    for wanted in condition.types:
        try:
            pattern = parse_pattern({"string": "str"}.get(wanted, wanted))
        except PatternError:
            continue
        if matcher.match_type(pattern.nodes[0], value, [{}]):
            return True
        if pattern.nodes[0].kind == "Name" and pattern.nodes[0].value == "str" and value.kind in {"FStr", "Str"}:
            return True
    return False


def _holds_pattern(
    evaluation: "Evaluation", condition: MetavariablePattern, hit: Hit, value: "Node | Run"
) -> list[Hit]:
    if condition.language not in {None, "python", "py"}:
        return [hit] if text_holds(condition.part, text_of(evaluation, value, constants=True)) else []
    evaluation.search.matcher.spend(_STEPS_OF_A_SEARCH)
    node = value if isinstance(value, Node) else (value.nodes[0] if value.nodes else None)
    around = Hit(value.start, value.end, hit.env, node)
    found: list[Hit] = []
    for inner in evaluation.within(condition.part, around):
        env = merge(evaluation.tree, hit.env, inner.env)
        if env is not None:
            found.append(Hit(hit.start, hit.end, env, hit.node, inside=hit.inside, labels=hit.labels))
    return found


def text_holds(part: Formula, text: str) -> bool:
    """Whether a clause of regexes and generic patterns holds of a text."""
    return bool(_text_places(part, text))


def _text_places(part: Formula, text: str) -> list[tuple[int, int]]:
    if isinstance(part, (Leaf, RegexLeaf)):
        expression = _generic_regex(part.pattern) if isinstance(part, Leaf) else part.regex
        return [place.span() for place in compile_regex(expression).finditer(text, timeout=time_limit())]
    if isinstance(part, AnyOf):
        return [place for inner in part.parts for place in _text_places(inner, text)]
    if isinstance(part, All):
        places: list[tuple[int, int]] = [(0, len(text))]
        for inner in part.parts:
            if isinstance(inner, Not):
                gone = _text_places(inner.part, text)
                places = [one for one in places if not any(_meets(one, other) for other in gone)]
            else:
                found = _text_places(inner, text)
                places = [two for one in places for two in found if one[0] <= two[0] and two[1] <= one[1]]
        return places
    return []


def _generic_regex(pattern: str) -> str:
    from auditor.matching.generic_text import generic_regex  # noqa: PLC0415 - few rules ask

    return generic_regex(pattern)


def _meets(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _analysed(analyzer: str, text: str) -> bool:
    text = text.strip("'\"")
    if analyzer == "redos":
        return any(compile_regex(slow).search(text, timeout=time_limit()) for slow in _SLOW)
    if analyzer.startswith("entropy"):
        varied = len(text) >= _RANDOM_LENGTH and len(set(text)) > 2 and " " not in text
        return varied and _wordlike(text.lower()) < _WORDLIKE
    return False


def _wordlike(text: str) -> float:
    """The share of letter pairs that are common in English words."""
    pairs = [text[at : at + 2] for at in range(len(text) - 1)]
    return sum(pair in _COMMON_PAIRS for pair in pairs) / len(pairs) if pairs else 1.0
