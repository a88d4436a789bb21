"""The composite action and the hooks: their shell steps run here as a runner would run them."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parent.parent
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
INPUTS = {name: given.get("default", "") for name, given in ACTION["inputs"].items()}


def test_no_expression_is_put_into_a_shell() -> None:
    for step in ACTION["runs"]["steps"]:
        assert "${{" not in step["run"]


def test_every_input_is_explained_and_used() -> None:
    used = " ".join(str(value) for step in ACTION["runs"]["steps"] for value in step["env"].values())
    for name, given in ACTION["inputs"].items():
        assert given["description"]
        assert f"inputs.{name} " in used


def run_step(tmp_path: Path, program: str, **inputs: str) -> subprocess.CompletedProcess[str]:
    """The auditing step, as bash runs it on a runner, with `program` in the place of the installed tool."""
    if shutil.which("bash") is None:
        pytest.skip("no bash here")
    bin_folder = tmp_path / "temp/auditor/bin"
    bin_folder.mkdir(parents=True, exist_ok=True)
    tool = bin_folder / "auditor"
    tool.write_text(program)
    tool.chmod(0o755)
    given = INPUTS | inputs
    step = ACTION["runs"]["steps"][-1]
    environment = {
        name: given[expression.removeprefix("${{ inputs.").removesuffix(" }}")]
        for name, expression in step["env"].items()
    }
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=tmp_path,
        env={
            **os.environ,
            **environment,
            "RUNNER_TEMP": str(tmp_path / "temp"),
            "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
            "GITHUB_ACTIONS": "true",
        },
        capture_output=True,
        text=True,
        check=False,
    )


ECHO = '#!/bin/sh\nfor word in "$@"; do printf "%s\\n" "$word"; done\n'


def test_inputs_stay_words(tmp_path: Path) -> None:
    hostile = '$(touch pwned) `touch pwned` "; touch pwned #'
    done = run_step(tmp_path, ECHO, paths="docs more", since=hostile, sarif=hostile, lang=hostile)
    words = done.stdout.splitlines()
    assert words[-3:] == ["--", "docs", "more"]
    assert words[words.index("--since") + 1] == hostile
    assert f"sarif={hostile}" in words
    assert not (tmp_path / "pwned").exists()


def test_without_a_base_all_findings_count(tmp_path: Path) -> None:
    words = run_step(tmp_path, ECHO).stdout.splitlines()
    assert "--since" not in words
    assert "--trust" not in words


def test_a_fault_is_annotated_and_fails_the_step(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/a.md").write_text("```python\nx = = 1\n```\n")
    real = f"#!/bin/sh\nexec '{sys.executable}' -c 'from auditor.cli import main; raise SystemExit(main())' \"$@\"\n"
    done = run_step(tmp_path, real, paths="docs", sarif="out.sarif")
    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith("::error file=")
    assert "| docs/a.md:2:5 | error |" in (tmp_path / "summary.md").read_text()
    assert (tmp_path / "out.sarif").exists()


def test_the_hooks_name_commands_that_exist() -> None:
    from auditor.cli.arguments import build_parser

    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    for hook in hooks:
        build_parser("0").parse_args(hook["entry"].split()[1:])
        assert hook["language"] == "python"
    assert [hook.get("pass_filenames", True) for hook in hooks] == [True, False]
