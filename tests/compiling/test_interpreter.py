"""Another interpreter compiles texts in a batch; it runs nothing, imports nothing, and says where it stopped."""

import sys
from pathlib import Path

import pytest

from auditor.compiling.interpreter import Interpreter, InterpreterError, Question, Refusal


@pytest.fixture(scope="module")
def host() -> Interpreter:
    return Interpreter.at(sys.executable)


def test_it_says_its_version(host: Interpreter) -> None:
    major, minor, micro = sys.version_info[:3]
    assert host.version == f"{major}.{minor}.{micro}"
    assert host.reads("3.8")
    assert host.reads(f"{major}.{minor}")
    assert not host.reads(f"{major}.{minor + 1}")


def test_each_text_gets_its_own_answer(host: Interpreter) -> None:
    answers = host.refusals([Question("a = 1\n"), Question("a = 1\nb = = 2\n"), Question("c = 3\n")])
    assert answers[0] is None
    assert answers[2] is None
    assert isinstance(answers[1], Refusal)
    assert (answers[1].line, answers[1].column, answers[1].in_bytes) == (2, 5, False)


@pytest.mark.parametrize(
    ("text", "adjustments"),
    [
        ("return 1\n", ("function",)),
        ("x = await f()\n", ("async",)),
        ("break\n", ("loop",)),
        ("from a import *\nyield b\n", ("function", "margin")),
    ],
)
def test_a_text_is_judged_in_its_scope(host: Interpreter, text: str, adjustments: tuple[str, ...]) -> None:
    assert host.refusals([Question(text)]) != (None,)
    assert host.refusals([Question(text, adjustments)]) == (None,)  # type: ignore[arg-type]  # from a table


def test_nothing_is_run_or_imported(host: Interpreter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "json.py").write_text("raise SystemExit(3)\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("PYTHONSTARTUP", str(tmp_path / "json.py"))
    text = f"open({str(tmp_path / 'made')!r}, 'w')\nimport json.nowhere\n"
    assert host.refusals([Question(text)]) == (None,)
    assert not (tmp_path / "made").exists()


def test_any_text_gets_an_answer(host: Interpreter) -> None:
    assert len(host.refusals([Question("\0"), Question("x = '\ud800'\n"), Question("(" * 500)])) == 3


def test_what_is_no_python_is_said(tmp_path: Path) -> None:
    with pytest.raises(InterpreterError, match="cannot be started"):
        Interpreter.at(str(tmp_path / "nowhere"))
    script = tmp_path / "script"
    script.write_text("#!/bin/sh\necho no\n")
    script.chmod(0o755)
    with pytest.raises(InterpreterError, match="no Python"):
        Interpreter.at(str(script))
