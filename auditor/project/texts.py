"""The texts that a page is understood from, ready to be looked into: its own fences and the few files beside it."""

from collections.abc import Mapping, Sequence

from auditor.audited import SourceAudit
from auditor.project.pages import Page
from auditor.project.things import Origin
from auditor.structure.shape import Bound, ClassShape

# How many files may stand beside a page for a bare name on it to mean one in them.
FEW = 20


class Texts:
    """Turns from page to page; each text is laid out when it is first asked for, those of files are kept."""

    def __init__(self) -> None:
        self.page: Page | None = None
        self._of_files: dict[str, tuple[Origin | None, ...]] = {}
        self._of_page: tuple[Origin | None, ...] | None = None
        self._origins: tuple[Origin, ...] | None = None
        self._bindings: dict[str, list[tuple[int, Bound]]] | None = None
        self._classes: dict[str, list[tuple[ClassShape, Origin]]] | None = None

    def turn_to(self, page: Page) -> None:
        """Look at a page and forget the one before: nothing that is known of files holds on to a page."""
        self.page = page
        self._of_page = self._origins = self._bindings = self._classes = None

    def page_at(self, path: str) -> Page | None:
        """The page at hand, if it is the one at a path."""
        return self.page if self.page is not None and self.page.audit.path == path else None

    def origin(self, audit: SourceAudit, index: int) -> Origin | None:
        """Where the definitions of a block stand; `None` where it has no tree."""
        if self.page is not None and audit is self.page.audit:
            if self._of_page is None:
                self._of_page = _origins_of(audit)
            return self._of_page[index]
        kept = self._of_files.get(audit.path)
        if kept is None:
            kept = self._of_files[audit.path] = _origins_of(audit)
        return kept[index]

    @property
    def origins(self) -> Sequence[Origin]:
        """Everything readable on the page and, where they are few, in its files."""
        if self._origins is None:
            if self.page is None:
                return ()
            files = self.page.files.audits if len(self.page.files.audits) <= FEW else ()
            found = (
                self.origin(audit, index)
                for audit in (self.page.audit, *files)
                for index, block in enumerate(audit.blocks)
                if block.program is not None
            )
            self._origins = tuple(origin for origin in found if origin is not None)
        return self._origins

    @property
    def bindings(self) -> Mapping[str, Sequence[tuple[int, Bound]]]:
        """The bindings of each name of the page, in order, each with the index of its block."""
        if self._bindings is None:
            self._bindings = {}
            for index, block in enumerate(self.page.audit.blocks if self.page is not None else ()):
                for each in block.program.bound if block.program is not None else ():
                    self._bindings.setdefault(each.name, []).append((index, each))
        return self._bindings

    @property
    def classes(self) -> Mapping[str, Sequence[tuple[ClassShape, Origin]]]:
        """All texts of each class, by its qualified name."""
        if self._classes is None:
            self._classes = {}
            for origin in self.origins:
                for shape in origin.program.classes:
                    self._classes.setdefault(shape.qualname, []).append((shape, origin))
        return self._classes


def _origins_of(audit: SourceAudit) -> tuple[Origin | None, ...]:
    return tuple(
        Origin(audit.path, block, block.program) if block.program is not None else None for block in audit.blocks
    )
