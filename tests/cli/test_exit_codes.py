"""The exit codes of the design's table, the same for every format, the graver reason first."""

import errno
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from auditor.cli import main
from auditor.report import FORMATS

BROKEN = "```python\nx = = 1\n```\n"


def clean(book: Path) -> None:
    (book / "a.md").write_text("```python\nx = 1\n```\n")


def findings(book: Path) -> None:
    (book / "a.md").write_text(BROKEN)


def bad_configuration(book: Path) -> None:
    findings(book)
    (book / "auditor.toml").write_text("no-such-key = 1\n")


def bad_rule(book: Path) -> None:
    unreadable(book)
    (book / "auditor.toml").write_text('rules = ["own.yaml"]\n')
    (book / "own.yaml").write_text("rules:\n  - id: x\n")


def unreadable(book: Path) -> None:
    findings(book)
    (book / "b.md").write_bytes(b"\xff")


def nothing(book: Path) -> None:
    (book / "a.txt").write_text("x")


def everything_excluded(book: Path) -> None:
    findings(book)
    (book / "auditor.toml").write_text('exclude = ["**"]\n')


SITUATIONS: dict[Callable[[Path], None], int] = {
    clean: 0,
    findings: 1,
    bad_configuration: 2,
    bad_rule: 2,
    nothing: 3,
    everything_excluded: 3,
    unreadable: 5,
}


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    return tmp_path


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_ends_alike(book: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    for number, (situation, code) in enumerate(SITUATIONS.items()):
        folder = book / str(number)
        folder.mkdir()
        situation(folder)
        words = ["audit", "--no-cache", "--format", name, "--output", f"{name}={number}.out", str(folder)]
        assert main(words) == code, situation.__name__
        assert code != 2 or capsys.readouterr().err.startswith("auditor: ")


@pytest.mark.parametrize("name", FORMATS)
def test_why_a_run_is_incomplete_or_empty_is_always_said(
    book: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    unreadable(book)
    assert main(["audit", "--no-cache", "--quiet", "--format", name]) == 5
    printed = capsys.readouterr()
    assert "not valid utf-8 at byte 0" in printed.out + printed.err
    (book / "empty").mkdir()
    assert main(["audit", "--no-cache", "--format", name, "empty"]) == 3
    assert "nothing to audit" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ["audit", "--format", "nonsense"],
        ["audit", "--output", "json"],
        ["audit", "--output", "nonsense=x"],
        ["audit", "--baseline", "missing.jsonl"],
        ["audit", "--config", "missing.toml"],
        ["audit", "--rules", "missing.yaml"],
        ["audit", "--select", "no-such-rule"],
        ["audit", "--target-python", "4"],
        ["audit", "--trust", "base"],
        ["audit", "-"],
        ["audit", "missing.md"],
        ["baseline", "check"],
        ["baseline", "prune", "--baseline", "missing.jsonl"],
        ["init", "missing"],
        ["fix", "missing.md"],
    ],
    ids=" ".join,
)
def test_a_mistake_of_usage_is_2_and_one_clear_line(
    book: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    clean(book)
    assert main(words) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("auditor: ")
    assert printed.err.count("\n") == 1
    assert "Traceback" not in printed.err


@pytest.mark.parametrize("command", ["audit", "fix", "ledger"])
def test_the_setting_that_leaves_nothing_is_named(book: Path, command: str, capsys: pytest.CaptureFixture[str]) -> None:
    findings(book)
    (book / "auditor.toml").write_text('lang = "en"\nexclude = [\n    "drafts",\n    "*.md",\n]\n')
    assert main([command, "--no-cache", "--quiet"]) == 3
    said = capsys.readouterr().err.splitlines()[-1]
    assert said.endswith("auditor.toml:4: exclude: '*.md' leaves out the one file under the paths")
    assert said.startswith("auditor: nothing to ")


def test_a_missing_file_of_a_setting_is_said_with_its_line(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clean(book)
    (book / "sub").mkdir()
    for setting, said in (
        ('rules = [\n"nofolder"]', "auditor.toml:3: rules: there is no rule file or folder 'nofolder'"),
        ('baseline = "nowhere"', "; `auditor baseline write` makes one"),
        ('ledger = "sub"', "auditor.toml:2: ledger: 'sub' is a folder, no file"),
        ('baseline = "sub/"', "auditor.toml:2: baseline: 'sub/' is a folder, no file"),
        ('[[books]]\npages = "*"\nsetup = "def ("', "auditor.toml:4: books.setup: is no Python"),
        ("ignore = ['nothing-like-it']", "auditor.toml:2: ignore: no rule is called 'nothing-like-it'"),
        ('[severity]\nsintax-error = "note"', "auditor.toml:3: severity: no rule is called 'sintax-error'; did you"),
    ):
        (book / "auditor.toml").write_text(f'lang = "en"\n{setting}\n')
        assert main(["audit", "--no-cache"]) == 2
        error = capsys.readouterr().err
        assert said in error
        assert "auditor.toml:" in error


def test_requirements_that_are_not_there_are_remarked_on(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clean(book)
    (book / "auditor.toml").write_text('[[books]]\npages = "*.md"\nrequirements = "needs.txt"\n')
    assert main(["audit", "--no-cache"]) == 0
    assert "auditor.toml:3: books.requirements: there is no file 'needs.txt'\n" in capsys.readouterr().err
    (book / "needs.txt").write_text("")
    assert main(["audit", "--no-cache"]) == 0
    assert capsys.readouterr().err == ""


def test_a_message_cannot_command_the_runner(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "\n::error::x\x1b[31m.md"]) == 2
    assert "\n::error" not in capsys.readouterr().err


def test_a_folder_out_of_reach_makes_every_command_incomplete(
    book: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clean(book)
    (book / "secret").mkdir()
    scandir = os.scandir

    def listing(path: str) -> Iterator[os.DirEntry[str]]:
        if os.path.basename(path) == "secret":
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", listing)
    for words in (["audit"], ["audit", "secret"], ["fix"], ["ledger"], ["baseline", "write", "--baseline", "b.jsonl"]):
        assert main([*words, "--no-cache"]) == 5
        said = capsys.readouterr()
        assert "secret: cannot be read: Permission denied" in said.out + said.err
    assert sorted(path.name for path in book.iterdir()) == ["a.md", "secret"], "nothing was written"


def test_what_cannot_be_read_is_not_called_output(
    book: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clean(book)

    def denied(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", "part\x1b/x")

    monkeypatch.setattr("auditor.cli.audit.lay_ground", denied)
    assert main(["audit"]) == 5
    assert capsys.readouterr().err == "auditor: part\\x1b/x: Permission denied\n"
