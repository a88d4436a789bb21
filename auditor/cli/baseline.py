"""`auditor baseline write|prune|check`: accept what there is, forget what is gone, tell whether the file is true."""

import argparse
import sys

from auditor.cli.audit import read_baseline
from auditor.cli.exits import CLEAN, INCOMPLETE, OUT_OF_DATE, Failure
from auditor.cli.files import replace_file
from auditor.cli.session import open_session
from auditor.gate import accept, dump_baseline, prune, under_baseline
from auditor.project.whole import judge


def run(options: argparse.Namespace) -> int:
    """Do the action. `check` returns 4 where an entry is stale; an incomplete run writes nothing and returns 5."""
    session = open_session(options)
    name = options.baseline or session.configuration.baseline
    if not name:
        raise Failure("name the baseline with --baseline FILE, or as `baseline` in the configuration")
    file = options.baseline or session.root / name
    before = read_baseline(file) if file.exists() else ()
    audits = session.audits()
    unread = [audit for audit in audits if audit.status == "unreadable" or audit.incomplete]
    if unread:
        raise Failure(
            f"{unread[0].path}: {unread[0].reason or unread[0].incomplete[0]}; nothing was written", INCOMPLETE
        )
    findings = judge(audits, session.rulebook, session.project).findings
    _, stale = under_baseline(findings, before)
    if options.action == "check":
        for entry in stale:
            print(f"{file}: stale: {entry.rule} in {entry.path}", file=sys.stderr)
        return OUT_OF_DATE if stale else CLEAN
    after = accept(findings, before, options.reason) if options.action == "write" else prune(before, stale)
    replace_file(file, dump_baseline(after))
    if not options.quiet:
        print(f"{file}: {len(after)} entries", file=sys.stderr)
    return CLEAN
