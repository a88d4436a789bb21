"""Calls that look as if they did not fit, and say nothing wrong."""

import pytest

from auditor.audit import audit
from auditor.audited import AuditOptions
from auditor.model import Source
from auditor.project.whole import ProjectOptions, judge
from auditor.rulebook import load

BOOK = load([])
KNOWN = frozenset(rule.id for rule in BOOK.rules)


def said(*fences: str) -> list[str]:
    page = "\n".join(f"```python\n{fence}```\n" for fence in fences)
    found = judge([audit(Source("a.md", page), BOOK, AuditOptions())], BOOK, ProjectOptions(KNOWN)).findings
    return [finding.rule for finding in found if finding.rule == "call-does-not-fit"]


def test_a_call_that_does_not_fit_is_said() -> None:
    assert said("def fit(x, y):\n    return x\n", "fit(1)\n") == ["call-does-not-fit"]


@pytest.mark.parametrize("call", ["fit(1, 2)\n", "fit(1)\n"])
def test_a_method_shown_without_its_class_is_no_function_of_the_page(call: str) -> None:
    assert said("def fit(self, data):\n    return self.model(data)\n", call) == []


@pytest.mark.parametrize("call", ["fit(a, ...)\n", "fit(...)\n"])
def test_dots_among_the_arguments_stand_for_any_number(call: str) -> None:
    assert said("def fit(x):\n    return x\n", f"a = 1\n{call}") == []
