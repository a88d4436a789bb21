"""What an experiment saw: a statement in two languages, the figure that carries it, and whether it held."""

from dataclasses import dataclass
from typing import Literal

Value = int | float | str | tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Observation:
    """One thing seen on numbers.

    `name` is unique in its section. `en` and `zh` say what the figure is and end where it follows. `value` is a pure
    number, a shape, a row, or a word such as `nan` or `fails`. `holds` says whether the figure is what the statement
    needs. `rules` are the rules whose claim it shows; an observation without rules checks the reference alone.
    """

    name: str
    en: str
    zh: str
    value: Value
    holds: bool
    rules: tuple[str, ...] = ()

    def line(self, lang: Literal["en", "zh"] = "en") -> str:
        """The statement and its figure, on one line."""
        return f"{self.zh}：{shown(self.value)}" if lang == "zh" else f"{self.en}: {shown(self.value)}"


def shown(value: Value) -> str:
    """A figure as people read it: six significant digits, rows in parentheses, shapes with a cross."""
    if isinstance(value, tuple):
        if all(isinstance(item, int) for item in value):
            return "×".join(str(item) for item in value)
        return f"({', '.join(shown(item) for item in value)})"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
