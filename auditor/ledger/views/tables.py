"""The ledger as CSV: one row a block, for a spreadsheet."""

import csv as csv_format
import io
import re

from auditor.ledger.entries import BlockEntry, Ledger
from auditor.ledger.views.detail import Detail

_COLUMNS = (
    "id", "path", "line", "heading", "kind", "info", "verdict", "context", "adjustments", "needs_python", "diagnoses",
    "defines", "links", "findings", "suppressed", "not_verified",
)  # fmt: skip
# What a spreadsheet would run as a formula, also behind blanks, and the control characters it would act on.
_FORMULA = re.compile(r"\s*[=+\-@\t\r]")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def csv(ledger: Ledger, detail: Detail | None = None, _lang: str = "en") -> str:
    """One row a block, in the ledger's order; lines where the detail has them. No cell begins a formula."""
    text = io.StringIO()
    writer = csv_format.writer(text, lineterminator="\r\n")
    writer.writerow(_COLUMNS)
    for entry in ledger.blocks:
        shown = detail.blocks.get(entry.id) if detail is not None else None
        writer.writerow([_cell(value) for value in _row(entry, str(shown.line) if shown is not None else "")])
    return text.getvalue()


def _row(entry: BlockEntry, line: str) -> tuple[str, ...]:
    return (
        entry.id,
        entry.path,
        line,
        " / ".join(entry.heading),
        entry.kind,
        entry.info,
        entry.verdict,
        entry.context or "",
        " ".join(entry.adjustments),
        entry.needs_python or "",
        " ".join(item.kind for item in entry.diagnoses),
        " ".join(entry.defines),
        " ".join(f"{link.definition}={link.state}:{link.difference or ''}" for link in entry.links),
        " ".join(item.rule for item in entry.findings if item.suppressed is None),
        " ".join(item.rule for item in entry.findings if item.suppressed is not None),
        " ".join(f"{item.claim}:{item.why}" for item in entry.not_verified),
    )


def _cell(value: str) -> str:
    text = _CONTROL.sub("\ufffd", value)
    return f"'{text}" if _FORMULA.match(text) else text
