"""`auditor show FILE:LINE`: one block, what was made of it, and the code that compiled beside the user's own lines."""

import argparse
import os
import re
from pathlib import Path

from auditor.audited import BlockAudit, SourceAudit
from auditor.cli.exits import CLEAN, INCOMPLETE, Failure
from auditor.cli.session import open_session
from auditor.compiling.candidates import Candidate, settle
from auditor.compiling.compiler import silent
from auditor.compiling.contexts import CONTEXTS
from auditor.discover import Unreadable
from auditor.engine.guarded import Guarded
from auditor.engine.packing import unpack
from auditor.engine.reading import reader
from auditor.model import MappedText, Source
from auditor.report.terminal import shown


def run(options: argparse.Namespace) -> int:
    """Print the block that holds a line. Raises `Failure` where there is none, and where the audit is lost (5)."""
    found = re.fullmatch(r"(.+?):(\d+)(?::\d+)?", options.place)
    if found is None:
        raise Failure(f"{options.place!r} is not FILE:LINE")
    file, line = found[1], int(found[2])
    options.paths = [file if os.path.lexists(file) else _from_root(file)]
    session = open_session(options)
    if not session.discovery.candidates:
        reasons = "; ".join(left.reason for left in session.discovery.left_out)
        raise Failure(f"{file}: {reasons or 'no Markdown or Python file'}")
    candidate = session.discovery.candidates[0]
    source = reader(session.discovery, session.configuration.limits.file_bytes)(candidate)
    if isinstance(source, Unreadable):
        raise Failure(f"{file}: {source.reason}")
    with Guarded(session.rulebook, session.configuration.limits.seconds_per_file) as guarded:
        result = unpack(guarded.audit(source, session.options_for(source.path)))
    if result.status == "unreadable":
        raise Failure(f"{file}: {result.reason}", INCOMPLETE)
    block = _at(result, line)
    if block is None:
        raise Failure(f"{file}:{line}: no block of Python stands there{_nearest(result, line)}")
    _show(block, source, result)
    return CLEAN


def _from_root(file: str) -> str:
    """A path as reports print it, which is relative to the root, from a folder below the root."""
    here = Path.cwd()
    found = (folder / file for folder in here.parents if os.path.lexists(folder / file))
    return os.fspath(next(found, Path(file)))


def _at(result: SourceAudit, line: int) -> BlockAudit | None:
    around = (block for block in result.blocks if block.place.line <= line <= block.place.end_line)
    return next(around, None)


def _nearest(result: SourceAudit, line: int) -> str:
    left = [item for item in result.not_audited if item.place.line <= line <= item.place.end_line]
    if left:
        return f": {shown(left[0].reason)}"
    nearest = min(result.blocks, key=lambda block: abs(block.place.line - line), default=None)
    return f"; the nearest one begins at line {nearest.place.line}" if nearest else ""


def _show(block: BlockAudit, source: Source, result: SourceAudit) -> None:
    compilation = block.compilation
    place = block.place
    facts = {
        "block": f"{shown(place.path)}:{place.line}-{place.end_line}, {block.block.kind}",
        "info": shown(block.block.info) or "none",
        "stands in": " > ".join((*block.block.container, *map(shown, block.block.heading))) or "the page",
        "verdict": compilation.verdict,
        "context": compilation.context or "none",
        "adjusted": ", ".join(compilation.adjustments) or "nothing",
        "needs Python": compilation.needs_python or "any",
    }
    if compilation.reason:
        facts["reason"] = shown(compilation.reason)
    if block.names is not None:
        facts["binds"] = ", ".join(block.names.binds) or "nothing"
    for name, value in facts.items():
        print(f"{name + ':':14}{value}")
    _tried(block, source)
    for placed in block.diagnoses:
        print(f"\n{placed.place.line}:{placed.place.column}  [{placed.diagnosis.kind}]  {shown(placed.message)}")
        if placed.diagnosis.detail:
            print(f"    CPython says: {shown(placed.diagnosis.detail)}")
    said = {placed.diagnosis.kind for placed in block.diagnoses}
    for finding in result.findings:
        if finding.block == result.blocks.index(block) and finding.rule not in said:
            print(f"\n{finding.place.line}:{finding.place.column}  [{finding.rule}]  {shown(finding.message)}")
    if compilation.code is not None:
        print(
            f"\nthe code that {'was recovered' if compilation.recovered else 'compiled'}, with the file's own lines:\n"
        )
        _numbered(compilation.code, source)


def _tried(block: BlockAudit, source: Source) -> None:
    """For a block that compiles as nothing: every text that was tried, and where each of them fails."""
    if block.compilation.verdict not in {"broken", "not-python"}:
        return
    with silent():
        tried = settle(Candidate(block.block.code), CONTEXTS if block.block.kind != "file" else ())
    for misfit in tried if isinstance(tried, list) else ():
        failure, candidate = misfit.failure, misfit.candidate
        lines = candidate.code.text.split("\n")
        offset = sum(len(line) + 1 for line in lines[: failure.line - 1]) + failure.column - 1
        at = source.place(candidate.code.locate(min(offset, len(candidate.code.text))))
        how = ", ".join(candidate.adjustments) or "as it stands"
        print(f"{'tried:':14}{how}: {shown(failure.message)} ({at.line}:{at.column})")


def _numbered(code: MappedText, source: Source) -> None:
    at = 0
    for line in code.text.split("\n"):
        place = source.place(code.locate(at, at + len(line)))
        print(f"  {place.line:6}  {shown(line)}".rstrip())
        at += len(line) + 1
