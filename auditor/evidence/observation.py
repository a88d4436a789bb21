"""What an experiment saw: a statement in two languages, the figure that carries it, and whether it held."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Value = int | float | str | tuple[float, ...]

# What a value says in a word.
_ZH: Mapping[str, str] = {
    "fails": "失败",
    "fails inside": "在内部失败",
    "finite": "有限",
    "fits": "相容",
    "nan": "NaN",
    "no": "否",
    "yes": "是",
}


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
        value = shown(self.value)
        return f"{self.zh}：{_ZH.get(value, value)}" if lang == "zh" else f"{self.en}: {value}"


def shown(value: Value) -> str:
    """A figure as people read it: six significant digits, rows in parentheses, shapes with a cross."""
    if isinstance(value, tuple):
        if all(isinstance(item, int) for item in value):
            return "×".join(str(item) for item in value)
        return f"({', '.join(shown(item) for item in value)})"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
