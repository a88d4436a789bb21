"""How large a rule file may be; counted before anything of it is built."""

from dataclasses import dataclass

# Bytes of one rule file.
MOST_BYTES = 8_000_000


@dataclass(frozen=True, slots=True)
class Bounds:
    """How deep the values of a document may nest, and how many there may be, aliases counted by what they stand for."""

    depth: int = 64
    values: int = 1_000_000


USUAL = Bounds()
