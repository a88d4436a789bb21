"""Every observation holds, and the recorded figures are what the experiments give today.

Run with `AUDITOR_RECORD_FIGURES=1` to write `auditor/evidence/figures.json` afresh.
"""

import json
import math
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from auditor.evidence import __main__ as command
from auditor.evidence import figures
from auditor.evidence.figures import as_json, recorded, rounded
from auditor.evidence.observation import Observation, Value, shown
from auditor.evidence.sections import SECTIONS

ROOT = Path(__file__).resolve().parents[2]
RECORD = ROOT / "auditor" / "evidence" / "figures.json"


def same(fresh: Value, kept: Value) -> bool:
    """Equal but for the last digits, which are one machine's own."""
    if isinstance(fresh, tuple) and isinstance(kept, tuple):
        return len(fresh) == len(kept) and all(map(same, fresh, kept))
    if isinstance(fresh, float) and isinstance(kept, float):
        return math.isclose(fresh, kept, rel_tol=1e-6, abs_tol=1e-12)
    return fresh == kept


@pytest.mark.parametrize("name", SECTIONS)
def test_everything_holds(name: str) -> None:
    assert [seen.name for seen in SECTIONS[name]() if not seen.holds] == []


def test_the_record_is_what_the_experiments_give() -> None:
    fresh = {name: observe() for name, observe in SECTIONS.items()}
    if os.environ.get("AUDITOR_RECORD_FIGURES"):
        RECORD.write_text(as_json(fresh), encoding="utf-8")
        recorded.cache_clear()
    kept = recorded()
    assert list(kept) == list(fresh)
    for section, observations in fresh.items():
        assert [(one.name, one.en, one.zh, one.rules) for one in kept[section]] == [
            (one.name, one.en, one.zh, one.rules) for one in observations
        ]
        for new, old in zip(observations, kept[section], strict=True):
            assert same(new.value, old.value), f"{section}/{new.name}: {new.value} now, {old.value} recorded"


def test_names_are_unique_in_their_section() -> None:
    for section in recorded().values():
        names = [one.name for one in section]
        assert len(set(names)) == len(names)


def test_figures_of_a_rule() -> None:
    lines = [one.line() for one in figures("residual-overwrite")]
    assert "F = 0 and x = (1, 2, 3, 4): the raw skip gives back: (1, 2, 3, 4)" in lines
    assert figures("no-such-rule") == ()


def test_figures_are_shown_without_numpy() -> None:
    code = (
        "import sys; sys.modules['numpy'] = None; from auditor.evidence import figures; "
        "print(len(figures('layernorm-sample-std'))); assert 'yaml' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout == "3\n"


def test_every_torch_rule_names_a_test_that_exists_and_has_figures() -> None:
    for path in sorted((ROOT / "rules" / "torch").glob("*.yaml")):
        for rule in yaml.safe_load(path.read_text(encoding="utf-8"))["rules"]:
            assert "evidence" in rule, path.name
            file, _, test = rule["evidence"].partition("::")
            assert f"def {test}(" in (ROOT / file).read_text(encoding="utf-8"), f"{path.name}: {rule['evidence']}"
            assert figures(rule["id"]), f"{path.name}: no figure is recorded for {rule['id']}"


def test_words_are_said_in_the_language_of_the_line() -> None:
    lines = [one.line("zh") for one in figures("kv-reuses-query-length")]
    assert "Tq = 2，Tk = 3：同样的代码：失败" in lines
    assert not [line for section in recorded().values() for one in section if "fails" in (line := one.line("zh"))]


def test_what_did_not_hold_is_not_recorded() -> None:
    with pytest.raises(ValueError, match="not recorded, since these did not hold: a/b"):
        as_json({"a": (Observation("b", "en", "zh", 1, holds=False),)})


def test_ten_digits_are_recorded() -> None:
    plain = json.loads(as_json({"a": (Observation("b", "en", "zh", 1 / 3, holds=True),)}))
    assert plain["a"][0]["value"] == 0.3333333333
    assert rounded((1, 1 / 3)) == (1, 0.3333333333)
    assert rounded("nan") == "nan"


@pytest.mark.parametrize(
    ("value", "text"),
    [((2, 4), "2×4"), ((1.0, 0.5), "(1, 0.5)"), (13.302384506, "13.3024"), (1000, "1000"), ("nan", "nan")],
)
def test_figures_as_people_read_them(value: Value, text: str) -> None:
    assert shown(value) == text


def test_the_command_prints_the_sections_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--section", "attention", "--section", "causality"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("attention\n  ok  ")
    assert "\ncausality\n" in out
    assert "heads" not in out
    assert out.endswith("11 checked, 0 did not hold\n")


def test_the_command_speaks_chinese(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--section", "shapes", "--lang", "zh"]) == 0
    assert "检查 2 项，0 项不成立" in capsys.readouterr().out


def test_the_command_lists_every_section() -> None:
    assert tuple(SECTIONS) == command.NAMES


def test_a_failure_is_said_and_exits_one(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    failing = {"shapes": lambda: (Observation("a", "two axes", "两根轴", "fails", holds=False),)}
    monkeypatch.setattr("auditor.evidence.sections.SECTIONS", failing)
    assert command.main(["--section", "shapes"]) == 1
    assert "  FAIL  two axes: fails\n1 checked, 1 did not hold\n" in capsys.readouterr().out


def test_without_numpy_one_line_says_what_to_install() -> None:
    code = "import sys; sys.modules['numpy'] = None; import importlib.util as u; f = u.find_spec\n"
    code += "u.find_spec = lambda name, *a: None if name == 'numpy' else f(name, *a)\n"
    code += "from auditor.evidence.__main__ import main; sys.exit(main([]))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 2
    assert done.stderr == "python -m auditor.evidence needs NumPy: pip install 'fence-auditor[evidence]'\n"
