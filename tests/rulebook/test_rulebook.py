"""Rule files: what is read, and how each mistake is said."""

from itertools import pairwise
from pathlib import Path
from textwrap import dedent

import jsonschema
import pytest
import yaml

from auditor.matching.rule import All, Leaf, Sequence, Taint
from auditor.rulebook import Problem, Rule, load, load_text, message, shipped_rules
from auditor.rulebook.document import DocumentError, read
from auditor.rulebook.rules import plain
from auditor.rulebook.schema import SCHEMA


def problems_of(text: str) -> list[str]:
    return [str(problem) for problem in load_text(dedent(text).lstrip("\n"), "r.yaml")[1]]


def rules_of(text: str) -> tuple[Rule, ...]:
    rules, problems = load_text(dedent(text).lstrip("\n"), "r.yaml")
    assert problems == ()
    return rules


GOOD = """
rules:
  - id: one
    severity: WARNING
    languages: [python, javascript]
    message: m
    pattern: f(...)
"""


def test_a_semgrep_rule_is_read_as_it_is() -> None:
    (rule,) = rules_of(GOOD)
    assert (rule.id, rule.severity, rule.text("en"), rule.match, rule.line) == (
        "one",
        "warning",
        "m",
        Leaf("f(...)"),
        2,
    )


def test_rules_for_other_languages_are_passed_over() -> None:
    assert rules_of(GOOD.replace("[python, javascript]", "[go]").replace("pattern:", "whatever:")) == ()


def test_two_languages_of_a_message() -> None:
    (rule,) = rules_of(GOOD.replace("message: m", "message: {en: hello, zh: 你好}"))
    assert (rule.text("en"), rule.text("zh"), rule.text("fr")) == ("hello", "你好", "hello")


def test_our_own_keys() -> None:
    (rule,) = rules_of("""
    rules:
      - id: one
        severity: note
        message: m
        note: {en: why, zh: 为何}
        sequence:
          - {pattern: $X = f(), as: MADE}
          - {pattern: g($X), as: USED}
        where:
          - binding: {of: $X, from: MADE, to: USED}
        metavariable-regex: {metavariable: $X, regex: a}
        at: USED
        context: {kinds: [fence], join: document}
        fix: h()
        ensure-import: [import h]
        safety: unsafe
        evidence: tests/evidence/test_a.py::test_b
        links: [https://example.org]
        examples:
          finding: [{name: a, code: "x = f()\\ng(x)\\n", lines: [2]}]
          clean: [{name: b, page: "# t\\n"}]
          fixed: [{name: c, before: a, after: b}]
    """)
    assert isinstance(rule.match, Sequence)
    assert rule.match.at == "USED"
    assert rule.scope.join == "document"
    assert (rule.note, rule.safety, rule.ensure_import) == ("why", "unsafe", ("import h",))
    assert rule.examples.finding[0].lines == (2,)
    assert rule.examples.clean[0].page
    assert rule.examples.fixed[0].after == "b"


def test_a_rule_about_a_diagnosis() -> None:
    (rule,) = rules_of("rules: [{id: a, severity: error, message: $WIDTH of $OTHER-LINE, diagnosis: broken}]")
    assert (rule.match, rule.diagnosis) == (None, "broken")
    assert message(rule, {"width": "4"}) == "4 of $OTHER-LINE"


def test_options_that_are_no_switch_are_passed_over() -> None:
    (rule,) = rules_of(GOOD + "    options: {max_match_per_file: 5, symbolic_propagation: true}\n")
    assert rule.options == {"symbolic_propagation": True}


def test_taint_is_told_by_its_keys() -> None:
    (rule,) = rules_of(
        GOOD.replace("pattern: f(...)", "pattern-sources: [{pattern: a}]\n    pattern-sinks: [{pattern: b}]")
    )
    assert isinstance(rule.match, Taint)
    assert rule.match.sinks[0].exact
    assert not rule.match.sources[0].exact


def test_scalars_are_what_the_schema_says() -> None:
    (rule,) = rules_of(GOOD.replace("message: m", "message: no").replace("id: one", "id: 012"))
    assert (rule.id, rule.text("en")) == ("012", "no")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (GOOD.replace("pattern:", "patern:"), "r.yaml:6:5: patern: unknown key; did you mean 'pattern'?"),
        (GOOD.replace("severity: WARNING", "severity: bad"), "r.yaml:3:15: severity: is 'bad', not one of "),
        (GOOD.replace("    message: m\n", ""), "r.yaml:2:5: message: is missing"),
        (GOOD.replace("f(...)", "f(("), "r.yaml:6:14: pattern: the pattern is no Python"),
        (GOOD.replace("pattern: f(...)", "pattern-regex: ("), "r.yaml:6:20: pattern-regex: the regex "),
        (GOOD.replace("pattern: f(...)", "patterns: f"), "r.yaml:6:15: patterns: is no list"),
        (GOOD.replace("pattern: f(...)", "mode: taint"), "r.yaml:2:5: rules: the rule says nothing to match"),
        (GOOD.replace("pattern: f(...)", "pattern: f\n    diagnosis: d"), "r.yaml:2:5: rules: the rule is about "),
        (GOOD.replace("pattern: f(...)", "pattern: f\n    id: two"), "r.yaml:7:5: key 'id' stands twice: at "),
        (GOOD.replace("pattern: f(...)", "pattern: !!int 1"), "r.yaml:6:14: tag "),
        ("rules: [", "r.yaml:"),
        ("- a", "r.yaml:1:1: rules: is no mapping"),
        ("a: 1", "r.yaml:1:1: rules: is missing"),
        (GOOD + "    match: g()\n", "r.yaml:2:5: rules: the rule is written in the newer and in the older way at once"),
        (GOOD.replace("pattern: f(...)", "match: {al: [f()]}"), "r.yaml:6:13: al: unknown key; did you mean 'all'?"),
        (GOOD.replace("pattern: f(...)", "match: {all: [f((]}"), "r.yaml:6:"),
        (GOOD + "    focus-metavariable: X\n", "r.yaml:7:25: focus-metavariable: 'X' is no metavariable"),
        (GOOD + "    options: {symbolic_propagate: true}\n", "r.yaml:7:15: symbolic_propagate: unknown key; "),
        (GOOD + "    context: {kinds: [fences]}\n", "r.yaml:7:15: kinds: has 'fences', not one of "),
    ],
)  # fmt: skip
def test_a_mistake_is_said_with_its_place(text: str, said: str) -> None:
    first, *_ = problems_of(text)
    assert first.startswith(said)


