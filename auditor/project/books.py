"""Which Python files a page belongs with: those of its folder and below, or those that the configuration names."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from auditor.configuration import Book, path_matcher


@dataclass(frozen=True, slots=True)
class Home:
    """What the fences of one page may be tied to.

    `files` are paths. `aliases` maps a name in a fence to the definition it means, `authority` and `notes` a definition
    to the side that is right and to the section that explains a drift; a definition is written as its qualified name or
    as `path::name`.
    """

    files: tuple[str, ...] = ()
    aliases: Mapping[str, str] = field(default_factory=dict)
    authority: Mapping[str, str] = field(default_factory=dict)
    notes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Shelf:
    """The homes of all pages, and the files that some book names: these must be covered, whoever shows them."""

    homes: Mapping[str, Home]
    declared: frozenset[str] = frozenset()

    @property
    def files(self) -> frozenset[str]:
        """Every file that belongs with some page."""
        return frozenset(file for files in {home.files for home in self.homes.values()} for file in files)


def shelve(pages: Iterable[str], files: Sequence[str], books: Sequence[Book] = ()) -> Shelf:
    """The home of each page. A page that a `[[books]]` entry names belongs with that book's files.

    Otherwise a file belongs with the pages of the nearest folder above it that holds any.
    """
    pages = sorted(set(pages))
    named = [(path_matcher(book.pages), book, _files_of(book, files)) for book in books]
    near = _nearest(pages, files)
    homes: dict[str, Home] = {}
    for page in pages:
        own = [(book, found) for matches, book, found in named if matches(page)]
        chosen = [found for book, found in own if book.files]
        homes[page] = Home(
            tuple(dict.fromkeys(file for found in chosen for file in found)) if chosen else near[page],
            _merged(book.aliases for book, _ in own),
            _merged(book.authority for book, _ in own),
            _merged(book.notes for book, _ in own),
        )
    return Shelf(homes, frozenset(file for _, _, found in named for file in found))


def _files_of(book: Book, files: Sequence[str]) -> tuple[str, ...]:
    matches = path_matcher(book.files)
    return tuple(file for file in files if matches(file))


def _merged(tables: Iterable[Mapping[str, str]]) -> dict[str, str]:
    merged: dict[str, str] = {}
    for table in tables:
        merged.update({name: value for name, value in table.items() if name not in merged})
    return merged


def _nearest(pages: Sequence[str], files: Sequence[str]) -> dict[str, tuple[str, ...]]:
    folders = {str(PurePosixPath(page).parent) for page in pages}
    held: dict[str, list[str]] = defaultdict(list)
    for file in files:
        above = next((str(folder) for folder in PurePosixPath(file).parents if str(folder) in folders), None)
        if above is not None:
            held[above].append(file)
    kept = {folder: tuple(found) for folder, found in held.items()}  # one for all pages of a folder
    return {page: kept.get(str(PurePosixPath(page).parent), ()) for page in pages}


def lookup(table: Mapping[str, str], definition: str) -> str | None:
    """What a table says of a definition (`path::name`), which it may write in full or by its name alone."""
    return table.get(definition, table.get(definition.rpartition("::")[2]))
