"""`auditor ledger sync`: write the fences that are marked with `implements` again from their file."""

import argparse
import sys
from collections import defaultdict
from dataclasses import replace

from auditor.cli.exits import CLEAN, FINDINGS, INCOMPLETE, Failure
from auditor.cli.fix import difference, write
from auditor.cli.session import open_session
from auditor.discover import Unreadable
from auditor.engine.reading import reader
from auditor.fix import apply
from auditor.ledger.sync import sync
from auditor.project.whole import judge
from auditor.report.terminal import shown


def run(options: argparse.Namespace) -> int:
    """Sync, or with `--diff` show. 1 where `--diff` shows something, 5 where a file could not be written."""
    session = open_session(options)
    audits = session.audits()
    links = judge(audits, session.rulebook, session.project).links
    by_page = defaultdict(list)
    for link in links.links:
        if link.evidence == "marker":
            by_page[link.path].append(link)
    by_path = {candidate.path: candidate for candidate in session.discovery.candidates}
    read_whole = reader(session.discovery, session.configuration.limits.file_bytes)
    code = CLEAN
    for audit in audits:
        if audit.path not in by_page:
            continue
        source = read_whole(by_path[audit.path])
        if isinstance(source, Unreadable):
            continue
        synced = sync(source, audit, audits, links)
        for item in synced:
            if item.reason is not None:
                place = audit.blocks[item.block].place
                print(f"{shown(item.path)}:{place.line}: {shown(item.definition)}: {item.reason}", file=sys.stderr)
        edits = [edit for item in synced for edit in item.edits]
        if not edits:
            continue
        result = replace(source, text=apply(source.text, edits))
        if options.diff:
            sys.stdout.writelines(difference(source, result))
            code = max(code, FINDINGS)
            continue
        try:
            write(by_path[audit.path], session.root, source, result)
        except Failure as failure:
            print(f"auditor: {failure}", file=sys.stderr)
            code = INCOMPLETE
    return code
