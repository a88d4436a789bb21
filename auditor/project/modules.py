"""Which Python file of the run an import on a page means."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from auditor.audited import SourceAudit
from auditor.project.books import Home
from auditor.project.standard_library import STANDARD_LIBRARY


class Modules:
    """The Python files of a run, found by dotted names."""

    def __init__(self, files: Mapping[str, SourceAudit]) -> None:
        self.files = files
        self._found: dict[tuple[str, str], SourceAudit | None] = {}
        self.folders = {str(parent) for path in self.files for parent in PurePosixPath(path).parents}

    def find(self, module: str, page: str, home: Home) -> SourceAudit | None:
        """The file that an import of `module` on a page means; `None` for what is not the book's own."""
        # A page's home is its own, so that its path stands for both.
        if (page, module) not in self._found:
            self._found[page, module] = self._find(module, page, home)
        return self._found[page, module]

    def _find(self, module: str, page: str, home: Home) -> SourceAudit | None:
        top = module.partition(".")[0]
        if not self.files or top in STANDARD_LIBRARY:
            return None
        for root in dict.fromkeys(self._roots(page, home)):
            found = self._at(root, module)
            if found is not None:
                return found
        return None

    def beside(self, file: str, module: str, level: int) -> SourceAudit | None:
        """The file that an import in another file means: relative by its level, else from the folders above it."""
        parents = list(PurePosixPath(file).parents)
        if level:
            return self._at(str(parents[level - 1]), module) if level <= len(parents) else None
        if module.partition(".")[0] in STANDARD_LIBRARY:
            return None
        return next((found for parent in parents if (found := self._at(str(parent), module)) is not None), None)

    def has_submodule(self, package: SourceAudit, name: str) -> bool:
        """Whether a package holds a module or a folder of a name."""
        folder = PurePosixPath(package.path).parent
        return self._at(str(folder), name) is not None or str(folder / name) in self.folders

    def _at(self, root: str, module: str) -> SourceAudit | None:
        place = PurePosixPath(root)
        path = str(place.joinpath(*module.split("."))) if module else str(place)
        return self.files.get(f"{path}.py") or self.files.get(f"{path}/__init__.py")

    def _roots(self, page: str, home: Home) -> Iterator[str]:
        """The folders that a reader of a page may run its code in, the nearest first."""
        parents = [str(parent) for parent in PurePosixPath(page).parents]
        yield parents[0]
        for file in _few(home.files):
            folder = PurePosixPath(file).parent
            while f"{folder}/__init__.py" in self.files:
                folder = folder.parent
            yield str(folder)
        for parent in parents:
            yield parent
            yield str(PurePosixPath(parent) / "src")


def _few(files: Sequence[str]) -> Sequence[str]:
    """Files that stand near enough to a page to be its own; of hundreds none is the one meant."""
    return files if len(files) <= 40 else ()
