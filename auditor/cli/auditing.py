"""The work of `auditor audit`: sources audited, held to a gate, shown in every format asked for."""

import argparse
import os
import sys
import time
from pathlib import Path

from auditor import __version__
from auditor.cli.answers import remember
from auditor.cli.audit import format_of, write_output
from auditor.cli.exits import CLEAN, FINDINGS, INCOMPLETE, NOTHING, USAGE, Failure
from auditor.cli.ground import Ground
from auditor.cli.judging import judged
from auditor.cli.session import Session, open_session, rule_paths
from auditor.cli.stopwatch import Stopwatch
from auditor.discover import Candidate, read
from auditor.discover.revisions import top_of
from auditor.model import Source
from auditor.report import FORMATS
from auditor.report.run import Run
from auditor.report.terminal import shown


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
    result = audit_session(session, options, watch)
    with watch.part("reports"):
        written = {wanted: FORMATS[wanted](result, False) for wanted, _ in outputs}
        text = FORMATS[name](result, sys.stdout.isatty())
        for wanted, file in outputs:
            write_output(file, written[wanted])
        sys.stdout.write(text)
    if options.stats:
        watch.say()
    code = exit_code(result, session)
    if name != "text":  # which says both itself
        for reason in result.incomplete:
            print(f"auditor: {shown(reason)}", file=sys.stderr)
    if code == NOTHING:
        print("auditor: nothing to audit: no Markdown or Python file under the paths", file=sys.stderr)
    elif ground is not None and result.complete and not session.rulebook.problems:
        rules = rule_paths(options, session.configuration, session.root)
        remember(ground, options, name, rules, session.reads, (code, text, written))
    return code


def audit_session(session: Session, options: argparse.Namespace, watch: Stopwatch) -> Run:
    """The whole run as one value, gated by a base or a baseline where one is given."""
    with watch.part("sources"):
        audits = session.audits()
    with watch.part("project"):
        audits, whole, findings, gated = judged(audits, session, options)
    incomplete = [
        *(f"{audit.path}: {audit.reason}" for audit in audits if audit.status == "unreadable"),
        *(f"{left.path}: {left.reason}" for left in session.discovery.left_out if left.status == "unreadable"),
        *(reason for audit in audits for reason in audit.incomplete),
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
        findings,
        whole.links.links,
        tuple(incomplete),
        session.lang,
        time.perf_counter() - session.started,
        gated,
        options.notes,
        options.fail_level or session.configuration.fail_level,
        session.rulebook.rules,
        text_of,
        _prefix(session),
        options.quiet,
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
    if result.failing():
        return FINDINGS
    if not result.audits and not session.named_only and session.base is None:
        return NOTHING
    return CLEAN


def _output(words: str) -> tuple[str, Path]:
    name, _, file = words.partition("=")
    if name not in FORMATS or not file:
        raise Failure(f"--output: {words!r} is not NAME=FILE with a name of {', '.join(FORMATS)}")
    return name, Path(file)
