"""Every shipped rule keeps the house's form, and its examples hold."""

import re
from pathlib import Path

import pytest

from auditor.examples import run_examples
from auditor.rulebook import Rule, load, shipped_rules

BOOK = load([])
RULES = pytest.mark.parametrize("rule", BOOK.rules, ids=lambda rule: rule.id)
# What is said of the run's own files, not of a page or a file that an example could be.
WITHOUT_EXAMPLES = {"stale-baseline-entry", "unknown-encoding"}


def test_every_shipped_rule_can_be_read() -> None:
    assert BOOK.problems == ()
    assert len(BOOK.rules) > 20


def test_one_rule_a_file_named_like_it() -> None:
    files = sorted(path.stem for path in shipped_rules().rglob("*.yaml"))
    assert files == sorted(rule.id for rule in BOOK.rules)


@RULES
def test_form(rule: Rule) -> None:
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule.id)
    assert not rule.id.startswith("no-")
    assert set(rule.messages) == {"en", "zh"}
    assert re.search("[\u4e00-\u9fff]", rule.messages["zh"])
    assert rule.note, "what it does, why it matters, what to use instead"
    for name in re.findall(r"\$[A-Z_]+", rule.messages["en"]):
        assert name in rule.messages["zh"], f"{name} is missing in Chinese"


@RULES
def test_examples_are_enough(rule: Rule) -> None:
    if rule.id in WITHOUT_EXAMPLES:
        return
    assert len(rule.examples.finding) >= 2
    assert len(rule.examples.clean) >= 2
    assert all(example.lines for example in rule.examples.finding)
    if rule.fix is not None or rule.fix_regex is not None:
        assert rule.examples.fixed


@RULES
def test_examples_hold(rule: Rule) -> None:
    wrong = [outcome for outcome in run_examples(rule, BOOK) if outcome.wrong]
    assert wrong == []


@RULES
def test_evidence_is_there(rule: Rule) -> None:
    root = Path(__file__).parent.parent.parent
    for name in rule.evidence:
        file, _, test = name.partition("::")
        assert f"def {test}(" in (root / file).read_text(encoding="utf-8")
