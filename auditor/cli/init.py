"""`auditor init`: a commented configuration and, on request, a workflow; nothing is ever overwritten."""

import argparse
import sys
from importlib.resources import files
from pathlib import Path

from auditor import __version__
from auditor.cli.exits import CLEAN, USAGE, Failure
from auditor.cli.files import replace_file
from auditor.configuration import ConfigurationError, find_configuration
from auditor.report.terminal import shown

# Each file that may be written, with the template it is made from.
_TEMPLATES = {
    "auditor.toml": "auditor.toml",
    ".github/workflows/auditor.yml": "github.yml",
    ".gitlab/auditor.yml": "gitlab.yml",
    ".pre-commit-config.yaml": "pre-commit.yaml",
}


def run(options: argparse.Namespace) -> int:
    """Write what is asked for under the folder. Raises `Failure` where the folder is none or cannot be written."""
    folder: Path = options.folder
    if not folder.is_dir():
        raise Failure(f"{folder}: no such folder")
    wanted = {
        "auditor.toml": not _configured(folder),
        ".github/workflows/auditor.yml": options.github,
        ".gitlab/auditor.yml": options.gitlab,
        ".pre-commit-config.yaml": options.pre_commit,
    }
    for name, asked in wanted.items():
        file = folder / name
        if file.exists() or file.is_symlink():
            if asked or name == "auditor.toml":
                print(f"{shown(str(file))}: there already, left as it is", file=sys.stderr)
                _show_instead(name, asked=asked)
        elif asked:
            replace_file(file, template(name).encode())
            print(f"{shown(str(file))}: written", file=sys.stderr)
    return CLEAN


def template(name: str) -> str:
    """What `auditor init` writes into a file of that name, with this version pinned."""
    text = files("auditor.cli").joinpath("templates", _TEMPLATES[name]).read_text(encoding="utf-8")
    return text.replace("@VERSION@", __version__)


def _configured(folder: Path) -> bool:
    """Whether a configuration holds in a folder already."""
    try:
        found = find_configuration(folder.absolute())
    except ConfigurationError as error:
        raise Failure(str(error), USAGE) from None
    if found is not None and found.name == "pyproject.toml":
        print(f"{shown(str(found))}: configures auditor already, left as it is", file=sys.stderr)
    return found is not None


def _show_instead(name: str, *, asked: bool) -> None:
    """Print the entry that the user has to add by hand: other tools' entries stand in the file."""
    if asked and name == ".pre-commit-config.yaml":
        text = template(name)
        print(text[text.index("  - repo:") :], end="")
