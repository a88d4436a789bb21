"""The set-ups of `docs/ci.md` are valid, and every command on the page is one that the tool understands."""

import re
import shlex
from pathlib import Path

import pytest
import yaml

from auditor import __version__
from auditor.cli.arguments import build_parser
from auditor.cli.init import template

PAGE = (Path(__file__).parent.parent / "docs/ci.md").read_text(encoding="utf-8")
FENCES = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
COMMANDS = sorted(
    {line for kind, text in FENCES if kind == "sh" for line in text.splitlines()}
    | set(re.findall(r"`(auditor [^`\n]+)`", PAGE))
)


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_are_understood(command: str) -> None:
    words = shlex.split(re.split(r" [|<] ", command)[0])
    assert words[0] == "auditor"
    build_parser(__version__).parse_args(words[1:])


@pytest.mark.parametrize("text", [text for kind, text in FENCES if kind == "yaml"])
def test_set_ups_are_yaml_and_pinned(text: str) -> None:
    assert isinstance(yaml.safe_load(text), dict)
    for used in re.findall(r"uses: (\S+)", text):
        assert re.fullmatch(r"[\w/.-]+@(?:[0-9a-f]{40}|COMMIT)", used)
    for version in re.findall(r"fence-auditor==([\w.]+)", text):
        assert version == __version__


def test_the_page_shows_what_init_writes() -> None:
    """A reader who copies and one who runs `auditor init` get the same steps."""
    (workflow,) = [yaml.safe_load(text) for kind, text in FENCES if kind == "yaml" and text.startswith("name:")]
    written = yaml.safe_load(template(".github/workflows/auditor.yml"))
    assert workflow["jobs"]["audit"]["steps"] == written["jobs"]["audit"]["steps"]
    hooks = [yaml.safe_load(text) for kind, text in FENCES if kind == "yaml" and text.startswith("repos:")]
    assert hooks == [yaml.safe_load(template(".pre-commit-config.yaml"))]
