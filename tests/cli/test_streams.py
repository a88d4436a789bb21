"""Standard streams that are closed or full: said in one line, told by the exit code, never by a traceback."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import auditor
from auditor.cli import main

COMMAND = [sys.executable, "-c", "import sys; from auditor.cli import main; sys.exit(main())"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(auditor.__file__).parent.parent)}


@pytest.fixture
def book(tmp_path: Path) -> Path:
    (tmp_path / "a.md").write_text("```python\nx = = 1\n```\n")
    return tmp_path


def run(book: Path, *words: str, closed: int | None = None, out: int = subprocess.PIPE) -> tuple[int, str, str]:
    """Exit code and both streams of a run whose stream `closed` is closed, as a shell does with `>&-`."""
    done = subprocess.run(
        [*COMMAND, *words],
        cwd=book,
        env=ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        stdout=out,
        stderr=subprocess.PIPE,
        text=True,
        timeout=100,
        check=False,
        preexec_fn=None if closed is None else lambda: os.close(closed),
    )
    return done.returncode, done.stdout or "", done.stderr


@pytest.mark.parametrize("words", [("audit", "--no-cache"), ("audit",), ("rules",), ("--help",)])
def test_without_standard_output_nothing_is_said_to_be_clean(book: Path, words: tuple[str, ...]) -> None:
    code, _, err = run(book, *words, closed=1)
    assert (code, err) == (5, "auditor: there is no standard output\n")


def test_without_standard_input_none_is_audited(book: Path) -> None:
    code, out, err = run(book, "audit", "--no-cache", "--stdin-path", "a.md", "-", closed=0)
    assert (code, out, err) == (2, "", "auditor: there is no standard input\n")


def test_standard_input_is_missed_only_where_it_is_asked_for(book: Path) -> None:
    assert run(book, "audit", "--no-cache", "--format", "concise", closed=0)[0] == 1


def test_without_standard_error_the_output_holds_nothing_else(book: Path) -> None:
    code, out, _ = run(book, "audit", "--no-cache", "--format", "concise", closed=2)
    assert (code, out) == (1, run(book, "audit", "--no-cache", "--format", "concise")[1])


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
@pytest.mark.parametrize("words", [("--help",), ("--version",), ("audit", "--help")])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_help_that_cannot_be_written_is_no_success(
    book: Path, words: tuple[str, ...], unbuffered: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ENVIRONMENT, "PYTHONUNBUFFERED", unbuffered)
    with open("/dev/full", "wb") as full:
        code, _, err = run(book, *words, out=full.fileno())
    assert code == 5
    assert err.startswith("auditor: output cannot be written: ")
    assert "Traceback" not in err


@pytest.mark.parametrize("number", ["-3", "two", "1.5"])
def test_a_wrong_number_of_workers_is_named(number: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["audit", f"--jobs={number}"])
    assert ended.value.code == 2
    assert f"--jobs: must be a whole number, 0 or more: '{number}'" in capsys.readouterr().err


def test_an_interrupt_is_not_lost_in_an_object_that_ends(book: Path) -> None:
    script = """\
import os, signal, sys
import auditor.cli

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background holds it back

class Ending:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        sum(range(1000))

def run(options):
    Ending()
    while True:
        pass

import auditor.cli.rules
auditor.cli.rules.run = run
sys.exit(auditor.cli.main())
"""
    done = subprocess.run(
        [sys.executable, "-c", script, "rules"],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (130, "auditor: interrupted\n")
