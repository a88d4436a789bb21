"""Sources audited one at a time in this process, but for what could kill or stall it: that has one of its own."""

import os
import traceback
from typing import TYPE_CHECKING

from auditor.audited import AuditOptions, SourceAudit
from auditor.engine.apart import Apart
from auditor.engine.hazards import is_hazardous
from auditor.engine.packing import Made, Packed, pack
from auditor.model import Source
from auditor.rulebook import Rulebook

if TYPE_CHECKING:
    from auditor.engine.workers import Workers


class Guarded(Apart[Made]):
    """Audits sources; use it as a context. `seconds` is how long a process of its own may take."""

    def __init__(self, book: Rulebook, seconds: float) -> None:
        super().__init__(lambda: auditing_workers(book, 1, seconds))
        self._book = book
        self._seconds = seconds

    def audit(self, source: Source, options: AuditOptions) -> Made:
        """The audit of one source; what is lost with its process is `unreadable`, and says why."""
        if not is_hazardous(source, self._seconds):
            return audit_here(source, self._book, options)
        return self.work_on(source, options)


def auditing_workers(book: Rulebook, count: int, seconds: float) -> "Workers[Made]":
    """Workers that audit."""
    from auditor.engine.workers import Workers  # noqa: PLC0415 - most runs need none

    return Workers(_audit_there, _unreadable, book, count, seconds)


def audit_here(source: Source, book: Rulebook, options: AuditOptions) -> SourceAudit:
    """The audit of one source; where it fails, `unreadable`. Never raises."""
    from auditor.audit import audit  # noqa: PLC0415 - a run whose answers are all kept loads no parser

    try:
        return audit(source, book, options)
    except MemoryError:
        reason = "needs more memory than there is"
    except Exception as error:  # noqa: BLE001 - a fault of this tool costs the file that shows it, by name
        where = traceback.extract_tb(error.__traceback__)[-1]
        reason = f"the audit failed: {type(error).__name__} in {os.path.basename(where.filename)}:{where.lineno}"
    return _unreadable(source, reason)


def _audit_there(source: Source, book: Rulebook, options: AuditOptions) -> Packed:
    return pack(audit_here(source, book, options))


def _unreadable(source: Source, reason: str) -> SourceAudit:
    return SourceAudit(source.path, source.sha256, "unreadable", reason)
