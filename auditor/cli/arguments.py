"""The words that the command line understands; importing this costs no more than argparse itself."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _typeshed import SupportsWrite

# Each command and the module whose `run(options)` does it.
COMMANDS = {
    "audit": "auditor.cli.audit",
    "ledger": "auditor.cli.ledger",
    "ledger-review": "auditor.cli.review",
    "ledger-sync": "auditor.cli.sync",
    "fix": "auditor.cli.fix",
    "baseline": "auditor.cli.baseline",
    "rules": "auditor.cli.rules",
    "explain": "auditor.cli.explain",
    "show": "auditor.cli.show",
    "cache": "auditor.cli.cache",
    "init": "auditor.cli.init",
}

_EXITS = """\
exit codes:
  0  nothing at or above the fail level      3  nothing to audit under the folders named
  1  findings at or above the fail level     4  a committed ledger or baseline is out of date
  2  usage or configuration                  5  incomplete: something could not be looked at
  130, 143  interrupted (Ctrl-C) or terminated: nothing was judged, no file is half written
"""


class _Parser(argparse.ArgumentParser):
    """A parser whose help and version fail where they cannot be written; argparse passes over that in silence."""

    def _print_message(self, message: str, file: "SupportsWrite[str] | None" = None) -> None:
        if file is not None and file is sys.stdout:
            file.write(message)
        else:
            super()._print_message(message, file)


def build_parser(version: str, words: Sequence[str] = ()) -> argparse.ArgumentParser:
    """The parser of the whole command line; where `words` begin with a command, of that one alone."""
    parser: argparse.ArgumentParser = _Parser(
        prog="auditor",
        description="Audit the Python in a book or documentation repository, without running it.",
        epilog=_EXITS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"auditor {version}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, (what, fill) in _WORDS.items():
        if name in words[:1] or not COMMANDS.keys() & words[:1]:
            fill(_command(commands, name, what))
    return parser


def _command(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]", name: str, what: str
) -> argparse.ArgumentParser:
    return commands.add_parser(
        name,
        help=what,
        description=what[0].upper() + what[1:] + ".",
        epilog=_EXITS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def _paths(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="*", metavar="PATH", help="files and folders (default: this folder)")


def _shared(parser: argparse.ArgumentParser) -> None:
    """What decides how sources are read and which rules look at them."""
    group = parser.add_argument_group("what is read and how")
    _config(group)
    group.add_argument(
        "--flavour", choices=("auto", "commonmark", "mkdocs", "myst", "mdx"), help="the Markdown's flavour"
    )
    group.add_argument(
        "--target-python",
        action="append",
        metavar="VERSION",
        help="the Python that the code is for, such as 3.10; may be given several times",
    )
    group.add_argument("--indented-code", action="store_true", default=None, help="audit indented code blocks too")
    group.add_argument(
        "--unlabelled", action="store_true", default=None, help="report fences without a label that are surely Python"
    )
    rules = parser.add_argument_group("rules")
    rules.add_argument(
        "--rules", action="append", type=Path, default=[], metavar="PATH", help="a rule file, or a folder of them"
    )
    rules.add_argument("--no-builtin-rules", action="store_true", help="leave the shipped rules out")
    rules.add_argument(
        "--select",
        action="append",
        default=[],
        metavar="RULE",
        help="only these rules (ids, or a pattern such as 'layernorm-*')",
    )
    rules.add_argument("--ignore", action="append", default=[], metavar="RULE", help="all but these rules")
    rules.add_argument(
        "--skip-bad-rules", action="store_true", help="a rule that cannot be read does not make the run fail"
    )
    running = parser.add_argument_group("running")
    running.add_argument("--lang", choices=("en", "zh"), help="the language of messages")
    running.add_argument(
        "--jobs", type=_jobs, default=0, metavar="N", help="worker processes (default: as the work needs)"
    )
    running.add_argument("--no-cache", action="store_true", help="neither read nor write the cache")
    running.add_argument("--quiet", action="store_true", help="no progress and no summary")


def _jobs(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = -1
    if number < 0:
        raise argparse.ArgumentTypeError(f"must be a whole number, 0 or more: {text!r}")
    return number


def _audit(parser: argparse.ArgumentParser) -> None:
    _paths(parser)
    _shared(parser)
    reporting = parser.add_argument_group("reporting")
    reporting.add_argument(
        "--format",
        metavar="NAME",
        help="text, concise, json, jsonl, sarif, github, gitlab, junit, rdjsonl or markdown "
        "(default: text; github in a GitHub workflow)",
    )
    reporting.add_argument(
        "--output",
        action="append",
        default=[],
        metavar="NAME=FILE",
        help="a format into a file; may be given several times",
    )
    reporting.add_argument("--notes", action="store_true", help="list notes too, not only their number")
    reporting.add_argument(
        "--fail-level",
        choices=("error", "warning", "note", "never"),
        help="the lowest severity that fails the run (default: error)",
    )
    reporting.add_argument("--stats", action="store_true", help="say where the time went, on standard error")
    _linters(reporting)
    reporting.add_argument(
        "--interpreter",
        metavar="PATH",
        help="also let this Python compile, isolated and without running them, the blocks with syntax it may know best",
    )
    reporting.add_argument("--stdin-path", metavar="PATH", help="audit standard input ('-') as if it were this file")
    gate = parser.add_argument_group("only what is new")
    gate.add_argument("--since", metavar="REV", help="only findings that the merge base with this revision has not")
    gate.add_argument("--baseline", type=Path, metavar="FILE", help="only findings that this file does not accept")
    gate.add_argument("--strict-baseline", action="store_true", help="a stale entry of the baseline is an error")
    gate.add_argument(
        "--trust",
        choices=("head", "base"),
        default="head",
        help="base: configuration and rules are the base's, not the pull request's",
    )


def _config(group: "argparse._ActionsContainer") -> None:
    group.add_argument(
        "--config", type=Path, metavar="FILE", help="the configuration (default: the nearest one upward)"
    )


def _linters(group: "argparse._ActionsContainer") -> None:
    group.add_argument(
        "--with",
        action="append",
        choices=("ruff",),
        default=[],
        dest="linters",
        help="also ask this linter, with the project's own configuration, about the fences that compile",
    )


def _ledger(parser: argparse.ArgumentParser) -> None:
    _paths(parser)
    _shared(parser)
    group = parser.add_argument_group("the ledger")
    group.add_argument("--ledger", type=Path, metavar="FILE", help="where it stands (default: reports/ledger.jsonl)")
    group.add_argument(
        "--check", action="store_true", help="write nothing; exit 4 where the committed ledger is not true"
    )
    group.add_argument("--compare", metavar="REV", help="list what changed since the ledger of a revision")
    group.add_argument("--markdown", type=Path, metavar="FILE", help="also the summary for readers")
    group.add_argument("--html", type=Path, metavar="FILE", help="also the page with fence and file side by side")
    group.add_argument("--csv", type=Path, metavar="FILE", help="also a table")
    group.add_argument("--merge", action="store_true", help="update only the part of the ledger that the paths name")


def _review(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("block", metavar="ID", help="the block's id in the ledger")
    parser.add_argument("--by", required=True, metavar="NAME", help="who looked at it")
    parser.add_argument("--note", default="", help="what was seen")
    parser.add_argument("--date", help="when, in the reviewer's own words")
    parser.add_argument("--ledger", type=Path, metavar="FILE", help="where the ledger stands")
    _shared(parser)
    parser.set_defaults(paths=[])


def _sync(parser: argparse.ArgumentParser) -> None:
    _paths(parser)
    _shared(parser)
    parser.add_argument("--diff", action="store_true", help="write nothing; show what would change")


def _fix(parser: argparse.ArgumentParser) -> None:
    _paths(parser)
    _shared(parser)
    group = parser.add_argument_group("fixing")
    group.add_argument(
        "--diff", action="store_true", help="write nothing; show what would change, and exit 1 if anything"
    )
    group.add_argument("--unsafe", action="store_true", help="also fixes that change what the code means")


def _baseline(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    for action, what in (
        ("write", "accept the findings there are; what was accepted before keeps its reason"),
        ("prune", "take out what is not there any more"),
        ("check", "exit 4 where something accepted is not there any more"),
    ):
        command = _command(actions, action, what)
        _paths(command)
        _shared(command)
        command.add_argument("--baseline", type=Path, metavar="FILE", help="the baseline file")
        _linters(command)
        command.add_argument("--reason", default="", help="why the findings are accepted, written into new entries")
        if action == "write":
            command.add_argument(
                "--fail-level",
                choices=("error", "warning", "note", "never"),
                help="notes are accepted where they fail the run, at `note` (default: the configuration's)",
            )


def _rules(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", nargs="?", choices=("list", "test", "schema"), default="list")
    parser.add_argument(
        "paths",
        nargs="*",
        type=Path,
        metavar="PATH",
        help="rule files or folders (default: the shipped rules and the configuration's)",
    )
    _config(parser)
    parser.add_argument("--lang", choices=("en", "zh"), default="en")
    parser.add_argument("--format", choices=("text", "json", "junit"), default="text")


def _explain(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("rule", metavar="RULE")
    parser.add_argument(
        "--on", metavar="FILE", type=Path, help="say clause by clause how many candidates survive in a file"
    )
    parser.add_argument("--rules", action="append", type=Path, default=[], metavar="PATH")
    _config(parser)
    parser.add_argument("--lang", choices=("en", "zh"), default="en")


def _show(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("place", metavar="FILE:LINE")
    _shared(parser)


def _init(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", nargs="?", type=Path, default=Path(), metavar="FOLDER", help="the top of the book")
    group = parser.add_argument_group("what else is written")
    group.add_argument("--github", action="store_true", help="a workflow with least permissions and pinned versions")
    group.add_argument("--gitlab", action="store_true", help="a job for GitLab to include")
    group.add_argument("--pre-commit", action="store_true", help="an entry for pre-commit")


def _cache(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=("clear", "where"))


def split_lists(words: Sequence[str]) -> tuple[str, ...]:
    """The items of options that may be given several times and hold commas."""
    return tuple(item.strip() for word in words for item in word.split(",") if item.strip())


def joined(words: Sequence[str]) -> list[str]:
    """The words with `ledger review`, `ledger sync` and `ledger --sync` as the one command each of them is."""
    words = list(words)
    if words[:1] == ["ledger"]:
        if words[1:2] in (["review"], ["sync"]):
            return [f"ledger-{words[1]}", *words[2:]]
        if "--sync" in words:
            return ["ledger-sync", *(word for word in words[1:] if word != "--sync")]
    return words


# What each command does, in a line, and what fills its parser.
_WORDS = {
    "audit": ("report findings, with a summary of what was seen; the gate in CI", _audit),
    "ledger": ("write the coverage ledger, or check the committed one", _ledger),
    "ledger-review": ("record a person's review of a block (also: `ledger review`)", _review),
    "ledger-sync": ("write marked fences again from their file (also: `ledger sync`)", _sync),
    "fix": ("apply fixes; --diff shows them", _fix),
    "baseline": ("accept the findings there are, so that only new ones fail", _baseline),
    "rules": ("list the rules, or run their examples", _rules),
    "explain": ("say what a rule is about, with examples and evidence", _explain),
    "show": ("show one block: what was tried, what compiled, the code as mapped", _show),
    "cache": ("remove the cache, or say where it is", _cache),
    "init": ("write a commented configuration and, on request, a workflow", _init),
}
