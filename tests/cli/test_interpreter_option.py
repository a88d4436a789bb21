"""`--interpreter` breaks what only a newer compiler can reject, and leaves all else as every host has it."""

import contextlib
import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from auditor.cli import main
from auditor.compiling.interpreter import Interpreter, InterpreterError

PAGE = "# A\n\n```python\ntype X = int\n```\n\n- b\n\n  ```python\n  é = 1\n  type Y = (y := 3)\n  ```\n"


def newer() -> str | None:
    """A Python from 3.12 on: on the path, or where pyenv keeps them."""
    named = (shutil.which(f"python3.{minor}") for minor in range(12, 20))
    kept = sorted(Path.home().glob(".pyenv/versions/3.1[2-9]*/bin/python"))
    here = [sys.executable] if sys.version_info >= (3, 12) else []
    for path in (*here, *map(str, kept), *named):
        # What stands on the path may be a shim without a Python behind it.
        with contextlib.suppress(InterpreterError):
            if path is not None and Interpreter.at(path).reads("3.12"):
                return path
    return None


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    (tmp_path / "a.md").write_text(PAGE)
    return tmp_path / "a.md"


def audit(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any]]:
    code = main(["audit", "--no-cache", "--format", "json", *words, "a.md"])
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    return code, document


def test_a_newer_python_refuses(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = newer()
    if program is None:
        pytest.skip("no Python from 3.12 on")
    code, document = audit(capsys, "--interpreter", program)
    assert code == 1
    sound, broken = document["blocks"]
    assert (sound["verdict"], broken["verdict"], broken["context"]) == ("compiles", "broken", None)
    said = broken["diagnoses"][0]
    assert (said["kind"], said["line"]) == ("syntax-error", 11)
    assert said["column"] >= 3
    assert "type alias" in said["detail"]
    assert [(found["rule"], found["line"]) for found in document["findings"]] == [("syntax-error", 11)]


def test_an_old_python_is_not_asked_about_what_it_cannot_know(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if sys.version_info >= (3, 12):
        pytest.skip("this Python knows the syntax")
    code, document = audit(capsys, "--interpreter", sys.executable)
    assert code == 0
    assert {block["verdict"] for block in document["blocks"]} == {"compiles"}


def test_a_wrong_path_is_a_mistake_of_usage(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "--no-cache", "--interpreter", "no/python", "a.md"]) == 2
    assert "--interpreter: no/python: cannot be started" in capsys.readouterr().err
