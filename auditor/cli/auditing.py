"""The work of `auditor audit`: sources audited, held to a gate, shown in every format asked for."""

import argparse
import os
import sys
import time
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import replace
from pathlib import Path

from auditor import __version__
from auditor.audited import outlines_of
from auditor.cli.answers import LARGEST, remember
from auditor.cli.audit import format_of, write_output
from auditor.cli.exits import CLEAN, FINDINGS, INCOMPLETE, NOTHING, USAGE, Failure
from auditor.cli.ground import Ground
from auditor.cli.judging import judged
from auditor.cli.nothing import all_is_excluded, why_nothing
from auditor.cli.own_rules import doubts_about
from auditor.cli.requirements import requirement_files
from auditor.cli.session import Session, open_session, rule_paths
from auditor.cli.stopwatch import Stopwatch
from auditor.discover import PYTHON, Candidate, read, top_of
from auditor.model import Source
from auditor.report import FORMATS
from auditor.report.run import Run
from auditor.report.terminal import shown

# What is written to standard output, among the formats that go to files.
_SHOWN = ""


def audit_paths(options: argparse.Namespace, ground: Ground | None) -> int:
    """Audit the paths, write every format asked for, and return the exit code of the design's table.

    `ground` is what was settled already.
    """
    outputs = [_output(words) for words in options.output]
    name = format_of(options)
    if name not in FORMATS:
        raise Failure(f"--format: no format is called {name!r}; there are {', '.join(FORMATS)}")
    watch = Stopwatch(time.perf_counter())
    with watch.part("settings"):
        session = open_session(options, ground)
        if not _asks_for_outsides(session, options, {name, *(wanted for wanted, _ in outputs)}):
            session = replace(session, options=replace(session.options, outsides=False))
        if not any(candidate.path.lower().endswith(PYTHON) for candidate in session.discovery.candidates):
            session = replace(session, options=replace(session.options, files=False))
    result = audit_session(session, options, watch)
    with watch.part("reports"):
        said = _Said()
        for wanted, file in outputs:
            write_output(file, said.noted(wanted, FORMATS[wanted](result, False)))
        sys.stdout.writelines(said.noted(_SHOWN, FORMATS[name](result, sys.stdout.isatty())))
    if options.stats:
        watch.say()
    code = exit_code(result, session)
    if name != "text":  # which says both itself
        for reason in result.incomplete:
            print(f"auditor: {shown(reason)}", file=sys.stderr)
    if code == NOTHING:
        why = why_nothing(session.configuration, session.discovery)
        print(f"auditor: nothing to audit: {shown(why)}", file=sys.stderr)
    elif ground is not None and result.complete and not _says_more(session, options) and said.is_short:
        files = [
            *rule_paths(options, session.configuration, session.root),
            *(session.root / path for path in requirement_files(session.discovery, session.configuration.books)),
        ]
        written = {wanted: said.text(wanted) for wanted, _ in outputs}
        remember(ground, options, name, files, session.reads, (code, said.text(_SHOWN), written))
    return code


def _says_more(session: Session, options: argparse.Namespace) -> bool:
    """Whether the rules made the run say something on standard error, which an equal one must say again."""
    own = [*(session.root / path for path in session.configuration.rules), *options.rules]
    return bool(session.rulebook.problems or doubts_about(session.rulebook.rules, own))


class _Said:
    """What a run says, by format, held as long as it is short enough to be kept for an equal run."""

    def __init__(self) -> None:
        self._pieces: dict[str, list[str]] = {}
        self._room = LARGEST

    @property
    def is_short(self) -> bool:
        """Whether all of it is held."""
        return self._room >= 0

    def noted(self, name: str, pieces: Iterable[str]) -> Iterator[str]:
        """The pieces, as they are written."""
        held = self._pieces[name] = []
        for piece in pieces:
            self._room -= len(piece)
            if self._room >= 0:
                held.append(piece)
            else:
                self._pieces.clear()
                held.clear()
            yield piece

    def text(self, name: str) -> str:
        """All of what was said in one format."""
        return "".join(self._pieces[name])


def _asks_for_outsides(session: Session, options: argparse.Namespace, formats: AbstractSet[str]) -> bool:
    """Whether anything in a run asks what its Python files define and need: pages, comparisons, facts, full reports."""
    return (
        any(not candidate.path.lower().endswith(PYTHON) for candidate in session.discovery.candidates)
        or session.base is not None
        or bool(options.baseline or session.configuration.baseline or options.linters)
        or "json" in formats
        or any(rule.definition is not None or rule.link is not None for rule in session.rulebook.rules)
    )


def audit_session(session: Session, options: argparse.Namespace, watch: Stopwatch) -> Run:
    """The whole run as one value, gated by a base or a baseline where one is given."""
    with watch.part("sources"):
        audits = session.audits()
    with watch.part("project"):
        audits, whole, gated = judged(audits, session, options)
    outlines = outlines_of(audits)
    incomplete = [
        *(f"{outline.path}: {outline.reason}" for outline in outlines if outline.status == "unreadable"),
        *(f"{left.path}: {left.reason}" for left in session.discovery.left_out if left.status == "unreadable"),
        *(reason for outline in outlines for reason in outline.incomplete),
    ]
    limit = session.configuration.limits.file_bytes

    candidates = {candidate.path: candidate for candidate in session.discovery.candidates}

    def text_of(path: str) -> str | None:
        found = read(candidates.get(path) or Candidate(path, session.root / path), limit)
        return found.text if isinstance(found, Source) else None

    return Run(
        __version__,
        session.options.compile.targets,
        audits,
        session.discovery.left_out,
        gated.findings,
        whole.links.links,
        tuple(incomplete),
        session.lang,
        time.perf_counter() - session.started,
        gated.is_gated,
        options.notes,
        options.fail_level or session.configuration.fail_level,
        session.rulebook.rules,
        text_of,
        _prefix(session),
        options.quiet,
        gated.left,
    )


def _prefix(session: Session) -> str:
    """The way from the top of the checkout to the root: empty, or ending in a slash."""
    top = session.top or top_of(session.root)
    way = os.path.relpath(session.root, top).replace(os.sep, "/") if top is not None else "."
    return "" if way == "." else f"{way}/"


def exit_code(result: Run, session: Session) -> int:
    """2 for rules that cannot be read, else 5, 1, 3 or 0, in the order of the design."""
    if session.rulebook.problems and not session.skip_bad_rules:
        return USAGE
    if not result.complete:
        return INCOMPLETE
    if any(True for _ in result.failing()):
        return FINDINGS
    # A change may take the last page away; one that excludes every page has nothing held to the gate.
    counts = session.base is None or all_is_excluded(session.configuration, session.discovery)
    return NOTHING if counts and not result.audits and not session.named_only else CLEAN


def _output(words: str) -> tuple[str, Path]:
    name, _, file = words.partition("=")
    if name not in FORMATS or not file:
        raise Failure(f"--output: {words!r} is not NAME=FILE with a name of {', '.join(FORMATS)}")
    return name, Path(file)
