"""The audits of a run until its end: as they are where they are few, else packed until they are asked for."""

import gc
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar, overload

from auditor.audited import Outline, OutlinedAudits, SourceAudit, outline_of
from auditor.engine.codec import CodecError, dump, load

# A block takes 12 kB as it is and 600 bytes packed. A run of no more than so many packs nothing: most are that small.
MOST_BLOCKS = 5_000
Value = TypeVar("Value")
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
    return Packed(outline_of(made), compressed(SourceAudit, made))


def unpack(made: Made) -> SourceAudit:
    """The audit again, equal to the one that was packed. Raises `CodecError` for bytes that hold none."""
    return made if isinstance(made, SourceAudit) else expanded(SourceAudit, made.data)


def compressed(kind: type[Value], value: Value) -> bytes:
    """A value of a type as `dump` writes it, compressed."""
    return zlib.compress(dump(kind, value), _LEVEL)


def expanded(kind: type[Value], data: bytes) -> Value:
    """The value again. Raises `CodecError` for bytes that hold none."""
    was_on = gc.isenabled()
    gc.disable()  # collecting while thousands of values are built, none of them garbage, costs as much as building them
    try:
        return load(kind, zlib.decompress(data))
    except zlib.error as error:
        raise CodecError(f"{kind}: {error}") from None
    finally:
        if was_on:
            gc.enable()


class PackedAudits(OutlinedAudits):
    """Audits in order, unpacked one at a time."""

    def __init__(self, packed: Sequence[Packed]) -> None:
        self._packed = packed
        self.outlines = [each.outline for each in packed]

    def __len__(self) -> int:
        return len(self._packed)

    def __iter__(self) -> Iterator[SourceAudit]:
        return map(unpack, self._packed)

    @overload
    def __getitem__(self, at: int) -> SourceAudit: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[SourceAudit]: ...
    def __getitem__(self, at: int | slice) -> SourceAudit | Sequence[SourceAudit]:
        return PackedAudits(self._packed[at]) if isinstance(at, slice) else unpack(self._packed[at])


class Holding:
    """Takes the audits of a run in order; where they come to more than `room` blocks, all of them are packed."""

    def __init__(self, room: int = MOST_BLOCKS) -> None:
        self._room = room
        self._held: list[SourceAudit] = []
        self._packed: list[Packed] = []

    @property
    def is_full(self) -> bool:
        """Whether what comes next is packed."""
        return self._room < 0

    def add(self, made: Made) -> None:
        """Hold one more audit."""
        if self._room < 0:
            self._packed.append(pack(made))
            return
        audit = unpack(made)
        self._held.append(audit)
        self._room -= len(audit.blocks)
        if self._room < 0:
            self._packed = list(map(pack, self._held))
            self._held.clear()

    def audits(self) -> Sequence[SourceAudit]:
        """All that was added: in a tuple where nothing is packed."""
        return PackedAudits(self._packed) if self.is_full else tuple(self._held)


def hold(audits: Iterable[SourceAudit], room: int = MOST_BLOCKS) -> Sequence[SourceAudit]:
    """Audits in order, to be looked into again and again."""
    holding = Holding(room)
    for audit in audits:
        holding.add(audit)
    return holding.audits()
