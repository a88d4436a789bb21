"""What decides how code is compiled, and the reasons why some is given up."""

from dataclasses import dataclass

# Levels of a syntax tree. Trees of 1,500 compile on 3.11, 3.12 and 3.13 with the default recursion limit; of 3,000 only
# on 3.13.
MAX_DEPTH = 1000
# What the compiler says when it has given up rather than judged; the text may be sound.
TOO_DEEP = "nested too deeply or too complex"
TOO_LARGE = "larger than the limit"
TOO_LONG = "a line longer than the limit"
# The reasons of a `skipped` block that nobody has judged: they make a run incomplete.
GAVE_UP = (TOO_LARGE, TOO_LONG, TOO_DEEP)


def beyond(reason: str, size: int, limit: int, key: str) -> str:
    """A reason of `GAVE_UP` with the limit, and the key of the configuration that raises it."""
    return f"{reason} ({size:,} of {limit:,} characters, limits.{key})"


@dataclass(frozen=True, slots=True)
class CompileOptions:
    """What the code is written for, and how much of it is looked at.

    `targets` are versions such as `3.10`; with none nothing is too new. A block of more than `max_size` characters, or
    with a line of more than `max_line`, is skipped, and so is one whose syntax tree has more levels than `max_nesting`;
    above `MAX_DEPTH` that says nothing, since there no tree is made. All are counted: the clock decides nothing.
    """

    targets: tuple[str, ...] = ()
    max_size: int = 1_000_000
    max_line: int = 200_000
    max_nesting: int = MAX_DEPTH
