"""Metavariables that a rule's texts name and no clause binds: a fix is wrong with them, a message doubtful."""

import pytest

from auditor.rulebook import load, load_text
from auditor.rulebook.bindings import doubts

HEAD = "rules:\n  - id: mine\n    languages: [python]\n    severity: warning\n"


def doubted(message: str, clauses: str) -> list[str]:
    rules, problems = load_text(f"{HEAD}    message: {message}\n{clauses}", "mine.yaml")
    assert problems == ()
    return [str(doubt) for doubt in doubts(rules)]


@pytest.mark.parametrize(
    ("message", "clauses"),
    [
        ("$X and $...ARGS", "    pattern: f($X, $...ARGS)\n"),
        ("$X", "    pattern-regex: f\\((?P<X>.)\\)\n"),
        ("$X", "    pattern-either: [{pattern: f($X)}, {pattern: g()}]\n"),
        ("$X", "    patterns: [{pattern: f()}, {pattern-inside: 'with $X: ...'}]\n"),
        (
            "$Y",
            "    patterns: [{pattern: f($X)}, {metavariable-pattern: {metavariable: $X, pattern: g($Y)}}]\n",
        ),
        (
            "$X $Y",
            "    mode: taint\n    pattern-sources: [{pattern: f($X)}]\n    pattern-sinks: [{pattern: g($Y)}]\n",
        ),
        ("$X", "    sequence: [{pattern: f($X)}, {pattern: g()}]\n"),
        ("$X", "    match: {all: [f($X), {not: g()}]}\n"),
        ("$5 or $1 for $x", "    pattern: f()\n"),
        ("$NAME is $COVERAGE", "    definition: {coverage: none}\n"),
        ("$DEFINITION $OPERATIONS", "    link: {state: outdated}\n"),
        ("$WIDTH", "    diagnosis: unindent-mismatch\n"),
    ],
)
def test_what_a_clause_binds_may_be_said(message: str, clauses: str) -> None:
    assert doubted(f'"{message}"', clauses) == []


@pytest.mark.parametrize(
    ("message", "clauses", "name"),
    [
        ("$Y is nowhere", "    pattern: f($X)\n", "$Y"),
        ("$...X", "    pattern: f($X)\n", "$...X"),
        ("$Y", "    patterns: [{pattern: f($X)}, {pattern-not: 'f($Y, 1)'}]\n", "$Y"),
        ("$Y", "    patterns: [{pattern: f($X)}, {pattern-not-inside: 'with $Y: ...'}]\n", "$Y"),
        ("$DEFINITON", "    link: {state: outdated}\n", "$DEFINITON"),
        ("$DEFINITION", "    definition: {coverage: none}\n", "$DEFINITION"),
    ],
)
def test_a_message_with_a_name_that_nothing_binds_is_doubtful(message: str, clauses: str, name: str) -> None:
    said = f"mine.yaml:2:1: message: {name} is bound by no clause, and stands there as it is"
    assert doubted(f'"{message}"', clauses) == [said]


def test_each_name_is_said_once_in_whatever_language() -> None:
    assert len(doubted('{en: "$Y, $Y", zh: "$Y $Z"}', "    pattern: f($X)\n")) == 2


def test_a_fix_with_a_name_that_nothing_binds_is_a_mistake_at_its_line() -> None:
    text = f"{HEAD}    message: m\n    pattern: f($X)\n    fix: "
    rules, problems = load_text(f"{text}safe($Z)\n", "mine.yaml")
    assert rules == ()
    assert [str(problem) for problem in problems] == ["mine.yaml:7:10: fix: $Z is bound by no clause"]
    for sound in ("safe($X)", "safe($1)", "safe()"):
        assert load_text(f"{text}{sound}\n", "mine.yaml")[1] == ()


def test_the_shipped_rules_name_what_they_bind() -> None:
    assert list(doubts(load([]).rules)) == []
