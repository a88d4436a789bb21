"""A page of Python 2 or of templates gets one finding that counts; the others are there, marked."""

import json
from pathlib import Path
from typing import Any

import pytest

from auditor.cli import main

OLD = '```python\nprint "{0}"\n```\n'
SOUND = "```python\nx{0} = 1\n```\n"
TEMPLATE = "```python\n{{% if a{0} %}}\nx = 1\n{{% endif %}}\n```\n"


def audit(folder: Path, capsys: pytest.CaptureFixture[str], *fences: str, lang: str = "en") -> list[dict[str, Any]]:
    page = "\n".join(fence.format(number) for number, fence in enumerate(fences))
    (folder / "a.md").write_text(page)
    main(["audit", "--no-cache", "--format", "json", "--lang", lang, str(folder / "a.md")])
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["findings"]
    return found


def live(findings: list[dict[str, Any]]) -> list[int]:
    return [finding["line"] for finding in findings if "suppressed" not in finding]


@pytest.mark.parametrize("fence", [OLD, TEMPLATE])
def test_the_first_stands_for_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str], fence: str) -> None:
    findings = audit(tmp_path, capsys, SOUND, fence, fence, fence)
    assert len(findings) == 3
    assert len(live(findings)) == 1
    assert "2 more" in findings[0]["message"]
    assert {finding["suppressed"]["where"] for finding in findings[1:]} == {"file"}


def test_in_chinese_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "另有 2 个" in audit(tmp_path, capsys, OLD, OLD, OLD, lang="zh")[0]["message"]


def test_a_few_among_many_are_each_a_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert len(live(audit(tmp_path, capsys, OLD, OLD))) == 2
    assert len(live(audit(tmp_path, capsys, OLD, OLD, OLD, *[SOUND] * 20))) == 3


def test_printed_output_does_not_count_for_python_3(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    printed = "```python\n[0.1 0.2 0.{0}]\n[0.3 0.4 0.5]\n```\n"
    findings = audit(tmp_path, capsys, OLD, OLD, OLD, *[printed] * 20)
    assert [finding["rule"] for finding in findings if "suppressed" not in finding].count("python2-syntax") == 1


def test_a_mark_on_the_first_shows_the_next(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    marked = f"<!-- auditor: ignore[python2-syntax] an old page -->\n{OLD}"
    findings = audit(tmp_path, capsys, marked, OLD, OLD, OLD)
    assert live(findings) == [7]
    assert findings[0]["suppressed"]["where"] == "comment"


def test_several_in_one_session_are_one_block(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    session = "```python\n>>> print 1\n1\n>>> print 2\n2\n>>> print {0}\n3\n```\n"
    assert len(live(audit(tmp_path, capsys, session))) == 3
