"""The ties between fences and the definitions that implement them, and what differs between the two."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Literal, get_args

from auditor.audited import BlockAudit, Outline, SourceAudit, outlines_of
from auditor.configuration import Book
from auditor.model import Definition
from auditor.project.books import Home, Shelf, lookup, shelve
from auditor.project.catalogue import Catalogue
from auditor.project.excerpts import Bodies, Body, statements
from auditor.structure.operation import Operation

if TYPE_CHECKING:
    from auditor.structure.difference import Difference

State = Literal["covers", "outdated", "ambiguous", "orphaned"]
Evidence = Literal["marker", "alias", "qualname", "structure"]
DifferenceKind = Literal[
    "identical", "comments", "formatting", "renamed", "elided", "subset", "signature", "diverged"
]  # fmt: skip

# The best of several candidates is the one whose difference stands first here.
_RANK: Mapping[str, int] = {kind: rank for rank, kind in enumerate(get_args(DifferenceKind))}
# With these the fence says something else than the definition does.
DRIFTED = frozenset({"signature", "diverged"})
AUTHORITIES = ("fence", "file")
# Of a name that stands in more files than this none is the one meant.
_MANY = 8
# Candidates of one kind of difference that are as like the fence as this decide nothing.
_CLOSE = 0.02
_WORD = re.compile(r"\w+|[^\w\s]")
_MARK = re.compile(r"[\s,]+")


@dataclass(frozen=True, slots=True)
class Link:
    """A tie between the block `block` (its index in the source `path`) and a definition, `path::qualname`.

    `shown` is what the fence calls it, empty for an excerpt. `difference` and `operations` are told from the definition
    to the fence; `None` where there is nothing to compare. `authority` is the side of a drift that is right, `note` the
    section that explains it. `recovered` says that the fence was read as far as it could be.
    """

    path: str
    block: int
    definition: str
    state: State
    evidence: Evidence
    shown: str = ""
    difference: DifferenceKind | None = None
    operations: tuple[Operation, ...] = ()
    authority: Literal["fence", "file"] | None = None
    note: str | None = None
    recovered: bool = False


@dataclass(frozen=True, slots=True)
class Links:
    """All ties, by path and block, and the shelf that says which files belong with which pages."""

    links: tuple[Link, ...]
    shelf: Shelf


def link(audits: Sequence[SourceAudit], books: Sequence[Book] = ()) -> Links:
    """The ties of every page's fences to the definitions of the Python files that belong with it."""
    outlines = outlines_of(audits)
    files = files_of(audits, outlines)
    shelf = shelve_all(outlines, books)
    ties = Ties(files, shelf)
    return Links(tuple(link for audit in audits for link in ties.of(audit)), shelf)


def files_of(audits: Sequence[SourceAudit], outlines: Sequence[Outline]) -> Mapping[str, SourceAudit]:
    """The Python files of a run, by path."""
    return {outline.path: audits[at] for at, outline in enumerate(outlines) if outline.is_file}


def shelve_all(outlines: Sequence[Outline], books: Sequence[Book]) -> Shelf:
    """Which of the Python files of a run belong with which of its pages."""
    pages = [outline.path for outline in outlines if outline.verdicts and not outline.is_file]
    return shelve(pages, sorted(outline.path for outline in outlines if outline.is_file), books)


class Ties:
    """Finds the ties of one page after the other."""

    def __init__(self, files: Mapping[str, SourceAudit], shelf: Shelf) -> None:
        self._files = files
        self._shelf = shelf
        self._catalogues: dict[tuple[str, ...], Catalogue] = {}
        self._everything = Catalogue(tuple(files.values()))

    def of(self, audit: SourceAudit) -> list[Link]:
        """The ties of a page's fences; none for what is no page."""
        home = self._shelf.homes.get(audit.path)
        if home is None:
            return []
        catalogue = self._catalogues.get(home.files)
        if catalogue is None:
            catalogue = self._catalogues[home.files] = Catalogue(tuple(self._files[path] for path in home.files))
        ties = (
            _Tie(audit.path, index, block, home, catalogue, self._everything)
            for index, block in enumerate(audit.blocks)
        )
        return [link for tie in ties for link in tie.links()]


