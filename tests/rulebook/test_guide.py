"""The guide to writing rules: its rules are read, and do what it says."""

import re
from pathlib import Path

import pytest

from auditor.matching import find, prepare
from auditor.rulebook import Rule, load_text

GUIDE = Path(__file__).parents[2] / "docs" / "writing-rules.md"


def rules() -> list[Rule]:
    found: list[Rule] = []
    for block in re.findall(r"```yaml\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL):
        read, problems = load_text(block, "guide.yaml")
        assert problems == ()
        found.extend(read)
    return found


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: rule.id)
def test_examples_of_the_guide(rule: Rule) -> None:
    for example in (*rule.examples.finding, *rule.examples.clean):
        found = find(prepare([rule]), example.code).matches
        lines = sorted({example.code.count("\n", 0, match.start) + 1 for match in found})
        assert lines == list(example.lines), example.name
