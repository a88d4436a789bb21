"""Messages about the marks of fences show exactly as many as are meant."""

import re

import pytest

from auditor.audit import audit
from auditor.audited import AuditOptions
from auditor.model import Source
from auditor.rulebook import load

BOOK = load([])
PAGES = [
    ("unclosed-fence", "```python\nx = 1\n", 3),
    ("unclosed-fence", "`````python\nx = 1\n", 5),
    ("opener-inside-body", "```python\nx = 1\n\n```python\ny = 2\n```\n", 4),
    ("fence-closed-early", '```python\ntext = """\n```\nshown\n```\n"""\n```\n', 4),
]


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(("rule", "page", "count"), PAGES)
def test_a_message_quotes_the_marks_alone(rule: str, page: str, count: int, lang: str) -> None:
    found = audit(Source("page.md", page), BOOK, AuditOptions(lang=lang)).findings  # type: ignore[arg-type]
    (message,) = [each.message for each in found if each.rule == rule]
    assert re.findall("`+", message) == ["`" * count]
