"""The shelf that each hostile file is put on."""

from pathlib import Path

import pytest
from shelf import SOUND, Shelf


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shelf:
    root = tmp_path / "book"
    root.mkdir()
    monkeypatch.chdir(root)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    found = Shelf(root, capsys)
    for name, text in SOUND.items():
        found.add(name, text)
    return found
