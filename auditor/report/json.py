"""The `json` format, version 1: the whole run as one document; `docs/audit.schema.json` describes it."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from auditor.audited import BlockAudit, Outline, SourceAudit, outlines_of
from auditor.discover import LeftOut
from auditor.model import Argument, Edit, Finding, Place, Span
from auditor.project.links import Link
from auditor.report.run import Run, by_verdict
from auditor.report.terminal import json_pieces

if TYPE_CHECKING:
    from auditor.gate import Departed

VERSION = 1


def render(run: Run, _colour: bool = False) -> Iterator[str]:
    """The document as text, keys in the order of the design, one line at the end."""
    yield from json_pieces(document(run))
    yield "\n"


def document(run: Run) -> dict[str, object]:
    """The document as plain values, long lists as iterators.

    Lines and columns are 1-based, columns count code points.
    """
    outlines = outlines_of(run.audits)
    names = names_of(run)
    tally = run.tally()
    sources: list[dict[str, object]] = [*map(_source, outlines), *map(_left_out, run.left_out)]
    return {
        "version": VERSION,
        "tool": {"name": "auditor", "version": run.version},
        "targets": list(run.targets),
        "complete": run.complete,
        "incomplete": list(run.incomplete),
        "sources": sorted(sources, key=lambda source: str(source["path"])),
        "not_audited": [
            {"path": left.place.path, "line": left.place.line, "kind": left.kind, "reason": left.reason}
            for outline in outlines
            for left in outline.not_audited
        ],
        **({} if run.left_audit is None else {"left_audit": list(map(_departed, run.left_audit))}),
        "blocks": (
            _block(audit, block, names[audit.path, index])
            for audit in run.audits
            for index, block in enumerate(audit.blocks)
        ),
        "findings": (finding_record(finding, names) for finding in run.findings),
        "definitions": (
            {
                "id": f"{place.path}::{definition.qualname}",
                "symbol": definition.qualname,
                "kind": definition.kind,
                "path": place.path,
                "line": place.line,
                "end_line": place.end_line,
                "block": names[audit.path, index],
            }
            for audit in run.audits
            for index, block in enumerate(audit.blocks)
            for definition, place in block.definitions
        ),
        "links": (_link(link, names) for link in run.links),
        "summary": {
            "sources": len(outlines),
            "blocks": sum(outline.size for outline in outlines),
            "by_verdict": by_verdict(outlines),
            "by_severity": tally.by_severity,
            "suppressed": tally.suppressed,
            "newly_suppressed": tally.newly_suppressed,
            "not_audited": sum(len(outline.not_audited) for outline in outlines),
            "left_out": len(run.left_out),
            "seconds": round(run.seconds, 3),
        },
    }


def block_id(audit: SourceAudit, index: int) -> str:
    """A block's id within one run: its own `id` mark, else path and opener line."""
    block = audit.blocks[index]
    return block.block.marks.get("id") or f"{audit.path}:{block.place.line}"


def _link(link: Link, names: Mapping[tuple[str, int], str]) -> dict[str, object]:
    return {
        "path": link.path,
        "block": names[link.path, link.block],
        "definition": link.definition,
        "state": link.state,
        "evidence": link.evidence,
        "difference": link.difference,
        "operations": [
            {"kind": operation.kind, "path": operation.path, "before": operation.before, "after": operation.after}
            for operation in link.operations
        ],
        "recovered": link.recovered,
        **({"authority": link.authority} if link.authority else {}),
        **({"note": link.note} if link.note else {}),
    }


def _source(outline: Outline) -> dict[str, object]:
    record: dict[str, object] = {"path": outline.path, "sha256": outline.sha256 or None, "status": outline.status}
    return record | ({"reason": outline.reason} if outline.reason is not None else {})


def _left_out(left: LeftOut) -> dict[str, object]:
    return {"path": left.path, "sha256": None, "status": left.status, "reason": left.reason}


def _departed(gone: "Departed") -> dict[str, object]:
    return {
        "path": gone.path,
        "line": gone.line,
        "kind": gone.kind,
        "heading": list(gone.heading),
        "verdict": gone.verdict,
    }


def _block(audit: SourceAudit, block: BlockAudit, name: str) -> dict[str, object]:
    compilation = block.compilation
    record: dict[str, object] = {
        "id": name,
        "path": audit.path,
        "kind": block.block.kind,
        "info": block.block.info,
        "language": block.block.language,
        "line": block.place.line,
        "end_line": block.place.end_line,
        "column": block.place.column,
        "heading": list(block.block.heading),
        "container": list(block.block.container),
        "closed": block.block.closed,
        "verdict": compilation.verdict,
        "context": compilation.context,
        "adjustments": list(compilation.adjustments),
        "by_target": dict(compilation.by_target),
        "recovered": compilation.recovered,
    }
    if compilation.reason is not None:
        record["reason"] = compilation.reason
    if compilation.needs_python is not None:
        record["needs_python"] = compilation.needs_python
    record["binds"] = list(block.names.binds) if block.names is not None else []
    record["diagnoses"] = [
        {
            "kind": placed.diagnosis.kind,
            **_where(placed.place),
            "message": placed.message,
            "detail": placed.diagnosis.detail,
            **({"repair": _edits(placed.diagnosis.repair)} if placed.diagnosis.repair is not None else {}),
        }
        for placed in block.diagnoses
    ]
    return record


def names_of(run: Run) -> Mapping[tuple[str, int], str]:
    """The id of every block by its source's path and its index there."""
    return {(audit.path, index): block_id(audit, index) for audit in run.audits for index in range(len(audit.blocks))}


def finding_record(finding: Finding, names: Mapping[tuple[str, int], str]) -> dict[str, object]:
    """One finding as plain values."""
    record: dict[str, object] = {
        "rule": finding.rule,
        "severity": finding.severity,
        "path": finding.place.path,
        "block": names.get((finding.source or finding.place.path, finding.block)),
        **_where(finding.place),
        "message": finding.message,
        "metavariables": {name: _argument(value) for name, value in finding.metavariables.items()},
        "fingerprint": finding.fingerprint,
    }
    if finding.detail is not None:
        record["detail"] = finding.detail
    if finding.fix is not None:
        record["fix"] = {"safety": finding.fix_safety, "edits": _edits(finding.fix)}
    if finding.suppressed is not None:
        record["suppressed"] = {"reason": finding.suppressed.reason, "where": finding.suppressed.where}
    if finding.status is not None:
        record["status"] = finding.status
    return record


def _where(place: Place) -> dict[str, int]:
    return {
        "line": place.line,
        "column": place.column,
        "end_line": place.end_line,
        "end_column": place.end_column,
    }


def _edits(edits: tuple[Edit, ...]) -> list[dict[str, object]]:
    """Edits by offsets in code points of the file's text without its byte order mark."""
    return [{"start": edit.start, "end": edit.end, "replacement": edit.replacement} for edit in edits]


def _argument(value: Argument) -> str | int | list[int]:
    return [value.start, value.end] if isinstance(value, Span) else value
