"""Fences marked with `implements` written again from their file: edits of the fence's own lines and of nothing else."""

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from auditor.audited import BlockAudit, SourceAudit
from auditor.model import Definition, Edit, Source
from auditor.project.excerpts import Bodies, Body
from auditor.project.links import Link, Links

# A line by which an author says that something is left out: `...`, `# ...`, `# … as before`.
_ELISION = re.compile(r"[ \t]*(?:#[ \t]*)?(?:\.{3,}|…+|·{3,})[ \t]*(?:#.*)?|[ \t]*#[ \t]*(?:\.{3}|…).*")


@dataclass(frozen=True, slots=True)
class Synced:
    """What `--sync` does to one fence: edits of its source, none where it is as the file has it.

    `reason` says why a fence that differs is left alone: `orphaned`, `fence-is-right`, `included`, `unclosed`,
    `not-found`, `tabs`, `ambiguous`.
    """

    path: str
    block: int
    definition: str
    edits: tuple[Edit, ...] = ()
    reason: str | None = None


def sync(source: Source, audit: SourceAudit, audits: Sequence[SourceAudit], links: Links) -> tuple[Synced, ...]:
    """What to change in one page so that its marked fences show what their files hold; elisions are kept."""
    wanted = {link.definition for link in links.links if link.path == audit.path and link.evidence == "marker"}
    definitions = {
        name: definition
        for other in audits
        for block in other.blocks
        for definition, _ in block.definitions
        if (name := f"{other.path}::{definition.qualname}") in wanted
    }
    done: list[Synced] = []
    written: list[Edit] = []
    for link in links.links:
        if link.path == audit.path and link.evidence == "marker":
            synced = _synced(source, audit.blocks[link.block], link, definitions)
            # A method is written with its class where both are marked.
            if any(edit.start < old.end and old.start < edit.end for edit in synced.edits for old in written):
                synced = Synced(link.path, link.block, link.definition)
            written.extend(synced.edits)
            done.append(synced)
    return tuple(done)


def _synced(source: Source, block: BlockAudit, link: Link, definitions: Mapping[str, Definition]) -> Synced:
    definition = definitions.get(link.definition)
    if definition is None or link.state == "orphaned":
        return _left(link, "orphaned")
    if link.state == "ambiguous":
        return _left(link, "ambiguous")
    if link.authority == "fence":
        return _left(link, "fence-is-right")
    if any(segment.path is not None for segment in block.block.code.segments):
        return _left(link, "included")
    if not block.block.closed or block.block.kind != "fence":
        return _left(link, "unclosed")
    lines = _Lines.of(source, block)
    if lines is None:
        return _left(link, "tabs")
    span = _shown_lines(block, link, lines)
    if span is None:
        code = block.compilation.code
        places = Bodies([Body(link.definition, definition.code)]).place(
            code.text if code is not None else "", meant=True
        )
        if not places:
            return _left(link, "not-found")
        first, last, text = 0, len(lines.texts), places[0].shown
    else:
        (first, last), text = span, definition.code
    old = lines.texts[first:last]
    new = _with_margin(text.rstrip("\n").split("\n"), old)
    new = _with_elisions(old, new)
    if [line.rstrip() for line in old] == [line.rstrip() for line in new]:
        return Synced(link.path, link.block, link.definition)
    return Synced(link.path, link.block, link.definition, (lines.replaced(source, first, last, new),))


def _left(link: Link, reason: str) -> Synced:
    return Synced(link.path, link.block, link.definition, (), reason)


@dataclass(frozen=True, slots=True)
class _Lines:
    """The body's lines without their container, the number of the first in the source, and each one's container."""

    texts: tuple[str, ...]
    number: int
    prefixes: tuple[str, ...]

    @classmethod
    def of(cls, source: Source, block: BlockAudit) -> "_Lines | None":
        """The lines, or nothing where a tab was partly eaten by a container, so that no prefix can be told."""
        body = block.block.code
        texts = body.text.removesuffix("\n").split("\n") if body.text else []
        number = source.position(body.locate(0).start).line if texts else block.place.line + 1
        prefixes = []
        for at, text in enumerate(texts):
            whole = source.line_text(number + at)
            if not whole.endswith(text):
                return None
            prefixes.append(whole[: len(whole) - len(text)])
        return cls(tuple(texts), number, tuple(prefixes))

    def replaced(self, source: Source, first: int, last: int, new: Sequence[str]) -> Edit:
        """The edit that puts new lines where those from `first` to before `last` stand."""
        start = source.line_starts[self.number + first - 1]
        end_line = self.number + last - 1
        end = source.line_starts[end_line - 1] + len(source.line_text(end_line))
        model = next((prefix for prefix, text in zip(self.prefixes, self.texts, strict=True) if text.strip()), "")
        following = source.text[end : end + 2]
        newline = "\r\n" if following == "\r\n" else following[:1] or "\n"
        rows = (model + line if line.strip() else model.rstrip(" \t") for line in new)
        return Edit(start, end, newline.join(rows))


def _shown_lines(block: BlockAudit, link: Link, lines: _Lines) -> tuple[int, int] | None:
    """The body's lines, from and to, of the definition that the fence calls `link.shown`."""
    if not link.shown:
        return None
    for definition, place in block.definitions:
        if definition.qualname == link.shown:
            first, last = place.line - lines.number, place.end_line - lines.number + 1
            return (first, last) if 0 <= first < last <= len(lines.texts) else None
    return None


def _with_margin(new: Sequence[str], old: Sequence[str]) -> list[str]:
    """The new lines at the depth of the old ones."""
    first = next((line for line in old if line.strip()), "")
    margin = first[: len(first) - len(first.lstrip(" \t"))]
    return [margin + line if line.strip() else "" for line in new]


def _with_elisions(old: Sequence[str], new: Sequence[str]) -> list[str]:
    """The new lines with what the author left out of the old ones left out again."""
    marks = [at for at, line in enumerate(old) if _ELISION.fullmatch(line)]
    if not marks:
        return list(new)
    matcher = difflib.SequenceMatcher(
        None, [line.strip() for line in old], [line.strip() for line in new], autojunk=False
    )
    partner = {
        start + step: other + step for start, other, size in matcher.get_matching_blocks() for step in range(size)
    }
    kept = list(new)
    drop: set[int] = set()
    for mark in marks:
        if mark in partner:
            # The file has this very line: it elides nothing.
            continue
        before = next((partner[at] for at in range(mark - 1, -1, -1) if at in partner), -1)
        after = next((partner[at] for at in range(mark + 1, len(old)) if at in partner), len(new))
        hidden = list(_hidden(new, before + 1, after, _depth(old[mark])))
        hidden = [at for at in hidden if at not in drop]
        if hidden:
            drop.update(hidden)
            kept[hidden[0]] = old[mark]
            drop.discard(hidden[0])
    return [line for at, line in enumerate(kept) if at not in drop]


def _hidden(lines: Sequence[str], start: int, end: int, depth: int) -> Iterator[int]:
    """The lines from `start` on that an elision of that depth stands for: those at its depth or deeper."""
    last = start - 1
    for at in range(start, end):
        if lines[at].strip():
            if _depth(lines[at]) < depth:
                break
            last = at
    yield from range(start, last + 1)


def _depth(line: str) -> int:
    text = line.expandtabs(8)
    return len(text) - len(text.lstrip(" "))
