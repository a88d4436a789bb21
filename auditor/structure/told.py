"""What the text around a block tells of it; importing this loads no parser."""

from dataclasses import dataclass

# Where a block stands in groups of which a reader chooses one part: for each group, the outermost first, the group and
# the part, by where they begin.
Choice = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Told:
    """What is told of a block by the text around it.

    `fails` says that it, or the text near by, speaks of an error that wrong names and calls lead to; `exercise` that it
    stands in an exercise; `wished` that the text before it asks to change what it uses; `past` that it shows what was,
    or what is to be replaced. `asked` are the names that a reader is asked to write. `choice` is empty where a block
    stands in no tab.
    """

    fails: bool = False
    exercise: bool = False
    wished: bool = False
    past: bool = False
    asked: frozenset[str] = frozenset()
    choice: Choice = ()


# Of a block around which nobody looked.
UNTOLD = Told()
