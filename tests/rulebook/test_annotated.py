"""Rules tested by annotated code beside them."""

from pathlib import Path

from auditor.rulebook import Problem
from auditor.rulebook.annotated import Outcome, annotations, run_annotated

RULE = """rules:
- id: no-f
  severity: ERROR
  languages: [python]
  message: m
  pattern: f($X)
  fix: g($X)
"""


def test_annotations_speak_of_the_next_line() -> None:
    expected, ignored = annotations("# ruleid: a, b\nx\n# ok: a\ny\n#todoruleid:a\nz\n# ruleid: deepok: c\n")
    assert expected == {"a": {2}, "b": {2}, "c": {8}}
    assert ignored == {"a": {6}}


def run(tmp_path: Path, target: str, fixed: str | None = None) -> list[Outcome]:
    (tmp_path / "no-f.yaml").write_text(RULE, encoding="utf-8")
    (tmp_path / "no-f.py").write_text(target, encoding="utf-8")
    if fixed is not None:
        (tmp_path / "no-f.fixed.py").write_text(fixed, encoding="utf-8")
    found = list(run_annotated(tmp_path))
    assert not any(isinstance(one, Problem) for one in found)
    return [one for one in found if isinstance(one, Outcome)]


def test_a_rule_that_holds(tmp_path: Path) -> None:
    (tested,) = run(tmp_path, "# ruleid: no-f\nf(1)\n# ok: no-f\ng(1)\n# todook: no-f\nf(2)\n")
    assert tested.passed
    assert tested.expected == {2}


def test_a_rule_that_does_not_hold(tmp_path: Path) -> None:
    (tested,) = run(tmp_path, "# ruleid: no-f\ng(1)\nf(1)\n")
    assert not tested.passed
    assert tested.expected == {2}
    assert tested.found == {3}


def test_a_fix(tmp_path: Path) -> None:
    one, fix = run(tmp_path, "# ruleid: no-f\nf(f(1))\n", "# ruleid: no-f\ng(f(1))\n")
    assert one.passed
    assert fix.passed
    _, fix = run(tmp_path, "# ruleid: no-f\nf(1)\n", "# ruleid: no-f\nh(1)\n")
    assert "+g(1)" in fix.difference


def test_a_target_that_is_no_python_is_looked_at_where_it_can_be(tmp_path: Path) -> None:
    (tested,) = run(tmp_path, "print 'two' 3\n# ruleid: no-f\nf(1)\n")
    assert tested.passed
    assert tested.reason
