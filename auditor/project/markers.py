"""What is wrong with the authors' words about a fence: ids that none can have, markers that lead to nothing it shows.

The place is the fence's first line: the words are kept without theirs.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from auditor.audited import BlockAudit, SourceAudit
from auditor.project.facts import first_line
from auditor.project.links import AUTHORITIES, DRIFTED, Link, paths_of
from auditor.project.voice import Remark

if TYPE_CHECKING:
    from auditor.model import Place

# What an author may write as an id.
ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/-]{0,79}")
DUPLICATE = "duplicate-id"
MALFORMED = "malformed-id"
ORPHANED = "orphaned-marker"
AMBIGUOUS = "ambiguous-marker"
DIVERGING = "marked-fence-diverges"
_UNKNOWN = "unknown-mark"


class Markers:
    """Holds the markers of one page after the other to account."""

    def __init__(self, files: Mapping[str, SourceAudit], *, whole: bool) -> None:
        """`files` are the Python files of the run; `whole` tells that those are all there are."""
        self._files = files
        self._whole = whole
        self._given: dict[str, Place] = {}

    def remarks(self, audit: SourceAudit, links: Iterable[Link]) -> Iterator[Remark]:
        """What is wrong on a page; `links` are its own."""
        marked: dict[int, list[Link]] = {}
        for link in links:
            if link.evidence == "marker":
                marked.setdefault(link.block, []).append(link)
        for index, block in enumerate(audit.blocks):
            if block.block.marks:
                place = first_line(block.place)
                for kind, facts, words in (*self._of_id(block), *self._of_ties(audit.path, marked.get(index, ()))):
                    yield Remark(kind, place, index, facts, words)
                authority = block.block.marks.get("authority")
                if authority is not None and authority not in AUTHORITIES:
                    yield Remark(
                        _UNKNOWN, place, index, {"word": f"authority={authority[:40]}", "meant": "authority=fence"}
                    )

    def _of_id(self, block: BlockAudit) -> Iterator["_Said"]:
        mark = block.block.marks.get("id")
        if mark is None:
            return
        if not ID.fullmatch(mark):
            yield MALFORMED, {"id": mark[:80]}, {}
            return
        first = self._given.setdefault(mark, block.place)
        if first is not block.place:
            yield DUPLICATE, {"id": mark, "path": first.path}, {"line": str(first.line)}

    def _of_ties(self, page: str, links: Sequence[Link]) -> Iterator["_Said"]:
        several: dict[str, list[str]] = {}
        for link in links:
            if link.state == "orphaned" and self._can_tell(page, link.definition):
                yield ORPHANED, {"reference": link.definition}, {}
            elif link.state == "ambiguous":
                several.setdefault(link.definition.rpartition("::")[2], []).append(link.definition)
            elif link.difference in DRIFTED and not link.recovered and link.note is None:
                yield DIVERGING, {"definition": link.definition}, {}
        for name, definitions in several.items():
            yield AMBIGUOUS, {"name": name, "definitions": ", ".join(f"`{each}`" for each in definitions)}, {}

    def _can_tell(self, page: str, reference: str) -> bool:
        """Whether the run shows that there is no such definition: the file was read, or all files were."""
        path, _, _ = reference.rpartition("::")
        if not path:
            return self._whole
        audit = next((self._files[each] for each in paths_of(path, page) if each in self._files), None)
        if audit is None:
            return self._whole
        return all(block.compilation.code is not None and not block.compilation.recovered for block in audit.blocks)


_Said = tuple[str, Mapping[str, str], Mapping[str, str]]
