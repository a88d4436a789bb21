"""`auditor fix`: apply fixes, or show them as a difference."""

import argparse
import difflib
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from auditor.audit import audit
from auditor.audited import SourceAudit, outline_of
from auditor.cli.exits import CLEAN, FINDINGS, INCOMPLETE, NOTHING, USAGE, Failure
from auditor.cli.files import rewrite_file
from auditor.cli.session import Session, open_session
from auditor.discover import Candidate, Unreadable
from auditor.engine.reading import reader
from auditor.fix import Fixed, fix
from auditor.model import Finding, Source
from auditor.project.suppression import Suppressions
from auditor.report.terminal import shown

_BOM = b"\xef\xbb\xbf"


def run(options: argparse.Namespace) -> int:
    """Fix the sources under the paths. 1 where `--diff` shows something, 5 where something could not be written."""
    session = open_session(options)
    unsafe: bool = options.unsafe
    applied = changed = 0
    incomplete = [f"{left.path}: {left.reason}" for left in session.discovery.left_out if left.status == "unreadable"]
    read_whole = reader(session.discovery, session.configuration.limits.file_bytes)
    for candidate in session.discovery.candidates:
        source = read_whole(candidate)
        if isinstance(source, Unreadable):
            incomplete.append(f"{candidate.path}: {source.reason}")
            continue
        fixed = _fixed(source, session, unsafe=unsafe)
        for left in fixed.withheld:
            place = left.finding.place
            print(
                f"{shown(place.path)}:{place.line}:{place.column}: [{left.finding.rule}] withheld: {left.reason}",
                file=sys.stderr,
            )
        if not fixed.applied:
            continue
        if options.diff:
            sys.stdout.writelines(difference(source, fixed.source))
        else:
            try:
                write(candidate, session.root, source, fixed.source)
            except Failure as failure:
                incomplete.append(str(failure))
                continue
        applied += len(fixed.applied)
        changed += 1
    if not options.quiet:
        verb = "would be applied" if options.diff else "applied"
        print(f"{applied} fixes in {changed} files {verb}", file=sys.stderr)
    for reason in incomplete:
        print(f"auditor: {shown(reason)}", file=sys.stderr)
    if session.rulebook.problems and not session.skip_bad_rules:
        return USAGE
    if incomplete:
        return INCOMPLETE
    if not session.discovery.candidates and not session.named_only:
        print("auditor: nothing to fix: no Markdown or Python file under the paths", file=sys.stderr)
        return NOTHING
    return FINDINGS if options.diff and applied else CLEAN


def _fixed(source: Source, session: Session, *, unsafe: bool) -> Fixed:
    options = session.options_for(source.path)
    known = session.project.known

    def look(text: Source) -> SourceAudit:
        found = audit(text, session.rulebook, options)
        marks = Suppressions((outline_of(found),), session.rulebook, session.configuration.paths, known=known)
        return replace(found, findings=tuple(map(marks.marked, found.findings)))

    def wanted(finding: Finding) -> bool:
        return (
            finding.fix is not None
            and finding.suppressed is None
            and finding.place.path == source.path
            and (unsafe or finding.fix_safety == "safe")
        )

    return fix(source, look, wanted)


def difference(before: Source, after: Source) -> Iterator[str]:
    """A unified difference of two states of a source; control characters of the text are shown, not sent."""
    lines = [text.replace("\r\n", "\n").replace("\r", "\n").split("\n") for text in (before.text, after.text)]
    name = shown(before.path)
    for line in difflib.unified_diff(lines[0], lines[1], f"a/{name}", f"b/{name}", lineterm=""):
        yield shown(line) + "\n"


def write(candidate: Candidate, root: Path, before: Source, after: Source) -> None:
    """Replace the file; `Failure` (5) where it changed since it was read or is no file of its own."""
    mark = _BOM if before.bom else b""
    try:
        was, data = (mark + source.text.encode(before.encoding) for source in (before, after))
    except (UnicodeEncodeError, LookupError):
        raise Failure(f"{candidate.path}: the fix cannot be written in {after.encoding}", INCOMPLETE) from None
    rewrite_file(candidate.file, root, was, data)
