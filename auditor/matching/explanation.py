"""Why a rule did or did not match: clause by clause, how many places it found and how many were left after it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from auditor.matching.conditions import holds
from auditor.matching.formula import Evaluation, focus, intersect, subtract
from auditor.matching.hits import Hit
from auditor.matching.lowering import Misread
from auditor.matching.matcher import BudgetError
from auditor.matching.needs import Needs, Words
from auditor.matching.prefilter import needs_of
from auditor.matching.program import engine, hits_of, parse, reason_of, set_options
from auditor.matching.rule import (
    All,
    Any,
    CommentLeaf,
    Formula,
    Inside,
    Leaf,
    MetavariableComparison,
    Not,
    RegexLeaf,
    Rule,
    Taint,
)  # fmt: skip
from auditor.matching.rule import (
    Sequence as Steps,
)


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause: how deep it stands, what it says, how many places it found alone, and how many were left after it."""

    depth: int
    text: str
    found: int | None = None
    left: int | None = None


@dataclass(frozen=True, slots=True)
class Explanation:
    """The clauses of a rule on one text, and the number of hits at the end.

    `missing` are words that the text lacks and without which the rule is not even tried; `not_applied` says why the
    text cannot be matched at all.
    """

    clauses: tuple[Clause, ...] = ()
    hits: int = 0
    missing: tuple[str, ...] = ()
    not_applied: str | None = None


def explain(rule: Rule, code: str, before: Sequence[str] = ()) -> Explanation:
    """Evaluate a rule on a text that compiles and tell of every clause; never raises on any text."""
    if rule.match is None:
        return Explanation(not_applied="the rule is about a diagnosis or the ledger, not about code")
    joined = before if rule.scope.join != "none" else ()
    missing = tuple(sorted(_missing(needs_of(rule.match), Words((code, *joined)))))
    try:
        search = engine(parse(code), joined)
        set_options(rule, search)
        clauses = tuple(_clauses(Evaluation(search), rule.match))
        return Explanation(clauses, len(hits_of(rule, search)), missing)
    except Misread as error:
        return Explanation(missing=missing, not_applied=str(error))
    except (BudgetError, TimeoutError, RecursionError) as error:
        return Explanation(missing=missing, not_applied=reason_of(error))


def _missing(needs: Needs, words: Words) -> Iterator[str]:
    yield from (word for word in needs.words if not words.has(word))
    for alternatives in needs.choices:
        if not any(need.met(words) for need in alternatives):
            for need in alternatives:
                yield from _missing(need, words)


def _clauses(evaluation: Evaluation, match: Formula | Taint) -> Iterator[Clause]:
    if isinstance(match, Taint):
        groups = (
            ("pattern-sources", match.sources),
            ("pattern-sanitizers", match.sanitizers),
            ("pattern-propagators", match.propagators),
            ("pattern-sinks", match.sinks),
        )
        for title, parts in groups:
            for part in parts:
                yield Clause(0, title, len(evaluation.hits(part.part)))
                yield from _formula(evaluation, part.part, 1)
        return
    yield from _formula(evaluation, match, 0)


def _formula(evaluation: Evaluation, part: Formula, depth: int) -> Iterator[Clause]:
    if isinstance(part, All):
        yield from _all(evaluation, part, depth)
    elif isinstance(part, Any):
        yield Clause(depth, "pattern-either", len(evaluation.hits(part)))
        for inner in part.parts:
            yield from _formula(evaluation, inner, depth + 1)
    elif isinstance(part, Steps):
        yield Clause(depth, "sequence", len(evaluation.hits(part)))
        for step in part.steps:
            yield Clause(depth + 1, f"step {step.label}", len(evaluation.hits(step.part)))
            yield from _formula(evaluation, step.part, depth + 2)
    else:
        yield Clause(depth, title(part), len(_positive(evaluation, part)))


def _positive(evaluation: Evaluation, part: Formula) -> list[Hit]:
    return evaluation.hits(part.part if isinstance(part, Not) else part)


def _all(evaluation: Evaluation, part: All, depth: int) -> Iterator[Clause]:
    """The clauses of `patterns` in the order in which they are evaluated, with what each leaves."""
    yield Clause(depth, "patterns", None, len(evaluation.hits(part)))
    positives = sorted((one for one in part.parts if not isinstance(one, Not)), key=lambda one: isinstance(one, Inside))
    negatives = [one for one in part.parts if isinstance(one, Not)]
    current: list[Hit] | None = None
    for inner in positives:
        found = evaluation.hits(inner)
        current = found if current is None else intersect(evaluation.tree, current, found)
        yield Clause(depth + 1, title(inner), len(found), len(current))
        yield from _below(evaluation, inner, depth + 2)
    current = current or []
    for negative in negatives:
        found = evaluation.hits(negative.part)
        current = subtract(evaluation.tree, current, found, negative)
        yield Clause(depth + 1, title(negative), len(found), len(current))
        yield from _below(evaluation, negative, depth + 2)
    for condition in part.conditions:
        current = [after for hit in current for after in holds(evaluation, condition, hit)]
        what = condition.comparison if isinstance(condition, MetavariableComparison) else condition.metavariable
        yield Clause(depth + 1, f"{_kebab(type(condition).__name__)} {what}", None, len(current))
    for names in part.focus:
        current = focus(current, names)
        yield Clause(depth + 1, f"focus-metavariable {', '.join(names)}", None, len(current))


def _below(evaluation: Evaluation, part: Formula, depth: int) -> Iterator[Clause]:
    inner = part.part if isinstance(part, (Inside, Not)) else part
    if isinstance(inner, (All, Any, Steps)):
        yield from _formula(evaluation, inner, depth)


def title(part: Formula) -> str:
    """A clause as its key and, where it has one, the first line of its pattern."""
    if isinstance(part, Leaf):
        return f"pattern {_first_line(part.pattern)}"
    if isinstance(part, RegexLeaf):
        return f"pattern-regex {_first_line(part.regex)}"
    if isinstance(part, CommentLeaf):
        return f"comment {_first_line(part.regex)}"
    if isinstance(part, Inside):
        return _derived("pattern-inside", part.part)
    if isinstance(part, Not):
        return _derived("pattern-not-inside" if part.inside else "pattern-not", part.part)
    return {Any: "pattern-either", All: "patterns", Steps: "sequence"}[type(part)]


def _derived(key: str, part: Formula) -> str:
    if isinstance(part, RegexLeaf):
        return f"{key}-regex {_first_line(part.regex)}"
    return f"{key} {_first_line(part.pattern)}" if isinstance(part, Leaf) else key


def _first_line(text: str) -> str:
    first, _, rest = text.strip().partition("\n")
    return f"{first} …" if rest else first


def _kebab(name: str) -> str:
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("-")
