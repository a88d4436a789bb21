"""What decides how code is compiled, and the reasons why some is given up."""

from dataclasses import dataclass

TOO_DEEP = "nested too deeply or too complex"
TOO_LARGE = "larger than the limit"
TOO_LONG = "a line longer than the limit"
# The reasons of a `skipped` block that nobody has judged: they make a run incomplete.
GAVE_UP = frozenset({TOO_LARGE, TOO_LONG, TOO_DEEP})


@dataclass(frozen=True, slots=True)
class CompileOptions:
    """What the code is written for, and how much of it is looked at.

    `targets` are versions such as `3.10`; with none nothing is too new. A block of more than `max_size` characters, or
    with a line of more than `max_line`, is skipped. The limits on nesting stand in `nesting`; all are counted, so that
    the clock decides nothing.
    """

    targets: tuple[str, ...] = ()
    max_size: int = 1_000_000
    max_line: int = 200_000
