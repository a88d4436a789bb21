"""The audits of a run until its end: the first as they are, the others packed until they are asked for."""

import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import overload

from auditor.audited import Outline, OutlinedAudits, SourceAudit, outline_of
from auditor.engine.codec import CodecError, dump, load

# A block takes 12 kB as it is and 600 bytes packed. A run of no more than so many packs nothing: most are that small.
MOST_BLOCKS = 5_000
# The level of zlib that costs least; a higher one saves a fifth of the room for three times the work.
_LEVEL = 1


@dataclass(frozen=True, slots=True)
class Packed:
    """An audit as `dump` writes it, compressed, and its outline."""

    outline: Outline
    data: bytes


# An audit on its way from where it was made to where it is held.
Made = SourceAudit | Packed


def pack(made: Made) -> Packed:
    """An audit in a twentieth of its room."""
    if isinstance(made, Packed):
        return made
    return Packed(outline_of(made), zlib.compress(dump(SourceAudit, made), _LEVEL))


def unpack(made: Made) -> SourceAudit:
    """The audit again, equal to the one that was packed. Raises `CodecError` for bytes that hold none."""
    if isinstance(made, SourceAudit):
        return made
    try:
        data = zlib.decompress(made.data)
    except zlib.error as error:
        raise CodecError(f"no audit: {error}") from None
    return load(SourceAudit, data)


class PackedAudits(OutlinedAudits):
    """Audits in order, unpacked one at a time."""

    def __init__(self, held: Sequence[Made], outlines: Sequence[Outline]) -> None:
        self._held = held
        self.outlines = outlines

    def __len__(self) -> int:
        return len(self._held)

    def __iter__(self) -> Iterator[SourceAudit]:
        return map(unpack, self._held)

    @overload
    def __getitem__(self, at: int) -> SourceAudit: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[SourceAudit]: ...
    def __getitem__(self, at: int | slice) -> SourceAudit | Sequence[SourceAudit]:
        if isinstance(at, slice):
            return PackedAudits(self._held[at], self.outlines[at])
        return unpack(self._held[at])


class Holding:
    """Takes the audits of a run in order; those are packed that come after `room` blocks."""

    def __init__(self, room: int = MOST_BLOCKS) -> None:
        self._room = room
        self._held: list[Made] = []
        self._outlines: list[Outline] = []

    @property
    def is_full(self) -> bool:
        """Whether what comes next is packed."""
        return self._room <= 0

    def add(self, made: Made) -> None:
        """Hold one more audit."""
        if self.is_full:
            made = pack(made)
            self._outlines.append(made.outline)
        else:
            made = unpack(made)
            self._room -= len(made.blocks)
        self._held.append(made)

    def audits(self) -> Sequence[SourceAudit]:
        """All that was added: in a tuple where nothing is packed."""
        if not self._outlines:
            return tuple(map(unpack, self._held))
        first = self._held[: len(self._held) - len(self._outlines)]
        return PackedAudits(self._held, [*map(outline_of, map(unpack, first)), *self._outlines])


def hold(audits: Iterable[SourceAudit], room: int = MOST_BLOCKS) -> Sequence[SourceAudit]:
    """Audits in order, to be looked into again and again."""
    holding = Holding(room)
    for audit in audits:
        holding.add(audit)
    return holding.audits()
