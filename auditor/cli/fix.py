"""`auditor fix`: apply fixes, or show them as a difference."""

import argparse
import difflib
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from auditor.cli.exits import CLEAN, FINDINGS, INCOMPLETE, NOTHING, USAGE, Failure
from auditor.cli.files import rewrite_file
from auditor.cli.nothing import why_nothing
from auditor.cli.session import open_session
from auditor.discover import Candidate, Unreadable
from auditor.engine.mending import Mender, Wishes
from auditor.engine.reading import reader
from auditor.model import Source
from auditor.report.counting import counted
from auditor.report.terminal import shown

_BOM = b"\xef\xbb\xbf"


def run(options: argparse.Namespace) -> int:
    """Fix the sources under the paths. 1 where `--diff` shows something, 5 where something could not be written."""
    session = open_session(options)
    limits = session.configuration.limits
    applied = changed = 0
    incomplete = [f"{left.path}: {left.reason}" for left in session.discovery.left_out if left.status == "unreadable"]
    read_whole = reader(session.discovery, limits.file_bytes)
    wishes = Wishes(session.configuration.paths, session.project.known, options.unsafe)
    with Mender(session.rulebook, wishes, limits.seconds_per_file) as mender:
        for candidate in session.discovery.candidates:
            source = read_whole(candidate)
            if isinstance(source, Unreadable):
                incomplete.append(f"{candidate.path}: {source.reason}")
                continue
            mended = mender.mend(source, session.options_for(source.path))
            incomplete += mended.incomplete
            for left in mended.withheld:
                place = left.finding.place
                print(
                    f"{shown(place.path)}:{place.line}:{place.column}: [{left.finding.rule}] withheld: {left.reason}",
                    file=sys.stderr,
                )
            if not mended.applied:
                continue
            after = replace(source, text=mended.text)
            if options.diff:
                sys.stdout.writelines(difference(source, after))
            else:
                try:
                    write(candidate, session.root, source, after)
                except Failure as failure:
                    incomplete.append(str(failure))
                    continue
            applied += mended.applied
            changed += 1
    if not options.quiet:
        verb = "would be applied" if options.diff else "applied"
        fixes, files = counted("{0} fix|{0} fixes", applied), counted("{0} file|{0} files", changed)
        print(f"{fixes} in {files} {verb}", file=sys.stderr)
    for reason in incomplete:
        print(f"auditor: {shown(reason)}", file=sys.stderr)
    if session.rulebook.problems and not session.skip_bad_rules:
        return USAGE
    if incomplete:
        return INCOMPLETE
    if not session.discovery.candidates and not session.named_only:
        why = why_nothing(session.configuration, session.discovery)
        print(f"auditor: nothing to fix: {shown(why)}", file=sys.stderr)
        return NOTHING
    return FINDINGS if options.diff and applied else CLEAN


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
