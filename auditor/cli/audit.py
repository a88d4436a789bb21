"""`auditor audit`: findings and a summary; the gate in CI."""

import argparse
import os
import sys
import time
from pathlib import Path

from auditor import __version__
from auditor.cli.exits import CLEAN, FINDINGS, INCOMPLETE, NOTHING, USAGE, Failure
from auditor.cli.files import replace_file
from auditor.cli.gating import gate
from auditor.cli.linters import linter_of, source_reader
from auditor.cli.session import Session, open_session
from auditor.cli.stopwatch import Stopwatch
from auditor.discover import Candidate, read
from auditor.discover.revisions import top_of
from auditor.model import Source
from auditor.project.whole import judge
from auditor.report import FORMATS
from auditor.report.run import Run
from auditor.report.terminal import shown


def run(options: argparse.Namespace) -> int:
    """Audit the paths, write every format asked for, and return the exit code of the design's table."""
    outputs = [_output(words) for words in options.output]
    name = options.format or ("github" if os.environ.get("GITHUB_ACTIONS") == "true" else "text")
    if name not in FORMATS:
        raise Failure(f"--format: no format is called {name!r}; there are {', '.join(FORMATS)}")
    watch = Stopwatch(time.perf_counter())
    with watch.part("settings"):
        session = open_session(options)
    result = audit_session(session, options, watch)
    with watch.part("reports"):
        for wanted, file in outputs:
            replace_file(file, FORMATS[wanted](result, False).encode("utf-8", "backslashreplace"))
        sys.stdout.write(FORMATS[name](result, sys.stdout.isatty()))
    if options.stats:
        watch.say()
    code = exit_code(result, session)
    if name != "text":  # which says both itself
        for reason in result.incomplete:
            print(f"auditor: {shown(reason)}", file=sys.stderr)
    if code == NOTHING:
        print("auditor: nothing to audit: no Markdown or Python file under the paths", file=sys.stderr)
    return code


def audit_session(session: Session, options: argparse.Namespace, watch: Stopwatch) -> Run:
    """The whole run as one value, gated by a base or a baseline where one is given."""
    with watch.part("sources"):
        audits = session.audits()
    with watch.part("project"), linter_of(session, options) as linter:
        if linter is not None:
            audits = linter.add(audits, source_reader(session))
        whole = judge(audits, session.rulebook, session.project)
        findings, gated = gate(whole.findings, audits, session, options, linter)
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
