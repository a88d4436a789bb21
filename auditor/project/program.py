"""The pages of a run as programs: what gives their names, and what is wrong with names, calls and attributes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from auditor.audited import SourceAudit
from auditor.configuration import Book
from auditor.model import Finding
from auditor.project import calls, copies, imports, names
from auditor.project.books import Shelf
from auditor.project.links import Link
from auditor.project.meaning import Meaning
from auditor.project.modules import Modules
from auditor.project.names import Resolved
from auditor.project.pages import Pages
from auditor.project.requirements import Recorded, Requirements
from auditor.project.voice import Remark, Voice
from auditor.structure.builtin_names import builtins_of


@dataclass(frozen=True, slots=True)
class Read:
    """What one page needs, by the index of the block and by name, and what is wrong with it, in order."""

    needs: Mapping[int, tuple[Resolved, ...]] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()


class Programs:
    """Reads one page after the other as one program with its files."""

    def __init__(
        self,
        files: Mapping[str, SourceAudit],
        patched: frozenset[str],
        shelf: Shelf,
        books: Sequence[Book],
        voice: Voice,
        lists: Mapping[str, str],
        targets: Sequence[str] = (),
    ) -> None:
        """`files` are the Python files of the run, `patched` the names that decorators somewhere in it are given.

        `lists` are the texts of files of requirements, by path; `targets` the versions of Python that are meant.
        """
        modules = Modules(files)
        self._pages = Pages(files, shelf, books)
        self._meaning = Meaning(modules, patched)
        self._requirements = Requirements(lists, books, modules)
        self._voice = voice
        self._builtins = builtins_of(targets)

    def read(self, audit: SourceAudit, links: Sequence[Link]) -> Read:
        """What one page needs and what is wrong with it; `links` are its own. Nothing for what is no page."""
        page = self._pages.page(audit)
        if page is None:
            return Read()
        voice, meaning = self._voice, self._meaning
        meaning.turn_to(page)
        needs = names.resolve(page, self._builtins)
        said: list[Remark] = []
        if voice.knows(names.UNDEFINED, names.BEFORE):
            said.extend(names.remarks(page, needs))
        if voice.knows(copies.WITHOUT):
            said.extend(copies.without_class(page, needs))
        if voice.knows(copies.ANEW):
            said.extend(copies.anew(page))
        if voice.knows(calls.UNFIT, calls.NOWHERE):
            said.extend(calls.Calls(page, meaning, _tied(links), voice.lang).remarks())
        if voice.knows(imports.NOWHERE):
            said.extend(imports.remarks(page, meaning))
        said.extend(self._requirements.remarks(page))
        return Read(needs, tuple(voice.findings(audit, said)))

    def recorded(self) -> tuple[Recorded, ...]:
        """The files of requirements that some page belongs to, once all pages are read."""
        return self._requirements.recorded()


def _tied(links: Sequence[Link]) -> dict[int, str]:
    """The classes that a page's excerpts of methods are tied to, by the index of the block."""
    tied: dict[int, str] = {}
    for link in links:
        of, _, _ = link.definition.rpartition("::")[2].rpartition(".")
        if of and link.state in {"covers", "outdated"} and "." not in link.shown:
            tied[link.block] = of
    return tied
