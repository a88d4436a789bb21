"""Rule files that explode, lie or leak: one line with file, line and column, exit 2, no traceback, and nothing echoed.

The numbers are those of the forty inputs that the tool is held to.
"""

import json
import os
import resource
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from shelf import Shelf, fence

from auditor.matching import find, prepare
from auditor.rulebook import Bounds, load_text

Clause = Mapping[str, Any]

BOMB = "a0: &a0 [l,l,l,l,l,l,l,l,l]\n" + "".join(
    f"a{number}: &a{number} [{','.join([f'*a{number - 1}'] * 9)}]\n" for number in range(1, 9)
)
HEAD = "rules:\n  - id: mine\n    languages: [python]\n    severity: warning\n    message: m\n"


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (BOMB, 7, "aliases expand"),
        (f"{HEAD}    id: other\n    pattern: x\n", 6, "at lines 2 and 6"),
        (f"{HEAD}    pattern: !!int ''\n", 6, "tag"),
        (f"{HEAD}    pattern: !!timestamp x\n", 6, "tag"),
        ("!!bool maybe\n", 1, "tag"),
        (f"{HEAD}    pattern: [\n", 7, "no YAML"),
        ("[" * 1000 + "]" * 1000, 1, "nested too deeply"),
        ("&a [*a]\n", 1, "alias"),
        ('!!python/object/apply:os.system ["id"]\n', 1, "tag"),
        (f"{HEAD}    pattern: 'f('\n", 6, "pattern"),
        (f"{HEAD}    pattern: x\n    \x00: y\n", 7, "no YAML"),
    ],
    ids=[
        "27-bomb", "28-duplicate", "30-integer", "30-timestamp", "30-truth", "30-cut", "31-deep", "31-self",
        "31-python", "pattern", "nul",
    ],
)  # fmt: skip
def test_a_rule_file_that_is_not_read(shelf: Shelf, text: str, line: int, said: str) -> None:
    shelf.add("mine.yaml", text)
    shelf.add("bad.md", fence("bad("))
    run = shelf.audit("--rules", "mine.yaml")
    assert run.code == 2
    (told,) = [one for one in run.err.split("\n") if "mine.yaml" in one]
    assert f"mine.yaml:{line}:" in told
    assert said in told
    assert "Traceback" not in run.err
    # The shipped rules ran all the same.
    assert run.rules("bad.md") == ["unclosed-bracket"]
    assert run.seconds < 5
    assert shelf.run("ledger", "--no-cache", "--rules", "mine.yaml").code == 2
    assert not (shelf.root / "reports").exists()


def test_29_words_that_yaml_takes_for_values_are_text(shelf: Shelf) -> None:
    shelf.add(
        "mine.yaml", f"{HEAD.replace('message: m', 'message: no')}    pattern: x = 012.5\n    metadata: {{v: 3.10}}\n"
    )
    shelf.add("page.md", fence("x = 012.5"))
    run = shelf.audit("--rules", "mine.yaml")
    assert [one["message"] for one in run.document["findings"] if one["rule"] == "mine"] == ["no"]


def test_32_a_regex_that_explodes_costs_its_own_rule_alone(shelf: Shelf) -> None:
    shelf.add("mine.yaml", f"{HEAD}    pattern-regex: (a|a)+$\n")
    shelf.add("page.md", fence(f'x = "{"a" * 60}!"\nbad = 1'))
    shelf.add("bad.md", fence("bad("))
    run = shelf.audit("--rules", "mine.yaml")
    assert run.seconds < 5
    (told,) = [one["message"] for one in run.document["findings"] if one["rule"] == "rules-not-applied"]
    assert "mine" in told
    assert "too long" in told
    assert run.rules("bad.md", "error") == ["unclosed-bracket"]


@pytest.mark.parametrize(
    ("step", "wrong"),
    [
        (lambda part: {"patterns": [part]}, 0),
        (lambda part: {"patterns": [{"pattern-either": [part, {"pattern": "g($X)"}]}, {"pattern": "f($X)"}]}, 0),
        (
            lambda part: {"patterns": [{"pattern": "f($X)"}, {"metavariable-pattern": {"metavariable": "$X", **part}}]},
            1,
        ),
    ],
    ids=["all", "any", "metavariables"],
)
def test_clauses_in_clauses_cost_no_power_of_them(step: Callable[[Clause], Clause], wrong: int) -> None:
    clause: Clause = {"pattern": "f($X)"}
    for _ in range(24):
        clause = step(clause)
    rule = {"id": "mine", "languages": ["python"], "severity": "warning", "message": "m", **clause}
    rules, problems = load_text(json.dumps({"rules": [rule]}), "mine.yaml", Bounds(depth=200))
    assert not problems
    found = find(prepare(rules), "f(f(f(1)))\n")
    assert bool(found.not_applied) is bool(wrong)
    assert bool(found.matches) is not bool(wrong)


