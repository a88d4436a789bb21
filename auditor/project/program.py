"""The pages of a run as programs: what gives their names, and what is wrong with names, calls and attributes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from auditor.audited import SourceAudit
from auditor.configuration import Book
from auditor.model import Finding
from auditor.project import copies, names
from auditor.project.books import Shelf
from auditor.project.names import Resolved
from auditor.project.pages import pages_of
from auditor.project.voice import Remark, Voice


@dataclass(frozen=True, slots=True)
class Programs:
    """`needs` says for a path and the index of a block what gives each name that it needs; `findings` are in order."""

    needs: Mapping[tuple[str, int], tuple[Resolved, ...]]
    findings: tuple[Finding, ...]


def read_pages(audits: Sequence[SourceAudit], shelf: Shelf, books: Sequence[Book], voice: Voice) -> Programs:
    """Every page looked at as one program with its files."""
    needs: dict[tuple[str, int], tuple[Resolved, ...]] = {}
    found: list[Finding] = []
    for page in pages_of(audits, shelf, books):
        resolved = names.resolve(page)
        needs.update(((page.audit.path, at), each) for at, each in resolved.items())
        said: list[Remark] = []
        if voice.knows(names.UNDEFINED, names.BEFORE):
            said.extend(names.remarks(page, resolved))
        if voice.knows(copies.WITHOUT):
            said.extend(copies.without_class(page, resolved))
        if voice.knows(copies.ANEW):
            said.extend(copies.anew(page))
        found.extend(voice.findings(page.audit, said))
    return Programs(needs, tuple(found))
