"""`auditor fix` as its users call it: what is written, what is refused, and that nothing is ever half written."""

import os
import stat
from pathlib import Path

import pytest

from auditor.cli import main
from auditor.cli.exits import Failure
from auditor.cli.files import replace_file, rewrite_file

FAULTY = "# Seite\n\n```python\nprint（'ä'）\n```\n\nEnde"
MENDED = FAULTY.replace("（", "(").replace("）", ")")


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "book"
    root.mkdir()
    monkeypatch.chdir(root)
    return root


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name != ".auditor_cache")


def fix(*words: str) -> int:
    return main(["fix", "--no-cache", *words])


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_only_the_edit_changes(book: Path, newline: str, mark: bytes) -> None:
    page = book / "a.md"
    page.write_bytes(mark + FAULTY.replace("\n", newline).encode())
    page.chmod(0o640)
    assert fix() == 0
    assert page.read_bytes() == mark + MENDED.replace("\n", newline).encode()
    assert stat.S_IMODE(page.stat().st_mode) == 0o640
    assert names(book) == ["a.md"]
    assert fix("--diff") == 0


def test_a_difference_writes_nothing(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (book / "a.md").write_text(FAULTY)
    assert fix("--diff") == 1
    assert (book / "a.md").read_text() == FAULTY
    printed = capsys.readouterr()
    assert "-print（'ä'）\n+print('ä')\n" in printed.out
    assert "1 fix in 1 file would be applied" not in printed.out


def test_unsafe_fixes_are_asked_for(book: Path) -> None:
    page = "```python\nx = {'a': 1\n     'b': 2}\n```\n"
    (book / "a.md").write_text(page)
    assert fix() == 0
    assert (book / "a.md").read_text() == page
    assert fix("--unsafe") == 0
    assert (book / "a.md").read_text() == page.replace("1\n", "1,\n")


def test_a_suppressed_finding_is_left_alone(book: Path) -> None:
    page = FAULTY.replace("```python", "<!-- auditor: ignore[fullwidth-punctuation] shown -->\n```python")
    (book / "a.md").write_text(page)
    assert fix() == 0
    assert (book / "a.md").read_text() == page


def test_what_is_withheld_is_said(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (book / "a.md").write_text("```python\nprint（1）\nx = = = 1\n```\n")
    assert fix() == 0
    assert "a.md:2:6: [fullwidth-punctuation] withheld: the block would still not compile" in capsys.readouterr().err
    main(["audit", "--no-cache"])
    assert "`auditor fix` can mend up to 1\n" in capsys.readouterr().out


def test_a_hard_linked_file_is_not_rewritten(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (book / "a.md").write_text(FAULTY)
    os.link(book / "a.md", book.parent / "elsewhere.md")
    assert fix() == 5
    assert (book / "a.md").read_text() == FAULTY
    assert "hard-linked" in capsys.readouterr().err


def test_a_link_is_not_written_through(book: Path) -> None:
    outside = book.parent / "outside.md"
    outside.write_text(FAULTY)
    (book / "a.md").symlink_to(outside)
    assert fix() in {3, 5}
    assert outside.read_text() == FAULTY


def test_a_folder_that_leads_out_of_the_root_is_not_written_into(book: Path) -> None:
    outside = book.parent / "outside"
    outside.mkdir()
    (outside / "a.md").write_text(FAULTY)
    (book / "docs").symlink_to(outside)
    (book / "auditor.toml").write_text("")
    assert fix("docs/a.md") == 5
    assert (outside / "a.md").read_text() == FAULTY
    assert names(outside) == ["a.md"]


def test_a_file_that_changed_since_is_left_alone(book: Path) -> None:
    page = book / "a.md"
    page.write_text("new")
    with pytest.raises(Failure, match="changed since it was read") as caught:
        rewrite_file(page, book, b"old", b"mended")
    assert caught.value.code == 5
    assert page.read_text() == "new"


def test_a_full_disk_leaves_the_old_file(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = book / "a.md"
    page.write_text("old")

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(Failure, match="No space left on device"):
        rewrite_file(page, book, b"old", b"new")
    with pytest.raises(Failure, match="No space left on device"):
        replace_file(page, b"new")
    assert page.read_text() == "old"
    assert names(book) == ["a.md"]


def test_a_device_is_written_to_and_not_replaced(book: Path) -> None:
    if not stat.S_ISCHR(os.stat("/dev/null").st_mode):
        pytest.skip("no /dev/null here")
    (book / "a.md").write_text("# A\n")
    assert main(["audit", "--no-cache", "--output", "json=/dev/null"]) == 0
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_what_cannot_be_read_is_never_clean(book: Path) -> None:
    (book / "a.md").write_bytes(b"\xff")
    (book / "b.md").write_text(FAULTY)
    assert fix() == 5
    assert (book / "b.md").read_text() == MENDED


def test_nothing_to_fix(book: Path) -> None:
    assert fix() == 3
