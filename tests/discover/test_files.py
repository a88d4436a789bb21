"""Which files are looked at, which are not, and that the difference is said."""

import errno
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from auditor.configuration import path_matcher
from auditor.discover import Candidate, LeftOut, MissingPathError, Unreadable, decode, discover, find_root, read
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


def without_reach(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Make a folder one that this process may neither list nor look into, whoever runs the tests."""
    scandir, lstat = os.scandir, os.lstat

    def denied(path: object) -> None:
        if Path(os.fsdecode(path)).is_relative_to(folder):  # type: ignore[arg-type]  # as `os.scandir` takes it
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)

    def listing(path: str) -> Iterator[os.DirEntry[str]]:
        denied(path)
        return scandir(path)

    def status(path: Path, **words: Any) -> os.stat_result:
        if path != folder:
            denied(path)
        return lstat(path, **words)

    monkeypatch.setattr(os, "scandir", listing)
    monkeypatch.setattr(os, "lstat", status)


DENIED = f"cannot be read: {os.strerror(errno.EACCES)}"


def test_a_folder_that_cannot_be_looked_into_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "a.md", "secret/b.md")
    without_reach(monkeypatch, tmp_path / "secret")
    found = discover((tmp_path,), tmp_path)
    assert [candidate.path for candidate in found.candidates] == ["a.md"]
    assert found.left_out == (LeftOut("secret", "unreadable", DENIED),)
    for pattern in ("secret", "secret/**"):
        excluded = discover((tmp_path,), tmp_path, path_matcher((pattern,)))
        assert [left.status for left in excluded.left_out] == ["excluded"], "its reader was told to leave it out"


def test_a_file_that_cannot_be_reached_is_not_a_missing_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "secret/b.md")
    without_reach(monkeypatch, tmp_path / "secret")
    found = discover((tmp_path / "secret" / "b.md",), tmp_path)
    assert found.left_out == (LeftOut("secret/b.md", "unreadable", DENIED),)


def test_of_a_checkout_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "a.md", "secret/tracked.md")
    (tmp_path / ".git").mkdir()
    (tmp_path / "bin").mkdir()
    git = tmp_path / "bin" / "git"  # says what git says of a folder that it may not open
    warning = "warning: could not open directory 'secret/': Permission denied"
    git.write_text(f"#!/bin/sh\necho \"{warning}\" >&2\nprintf 'a.md\\0gone.md\\0secret/tracked.md\\0'\n")
    git.chmod(0o755)
    monkeypatch.setenv("PATH", str(git.parent), prepend=os.pathsep)
    without_reach(monkeypatch, tmp_path / "secret")
    found = discover((tmp_path,), tmp_path)
    assert [candidate.path for candidate in found.candidates] == ["a.md"]
    assert found.left_out == tuple(LeftOut(name, "unreadable", DENIED) for name in ("secret", "secret/tracked.md"))


def test_a_path_longer_than_the_system_takes_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for _ in range(20):
        os.mkdir("d" * 250)
        os.chdir("d" * 250)
    Path("deep.md").write_text("x\n")
    monkeypatch.undo()
    left = discover((tmp_path,), tmp_path).left_out
    assert [(each.status, each.reason) for each in left] == [
        ("unreadable", f"cannot be read: {os.strerror(errno.ENAMETOOLONG)}")
    ]


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
