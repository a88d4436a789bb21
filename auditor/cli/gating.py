"""What `audit` and `baseline` hold findings to: a base revision, a baseline file, and its stale entries."""

import argparse
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from auditor import rulebook
from auditor.audited import SourceAudit, outlines_of
from auditor.cli.base import read_at
from auditor.cli.exits import INCOMPLETE, Failure
from auditor.cli.judging import Gated
from auditor.cli.session import Session
from auditor.discover.revisions import RevisionError, renames
from auditor.engine.base import audit_revision, revision_reader
from auditor.engine.linting import Linter, native
from auditor.engine.packing import hold
from auditor.engine.reading import include_bases
from auditor.engine.second_look import SecondLook
from auditor.gate import (
    Accepted,
    BaselineError,
    Departed,
    Side,
    against,
    departed,
    load_baseline,
    under_baseline,
)
from auditor.model import Finding, Place
from auditor.project.whole import judge
from auditor.reading import MOST_BASELINE, read_regular
from auditor.rulebook import Rulebook

STALE = "stale-baseline-entry"


def gate(
    findings: Sequence[Finding],
    audits: Sequence[SourceAudit],
    session: Session,
    options: argparse.Namespace,
    linter: Linter | None = None,
    book: Rulebook | None = None,
    second_look: SecondLook | None = None,
) -> Gated:
    """The findings with their status against the base and the baseline, where there is one, and what left the base.

    `book` has the rules that the findings were judged by, where they are not all of the session's.
    """
    left: tuple[Departed, ...] | None = None
    if session.base is not None:
        findings, left = _since(findings, audits, session, session.base, book or session.rulebook, linter, second_look)
    file = baseline_file(options.baseline, session)
    if file is not None:
        accepted = read_baseline(file, session)
        notes = holds_notes(options, session)
        marked, stale = under_baseline(findings, accepted, lambda path: exists(path, session), notes=notes)
        held = (
            replace(now, status="existing") if before.status == "existing" else now
            for before, now in zip(findings, marked, strict=True)
        )
        seen = looked_at(audits)
        gone = (
            _stale(entry, file, session, strict=options.strict_baseline)
            for entry in stale
            if is_judged(entry, seen, session)
        )
        findings = (*held, *gone)
    return Gated(findings, file is not None or session.base is not None, left)


def _since(
    findings: Sequence[Finding],
    audits: Sequence[SourceAudit],
    session: Session,
    commit: str,
    book: Rulebook,
    linter: Linter | None,
    second_look: SecondLook | None,
) -> tuple[tuple[Finding, ...], tuple[Departed, ...]]:
    limit = session.configuration.limits.file_bytes
    bases = include_bases(session.discovery)
    try:
        renamed = renames(session.root, commit)
        old_names = {then for now, then in renamed.items() if session.covers(now)}
        then = hold(
            audit_revision(
                session.root,
                commit,
                lambda path: session.admits(path) or path in old_names,
                session.rulebook,
                session.options_for,
                session.configuration.limits,
                [replace(audit, findings=native(audit.findings)) for audit in audits] if linter else audits,
                bases,
            )
        )
        if second_look is not None:
            then = second_look.add(then, revision_reader(session.root, commit, limit, bases))
        if linter is not None:
            then = linter.add(then, revision_reader(session.root, commit, limit, bases))
    except RevisionError as error:
        raise Failure(f"the base cannot be analysed: {error}", INCOMPLETE) from None
    base = judge(then, book, session.project).findings
    return against(Side(findings, audits), Side(base, then), renamed), departed(audits, then, renamed)


def baseline_file(named: Path | None, session: Session) -> Path | None:
    """The baseline that the command line or the configuration names."""
    if named is not None:
        return Path(os.path.abspath(named))
    return session.root / session.configuration.baseline if session.configuration.baseline else None


def read_baseline(file: Path, session: Session) -> tuple[Accepted, ...]:
    """The entries of a baseline file, the base's where only that is trusted. Raises `Failure` (2) with the line."""
    if not session.trusts_base and not file.exists():
        raise Failure(f"{_named_by(file, session)}no such baseline; `auditor baseline write` makes one")
    try:
        if session.trusts_base and session.top is not None and session.base is not None:
            data = read_at(session.top, session.base, file) or b""
        else:
            data = read_regular(file, MOST_BASELINE)
        return load_baseline(data)
    except OSError as error:
        raise Failure(f"{file}: cannot be read: {error.strerror}") from None
    except RevisionError as error:
        raise Failure(f"the base cannot be analysed: {error}", INCOMPLETE) from None
    except BaselineError as error:
        raise Failure(f"{file}: {error}") from None


def _named_by(file: Path, session: Session) -> str:
    """The place of the setting that names a baseline, if one does, and the baseline."""
    configuration = session.configuration
    is_set = bool(configuration.baseline) and file == session.root / configuration.baseline
    return f"{configuration.place('baseline')}: {file}: " if is_set else f"{file}: "


def exists(path: str, session: Session) -> bool:
    """Whether anything stands at a path relative to the root."""
    return os.path.lexists(session.root / path)


def holds_notes(options: argparse.Namespace, session: Session) -> bool:
    """Whether notes are held to the gate: elsewhere they fail nothing, and come and go with every elision."""
    level: str = options.fail_level or session.configuration.fail_level
    return level == "note"


def looked_at(audits: Sequence[SourceAudit]) -> frozenset[str]:
    """The paths of the sources that were read whole."""
    outlines = outlines_of(audits)
    return frozenset(outline.path for outline in outlines if outline.status == "read" and not outline.incomplete)


def is_judged(entry: Accepted, seen: frozenset[str], session: Session) -> bool:
    """Whether this run can tell if an entry is stale: its rule ran, and its path is among those `seen` or is gone."""
    tool, _, code = entry.rule.partition(":")
    ran = tool in session.project.linters if code else any(rule.id == entry.rule for rule in session.rulebook.rules)
    if not ran or not session.covers(entry.path):
        return False
    return not exists(entry.path, session) or entry.path in seen


def _stale(entry: Accepted, file: Path, session: Session, *, strict: bool) -> Finding:
    """The finding that a baseline accepts something which is not there any more."""
    place = Place(os.path.relpath(file, session.root).replace(os.sep, "/"), 0, 0, 1, 1, 1, 1)
    arguments = {"rule": entry.rule, "path": entry.path}
    rule = next((rule for rule in session.rulebook.rules if rule.id == STALE), None)
    message = rulebook.message(rule, arguments, session.lang) if rule else STALE
    fingerprint = f"{entry.rule}-{entry.fingerprint}"
    return Finding(
        STALE,
        "error" if strict else "note",
        place,
        message,
        -1,
        metavariables=arguments,
        fingerprint=fingerprint,
        status="new",
    )
