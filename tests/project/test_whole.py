"""The second half of the line: severities by path."""

from auditor.audit import audit
from auditor.audited import AuditOptions
from auditor.configuration import PathRules
from auditor.model import Severity, Source
from auditor.project.whole import ProjectOptions, judge
from auditor.rulebook import load

BOOK = load([])
KNOWN = frozenset(rule.id for rule in BOOK.rules)
PAGE = '```python\ntok = T.from_pretrained("a/b")\n```\n'


def severities(*paths: PathRules) -> dict[str, Severity]:
    audits = [audit(Source(path, PAGE), BOOK, AuditOptions()) for path in ("new/a.md", "old/a.md")]
    found = judge(audits, BOOK, ProjectOptions(KNOWN, paths=paths)).findings
    return {finding.place.path: finding.severity for finding in found if finding.rule == "external-resource"}


def test_a_path_may_weigh_a_rule_otherwise() -> None:
    assert severities() == {"new/a.md": "note", "old/a.md": "note"}
    assert severities(PathRules("new/**", severity={"external-resource": "error"})) == {
        "new/a.md": "error",
        "old/a.md": "note",
    }


def test_the_last_entry_counts() -> None:
    first = PathRules("**", severity={"external-resource": "error"})
    second = PathRules("old", severity={"external-resource": "warning"})
    assert severities(first, second) == {"new/a.md": "error", "old/a.md": "warning"}
