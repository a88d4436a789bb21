"""What an option or a setting names is read as a regular file, within a limit, or not at all."""

import errno
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from auditor.cli import main
from auditor.reading import read_regular


def test_a_file_as_large_as_the_limit_is_read(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"12345")
    (tmp_path / "link").symlink_to("a")
    assert read_regular(file, 5) == b"12345"
    assert read_regular(tmp_path / "link", 5) == b"12345"


def _larger(folder: Path) -> Path:
    (folder / "a").write_bytes(b"123456")
    return folder / "a"


def _pipe(folder: Path) -> Path:
    os.mkfifo(folder / "a")
    return folder / "a"


def _linked_device(folder: Path) -> Path:
    (folder / "a").symlink_to("/dev/zero")
    return folder / "a"


@pytest.mark.parametrize(
    ("make", "number", "reason"),
    [
        (_larger, errno.EFBIG, "larger than the limit (5 bytes)"),
        (_pipe, errno.EINVAL, "not a regular file"),
        (_linked_device, errno.EINVAL, "not a regular file"),
        (lambda folder: folder, errno.EISDIR, os.strerror(errno.EISDIR)),
        (lambda folder: folder / "none", errno.ENOENT, os.strerror(errno.ENOENT)),
    ],
)
def test_nothing_else_is_read(tmp_path: Path, make: Callable[[Path], Path], number: int, reason: str) -> None:
    with pytest.raises(OSError, match=re.escape(reason)) as raised:
        read_regular(make(tmp_path), 5)
    assert (raised.value.errno, raised.value.strerror) == (number, reason)


OPTIONS = [
    ("audit", "--config"),
    ("audit", "--rules"),
    ("audit", "--baseline"),
    ("ledger", "--config"),
    ("ledger", "--ledger"),
    ("ledger", "--check", "--ledger"),
    ("baseline", "write", "--baseline"),
    ("baseline", "check", "--baseline"),
]


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/full", "pipe"])
@pytest.mark.parametrize("words", OPTIONS, ids=" ".join)
def test_a_device_or_a_pipe_as_an_option_is_a_mistake(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    device: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.md").write_text("```python\nx = 1\n```\n")
    os.mkfifo(tmp_path / "pipe")
    assert main([*words, device, "--no-cache", "a.md"]) == 2
    assert "cannot be read: not a regular file" in capsys.readouterr().err
    assert (tmp_path / "pipe").is_fifo()


def test_a_ledger_beside_a_pipe_of_reviews_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.md").write_text("```python\nx = 1\n```\n")
    (tmp_path / "reports").mkdir()
    os.mkfifo(tmp_path / "reports" / "reviews.jsonl")
    assert main(["ledger", "--no-cache"]) == 2
    assert "reviews.jsonl: cannot be read: not a regular file" in capsys.readouterr().err


@pytest.mark.parametrize("key", ["baseline", "rules", "ledger"])
def test_a_setting_that_names_a_pipe_is_a_mistake(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], key: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.md").write_text("```python\nx = 1\n```\n")
    (tmp_path / "auditor.toml").write_text(f'{key} = "pipe.yaml"\n')
    os.mkfifo(tmp_path / "pipe.yaml")
    assert main(["ledger" if key == "ledger" else "audit", "--no-cache"]) == 2
    assert "cannot be read: not a regular file" in capsys.readouterr().err
