"""`auditor show FILE:LINE`: one block, what was tried and what came of it."""

from pathlib import Path

import pytest

from auditor.audited import AuditOptions, SourceAudit
from auditor.cli import main
from auditor.engine.guarded import Guarded
from auditor.model import Source

PAGE = "# T\n\n```python\n    x = 1\n    y = = 2\n```\n\n```python\n    z = 3\n```\n"


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text(PAGE)
    return tmp_path


def test_what_was_tried_in_vain(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "docs/a.md:4"]) == 0
    printed = capsys.readouterr().out
    assert "verdict:      broken" in printed
    assert "tried:        as it stands: unexpected indent (4:5)" in printed
    assert "tried:        margin: invalid syntax (5:9)" in printed


def test_what_compiled_with_the_files_own_lines(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "docs/a.md:9"]) == 0
    printed = capsys.readouterr().out
    assert "adjusted:     margin" in printed
    assert "       9  z = 3\n" in printed
    assert "tried:" not in printed


def test_a_path_as_reports_print_it_works_below_the_root(
    book: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(book / "docs")
    assert main(["show", "docs/a.md:9"]) == 0
    assert "adjusted:     margin" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("docs/a.md", "is not FILE:LINE"),
        ("docs/nowhere.md:1", "no such file or folder"),
        ("docs/a.md:1", "no block of Python stands there; the nearest one begins at line 3"),
    ],
)
def test_a_wrong_place_is_said(book: Path, place: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", place]) == 2
    assert said in capsys.readouterr().err


def test_what_could_kill_or_stall_the_process_is_audited_by_another(
    book: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (book / "docs" / "nested.md").write_text(f"```python\n{'(' * 1400}\n```\n\n```python\nz = 3\n```\n")
    assert main(["show", "docs/nested.md:6"]) == 0
    assert "verdict:      compiles" in capsys.readouterr().out
    handed: list[str] = []

    def lose(guarded: Guarded, source: Source, options: AuditOptions) -> SourceAudit:
        del guarded, options
        handed.append(source.path)
        return SourceAudit(source.path, source.sha256, "unreadable", "took longer than 30 seconds")

    monkeypatch.setattr(Guarded, "work_on", lose)
    assert main(["show", "docs/nested.md:6"]) == 5
    assert capsys.readouterr().err == "auditor: docs/nested.md: took longer than 30 seconds\n"
    assert main(["show", "docs/a.md:9"]) == 0
    assert handed == ["docs/nested.md"]
