"""The recorded figures of the experiments: read without NumPy, written only by the tests."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from auditor.evidence.observation import Observation, Value


def figures(rule: str) -> tuple[Observation, ...]:
    """What was recorded for a rule, by its id; empty where no experiment speaks for it."""
    return tuple(seen for section in recorded().values() for seen in section if rule in seen.rules)


@cache
def recorded() -> Mapping[str, tuple[Observation, ...]]:
    """Every recorded observation, by section; only observations that held are ever recorded."""
    sections = json.loads(files("auditor.evidence").joinpath("figures.json").read_text(encoding="utf-8"))
    return {
        name: tuple(
            Observation(
                one["name"],
                one["en"],
                one["zh"],
                tuple(one["value"]) if isinstance(one["value"], list) else one["value"],
                holds=True,
                rules=tuple(one["rules"]),
            )
            for one in section
        )
        for name, section in sections.items()
    }


def as_json(sections: Mapping[str, Sequence[Observation]]) -> str:
    """The text of `figures.json` for fresh observations. Raises `ValueError` where one of them did not hold."""
    failed = [f"{name}/{one.name}" for name, section in sections.items() for one in section if not one.holds]
    if failed:
        raise ValueError(f"not recorded, since these did not hold: {', '.join(failed)}")
    plain = {
        name: [
            {"name": one.name, "en": one.en, "zh": one.zh, "value": rounded(one.value), "rules": list(one.rules)}
            for one in section
        ]
        for name, section in sections.items()
    }
    return json.dumps(plain, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def rounded(value: Value) -> Value:
    """The value with ten significant digits: what lies below is the rounding of one machine and not of another."""
    if isinstance(value, tuple):
        return tuple(float(f"{item:.10g}") if isinstance(item, float) else item for item in value)
    return float(f"{value:.10g}") if isinstance(value, float) else value
