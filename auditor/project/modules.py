"""Which Python file of the run an import on a page means."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
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
        # The first words of modules that a file of the run may be.
        self._tops = {PurePosixPath(path).stem for path in self.files}
        self._tops.update(folder.rpartition("/")[2] for folder in self.folders)

    def find(self, module: str, page: str, home: Home) -> SourceAudit | None:
        """The file that an import of `module` on a page means; `None` for what is not the book's own."""
        top = module.partition(".")[0]
        if top not in self._tops or top in STANDARD_LIBRARY:
            return None
        # A page's home is its own, so that its path stands for both.
        if (page, module) not in self._found:
            self._found[page, module] = self._first(dict.fromkeys(self._roots(page, home)), module)
        return self._found[page, module]

    def beside(self, file: str, module: str, level: int) -> SourceAudit | None:
        """The file that an import in another file means: relative by its level, else from the folders above it."""
        parents = list(PurePosixPath(file).parents)
        if level:
            return self._at(str(parents[level - 1]), module) if level <= len(parents) else None
        if module.partition(".")[0] in STANDARD_LIBRARY:
            return None
        return self._first(map(str, parents), module)

    def has_submodule(self, package: SourceAudit, name: str) -> bool:
        """Whether a package holds a module or a folder of a name."""
        folder = PurePosixPath(package.path).parent
        return self._at(str(folder), name) is not None or str(folder / name) in self.folders

    def lacks(self, file: SourceAudit, name: str) -> bool:
        """Whether a module surely does not have a name."""
        if file.path.endswith("/__init__.py") and self.has_submodule(file, name):
            return False
        if not any(block.program is not None and block.program.bound for block in file.blocks):
            return False  # a placeholder: what readers have under this name is something else
        for block in file.blocks:
            if block.names is None or block.program is None or block.names.stars or block.compilation.recovered:
                return False
            if name in block.program.stored or name.startswith("__"):
                return False
            if any(need.name in _MAKES_NAMES for need in block.names.needs):
                return False
            if any(word in block.block.code.text for word in _DYNAMIC_MODULE):
                return False
        return True

    def _first(self, roots: Iterable[str], module: str) -> SourceAudit | None:
        """A module in the first folder that has it; what stands inside a package is imported by the package's name."""
        for root in roots:
            found = self._at(root, module)
            if found is not None and self._at(root, "__init__") is None:
                return found
        return None

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


def may_bind(file: SourceAudit, name: str) -> bool:
    """Whether a file binds a name, or brings in all of another that may; then no module of that name is meant."""
    return any(
        block.names is None or block.names.stars or name in block.names.binds or "__getattr__" in block.names.binds
        for block in file.blocks
    )


_MAKES_NAMES = frozenset({"globals", "locals", "vars", "exec", "setattr", "__import__"})
_DYNAMIC_MODULE = ("__getattr__", "sys.modules", "Lazy", "lazy", "__path__", "importlib")