def test_a_pattern_in_block_style_is_placed_at_its_own_line() -> None:
    text = GOOD.replace("pattern: f(...)", "pattern: |\n      f()\n      ...\n      g((\n      h(")
    assert problems_of(text)[0].startswith(("r.yaml:9:", "r.yaml:10:"))


def test_one_bad_rule_silences_no_other() -> None:
    text = (
        GOOD
        + "  - {id: two, severity: huge, message: m, pattern: g()}\n"
        + "  - {id: three, severity: error, message: m, pattern: h()}\n"
    )
    rules, problems = load_text(text.lstrip("\n"), "r.yaml")
    assert [rule.id for rule in rules] == ["one", "three"]
    assert len(problems) == 1


@pytest.mark.parametrize(
    "text",
    [
        "a: &a [x]\n" + "".join(f"{two}: &{two} [{','.join([f'*{one}'] * 9)}]\n" for one, two in pairwise("abcdefghi")),
        "[" * 1000,
        "a: &a [*a]",
        "*nothing",
        "!!python/object/apply:os.system [x]",
        "a: 1\n---\nb: 2",
        "? [a]\n: b",
        "\x00",
        "a: 'b",
        "\ud800",
    ],
)  # fmt: skip
def test_hostile_documents_are_refused(text: str) -> None:
    with pytest.raises(DocumentError):
        read(text)


def test_an_alias_stands_for_what_it_names() -> None:
    assert plain(read("a: &x [1, no]\nb: *x\nc: 3.10")) == {"a": ["1", "no"], "b": ["1", "no"], "c": "3.10"}


def test_files_and_folders(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(GOOD, encoding="utf-8")
    (tmp_path / "b.yml").write_text(GOOD.replace("id: one", "id: two"), encoding="utf-8")
    (tmp_path / "b.test.yaml").write_text("nothing: here", encoding="utf-8")
    (tmp_path / "c.yaml").write_bytes(b"\xff")
    book = load([tmp_path], builtin=False)
    assert [rule.id for rule in book.rules] == ["one", "two"]
    assert [problem.message for problem in book.problems] == ["cannot be read: is no UTF-8"]
    again = load([tmp_path / "a.yaml", tmp_path / "a.yaml"], builtin=False)
    assert len(again.rules) == 1
    assert "is taken by" in again.problems[0].message


def test_the_digest_covers_texts_and_choice(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_text(GOOD, encoding="utf-8")
    book = load([file], builtin=False)
    assert book.digest == load([file], builtin=False).digest
    assert book.chosen(lambda _: True) is book
    assert book.chosen(lambda _: False).digest != book.digest
    file.write_text(GOOD + "# changed\n", encoding="utf-8")
    assert load([file], builtin=False).digest != book.digest


def test_shipped_rules_are_read_without_a_mistake() -> None:
    assert load([]).problems == ()


def test_shipped_rules_speak_two_languages_and_say_why() -> None:
    for rule in load([]).rules:
        assert set(rule.messages) == {"en", "zh"}, rule.id
        assert rule.note, rule.id


def test_shipped_rules_agree_with_the_schema_that_editors_read() -> None:
    validator = jsonschema.Draft202012Validator(SCHEMA)
    validator.check_schema(SCHEMA)
    for file in sorted(shipped_rules().rglob("*.yaml")):
        wrong = [error.message for error in validator.iter_errors(yaml.safe_load(file.read_text(encoding="utf-8")))]
        assert wrong == [], file.name


def test_the_schema_refuses_what_the_rulebook_refuses() -> None:
    validator = jsonschema.Draft202012Validator(SCHEMA)
    assert validator.is_valid(yaml.safe_load(GOOD))
    assert not validator.is_valid(yaml.safe_load(GOOD.replace("pattern:", "patern:")))


def test_a_problem_is_one_line() -> None:
    assert str(Problem("a.yaml", 1, 2, "k", "is wrong")) == "a.yaml:1:2: k: is wrong"


def test_clauses_of_a_rule_stand_together() -> None:
    (rule,) = rules_of(
        GOOD.replace("pattern: f(...)", "pattern: f($X)\n    metavariable-regex: {metavariable: $X, regex: a}")
    )
    assert isinstance(rule.match, All)
    assert len(rule.match.conditions) == 1
