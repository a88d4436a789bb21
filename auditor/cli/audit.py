"""`auditor audit`: findings and a summary; the gate in CI."""

import argparse
import os
import sys
from collections.abc import Iterable
from pathlib import Path

from auditor.cli.answers import Answer, is_repeatable, recall
from auditor.cli.files import replace_by_pieces
from auditor.cli.ground import Ground, lay_ground
from auditor.cli.overwriting import demand_no_page


def run(options: argparse.Namespace) -> int:
    """Say what an equal run said, where nothing has changed since; else audit the paths. The exit code."""
    name = format_of(options)
    demand_no_page(Path(words.partition("=")[2]) for words in options.output)
    ground: Ground | None = None
    if is_repeatable(options, (name, *(words.partition("=")[0] for words in options.output))):
        ground = lay_ground(options, Path(os.devnull))
        answer = recall(ground, options, name)
        if answer is not None:
            return _say(answer, options)
    from auditor.cli.auditing import audit_paths  # noqa: PLC0415 - loads rules, parsers and formats

    return audit_paths(options, ground)


def format_of(options: argparse.Namespace) -> str:
    """The format of standard output: the one asked for, else GitHub's in its workflows, else text."""
    name: str | None = options.format
    return name or ("github" if os.environ.get("GITHUB_ACTIONS") == "true" else "text")


def _say(answer: Answer, options: argparse.Namespace) -> int:
    for words in options.output:
        name, _, file = words.partition("=")
        write_output(Path(file), [answer.outputs[name]])
    sys.stdout.write(answer.text)
    return answer.code


def write_output(file: Path, pieces: Iterable[str]) -> None:
    """Write a format into a file. Raises `Failure` (5) where that cannot be done."""
    replace_by_pieces(file, (piece.encode("utf-8", "backslashreplace") for piece in pieces))