@dataclass(frozen=True)
class _Tie:
    """One fence and all that may be tied to it."""

    path: str
    index: int
    block: BlockAudit
    home: Home
    catalogue: Catalogue
    everything: Catalogue

    def links(self) -> Iterator[Link]:
        """Its ties: by the author's marker alone where there is one, else by alias, by name, or as an excerpt."""
        marker = self.block.block.marks.get("implements", "").strip()
        if marker:
            for reference in filter(None, _MARK.split(marker)):
                yield from self._marked(reference)
        elif self.block.compilation.code is None:
            return
        elif self._own:
            for definition in self._own:
                yield from self._named(definition)
        else:
            yield from self._excerpt()

    @cached_property
    def _own(self) -> tuple[Definition, ...]:
        """The outermost definitions of the fence."""
        return tuple(definition for definition, _ in self.block.definitions if "." not in definition.qualname)

    def _marked(self, reference: str) -> Iterator[Link]:
        targets = self._meant(reference)
        if not targets:
            yield self._link(reference, "orphaned", "marker")
        for target in targets:
            compared = self._compared(target, "marker", self._shown(target))
            yield compared if len(targets) == 1 else replace(compared, state="ambiguous")

    def _shown(self, target: str) -> Definition | None:
        """What of the fence shows a definition that its marker names."""
        name = target.rpartition("::")[2]
        everything = [definition for definition, _ in self.block.definitions]
        last = name.rpartition(".")[2]
        shown = next((each for wanted in (name, last) for each in everything if each.qualname == wanted), None)
        return self._own[0] if shown is None and len(self._own) == 1 else shown

    def _meant(self, reference: str) -> Sequence[str]:
        """The definitions that a marker or the configuration names: from the root, from the page, or by name alone."""
        path, _, name = reference.rpartition("::")
        if path:
            named = (f"{each}::{name}" for each in paths_of(path, self.path))
            return [full for full in named if full in self.everything.by_id][:1]
        return self.catalogue.by_qualname.get(name, ())

    def _resolve(self, reference: str) -> str | None:
        """The one definition that the configuration names."""
        found = self._meant(reference)
        return found[0] if len(found) == 1 else None

    def _named(self, own: Definition) -> Iterator[Link]:
        alias = self.home.aliases.get(own.qualname)
        if alias is not None:
            target = self._resolve(alias)
            yield self._link(alias, "orphaned", "alias") if target is None else self._compared(target, "alias", own)
            return
        evidence: Evidence = "qualname"
        candidates = self.catalogue.by_qualname.get(own.qualname, ())
        if not candidates and self.block.compilation.context == "class-body":
            # A method shown without its class: its name alone proves nothing.
            evidence = "structure"
            candidates = self.catalogue.methods.get(own.qualname, ())
        if len(candidates) > _MANY and evidence == "qualname":
            return
        compared = [self._compared(name, evidence, own) for name in candidates]
        if evidence == "structure":
            compared = [
                each for each in compared if each.difference != "diverged" or self._resembles(own, each.definition)
            ]
        yield from self._best(own, compared)

    def _resembles(self, own: Definition, name: str) -> bool:
        """Whether two methods of one name have half of their statements in common."""
        left = [item.tokens for item in statements(own.code)[1:]]
        right = {item.tokens for item in statements(self.catalogue.by_id[name].code)[1:]}
        return bool(left) and 2 * sum(tokens in right for tokens in left) >= len(left)

    def _best(self, own: Definition, compared: Sequence[Link]) -> Iterator[Link]:
        """The tie with the least difference, then the most words in common; where several are as good, all of them."""
        if not compared:
            return
        scored = [
            (_RANK[each.difference or "diverged"], -self._likeness(own, each.definition), each) for each in compared
        ]
        least, most, _ = min(scored, key=lambda item: item[:2])
        leading = [each for rank, unlike, each in scored if rank == least and unlike <= most + _CLOSE]
        yield from leading if len(leading) == 1 else (replace(each, state="ambiguous") for each in leading)

    def _likeness(self, own: Definition, name: str) -> float:
        """Twice the words that two definitions share over the words of both."""
        left, right = (Counter(_WORD.findall(each.code)) for each in (own, self.everything.by_id[name]))
        return 2 * (left & right).total() / max(left.total() + right.total(), 1)

    def _excerpt(self) -> Iterator[Link]:
        code = self.block.compilation.code
        if code is None or self.block.block.kind != "fence":
            return
        places = self.catalogue.bodies.place(code.text)
        for place in places:
            difference = _difference(code.text, place.shown)
            # Word by word what the function has, but not all of it.
            kind: DifferenceKind = "subset" if difference.kind not in DRIFTED else difference.kind
            state: State = "ambiguous" if len(places) > 1 else _state(kind)
            operations = _within(difference.operations, place.definition)
            yield self._link(place.definition, state, "structure", "", kind, operations)

    def _compared(self, target: str, evidence: Evidence, own: Definition | None) -> Link:
        """The tie to a definition, with the difference of the fence's own one or else of the whole fence."""
        definition = self.everything.by_id[target]
        code = self.block.compilation.code
        if own is not None and evidence == "alias" and (own.kind == "class") != (definition.kind == "class"):
            # Another form of the same thing: the author says that it is meant so, and there is nothing to compare.
            return self._link(target, "covers", evidence, own.qualname, "diverged")
        kind: DifferenceKind
        if own is not None:
            difference = _difference(own.code, definition.code)
            marked = "elision" in self.block.compilation.adjustments
            kind = "elided" if difference.kind == "subset" and marked else difference.kind
        elif code is not None:
            placed = Bodies([Body(target, definition.code)]).place(code.text, meant=True)
            difference = _difference(code.text, placed[0].shown if placed else definition.code)
            kind = "subset" if placed and difference.kind not in DRIFTED else difference.kind
        else:
            return self._link(target, "outdated", evidence)
        shown = own.qualname if own is not None else ""
        return self._link(target, _state(kind), evidence, shown, kind, _within(difference.operations, target))

    def _link(
        self,
        definition: str,
        state: State,
        evidence: Evidence,
        shown: str = "",
        difference: DifferenceKind | None = None,
        operations: tuple[Operation, ...] = (),
    ) -> Link:
        marks = self.block.block.marks
        authority = marks.get("authority") or lookup(self.home.authority, definition)
        return Link(
            self.path,
            self.index,
            definition,
            state,
            evidence,
            shown,
            difference,
            operations,
            authority if authority in AUTHORITIES else None,  # type: ignore[arg-type] # mypy does not narrow text
            marks.get("note") or lookup(self.home.notes, definition),
            self.block.compilation.recovered,
        )


