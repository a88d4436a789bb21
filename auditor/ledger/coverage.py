"""Which definitions the fences show: in full, in part, or not at all."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from unicodedata import normalize

from auditor.audited import SourceAudit
from auditor.ledger.entries import Coverage, DefinitionEntry
from auditor.model import Definition, Place
from auditor.project.books import Shelf
from auditor.project.links import Link, Links

# The definitions of a block with their places, as an audit has them.
Defined = tuple[tuple[Definition, Place], ...]
# Why a definition is exempt: its file stands below no page's folder, and no `[[books]]` names it.
NO_PAGE = "no-page"
_TOP = PurePosixPath()
# With these differences a fence shows all that the definition does.
_WHOLE = frozenset({"identical", "comments", "formatting", "renamed"})


def definition_entries(
    files: Iterable[SourceAudit],
    links: Links,
    ids: Mapping[tuple[str, int], str],
    shown_by: Mapping[tuple[str, int], Defined],
) -> Iterator[DefinitionEntry]:
    """The definitions of the files, in document order; of what nothing has to show the outermost alone, as exempt.

    `ids` are the blocks' by place, `shown_by` the definitions of those that are tied to something.
    """
    tied: dict[str, list[Link]] = defaultdict(list)
    for link in links.links:
        if link.state != "orphaned":
            tied[link.definition].append(link)
    linked_files = {name.rpartition("::")[0] for name in tied}
    wanted = links.shelf.files | links.shelf.declared | linked_files
    required = links.shelf.declared | linked_files | _near_pages(links.shelf)
    for audit in files:
        found = [definition for block in audit.blocks for definition, _ in block.definitions]
        shown = _showing(audit.path, found, tied, shown_by)
        seen: Counter[str] = Counter()
        for definition in found:
            seen[definition.qualname] += 1
            again = f"#{seen[definition.qualname]}" if seen[definition.qualname] > 1 else ""
            # Of several with one name (a property's getter and setter) a tie by name speaks for all.
            by = shown.get(definition.qualname, {})
            coverage: Coverage = "full" if any(by.values()) else "partial" if by else "none"
            exempt = coverage == "none" and audit.path not in required
            if exempt and "." in definition.qualname:
                continue
            yield DefinitionEntry(
                definition.kind,
                normalize("NFC", f"{audit.path}::{definition.qualname}{again}"),
                definition.qualname,
                definition.signature_hash,
                definition.structure_hash,
                tuple(ids[place] for place in sorted(by)),
                "exempt" if exempt else coverage,
                None if not exempt else "not-shown" if audit.path in wanted else NO_PAGE,
            )


def _near_pages(shelf: Shelf) -> frozenset[str]:
    """The files whose pages stand in their folder, or share a folder below the top with them.

    A page at the top of a repository has the whole of it below: what it does not mention it need not show.
    """
    homes = {(PurePosixPath(page).parent, home.files) for page, home in shelf.homes.items()}
    return frozenset(
        file for folder, files in homes for file in files if folder != _TOP or PurePosixPath(file).parent == _TOP
    )


def _showing(
    path: str,
    definitions: Sequence[Definition],
    tied: Mapping[str, Sequence[Link]],
    shown_by: Mapping[tuple[str, int], Defined],
) -> Mapping[str, Mapping[tuple[str, int], bool]]:
    """For each definition of a file the blocks that show it, and whether in full."""
    known = {definition.qualname: definition for definition in definitions}
    shown: dict[str, dict[tuple[str, int], bool]] = defaultdict(dict)

    def show(qualname: str, block: tuple[str, int], *, whole: bool) -> None:
        shown[qualname][block] = whole or shown[qualname].get(block, False)

    for qualname in known:
        for link in tied.get(f"{path}::{qualname}", ()):
            place = (link.path, link.block)
            show(qualname, place, whole=link.state == "covers" and link.difference in _WHOLE)
            if not link.shown:
                for outer in _outer(qualname):
                    show(outer, place, whole=False)
                continue
            prefix = f"{link.shown}."
            for own, _ in shown_by[place]:
                inner = f"{qualname}.{own.qualname.removeprefix(prefix)}"
                if own.qualname.startswith(prefix) and inner in known:
                    show(inner, place, whole=own.structure_hash == known[inner].structure_hash)
    return shown


def _outer(qualname: str) -> Iterator[str]:
    """The classes around a method."""
    parts = qualname.split(".")
    return (".".join(parts[:size]) for size in range(1, len(parts)))