def test_how_long_a_regex_may_search_is_a_setting(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    allowed: list[float] = []

    class Recorded:
        def finditer(self, _: str, timeout: float) -> Iterator[None]:
            allowed.append(timeout)
            return iter(())

    monkeypatch.setattr("auditor.matching.search.compile_regex", lambda _: Recorded())
    shelf.add("mine.yaml", f"{HEAD}    pattern-regex: x\n")
    shelf.add("auditor.toml", "[limits]\nregex-milliseconds = 20\n")
    assert shelf.run("audit", "--no-cache", "--rules", "mine.yaml", "--no-builtin-rules").code == 0
    assert set(allowed) == {0.02}


def test_a_comparison_whose_regex_explodes_is_not_held_for_false(shelf: Shelf) -> None:
    shelf.add(
        "mine.yaml",
        f"{HEAD}    patterns:\n      - pattern: f($X)\n      - metavariable-comparison:\n"
        "          metavariable: $X\n          comparison: re.match('(a|a)+$', $X)\n",
    )
    shelf.add("page.md", fence(f"f('{'a' * 60}!')"))
    run = shelf.audit("--rules", "mine.yaml")
    assert "rules-not-applied" in run.rules("page.md")


@pytest.mark.parametrize("comparison", ["$X * $Y > 5", "$X % $Y > 5", "len($X * $Y) > 5"])
def test_a_comparison_makes_no_long_texts(shelf: Shelf, comparison: str) -> None:
    shelf.add(
        "mine.yaml",
        f"{HEAD}    patterns:\n      - pattern: f($X, $Y)\n      - metavariable-comparison:\n"
        f"          metavariable: $X\n          comparison: {comparison}\n",
    )
    shelf.add("page.py", "f('%2000000000d', 2000000000)\nf(2, 3)\n")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    run = shelf.audit("--rules", "mine.yaml", "--no-builtin-rules")
    assert run.code == 0
    assert [one["line"] for one in run.document["findings"]] == ([2] if comparison.startswith("$X *") else [])
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < peak + 500_000


def test_a_configuration_that_is_not_read_is_never_echoed(shelf: Shelf) -> None:
    shelf.add("auditor.toml", "token = 'sesame\n")
    run = shelf.run("audit", "--no-cache")
    assert run.code == 2
    assert "auditor.toml" in run.err
    assert "sesame" not in run.out + run.err


def test_many_marks_of_one_name_stay_one_line(shelf: Shelf) -> None:
    shelf.add("mine.yaml", json.dumps({"rules": [{"id": "x\n::error::y", "languages": ["python"]}]}))
    run = shelf.audit("--rules", "mine.yaml")
    assert run.code == 2
    assert all(not line.startswith("::") for line in run.err.split("\n"))


@pytest.mark.parametrize(
    "key", ["two\nlines", "\x1b[2J", "nel\x85ls\u2028", "k" * 1000], ids=["lf", "esc", "nel", "long"]
)
def test_a_key_of_any_kind_is_said_on_one_short_line(key: str) -> None:
    _, problems = load_text(json.dumps({"rules": [], key: 1}), "mine.yaml")
    (told,) = map(str, problems)
    assert told.isprintable()
    assert len(told) < 600
    assert "unknown key" in told


def test_a_folder_of_rules_leads_nowhere_else(shelf: Shelf) -> None:
    (shelf.root.parent / "secret.yaml").write_text("sesame: open\n")
    shelf.add("mine/good.yaml", f"{HEAD}    pattern: x = $X\n")
    (shelf.root / "mine" / "out.yaml").symlink_to("../../secret.yaml")
    (shelf.root / "mine" / "loop.yaml").symlink_to("loop.yaml")
    os.mkfifo(shelf.root / "mine" / "pipe.yaml")
    run = shelf.audit("--rules", "mine")
    assert run.code == 2
    assert "sesame" not in run.out + run.err
    for name in ("out.yaml", "loop.yaml", "pipe.yaml"):
        assert f"mine/{name}:1:1: cannot be read: " in run.err
    assert "mine" in run.rules("aaa.md")


def test_the_limits_of_rule_files_are_settings(shelf: Shelf) -> None:
    shelf.add("mine.yaml", f"{HEAD}    patterns:\n      - pattern: x = $X\n")
    assert shelf.audit("--rules", "mine.yaml").code == 0
    shelf.add("auditor.toml", "[limits]\nyaml-depth = 3\n")
    run = shelf.audit("--rules", "mine.yaml")
    assert run.code == 2
    assert "nested too deeply" in run.err
    shelf.add("auditor.toml", "[limits]\nyaml-values = 5\n")
    assert "larger than the limit" in shelf.audit("--rules", "mine.yaml").err


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("(" * 1400, "nested too deeply"),
        ("f'{" + "(" * 1400 + "a" + ")" * 1400 + "}'", "nested too deeply"),
        ("a" + ".b" * 5000, "nested too deeply"),
        ("match a:\n  case " + "{1:" * 14 + "b" + "}" * 14 + ": ...", "nested too deeply"),
        ("if a: ...\n" + "elif b: ...\n" * 1000, "nested too deeply"),
        ("<... " * 1500 + "a" + " ...>" * 1500, "nested too deeply"),
        ("f(" + "a=1, " * 20_000 + ")", "larger than the limit"),
        ("'a' b'a'", "cannot be read"),
    ],
    ids=["open", "formatted", "attributes", "case", "clauses", "deep", "arguments", "bytes"],
)
def test_a_pattern_that_would_kill_the_parser_is_a_problem_of_its_rule(shelf: Shelf, pattern: str, said: str) -> None:
    rule = {"id": "mine", "languages": ["python"], "severity": "warning", "message": "m", "pattern": pattern}
    shelf.add("mine.yaml", json.dumps({"rules": [rule]}))
    run = shelf.audit("--rules", "mine.yaml")
    assert run.code == 2
    (told,) = [line for line in run.err.split("\n") if "mine.yaml:1:" in line]
    assert said in told