def _within(operations: Iterable[Operation], definition: str) -> tuple[Operation, ...]:
    """Operations with their paths as the file has them: what stands alone in a fence may stand in a class there."""
    name = definition.rpartition("::")[2]
    outer, _, last = name.rpartition(".")

    def full(path: str) -> str:
        if path == last or path.startswith(f"{last}."):
            return f"{outer}.{path}" if outer else path
        return f"{name}.{path}" if path else name

    return tuple(replace(each, path=full(each.path)) for each in operations)


@lru_cache(maxsize=512)
def _difference(fence: str, definition: str) -> "Difference":
    """The difference, kept: files of one book often hold the same definition."""
    from auditor.structure.difference import difference  # noqa: PLC0415 - a book without ties compares nothing

    return difference(fence, definition)


def _state(difference: str) -> State:
    return "outdated" if difference in DRIFTED else "covers"


def paths_of(path: str, page: str) -> tuple[str, str]:
    """The files that a marker on a page may mean by a path: from the root, then from the page."""
    return path.removeprefix("./"), _normal(str(PurePosixPath(page).parent / path))


def _normal(path: str) -> str:
    """A POSIX path without `.` and `..`."""
    parts: list[str] = []
    for part in path.split("/"):
        if part == ".." and parts:
            parts.pop()
        elif part not in {"", ".", ".."}:
            parts.append(part)
    return "/".join(parts)
