"""The shipped rules as they lie ready: the same as from their texts, and left aside where a text is another."""

from dataclasses import replace
from pathlib import Path

import pytest

from auditor import rulebook
from auditor.engine.rules import READY, ready_text, rulebook_of
from auditor.engine.store import Store
from auditor.matching import prepare
from auditor.rulebook import Bounds, build, read_files, shipped_rules

OWN = """rules:
  - id: own
    languages: [python]
    severity: WARNING
    message: mine
    pattern: f($X)
"""


@pytest.fixture
def without_yaml(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths of rule files whose text is read."""
    seen: list[str] = []
    read = rulebook.load_text

    def noted(text: str, path: str, bounds: Bounds) -> object:
        seen.append(path)
        return read(text, path, bounds)

    monkeypatch.setattr("auditor.rulebook.load_text", noted)
    return seen


def test_what_lies_ready_is_what_the_texts_say(without_yaml: list[str]) -> None:
    files = read_files([])
    book = rulebook_of(files, Store(None))
    assert without_yaml == []
    assert (shipped_rules() / READY).read_text(encoding="utf-8") == ready_text()
    whole = build(files)
    assert book == whole
    assert book.digest == whole.digest
    assert book.program == prepare(whole.rules)


def test_rules_of_the_user_s_own_are_read_besides(tmp_path: Path, without_yaml: list[str]) -> None:
    (tmp_path / "own.yaml").write_text(OWN, encoding="utf-8")
    files = read_files([tmp_path])
    book = rulebook_of(files, Store(None))
    assert without_yaml == [str(tmp_path / "own.yaml")]
    whole = build(files)
    assert (book, book.digest, book.program) == (whole, whole.digest, prepare(whole.rules))
    assert book.rules[-1].id == "own"


def test_a_changed_text_is_read() -> None:
    first, *others = read_files([])
    assert first.text is not None
    changed = replace(first, text=first.text + "# changed\n")
    book = rulebook_of([changed, *others], Store(None))
    assert book == build([changed, *others])
    assert book.digest != rulebook_of([first, *others], Store(None)).digest
