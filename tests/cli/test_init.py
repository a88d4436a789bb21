"""What `auditor init` writes is valid, pinned, and asks for no more rights than it needs."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from auditor import __version__
from auditor.cli import main
from auditor.cli.init import template
from auditor.configuration import load_configuration
from auditor.configuration.keys import KEYS

WORKFLOW = ".github/workflows/auditor.yml"


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_configuration_as_written_changes_nothing(book: Path) -> None:
    assert main(["init"]) == 0
    written = load_configuration(book / "auditor.toml")
    assert written.select == ()
    assert written.fail_level == "error"
    assert [path.name for path in book.iterdir() if path.name != ".git"] == ["auditor.toml"]


def test_every_key_of_the_configuration_is_shown_and_valid(book: Path) -> None:
    text = template("auditor.toml")
    entries = re.findall(r'^# ((?:\[|[a-z"].* = ).*)$', text, re.MULTILINE)
    (book / "auditor.toml").write_text("\n".join(entries))
    load_configuration(book / "auditor.toml")
    shown = {re.split(r"[ =.]", entry.strip("["))[0].strip("]") for entry in entries}
    assert set(KEYS) <= shown


def test_nothing_is_overwritten(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (book / ".pre-commit-config.yaml").write_text("repos: []\n")
    (book / "auditor.toml").write_text('lang = "zh"\n')
    assert main(["init", "--pre-commit"]) == 0
    assert (book / ".pre-commit-config.yaml").read_text() == "repos: []\n"
    assert (book / "auditor.toml").read_text() == 'lang = "zh"\n'
    printed = capsys.readouterr()
    assert "there already, left as it is" in printed.err
    assert yaml.safe_load("repos:\n" + printed.out)["repos"][0]["hooks"][0]["id"] == "auditor"


def test_a_project_that_is_configured_elsewhere_gets_no_second_configuration(book: Path) -> None:
    (book / "pyproject.toml").write_text('[tool.auditor]\nlang = "en"\n')
    assert main(["init"]) == 0
    assert not (book / "auditor.toml").exists()


def test_a_link_is_not_written_through(book: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside") / "x.yml"
    (book / ".pre-commit-config.yaml").symlink_to(outside)
    assert main(["init", "--pre-commit"]) == 0
    assert not outside.exists()


def test_the_workflow_has_least_permissions_and_pinned_versions() -> None:
    text = template(WORKFLOW)
    workflow: dict[Any, Any] = yaml.safe_load(text)
    assert workflow["permissions"] == {}
    (job,) = workflow["jobs"].values()
    assert job["permissions"] == {"contents": "read"}
    for step in job["steps"]:
        if "uses" in step:
            assert re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", step["uses"])
        # No expression is put into a shell.
        assert "${{" not in step.get("run", "")
    assert f"fence-auditor=={__version__}" in text
    assert job["steps"][0]["with"] == {"fetch-depth": 0, "persist-credentials": False}


@pytest.mark.parametrize("name", [".gitlab/auditor.yml", ".pre-commit-config.yaml"])
def test_the_others_are_yaml_with_this_version(name: str) -> None:
    assert isinstance(yaml.safe_load(template(name)), dict)
    assert f"fence-auditor=={__version__}" in template(name)


def test_a_folder_that_is_none(book: Path) -> None:
    assert main(["init", "nowhere"]) == 2
