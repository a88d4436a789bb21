"""What gives a fence the names that it needs, as the ledger's facts."""

from collections.abc import Mapping, Sequence

from auditor.audited import SourceAudit, outlines_of
from auditor.ledger.entries import NeedEntry
from auditor.project.books import Shelf
from auditor.project.links import files_of
from auditor.project.names import Resolved, resolve
from auditor.project.pages import Pages

Needs = Mapping[tuple[str, int], tuple[NeedEntry, ...]]


def needs_of(resolved: Mapping[tuple[str, int], Sequence[Resolved]]) -> Needs:
    """For each fence, by path and index, its needs by name; `None` where nothing known gives one."""
    return {key: tuple(NeedEntry(each.name, each.by) for each in found) for key, found in resolved.items()}


def look_up(audits: Sequence[SourceAudit], shelf: Shelf) -> Needs:
    """The needs of every page's fences where nobody looked them up before."""
    pages = Pages(files_of(audits, outlines_of(audits)), shelf, ())
    return needs_of(
        {
            (audit.path, at): found
            for audit in audits
            if (page := pages.page(audit)) is not None
            for at, found in resolve(page).items()
        }
    )
