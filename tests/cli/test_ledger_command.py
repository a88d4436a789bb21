"""`auditor ledger` as its users call it: written, checked, compared, reviewed, in parts, and never half."""

import json
import subprocess
from pathlib import Path

import pytest

from auditor.cli import main

PAGE = "# T\n\n```python\ndef area(w, h):\n    return w * h\n```\n"
CODE = "def area(w, h):\n    return w * h\n\n\ndef other():\n    pass\n"


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "page.md").write_text(PAGE)
    (tmp_path / "code.py").write_text(CODE)
    return tmp_path


def records(book: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (book / "reports" / "ledger.jsonl").read_text().splitlines()]


def test_written_twice_it_is_the_same_and_true(book: Path) -> None:
    assert main(["ledger"]) == 0
    first = (book / "reports" / "ledger.jsonl").read_bytes()
    assert main(["ledger"]) == 0
    assert (book / "reports" / "ledger.jsonl").read_bytes() == first
    assert main(["ledger", "--check"]) == 0


def test_a_paragraph_above_changes_the_files_own_line_alone(book: Path) -> None:
    main(["ledger"])
    before = (book / "reports" / "ledger.jsonl").read_text().splitlines()
    (book / "page.md").write_text("A paragraph.\n\n" + PAGE)
    main(["ledger"])
    after = (book / "reports" / "ledger.jsonl").read_text().splitlines()
    changed = [line for line in after if line not in before]
    assert len(changed) == 1
    assert '"record":"source"' in changed[0]


