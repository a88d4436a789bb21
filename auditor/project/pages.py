"""A page with the files that belong with it, as one program: who binds a name, and who could."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from auditor.audited import BlockAudit, SourceAudit
from auditor.configuration import Book, path_matcher
from auditor.model import Context, Verdict
from auditor.project.books import Home, Shelf
from auditor.project.linked import Shelved
from auditor.structure.builtin_names import BUILTINS
from auditor.structure.hints import ANY

COMPILES: frozenset[Verdict] = frozenset({"compiles", "compiles-in-context", "compiles-elided", "newer-python"})
# In these a free name is a parameter or a local of what was left out.
INSIDE: frozenset[Context | None] = frozenset({"method", "function-body", "loop-body", "continuation", "fragment"})
# With these a block stands for more than it shows.
ELIDED = frozenset({"elision", "placeholder"})
# With these any name may come about.
_OPENERS = frozenset({"exec", "globals", "locals", "vars"})
_MAGIC = re.compile(
    r"^[ \t]*%{1,2}(?:run|load|loadpy|pylab|macro|store|cpaste|paste|reload_ext|load_ext)\b", re.MULTILINE
)
# How books made by D2L's builder say which framework a cell is for.
_TAB = re.compile(r"\s*(?:%%tab|#[ \t]*@tab)\b[ \t]*([\w\-, \t]*)")
_LEFT_OUT = re.compile(r"^(?:#[ \t]*)?(?:\.\.\.|…|···)", re.MULTILINE)
_ANY_LEFT_OUT = re.compile(r"^[ \t]*(?:#[ \t]*)?(?:\.\.\.|…|···)", re.MULTILINE)


@dataclass(frozen=True)
class Files:
    """Some Python files and the names that they bind."""

    audits: tuple[SourceAudit, ...]

    @cached_property
    def binds(self) -> frozenset[str]:
        """The names of their outermost level."""
        return frozenset(name for block in self.blocks if block.names is not None for name in block.names.binds)

    @cached_property
    def stored(self) -> frozenset[str]:
        """Every name that is bound anywhere in them, parameters and locals among them."""
        return frozenset[str]().union(*(block.program.stored for block in self.blocks if block.program is not None))

    @cached_property
    def classes(self) -> frozenset[str]:
        """The classes of their outermost level."""
        return frozenset(
            shape.qualname
            for block in self.blocks
            if block.program is not None
            for shape in block.program.classes
            if "." not in shape.qualname
        )

    @cached_property
    def open(self) -> bool:
        """Whether one of them may bind names that nobody sees."""
        return any(block.names is None or block.names.stars for block in self.blocks)

    @cached_property
    def quoted(self) -> frozenset[str]:
        """The attributes that one of them names in a string or sets from outside of a class."""
        return frozenset[str]().union(*(block.program.quoted for block in self.blocks if block.program is not None))

    @cached_property
    def blocks(self) -> Sequence[BlockAudit]:
        """The blocks of the files, one each."""
        return [block for audit in self.audits for block in audit.blocks]


@dataclass(frozen=True)
class Page:
    """One page. `setup` are names that its readers have from elsewhere.

    `linked` are files of the run that it links to or takes lines from; `unread` tells that not all such files are.
    """

    audit: SourceAudit
    home: Home
    files: Files
    setup: frozenset[str]
    linked: Files
    unread: bool

    def could_bind(self, name: str) -> bool:
        """Whether something on the page or in its files could bind a name."""
        return name in self.setup or self.could_bind_before(name, len(self.audit.blocks))

    def could_bind_before(self, name: str, at: int) -> bool:
        """Whether something could that may come before a block: unread text, earlier fences, the files."""
        return (
            name in self.files.stored
            or name in self.linked.stored
            or name in self.audit.hinted
            or self._first_stored.get(name, at) < at
        )

    @cached_property
    def _first_stored(self) -> Mapping[str, int]:
        """The first block that stores each name, by its index."""
        first: dict[str, int] = {}
        for at, block in enumerate(self.audit.blocks):
            for name in block.program.stored if block.program is not None else ():
                first.setdefault(name, at)
        return first

    @cached_property
    def spelled(self) -> Mapping[int, Sequence[str]]:
        """The names that the page, its files, its set-up or Python itself bind at an outermost level, by length."""
        own = (name for block in self.audit.blocks if block.names is not None for name in block.names.binds)
        found: dict[int, list[str]] = {}
        for name in self.files.binds.union(self.setup, BUILTINS, own):
            found.setdefault(len(name), []).append(name)
        return found

    @cached_property
    def open(self) -> bool:
        """Whether names may come about on the page that nobody sees."""
        if self.files.open or self.linked.open or ANY in self.audit.hinted:
            return True
        for block in self.audit.blocks:
            if block.names is not None and (
                block.names.stars or any(need.name in _OPENERS for need in block.names.needs)
            ):
                return True
            if "%" in block.block.code.text and _MAGIC.search(block.block.code.text):
                return True
        return False

    @cached_property
    def has_tabs(self) -> bool:
        """Whether some of its fences are parts of a choice."""
        return any(block.told.choice for block in self.audit.blocks)

    def judged(self, block: BlockAudit) -> bool:
        """Whether what a block needs is known: it compiles, and stands where its names are those of the page."""
        compilation = block.compilation
        return (
            compilation.verdict in COMPILES
            and compilation.context not in INSIDE
            and not compilation.recovered
            and not block.told.fails
        )


def is_choice(block: BlockAudit) -> bool:
    """Whether a block is one of several that a reader chooses from: a tab, or a cell for one framework of many."""
    where = block.block.container
    return "tab" in where or "directive" in where or _TAB.match(block.block.code.text) is not None


def frameworks_of(block: BlockAudit) -> frozenset[str]:
    """The frameworks that a cell says it is for, `all` among them; none where it says nothing."""
    found = _TAB.match(block.block.code.text)
    return frozenset(found[1].replace(",", " ").split()) if found is not None else frozenset()


def left_out_before(block: BlockAudit, offset: int) -> bool:
    """Whether a block says, before an offset of its code, that it leaves something out."""
    code = block.compilation.code
    if code is None or "elision" in block.compilation.adjustments:
        found = _ANY_LEFT_OUT.search(block.block.code.text)
        return code is None or found is not None
    found = _LEFT_OUT.search(code.text)
    return found is not None and found.start() < offset


class Pages:
    """Puts one page after the other beside its files; what is known of files is kept for the next page."""

    def __init__(self, files: Mapping[str, SourceAudit], shelf: Shelf, books: Sequence[Book]) -> None:
        self._files = files
        self._shelf = shelf
        self._told = [(path_matcher(book.pages), _told(book)) for book in books]
        self._shelved = Shelved(files)
        self._shelves: dict[tuple[str, ...], Files] = {}

    def page(self, audit: SourceAudit) -> Page | None:
        """The page of an audit; `None` for what is no page."""
        home = self._shelf.homes.get(audit.path)
        if home is None:
            return None
        setup = frozenset[str]().union(*(names for matches, names in self._told if matches(audit.path)))
        meant = [self._shelved.meant(target, audit.path) for target in audit.linked]
        # A fence that takes in lines of a file leans on the rest of it.
        included = {lines.path for block in audit.blocks for lines in block.lines} - {audit.path}
        meant.extend(path if path in self._files else None for path in sorted(included))
        linked = self._of(tuple(dict.fromkeys(path for path in meant if path is not None)))
        return Page(audit, home, self._of(home.files), setup, linked, None in meant)

    def _of(self, paths: tuple[str, ...]) -> Files:
        files = self._shelves.get(paths)
        if files is None:
            files = self._shelves[paths] = Files(tuple(self._files[path] for path in paths))
        return files


def _told(book: Book) -> frozenset[str]:
    """The names that a book's configuration gives its readers."""
    if not book.setup:
        return frozenset(book.names)
    from auditor.structure.names import names  # noqa: PLC0415 - only a set-up is code to read here

    setup = names(book.setup)
    return frozenset((*book.names, *(setup.binds if setup is not None else ())))
