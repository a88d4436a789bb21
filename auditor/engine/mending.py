"""The fixes of sources, one source at a time: here, but for what could kill or stall this process."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from auditor.audited import AuditOptions, SourceAudit, outline_of
from auditor.configuration import PathRules
from auditor.engine.apart import Apart
from auditor.engine.guarded import audit_here
from auditor.engine.hazards import is_hazardous, surely_audited_in
from auditor.fix import Withheld, fix
from auditor.model import Finding, Source
from auditor.project.suppression import Suppressions
from auditor.rulebook import Rulebook

if TYPE_CHECKING:
    from auditor.engine.workers import Workers


@dataclass(frozen=True, slots=True)
class Wishes:
    """Which fixes are applied: of findings that nothing suppresses; those that change meaning only where `unsafe`.

    `paths` are the suppressions of the configuration, `known` the ids of all rules.
    """

    paths: tuple[PathRules, ...]
    known: frozenset[str]
    unsafe: bool = False


@dataclass(frozen=True, slots=True)
class Mended:
    """What came of one source: its text, how many fixes are in it, and which were withheld.

    `incomplete` says what was not looked at, and why; a source that was lost is as it was.
    """

    text: str
    applied: int = 0
    withheld: tuple[Withheld, ...] = ()
    incomplete: tuple[str, ...] = ()


class Mender(Apart[Mended]):
    """Fixes sources; use it as a context. `seconds` is how long all audits of one may take."""

    def __init__(self, book: Rulebook, wishes: Wishes, seconds: float) -> None:
        super().__init__(lambda: _mending_workers(book, wishes, seconds))
        self._book = book
        self._wishes = wishes
        self._seconds = seconds

    def mend(self, source: Source, options: AuditOptions) -> Mended:
        """What comes of one source. Fixes are tried in rounds: those that take many go on in a process of their own."""
        if not is_hazardous(source, self._seconds):
            try:
                return mend(source, self._book, options, self._wishes, surely_audited_in(self._seconds))
            except _TooMuchError:
                pass
        return self.work_on(source, options)


def _mending_workers(book: Rulebook, wishes: Wishes, seconds: float) -> "Workers[Mended]":
    from auditor.engine.workers import Workers  # noqa: PLC0415 - most runs need none

    return Workers(partial(mend, wishes=wishes), _lost, book, 1, seconds)


class _TooMuchError(Exception):
    """More characters were to be audited than may be."""


class _UnreadableError(Exception):
    """An audit failed."""


def mend(source: Source, book: Rulebook, options: AuditOptions, wishes: Wishes, most: int | None = None) -> Mended:
    """A source with its fixes applied. Raises `_TooMuchError` where more than `most` characters are to be audited."""
    looked = 0
    first: list[SourceAudit] = []

    def look(text: Source) -> SourceAudit:
        nonlocal looked
        looked += len(text.text)
        if most is not None and looked > most:
            raise _TooMuchError
        found = audit_here(text, book, options)
        if found.status == "unreadable":
            raise _UnreadableError(found.reason)
        if not first:
            first.append(found)
        marks = Suppressions((outline_of(found),), book, wishes.paths, known=wishes.known)
        return replace(found, findings=tuple(map(marks.marked, found.findings)))

    try:
        fixed = fix(source, look, _wanted(source.path, wishes))
    except _UnreadableError as error:
        return _lost(source, str(error))
    return Mended(fixed.source.text, len(fixed.applied), fixed.withheld, first[0].incomplete)


def _wanted(path: str, wishes: Wishes) -> Callable[[Finding], bool]:
    def wanted(finding: Finding) -> bool:
        return (
            finding.fix is not None
            and finding.suppressed is None
            and finding.place.path == path
            and (wishes.unsafe or finding.fix_safety == "safe")
        )

    return wanted


def _lost(source: Source, reason: str) -> Mended:
    return Mended(source.text, incomplete=(f"{source.path}: {reason}",))
