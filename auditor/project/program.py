"""The pages of a run as programs: what gives their names, and what is wrong with names, calls and attributes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from auditor.audited import SourceAudit
from auditor.configuration import Book
from auditor.model import Finding
from auditor.project import calls, copies, imports, names
from auditor.project.links import Links
from auditor.project.meaning import Meaning
from auditor.project.modules import Modules
from auditor.project.names import Resolved
from auditor.project.pages import pages_of
from auditor.project.requirements import Recorded, Requirements
from auditor.project.voice import Remark, Voice


@dataclass(frozen=True, slots=True)
class Programs:
    """`needs` says for a path and the index of a block what gives each name that it needs; `findings` are in order.

    `requirements` are the files of requirements that some page belongs to.
    """

    needs: Mapping[tuple[str, int], tuple[Resolved, ...]]
    findings: tuple[Finding, ...]
    requirements: tuple[Recorded, ...] = ()


def read_pages(
    audits: Sequence[SourceAudit], links: Links, books: Sequence[Book], voice: Voice, lists: Mapping[str, str]
) -> Programs:
    """Every page looked at as one program with its files; `lists` are the texts of files of requirements, by path."""
    pages = pages_of(audits, links.shelf, books)
    modules = Modules(audits)
    meaning = Meaning(pages, modules)
    requirements = Requirements(lists, books, modules)
    tied = _tied(links)
    needs: dict[tuple[str, int], tuple[Resolved, ...]] = {}
    found: list[Finding] = []
    for page in pages:
        resolved = names.resolve(page)
        needs.update(((page.audit.path, at), each) for at, each in resolved.items())
        said: list[Remark] = []
        if voice.knows(names.UNDEFINED, names.BEFORE):
            said.extend(names.remarks(page, resolved))
        if voice.knows(copies.WITHOUT):
            said.extend(copies.without_class(page, resolved))
        if voice.knows(copies.ANEW):
            said.extend(copies.anew(page))
        if voice.knows(calls.UNFIT, calls.NOWHERE):
            said.extend(calls.Calls(page, meaning, tied.get(page.audit.path, {}), voice.lang).remarks())
        if voice.knows(imports.NOWHERE):
            said.extend(imports.remarks(page, meaning))
        said.extend(requirements.remarks(page))
        found.extend(voice.findings(page.audit, said))
    return Programs(needs, tuple(found), requirements.recorded())


def _tied(links: Links) -> dict[str, dict[int, str]]:
    """For each page the classes that its excerpts of methods are tied to, by the index of the block."""
    tied: dict[str, dict[int, str]] = {}
    for link in links.links:
        of, _, _ = link.definition.rpartition("::")[2].rpartition(".")
        if of and link.state in {"covers", "outdated"} and "." not in link.shown:
            tied.setdefault(link.path, {})[link.block] = of
    return tied
