"""Rules on facts: `link:` and `definition:`."""

from pathlib import Path

import pytest

from auditor.audit import audit
from auditor.audited import AuditOptions
from auditor.model import Source
from auditor.project.whole import ProjectOptions, judge
from auditor.rulebook import load

PAGE = "# T\n\n```python\ndef area(w, h):\n    return h * w\n```\n"
CODE = "def area(w, h):\n    return w + h\n\n\nclass Box:\n    def side(self):\n        return 1\n"
RULE = """rules:
  - id: mine
    severity: warning
    message: {{en: $MESSAGE, zh: $MESSAGE}}
    {clause}
"""


def said(tmp_path: Path, clause: str) -> list[tuple[str, int]]:
    file = tmp_path / "rule.yaml"
    file.write_text(RULE.format(clause=clause).replace("$MESSAGE", "drifted"))
    book = load([file], builtin=False)
    assert book.problems == ()
    audits = [audit(Source(path, text), book, AuditOptions()) for path, text in (("a.py", CODE), ("page.md", PAGE))]
    found = judge(audits, book, ProjectOptions(frozenset({"mine"}))).findings
    assert all(finding.fingerprint and finding.severity == "warning" for finding in found)
    return [(finding.place.path, finding.place.line) for finding in found]


@pytest.mark.parametrize(
    ("clause", "places"),
    [
        ("link: {state: outdated}", [("page.md", 3)]),
        ("link: {state: outdated|orphaned, evidence: qualname}", [("page.md", 3)]),
        ("link: {state: covers}", []),
        ("link: {definition: area, difference: diverged}", [("page.md", 3)]),
        ("definition: {coverage: none}", [("a.py", 5), ("a.py", 6)]),
        ("definition: {coverage: none, kind: class}", [("a.py", 5)]),
        ("definition: {coverage: shown}", [("a.py", 1)]),
        ("definition: {name: nothing}", []),
    ],
)
def test_each_key_must_have_one_of_its_values(tmp_path: Path, clause: str, places: list[tuple[str, int]]) -> None:
    assert said(tmp_path, clause) == places


def test_an_unknown_fact_is_said(tmp_path: Path) -> None:
    file = tmp_path / "rule.yaml"
    file.write_text(RULE.format(clause="link: {stat: outdated}").replace("$MESSAGE", "m"))
    (problem,) = load([file], builtin=False).problems
    assert "did you mean 'state'?" in str(problem)
