"""A rule that asks for too many steps in a text is named there; the others are at work all the same."""

import pytest

from auditor.matching import find, prepare
from auditor.matching.rule import Leaf, Rule

PLAIN = Rule("plain", "error", {"en": "m"}, match=Leaf("g(1)"))


def test_a_rule_that_asks_for_too_much_is_left_out_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    greedy = Rule("greedy", "error", {"en": "m"}, match=Leaf("f(..., $X, ..., $X, ...)"))
    code = f"f({', '.join(f'a{number}' for number in range(60))})\ng(1)\n"
    assert find(prepare([greedy, PLAIN]), code).not_applied is None
    monkeypatch.setattr("auditor.matching.matcher.BUDGET", 100)
    told = find(prepare([greedy, PLAIN]), code)
    assert told.not_applied == "greedy: the rule asks for too many steps"
    assert [match.rule_id for match in told.matches] == ["plain"]


def test_each_rule_has_a_budget_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("auditor.matching.matcher.BUDGET", 20)
    rules = [Rule(f"r{number}", "error", {"en": "m"}, match=Leaf(f"g({number})")) for number in range(50)]
    told = find(prepare(rules), "".join(f"g({number})\n" for number in range(5)))
    assert told.not_applied is None
    assert len(told.matches) == 5
