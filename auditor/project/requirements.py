"""The modules that a book's code imports against the requirements that it records; nobody installs them to see."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from auditor.audited import SourceAudit
from auditor.configuration import Book, path_matcher
from auditor.model import Imported
from auditor.project.distributions import Listed, listed, provides
from auditor.project.modules import Modules
from auditor.project.pages import COMPILES, Page
from auditor.project.standard_library import STANDARD_LIBRARY
from auditor.project.voice import Remark

UNLISTED = "unlisted-requirement"
NAMES = ("requirements.txt", "pyproject.toml")


@dataclass(frozen=True, slots=True)
class Recorded:
    """One file of requirements: modules that its book imports and it does not list, and what it lists for nothing."""

    path: str
    missing: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()


class Requirements:
    """All files of requirements of a run, by path, and the pages that each is for."""

    def __init__(self, texts: Mapping[str, str], books: Sequence[Book], modules: Modules) -> None:
        read = {path: listed(path, text) for path, text in sorted(texts.items())}
        self._listed: Mapping[str, Listed] = {path: found for path, found in read.items() if found is not None}
        self._books = [(path_matcher(book.pages), book.requirements) for book in books if book.requirements]
        self._own = {PurePosixPath(path).stem for path in modules.files}
        self._own.update(PurePosixPath(folder).name for folder in modules.folders)
        self._imported: dict[str, set[str]] = defaultdict(set)
        self._seen: set[tuple[str, tuple[str, ...]]] = set()

    def remarks(self, page: Page) -> Iterator[Remark]:
        """The modules that a page is the first to import of those its book does not list; each is said once a page."""
        path = self.of(page)
        if path is None:
            return
        wanted = self._imported[path]
        if (path, page.home.files) not in self._seen:  # the pages of a folder share their files
            self._seen.add((path, page.home.files))
            for file in page.files.audits:
                wanted.update(module for module, _, _ in self._imports(file))
        said: set[str] = set()
        for module, at, imported in self._imports(page.audit):
            wanted.add(module)
            block = page.audit.blocks[at]
            if module in said or self._listed[path].more or self._listed[path].gives(module):
                continue
            if block.compilation.verdict in COMPILES and not block.told.fails:
                said.add(module)
                yield Remark(UNLISTED, block.place_of(imported), at, {"module": module}, {"where": path})

    def recorded(self) -> tuple[Recorded, ...]:
        """What was seen of each file that some page belongs to, after all pages were looked at."""
        return tuple(
            Recorded(
                path,
                () if self._listed[path].more else tuple(sorted(m for m in wanted if not self._listed[path].gives(m))),
                tuple(sorted(n for n in self._listed[path].names if not any(provides(n, m) for m in wanted))),
            )
            for path, wanted in sorted(self._imported.items())
        )

    def of(self, page: Page) -> str | None:
        """The file of requirements of a page: its book's, else the nearest beside it, beside its files, or above."""
        if not self._listed:
            return None
        for matches, path in self._books:
            if matches(page.audit.path):
                return path if path in self._listed else None
        folders = [
            PurePosixPath(page.audit.path).parent,
            *(PurePosixPath(file).parent for file in page.home.files[:40]),
        ]
        for folder in (*folders, *PurePosixPath(page.audit.path).parents):
            for name in NAMES:
                if str(folder / name) in self._listed:
                    return str(folder / name)
        return None

    def _imports(self, audit: SourceAudit) -> Iterator[tuple[str, int, Imported]]:
        """The modules of others that a source imports: first word, index of the block, the import."""
        for at, block in enumerate(audit.blocks):
            sure = {each.name for each in (block.program.bound if block.program is not None else ()) if each.sure}
            for each in block.names.imports if block.names is not None else ():
                module = each.module.partition(".")[0]
                if each.level or not module or module in STANDARD_LIBRARY or module in self._own:
                    continue
                if each.bound in sure or each.name == "*":  # what may fail to be imported is no requirement
                    yield module, at, each