def test_what_belongs_with_no_page_is_counted_and_the_way_out_said(
    book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (book / "docs").mkdir()
    (book / "page.md").rename(book / "docs" / "page.md")
    assert main(["ledger"]) == 0
    said = capsys.readouterr().err
    assert "auditor: 2 definitions belong with no page (code.py …): `[[books]]` in auditor.toml says" in said
    (book / "auditor.toml").write_text('[[books]]\npages = ["docs/*.md"]\nfiles = ["code.py"]\n')
    assert main(["ledger"]) == 0
    assert "with no page" not in capsys.readouterr().err
    (book / "auditor.toml").unlink()
    (book / "docs" / "page.md").unlink()
    assert main(["ledger", "--ledger", "files.jsonl"]) == 0
    assert "with no page" not in capsys.readouterr().err, "where there is no page nothing belongs with one"


def test_there_is_nothing_to_compare_with(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ledger", "--compare", "HEAD"]) == 5
    assert "lies in no git checkout" in capsys.readouterr().err
    git = ["git", "-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "commit.gpgsign=false"]
    for words in (["init", "-q"], ["add", "page.md"], ["commit", "-qm", "page"]):
        subprocess.run([*git, *words], check=True)
    assert main(["ledger", "--compare", "HEAD"]) == 5
    said = capsys.readouterr().err
    assert said.startswith("auditor: --compare HEAD: reports/ledger.jsonl was not committed there; commit it first")
    assert said.count("\n") == 1
    for revision in ("nowhere", "-x"):
        assert main(["ledger", f"--compare={revision}"]) == 5
        assert f"'{revision}' is no revision of this checkout" in capsys.readouterr().err


def test_out_of_date_is_said(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ledger", "--check"]) == 4
    main(["ledger"])
    (book / "page.md").write_text(PAGE.replace("w * h", "h * w"))
    capsys.readouterr()
    assert main(["ledger", "--check"]) == 4
    printed = capsys.readouterr()
    line = PAGE[: PAGE.index("```python")].count("\n") + 1
    told = [said for said in printed.out.splitlines() if said.startswith(f"page.md:{line}: content out of date: b")]
    assert "block changed: " in told[0]
    assert "body_sha256" in told[0]
    assert "page.md: content out of date: page.md: source changed: sha256" in printed.out.splitlines()
    assert "`auditor ledger`" in printed.err


def test_an_incomplete_run_replaces_nothing(book: Path) -> None:
    main(["ledger"])
    before = (book / "reports" / "ledger.jsonl").read_bytes()
    (book / "latin.md").write_bytes(b"caf\xe9")
    assert main(["ledger"]) == 5
    assert (book / "reports" / "ledger.jsonl").read_bytes() == before


def test_a_part_replaces_nothing_but_merges_on_request(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["ledger"])
    before = (book / "reports" / "ledger.jsonl").read_bytes()
    assert main(["ledger", "page.md"]) == 2
    assert "--merge" in capsys.readouterr().err
    assert (book / "reports" / "ledger.jsonl").read_bytes() == before
    assert main(["ledger", "page.md", "--merge"]) == 0
    assert (book / "reports" / "ledger.jsonl").read_bytes() == before


def test_nothing_to_audit_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["ledger"]) == 3
    assert not (tmp_path / "reports").exists()


def test_a_review_holds_until_its_block_changes(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["ledger"])
    (block,) = [record["id"] for record in records(book) if record["record"] == "block" and record["path"] == "page.md"]
    assert main(["ledger", "review", str(block), "--by", "A reader", "--note", "read"]) == 0
    assert main(["ledger", "--check"]) == 0
    (book / "page.md").write_text(PAGE.replace("w * h", "h * w"))
    main(["ledger"])
    capsys.readouterr()
    assert main(["ledger", "--check"]) == 4
    assert "review" in capsys.readouterr().out
    assert main(["ledger", "review", "nobody", "--by", "A reader"]) == 2


def test_compared_with_a_revision(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git = ["git", "-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run([*git, "init", "-q"], check=True)
    main(["ledger"])
    subprocess.run([*git, "add", "-A"], check=True)
    subprocess.run([*git, "commit", "-qm", "first"], check=True)
    (book / "page.md").write_text(PAGE + "\n```python\nx = (\n```\n")
    capsys.readouterr()
    assert main(["ledger", "--compare", "HEAD"]) == 0
    assert "appeared" in capsys.readouterr().out


def test_views_beside_it(book: Path) -> None:
    words = ["ledger", "--html", "out/l.html", "--markdown", "reports/ledger.md", "--csv", "out/l.csv"]
    assert main(words) == 0
    assert main([*words, "--check"]) == 0, "the ledger's own summary is no page of the book"
    (book / "reports" / "ledger.md").write_text("changed\n")
    assert main([*words, "--check"]) == 4


@pytest.mark.parametrize("view", ["--markdown", "--html", "--csv"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_view_replaces_itself_and_nothing_else(
    book: Path, view: str, lang: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (book / "README.rst").write_text("The book\n")
    words = ["ledger", "--lang", lang, view]
    assert main([*words, "README.rst"]) == 2
    assert "README.rst: is there already and no view of a ledger of this tool" in capsys.readouterr().err
    assert (book / "README.rst").read_text() == "The book\n"
    assert not (book / "reports").exists(), "it is said before anything is written"
    (book / "empty").write_text("")
    for name in ("empty", "new", "new"):
        assert main([*words, name]) == 0
        assert (book / name).stat().st_size > 100


def test_a_view_is_no_page_of_the_book(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--markdown", "x.md"], ["--html", "docs/a.md"], ["--csv", "table.py"]):
        assert main(["ledger", *words]) == 2
        assert (
            f"{words[1]}: would be a page of the book; name it in `exclude`, or write reports/ledger.md\n"
            in capsys.readouterr().err
        )
    assert sorted(path.name for path in book.iterdir()) == ["code.py", "page.md"]
    for setting, name in (("", "dist/x.md"), ('exclude = ["x.md"]', "x.md"), ("", "reports/ledger.md")):
        (book / "auditor.toml").write_text(setting)
        assert main(["ledger", "--markdown", name]) == 0
        assert main(["ledger", "--markdown", name, "--check"]) == 0, "the ledger is true once it is written"


def test_what_git_ignores_is_no_page(book: Path) -> None:
    subprocess.run(["git", "init", "-q"], check=True)
    (book / ".gitignore").write_text("/out.md\n")
    assert main(["ledger", "--markdown", "out.md"]) == 0
    assert main(["ledger", "--markdown", "dist/out.md"]) == 2, "git lists what stands in that folder"


def test_each_view_has_a_file_of_its_own(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ledger", "--html", "reports/ledger.jsonl"]) == 2
    assert main(["ledger", "--html", "v", "--csv", "./v"]) == 2
    assert capsys.readouterr().err.count("is named for two things") == 2
    assert not (book / "reports").exists()
