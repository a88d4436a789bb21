"""`auditor audit`: findings and a summary; the gate in CI."""

import argparse
import os
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from auditor import __version__, rulebook
from auditor.audit import SourceAudit
from auditor.cli.exits import CLEAN, FINDINGS, INCOMPLETE, NOTHING, USAGE, Failure
from auditor.cli.files import replace_file
from auditor.cli.session import Session, open_session
from auditor.discover import Candidate, read
from auditor.discover.revisions import RevisionError, renames
from auditor.engine.base import audit_revision
from auditor.engine.reading import include_bases
from auditor.gate import Accepted, BaselineError, against, load_baseline, under_baseline
from auditor.model import Finding, Place, Source
from auditor.project.whole import judge
from auditor.report import FORMATS
from auditor.report.run import Run

STALE = "stale-baseline-entry"


def run(options: argparse.Namespace) -> int:
    """Audit the paths, write every format asked for, and return the exit code of the design's table."""
    outputs = [_output(words) for words in options.output]
    name = options.format or ("github" if os.environ.get("GITHUB_ACTIONS") == "true" else "text")
    if name not in FORMATS:
        raise Failure(f"--format: no format is called {name!r}; there are {', '.join(FORMATS)}")
    session = open_session(options)
    result = audit_session(session, options)
    for wanted, file in outputs:
        replace_file(file, FORMATS[wanted](result, False).encode("utf-8", "surrogatepass"))
    if not (options.quiet and name == "text" and not result.live):
        sys.stdout.write(FORMATS[name](result, sys.stdout.isatty()))
    return exit_code(result, session)


def audit_session(session: Session, options: argparse.Namespace) -> Run:
    """The whole run as one value, gated by a base or a baseline where one is given."""
    audits = session.audits()
    whole = judge(audits, session.rulebook, session.project)
    findings, gated = _gated(whole.findings, audits, session, options)
    incomplete = [
        *(f"{audit.path}: {audit.reason}" for audit in audits if audit.status == "unreadable"),
        *(f"{left.path}: {left.reason}" for left in session.discovery.left_out if left.status == "unreadable"),
        *(reason for audit in audits for reason in audit.incomplete),
    ]
    limit = session.configuration.limits.file_bytes

    def text_of(path: str) -> str | None:
        found = read(Candidate(path, session.root / path), limit)
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
    )


def _gated(
    findings: tuple[Finding, ...], audits: Sequence[SourceAudit], session: Session, options: argparse.Namespace
) -> tuple[tuple[Finding, ...], bool]:
    """The findings with their status against the base and the baseline, and whether there was one."""
    gated = False
    if session.base is not None:
        findings = _since(findings, audits, session, session.base)
        gated = True
    file = options.baseline or (
        session.root / session.configuration.baseline if session.configuration.baseline else None
    )
    if file is not None:
        accepted = read_baseline(file)
        marked, stale = under_baseline(findings, accepted)
        findings = tuple(
            replace(now, status="existing") if before.status == "existing" else now
            for before, now in zip(findings, marked, strict=True)
        )
        findings += tuple(_stale(entry, file, session, strict=options.strict_baseline) for entry in stale)
        gated = True
    return findings, gated


def _since(
    findings: Sequence[Finding], audits: Sequence[SourceAudit], session: Session, commit: str
) -> tuple[Finding, ...]:
    try:
        then = tuple(
            audit_revision(
                session.root,
                commit,
                session.admits,
                session.rulebook,
                session.options_for,
                session.configuration.limits.file_bytes,
                audits,
                include_bases(session.discovery),
            )
        )
        renamed: Mapping[str, str] = renames(session.root, commit)
    except RevisionError as error:
        raise Failure(f"the base cannot be analysed: {error}", INCOMPLETE) from None
    return against(findings, judge(then, session.rulebook, session.project).findings, renamed)


def read_baseline(file: Path) -> tuple[Accepted, ...]:
    """The entries of a baseline file. Raises `Failure` (2) with file and line."""
    try:
        return load_baseline(file.read_bytes())
    except OSError as error:
        raise Failure(f"{file}: cannot be read: {error.strerror}") from None
    except BaselineError as error:
        raise Failure(f"{file}: {error}") from None


def _stale(entry: Accepted, file: Path, session: Session, *, strict: bool) -> Finding:
    """The finding that a baseline accepts something which is not there any more."""
    place = Place(os.path.relpath(file, session.root).replace(os.sep, "/"), 0, 0, 1, 1, 1, 1)
    arguments = {"rule": entry.rule, "path": entry.path}
    rule = next((rule for rule in session.rulebook.rules if rule.id == STALE), None)
    message = rulebook.message(rule, arguments, session.lang) if rule else STALE
    return Finding(STALE, "error" if strict else "note", place, message, -1, metavariables=arguments, status="new")


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
