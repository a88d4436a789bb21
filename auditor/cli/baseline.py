"""`auditor baseline write|prune|check`: accept what there is, forget what is gone, tell whether the file is true."""

import argparse
import sys
from dataclasses import replace

from auditor.audited import outlines_of
from auditor.cli.exits import CLEAN, INCOMPLETE, OUT_OF_DATE, Failure
from auditor.cli.files import replace_file
from auditor.cli.gating import baseline_file, exists, holds_notes, is_judged, looked_at, read_baseline
from auditor.cli.linters import linter_of, source_reader
from auditor.cli.session import open_session
from auditor.engine.sorting import in_order
from auditor.gate import accept, dump_baseline, prune, under_baseline
from auditor.project.whole import judge
from auditor.report.terminal import shown


def run(options: argparse.Namespace) -> int:
    """Do the action. `check` returns 4 where an entry is stale; an incomplete run writes nothing and returns 5.

    Entries for what this run did not look at, by its paths or by its choice of rules, stay as they are.
    """
    session = open_session(options)
    file = baseline_file(options.baseline, session)
    if file is None:
        raise Failure("name the baseline with --baseline FILE, or as `baseline` in the configuration")
    before = read_baseline(file, session) if options.action != "write" or file.exists() else ()
    audits = session.audits()
    unread = [f"{left.path}: {left.reason}" for left in session.discovery.left_out if left.status == "unreadable"]
    for outline in outlines_of(audits):
        unread += [f"{outline.path}: {outline.reason}"] if outline.status == "unreadable" else outline.incomplete
    if unread:
        raise Failure(f"{unread[0]}; nothing was written", INCOMPLETE)
    with linter_of(session, options) as linter:
        if linter is not None:
            audits = linter.add(audits, source_reader(session))
    findings = judge(audits, session.rulebook, replace(session.project, needs=False), in_order).findings
    seen = looked_at(audits)
    _, unused = under_baseline(findings, before, lambda path: exists(path, session))
    stale = [entry for entry in unused if is_judged(entry, seen, session)]
    if options.action == "check":
        for entry in stale:
            print(f"{shown(str(file))}: stale: {entry.rule} in {shown(entry.path)}", file=sys.stderr)
        return OUT_OF_DATE if stale else CLEAN
    if options.action == "write":
        if not holds_notes(options, session):
            findings = tuple(finding for finding in findings if finding.severity != "note")
        judged = [entry for entry in before if is_judged(entry, seen, session)]
        after = (*accept(findings, before, options.reason), *(entry for entry in before if entry not in judged))
    else:
        after = prune(before, stale)
    replace_file(file, dump_baseline(after))
    if not options.quiet:
        print(f"{shown(str(file))}: {len(after)} entries", file=sys.stderr)
    return CLEAN
