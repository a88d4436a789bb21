"""Which files are looked at, which are not, and that the difference is said."""

import os
import subprocess
from pathlib import Path

import pytest

from auditor.discover import Candidate, MissingPathError, Unreadable, decode, discover, find_root, read
from auditor.model import Source


def write(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x = 1\n")


def paths(folder: Path, *named: Path) -> list[str]:
    return [candidate.path for candidate in discover(named or (folder,), folder).candidates]


def test_markdown_and_python_outside_hidden_and_foreign_folders(tmp_path: Path) -> None:
    write(tmp_path, "b.md", "a/x.py", "a/y.MDX", "a/z.txt", ".hidden/h.md", "node_modules/n.md")
    assert paths(tmp_path) == ["a/x.py", "a/y.MDX", "b.md"]


def test_a_checkout_is_listed_by_git(tmp_path: Path) -> None:
    write(tmp_path, "kept.md", "new.md", "ignored.md", "gone.md", "dist/tracked.md")
    (tmp_path / ".gitignore").write_text("ignored.md\n")
    git = ["git", "-C", str(tmp_path)]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "kept.md", "gone.md", "dist/tracked.md"], check=True)
    (tmp_path / "gone.md").unlink()
    assert paths(tmp_path) == ["dist/tracked.md", "kept.md", "new.md"]


def test_links_and_pipes_are_left_out_and_said(tmp_path: Path) -> None:
    write(tmp_path, "a.md")
    (tmp_path / "out.md").symlink_to("/etc/hostname")
    (tmp_path / "loop").symlink_to(".")
    os.mkfifo(tmp_path / "pipe.md")
    found = discover((tmp_path,), tmp_path)
    assert [candidate.path for candidate in found.candidates] == ["a.md"]
    assert {(left.path, left.reason) for left in found.left_out} == {
        ("out.md", "a symbolic link, not followed"),
        ("pipe.md", "not a regular file"),
    }


def test_a_missing_path_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(MissingPathError, match="nowhere: no such file or folder"):
        discover((tmp_path / "nowhere",), tmp_path)


def test_a_named_file_of_another_kind_is_unreadable_not_silent(tmp_path: Path) -> None:
    write(tmp_path, "a.txt")
    found = discover((tmp_path / "a.txt",), tmp_path)
    assert [(left.status, left.reason) for left in found.left_out] == [
        ("unreadable", "neither Markdown nor Python by its ending")
    ]


def test_the_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "book/docs/a.md")
    docs = tmp_path / "book" / "docs"
    monkeypatch.chdir(tmp_path)
    assert find_root((docs,), None) == tmp_path
    assert find_root((docs,), tmp_path / "book") == tmp_path / "book"
    monkeypatch.chdir(docs.parent.parent.parent)
    (tmp_path / "book" / ".git").mkdir()
    assert find_root((docs,), None) == tmp_path / "book"


def test_the_size_limit_strikes_before_reading(tmp_path: Path) -> None:
    write(tmp_path, "a.md")
    assert read(Candidate("a.md", tmp_path / "a.md"), 5) == Unreadable("larger than the limit (6 of 5 bytes)")
    assert isinstance(read(Candidate("a.md", tmp_path / "a.md"), 6), Source)


def test_a_link_put_in_place_later_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "a.md").symlink_to("/etc/hostname")
    assert isinstance(read(Candidate("a.md", tmp_path / "a.md"), 1000), Unreadable)


@pytest.mark.parametrize(
    ("data", "newline", "text"),
    [
        (b"\xef\xbb\xbfx\n", "\n", "x\n"),
        (b"x\r\ny\r\n", "\r\n", "x\r\ny\r\n"),
        (b"x\ry", "\r", "x\ry"),
        (b"x\r\ny\n", "mixed", "x\r\ny\n"),
        (b"x", "", "x"),
    ],
)
def test_text_is_kept_as_it_is(data: bytes, newline: str, text: str) -> None:
    source = decode("a.md", data)
    assert isinstance(source, Source)
    assert (source.newline, source.text, source.bom) == (newline, text, data.startswith(b"\xef\xbb\xbf"))


def test_invalid_utf8_names_the_byte_and_is_never_decoded_lossily() -> None:
    assert decode("a.md", b"caf\xe9\n") == Unreadable("not valid utf-8 at byte 3")
    assert decode("a.md", b"\xef\xbb\xbfcaf\xe9\n") == Unreadable("not valid utf-8 at byte 6")


@pytest.mark.parametrize("line", ["# coding: latin-1\n", "#!/bin/sh\n# -*- coding: latin-1 -*-\n"])
def test_a_coding_cookie_counts_in_the_first_two_lines_of_python(line: str) -> None:
    source = decode("a.py", line.encode() + b"x = '\xe9'\n")
    assert isinstance(source, Source)
    assert source.text.endswith("x = '\xe9'\n")
    assert isinstance(decode("a.py", b"x = 1\ny = 2\n# coding: latin-1\nx = '\xe9'\n"), Unreadable)


def test_an_unknown_cookie_is_read_as_utf8_and_kept() -> None:
    source = decode("a.py", b"# coding: nosuch\nx = 1\n")
    assert isinstance(source, Source)
    assert source.encoding == "nosuch"


@pytest.mark.parametrize("name", ["utf-7", "rot13", "base64", "unicode_escape"])
def test_codecs_that_are_no_plain_text_are_refused(name: str) -> None:
    assert isinstance(decode("a.py", f"# coding: {name}\nx = 1\n".encode()), Unreadable)
