"""What an editor holds is audited as if it stood in the file that it names."""

import io
import json
from pathlib import Path

import pytest

from auditor.cli import main

BROKEN = b"# Page\n\n```python\nx = = 1\n```\n"


@pytest.fixture
def type_in(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> pytest.MonkeyPatch:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    return monkeypatch


def audit(typed: pytest.MonkeyPatch, data: bytes, *words: str) -> int:
    typed.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    return main(["audit", "--no-cache", *words])


def test_the_typed_text_counts_and_not_the_file(
    type_in: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.md").write_text("# Page\n")
    (tmp_path / "b.md").write_bytes(BROKEN)
    assert audit(type_in, BROKEN, "--stdin-path", "a.md", "--format", "json", "-") == 1
    document = json.loads(capsys.readouterr().out)
    assert [source["path"] for source in document["sources"]] == ["a.md"]
    assert [(found["path"], found["line"]) for found in document["findings"]] == [("a.md", 4)]


def test_the_file_need_not_exist(type_in: pytest.MonkeyPatch) -> None:
    assert audit(type_in, BROKEN, "--stdin-path", "docs/new/a.md", "-") == 1
    assert audit(type_in, b"", "--stdin-path", "docs/new/a.md", "-") == 0


def test_the_flavour_is_that_of_the_place(type_in: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "mkdocs.yml").write_text("site_name: x\n")
    page = b"!!! note\n\n    ```python\n    x = = 1\n    ```\n"
    assert audit(type_in, page, "--stdin-path", "docs/a.md", "-") == 1
    assert audit(type_in, page, "--flavour", "commonmark", "--stdin-path", "docs/a.md", "-") == 0


def test_an_included_file_is_read_from_the_disk(type_in: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "mkdocs.yml").write_text("site_name: x\n")
    (tmp_path / "code.py").write_text("x = = 1\n")
    page = b'```python\n--8<-- "code.py"\n```\n'
    assert audit(type_in, page, "--stdin-path", "a.md", "-") == 1


def test_sarif_hashes_the_typed_lines(type_in: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert audit(type_in, BROKEN, "--stdin-path", "a.md", "--format", "sarif", "-") == 1
    (result,) = json.loads(capsys.readouterr().out)["runs"][0]["results"]
    assert result["partialFingerprints"]["primaryLocationLineHash"].endswith(":1")


def test_an_excluded_path_is_not_audited(type_in: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "auditor.toml").write_text('exclude = ["old"]\n')
    assert audit(type_in, BROKEN, "--stdin-path", "old/a.md", "-") == 0


def test_what_is_neither_markdown_nor_python(type_in: pytest.MonkeyPatch) -> None:
    assert audit(type_in, BROKEN, "--stdin-path", "a.txt", "-") == 5


def test_not_utf8(type_in: pytest.MonkeyPatch) -> None:
    assert audit(type_in, b"\xff", "--stdin-path", "a.md", "-") == 5


@pytest.mark.parametrize("words", [["-"], ["--stdin-path", "a.md"], ["--stdin-path", "a.md", "-", "b.md"]])
def test_dash_and_path_come_together(type_in: pytest.MonkeyPatch, words: list[str]) -> None:
    assert audit(type_in, BROKEN, *words) == 2
