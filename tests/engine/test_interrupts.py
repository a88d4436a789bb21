"""Ctrl-C reaches every process of a terminal's group: the command ends in one line, whatever was just starting."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import auditor

# Says when the interpreter has started: until then a traceback is its own.
SCRIPT = "import sys; from auditor.cli import main; print('ready', file=sys.stderr, flush=True); sys.exit(main())"
# Moments of a run that begins with loading the parsers, here and in the server of the workers.
DELAYS = (0.1, 0.25, 0.4, 0.5, 0.6, 0.8, 1.1)


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="no process groups here")
@pytest.mark.skipif(not os.environ.get("AUDITOR_TIMING"), reason="depends on the clock: set AUDITOR_TIMING=1")
def test_ctrl_c_while_workers_start_is_said_in_one_line(tmp_path: Path) -> None:
    for number in range(60):
        (tmp_path / f"{number}.md").write_text(f"```python\nclass C{number}:\n    x = {number}\n```\n\n" * 40)
    environment = {**os.environ, "PYTHONPATH": str(Path(auditor.__file__).parent.parent)}
    for delay in DELAYS:
        process = subprocess.Popen(
            [sys.executable, "-c", SCRIPT, "audit", "--no-cache", "--quiet", "--jobs", "2"],
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert process.stderr is not None
        assert process.stderr.readline() == "ready\n"
        time.sleep(delay)
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=100)
        assert (process.returncode, err) in {(130, "auditor: interrupted\n"), (0, "")}, delay
