"""A run's answer is said again only where nothing that had a part in it has changed."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from auditor.cli import main

PAGE = "```python\nmodel = load()\n```\n\n```python\ndef broken(:\n```\n"


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A book whose files are old enough, with a cache that counts."""
    monkeypatch.setenv("AUDITOR_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr("auditor.engine.store._RACY", 0)
    root = tmp_path / "book"
    root.mkdir()
    for number in range(3):
        (root / f"{number}.md").write_text(PAGE)
    monkeypatch.chdir(root)
    return root


class Runs:
    """Runs the command, and tells whether it had to work."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.capsys = capsys
        self.worked = False
        monkeypatch.setattr("auditor.cli.auditing.open_session", self._open)

    def _open(self, *arguments: object) -> object:
        from auditor.cli.session import open_session

        self.worked = True
        return open_session(*arguments)  # type: ignore[arg-type]

    def __call__(self, *words: str) -> tuple[int, str, bool]:
        """Exit code, standard output, and whether the answer was worked out."""
        self.worked = False
        code = main(["audit", *words])
        return code, self.capsys.readouterr().out, self.worked


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Runs:
    return Runs(capsys, monkeypatch)


def test_the_same_is_said_twice(book: Path, run: Runs) -> None:
    code, text, worked = run(".")
    assert (code, worked) == (1, True)
    assert run(".") == (code, text, False)
    assert run(".", "--no-cache") == (code, text, True)


def test_files_are_written_again(book: Path, run: Runs, tmp_path: Path) -> None:
    for name in ("one", "two"):
        run(".", "--output", f"sarif={tmp_path / name}", "--output", f"junit={tmp_path / name}.xml")
    assert not run.worked
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert (tmp_path / "two.xml").read_text().startswith("<?xml")


def edit(file: Path, text: str) -> None:
    file.write_text(text)
    os.utime(file, (time.time() - 50, time.time() - 50))


CHANGES: dict[str, Callable[[Path], object]] = {
    "a page": lambda book: edit(book / "1.md", PAGE + PAGE),
    "a page of equal length": lambda book: edit(book / "1.md", PAGE.replace("model", "modem")),
    "a new page": lambda book: edit(book / "9.md", PAGE),
    "a page gone": lambda book: (book / "1.md").unlink(),
    "a page renamed": lambda book: (book / "1.md").rename(book / "5.md"),
    "a configuration": lambda book: edit(book / "auditor.toml", 'ignore = ["syntax-error"]\n'),
    "what Python is asked for": lambda book: edit(book / "pyproject.toml", '[project]\nrequires-python = ">=3.9"\n'),
    "the tool that builds the pages": lambda book: edit(book / "mkdocs.yml", "site_name: a\n"),
    "what is required": lambda book: edit(book / "requirements.txt", "numpy\n"),
    "a link": lambda book: (book / "link.md").symlink_to(book / "1.md"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_seen(book: Path, run: Runs, change: str) -> None:
    run(".")
    CHANGES[change](book)
    found = run(".")
    assert found == (*run(".", "--no-cache")[:2], True)


def test_rules_are_part_of_it(book: Path, run: Runs, tmp_path: Path) -> None:
    rules = tmp_path / "own"
    rules.mkdir()
    said = "message: {en: Said., zh: 说。}"
    rule = f"rules: [{{id: own-rule, languages: [python], severity: ERROR, {said}, pattern: load()}}]\n"
    edit(rules / "own.yaml", rule)
    with_rule = run(".", "--rules", str(rules))
    assert "own-rule" in with_rule[1]
    assert run(".", "--rules", str(rules))[2] is False
    edit(rules / "other.yaml", rule.replace("own-rule", "other-rule"))
    assert "other-rule" in run(".", "--rules", str(rules))[1]
    (rules / "own.yaml").unlink()
    assert "own-rule" not in run(".", "--rules", str(rules))[1]


def test_an_included_file_is_part_of_it(book: Path, run: Runs) -> None:
    edit(book / "snippet.txt", "x = 1\n")
    edit(book / "mkdocs.yml", "site_name: a\n")
    edit(book / "page.md", '```python\n--8<-- "snippet.txt"\n```\n\n```python\n--8<-- "later.txt"\n```\n')
    assert [run(".")[2], run(".")[2]] == [True, False]
    edit(book / "snippet.txt", "x = (\n")
    assert run(".") == (*run(".", "--no-cache")[:2], True)
    assert run(".")[2] is False
    edit(book / "later.txt", "y = 1\n")
    assert run(".") == (*run(".", "--no-cache")[:2], True)


@pytest.mark.parametrize("words", [["--format", "json"], ["--stats"], ["--baseline", "accepted.json"]])
def test_what_holds_more_than_files_is_worked_out(book: Path, run: Runs, words: list[str]) -> None:
    if "--baseline" in words:
        main(["baseline", "write", "--baseline", "accepted.json", "--reason", "old"])
    run(".", *words)
    assert run(".", *words)[2] is True


def test_an_incomplete_run_is_not_remembered(book: Path, run: Runs) -> None:
    (book / "broken.md").write_bytes(b"\xff")
    assert [run(".")[0], run(".")[2]] == [5, True]


def test_formats_have_answers_of_their_own(book: Path, run: Runs) -> None:
    texts = {name: run(".", "--format", name)[1] for name in ("text", "concise", "sarif")}
    assert {name: run(".", "--format", name)[1:] for name in texts} == {name: (texts[name], False) for name in texts}
    assert len(set(texts.values())) == 3
