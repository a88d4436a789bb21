"""Clauses, conditions, focus, taint and fixes of rules, written as users write them."""

from textwrap import dedent
from typing import TYPE_CHECKING

import pytest

from auditor.matching import Matches, find, prepare
from auditor.matching.explanation import explain
from auditor.matching.rule import Rule
from auditor.rulebook import load_text, message

if TYPE_CHECKING:
    from auditor.model import Edit


def rule_of(body: str) -> Rule:
    head = "rules:\n- id: r\n  severity: ERROR\n  languages: [python]\n  message: found $X\n"
    rules, problems = load_text(
        head + "".join(f"  {line}\n" for line in dedent(body).strip("\n").split("\n")), "r.yaml"
    )
    assert [str(problem) for problem in problems] == []
    return rules[0]


def look(body: str, code: str) -> Matches:
    return find(prepare([rule_of(body)]), dedent(code))


def lines(body: str, code: str) -> list[int]:
    code = dedent(code).lstrip("\n")
    result = find(prepare([rule_of(body)]), code)
    assert result.not_applied is None
    return [code.count("\n", 0, match.start) + 1 for match in result.matches]


def fixed(body: str, code: str) -> str:
    code = dedent(code).lstrip("\n")
    edits: list[Edit] = [edit for match in look(body, code).matches for edit in match.fix or ()]
    for edit in sorted(set(edits), key=lambda edit: -edit.start):
        code = code[: edit.start] + edit.replacement + code[edit.end :]
    return code


def test_all_of_some_clauses_give_the_inner_range() -> None:
    body = """
    patterns:
      - pattern: f($X)
      - pattern-inside: |
          def $F($X, ...):
            ...
    """
    assert lines(body, "def g(a):\n    f(a)\n    f(b)\nf(a)\n") == [2]


def test_a_clause_around_is_no_match() -> None:
    body = """
    patterns:
      - pattern-inside: g(...)
      - pattern: f(...)
    """
    assert lines(body, "g(\n  f(1)\n)\nf(g(1))\n") == [2]


def test_not_takes_equal_ranges_away() -> None:
    body = """
    patterns:
      - pattern: f(...)
      - pattern-not: f(..., safe=True, ...)
    """
    assert lines(body, "f(1)\nf(1, safe=True)\ng(f(f(2, safe=True)))\n") == [1, 3]


def test_not_inside_takes_what_lies_within_away_under_the_same_names() -> None:
    body = """
    patterns:
      - pattern: use($X)
      - pattern-not-inside: |
          $X = safe()
          ...
    """
    assert lines(body, "a = safe()\nuse(a)\nuse(b)\n") == [3]


def test_either() -> None:
    assert lines("pattern-either: [{pattern: f()}, {pattern: g()}]", "f()\ng()\nh()\n") == [1, 2]


def test_a_clause_may_be_clauses() -> None:
    body = """
    patterns:
      - pattern: f($X)
      - pattern-not-inside:
          pattern-either:
            - pattern: g(...)
            - pattern: h(...)
    """
    assert lines(body, "f(1)\ng(f(1))\nh(f(1))\n") == [1]


def test_a_regex_on_the_text() -> None:
    assert lines(r"pattern-regex: 'TODO\(\w+\)'", "x = 1  # TODO(me)\ny = 1\n") == [1]


def test_a_regex_takes_away_what_it_touches() -> None:
    body = """
    patterns:
      - pattern: f(...)
      - pattern-not-regex: 'f\\(0'
    """
    assert lines(body, "f(0)\nf(1)\n") == [2]


def test_regex_on_a_metavariable_is_anchored_at_the_left() -> None:
    body = """
    patterns:
      - pattern: $F(...)
      - metavariable-regex: {metavariable: $F, regex: ab}
    """
    assert lines(body, "abc()\ncab()\n") == [1]


def test_regex_on_the_name_that_an_import_gives() -> None:
    body = """
    patterns:
      - pattern: hashlib.$F(...)
      - metavariable-regex: {metavariable: $F, regex: md5}
    """
    code = "from hashlib import md5 as m, sha1 as s\n" + "def f():\n    m(1)\n    s(1)\n"
    assert lines(body, code) == [3]
    filler = "".join(f"def filler_{number}(a):\n    return a * {number}\n" for number in range(200))
    assert lines(body, code + filler) == [3]


def test_regex_on_a_string_that_is_put_together() -> None:
    body = """
    patterns:
      - pattern: f("$X")
      - metavariable-regex: {metavariable: $X, regex: abcd}
    """
    assert lines(body, "f('ab' + 'cd')\n") == [1]


def test_regex_on_a_constant() -> None:
    body = """
    patterns:
      - pattern: f($X)
      - metavariable-regex: {metavariable: $X, regex: ab, constant-propagation: true}
    """
    assert lines(body, "a = 'abc'\nf(a)\n") == [2]


@pytest.mark.parametrize(
    ("comparison", "found"),
    [("$X < 10", [1]), ("$X % 2 == 0 and $X > 5", [2]), ("int($X) in [3, 4]", [1]), ("$X << 2", []), ("1 +", None)],
)
def test_comparison(comparison: str, found: list[int] | None) -> None:
    body = f"""
    patterns:
      - pattern: f($X)
      - metavariable-comparison: {{metavariable: $X, comparison: {comparison!r}}}
    """
    if found is None:
        with pytest.raises(AssertionError):
            lines(body, "f(1)\n")
        return
    assert (
        lines(body, "f(3)\nN = 12\ndef g():\n    f(N)\nf(y)\n".replace("N = 12\ndef g():\n    f(N)", "f(12)")) == found
    )


def test_pattern_on_a_metavariable() -> None:
    body = """
    patterns:
      - pattern: f($X)
      - metavariable-pattern:
          metavariable: $X
          patterns:
            - pattern: $A + $B
            - pattern-not: $A + 1
    """
    assert lines(body, "f(a + b)\nf(a + 1)\nf(a)\n") == [1]


def test_pattern_on_the_name_of_an_attribute() -> None:
    body = """
    patterns:
      - pattern: m.$F(...)
      - metavariable-pattern: {metavariable: $F, pattern-either: [{pattern: a}, {pattern: b}]}
    """
    assert lines(body, "m.a()\nm.c()\nm.b()\n") == [1, 3]


def test_pattern_on_text() -> None:
    body = """
    patterns:
      - pattern: f("$X")
      - metavariable-pattern: {metavariable: $X, language: generic, pattern: "<$TAG ..."}
    """
    assert lines(body, "f('<b> x')\nf('b > x')\n") == [1]


def test_type_of_a_metavariable() -> None:
    body = """
    patterns:
      - pattern: f($X)
      - metavariable-type: {metavariable: $X, type: int}
    """
    assert lines(body, "f(1)\nf('')\n") == [1]


def test_focus() -> None:
    body = """
    patterns:
      - pattern: f($X, $Y)
      - focus-metavariable: $Y
    """
    code = "f(1,\n  2)\n"
    (match,) = look(body, code).matches
    assert code[match.start : match.end] == "2"
    assert {name: bound.text for name, bound in match.bindings.items()} == {"$X": "1", "$Y": "2"}


def test_at_a_metavariable() -> None:
    code = "f(1,\n  2)\n"
    (match,) = look("pattern: f($X, $Y)\nat: $Y", code).matches
    assert code[match.start : match.end] == "2"


def test_a_comment_that_belongs_to_a_statement() -> None:
    body = """
    comment:
      regex: shape
      on: {pattern: $X = f()}
    """
    code = """
    # the shape of it
    a = f()
    b = f()  # shape
    c = f()  # other
    d = "# shape"
    e = f()
    """
    assert lines(body, code) == [2, 3]


def test_paths() -> None:
    program = prepare([rule_of("pattern: f()\npaths: {include: ['*.py', docs/**], exclude: [tests/]}")])
    assert [bool(find(program, "f()\n", path=path).matches) for path in ("a/b.py", "docs/x/y.md", "c.md")] == [
        True, True, False,
    ]  # fmt: skip


def test_where_a_rule_looks() -> None:
    program = prepare([rule_of("pattern: f()\ncontext: {kinds: [fence], contexts: [method]}")])
    assert find(program, "f()\n", kind="fence", context="method").matches
    assert not find(program, "f()\n", kind="file", context="method").matches
    assert not find(program, "f()\n", kind="fence", context="module").matches


def test_imports_of_earlier_texts_count_where_a_rule_joins_them() -> None:
    alone = prepare([rule_of("pattern: torch.nn.Linear(...)")])
    joined = prepare([rule_of("pattern: torch.nn.Linear(...)\ncontext: {join: document}")])
    earlier, later = ("from torch import nn as n\n",), "n.Linear(1)\n"
    assert not find(alone, later, before=earlier).matches
    assert find(joined, later, before=earlier).matches


# Taint

TAINT = """
mode: taint
pattern-sources: [{pattern: source(...)}]
pattern-sinks: [{pattern: sink(...)}]
pattern-sanitizers: [{pattern: clean(...)}]
"""


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("x = source()\nsink(x)\n", [2]),
        ("x = clean(source())\nsink(x)\n", []),
        ("x = source()\nx = 1\nsink(x)\n", []),
        ("x = 'a' + source()\ny = [x]\nsink(f'{y}')\n", [3]),
        ("a, b = source(), 1\nsink(b)\nsink(a)\n", [3]),
        ("x = source()\ndef f(x):\n    sink(x)\n", []),
        ("def f(c):\n    x = 1\n    if c:\n        x = source()\n    sink(x)\n", [5]),
        ("for x in source():\n    sink(x)\n", [2]),
        ("o.a = source()\nsink(o.b)\nsink(o.a)\n", [3]),
        ("x = source()\nsink(clean(x))\n", []),
        ("sink(1)\n", []),
        ("x = source()\ndef f():\n    sink(x)\n", [3]),
        ("def f():\n    x = source()\n    def g():\n        sink(x)\n", []),
        ("sink(source()[1:])\nsink(source()[1])\n", [2]),
        ("for i, j in source():\n    sink(j)\n", [2]),
        ("x = source()\nsink(lambda: x)\n", []),
        ("x = 1 if source() else 2\nsink(x)\n", []),
        ("with source() as x:\n    sink(x.read())\n", [2]),
        ("x = source()\nx += 1\nsink(x)\n", [3]),
    ],
)
def test_taint(code: str, found: list[int]) -> None:
    assert lines(TAINT, code) == found


def test_taint_from_a_parameter() -> None:
    body = """
    mode: taint
    pattern-sources:
      - patterns: [{pattern: "def handler($X, ...): ..."}, {focus-metavariable: $X}]
    pattern-sinks: [{patterns: [{pattern: run($S)}, {focus-metavariable: $S}]}]
    """
    assert lines(body, "def handler(e, c):\n    run(e['a'])\n    run(c)\n") == [2]


def test_a_sanitizer_by_side_effect_ends_taint_behind_it() -> None:
    body = """
    mode: taint
    pattern-sources: [{pattern: source()}]
    pattern-sinks: [{pattern: sink($X)}]
    pattern-sanitizers: [{patterns: [{pattern: check($X)}, {focus-metavariable: $X}], by-side-effect: true}]
    """
    assert lines(body, "x = source()\nsink(x)\ncheck(x)\nsink(x)\n") == [2]


def test_a_source_by_side_effect_taints_from_there_on() -> None:
    body = """
    mode: taint
    pattern-sources: [{patterns: [{pattern: fill($X)}, {focus-metavariable: $X}], by-side-effect: true}]
    pattern-sinks: [{pattern: sink(...)}]
    """
    assert lines(body, "x = []\nsink(x)\nfill(x)\nsink(x)\nx = 1\nsink(x)\n") == [4]


@pytest.mark.parametrize(
    ("requires", "found"),
    [("A", [3, 5]), ("A and B", [5]), ("A and not B", [3]), ("B or A", [3, 4, 5]), ("not A", [4]), ("C", [])],
)
def test_labels_that_a_sink_asks_for(requires: str, found: list[int]) -> None:
    body = f"""
    mode: taint
    pattern-sources: [{{pattern: a(), label: A}}, {{pattern: b(), label: B}}]
    pattern-sinks: [{{pattern: sink(...), requires: {requires}}}]
    """
    assert lines(body, "x = a()\ny = b()\nsink(x)\nsink(y)\nsink(x + y)\n") == found


def test_a_source_that_asks_for_a_label() -> None:
    body = """
    mode: taint
    pattern-sources: [{pattern: a(), label: A}, {pattern: $X.strip(), label: B, requires: A}]
    pattern-sinks: [{pattern: sink(...), requires: B}]
    """
    assert lines(body, "x = a()\nsink(x)\ny = x.strip()\nsink(y)\nz = q.strip()\nsink(z)\n") == [4]


def test_a_sink_that_asks_for_nothing_takes_plain_sources() -> None:
    body = """
    mode: taint
    pattern-sources: [{pattern: a(), label: A}, {pattern: b()}]
    pattern-sinks: [{pattern: sink(...)}]
    """
    assert lines(body, "sink(a())\nsink(b())\n") == [2]


def test_a_propagator_carries_taint_to_another_name() -> None:
    body = """
    mode: taint
    pattern-sources: [{pattern: source()}]
    pattern-sinks: [{pattern: sink($X)}]
    pattern-propagators: [{pattern: $TO.append($FROM), from: $FROM, to: $TO}]
    """
    assert lines(body, "y = []\nsink(y)\ny.append(source())\nsink(y)\ny = []\nsink(y)\n") == [4]
    assert lines(body, "y = []\nif c:\n    y.append(source())\nsink(y)\n") == [4]


# The newer way to write clauses

NEWER = "def a(x):\n  use(x)\n  use(1)\nuse(2)\ng(use(3))\n"


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("match: use($X)", [2, 3, 4, 5]),
        ("match: {pattern: use(1)}", [3]),
        ("match: {all: [use($X), {inside: 'def $F(...): ...'}]}", [2, 3]),
        ("match: {all: [use($X), {not: {inside: 'def $F(...): ...'}}]}", [4, 5]),
        ("match: {all: [use($X), {not: use(1)}]}", [2, 4, 5]),
        ("match: {any: [use(1), use(2)]}", [3, 4]),
        ("match: {all: [use($X)], where: [{metavariable: $X, regex: '[0-9]'}]}", [3, 4, 5]),
        ("match: {all: [use($X)], where: [{comparison: $X > 1}]}", [4, 5]),
        ("match: {pattern: g($X), where: [{metavariable: $X, pattern: use($Y)}]}", [5]),
        ("match: {pattern: use($X), where: [{metavariable: $X, any: ['1', '3']}]}", [3, 5]),
        ("match: {pattern: use($X), where: [{metavariable: $X, type: int}, {focus: $X}]}", [3, 4, 5]),
        ("match: {regex: use.1}", [3]),
    ],
)
def test_match(body: str, found: list[int]) -> None:
    assert lines(body, NEWER) == found


def test_taint_in_the_newer_way() -> None:
    body = """
    mode: taint
    taint:
      sources: [source()]
      sinks: [{pattern: sink(...)}]
      sanitizers: [clean(...)]
      propagators: [{pattern: $TO.append($FROM), from: $FROM, to: $TO}]
    """
    assert lines(body, "x = source()\nsink(x)\nsink(clean(x))\ny.append(x)\nsink(y)\n") == [2, 5]


# Fixes


def test_fix() -> None:
    assert fixed("pattern: f($X)\nfix: g($X, 1)", "x = f(a)\n") == "x = g(a, 1)\n"


def test_fix_puts_in_what_is_written() -> None:
    body = "pattern: $M.old($X)\nfix: new($M, $X)\n"
    assert (
        fixed(body, "from m import old as o\nimport n as k\nk.old(1)\n")
        == "from m import old as o\nimport n as k\nnew(k, 1)\n"
    )


def test_fix_of_several_lines_keeps_the_margin() -> None:
    code = "if a:\n    f(b)\n"
    assert fixed("pattern: f($X)\nfix: |\n  with g():\n    f($X)\n", code) == "if a:\n    with g():\n      f(b)\n"


def test_fix_with_nothing_takes_the_line_away() -> None:
    assert fixed("pattern: f()\nfix: ''", "a\nf()\nb\n") == "a\nb\n"


def test_fix_by_a_regex() -> None:
    body = "pattern: f(...)\nfix-regex: {regex: '(a)(b)', replacement: '\\2\\1', count: 1}"
    assert fixed(body, "f(ab, ab)\n") == "f(ba, ab)\n"


def test_an_import_that_a_fix_needs() -> None:
    body = "pattern: f($X)\nfix: math.f($X)\nensure-import: import math"
    assert (
        fixed(body, '"""Doc."""\nimport os\n\nf(1)\nf(2)\n')
        == '"""Doc."""\nimport os\nimport math\n\nmath.f(1)\nmath.f(2)\n'
    )
    assert fixed(body, "import math\nf(1)\n") == "import math\nmath.f(1)\n"


# Messages, reasons, explanations


def test_message_names_what_was_found() -> None:
    rule = rule_of("pattern: f($X)")
    (match,) = find(prepare([rule]), "f(a.b)\n").matches
    assert message(rule, {name: bound.text for name, bound in match.bindings.items()}) == "found a.b"


def test_a_regex_without_end_is_a_reason_and_no_hang() -> None:
    result = look("pattern-regex: (a|aa)+$", 'x = "' + "a" * 90 + '!"\n')
    assert result.matches == ()
    assert "too long" in (result.not_applied or "")


def test_a_text_that_cannot_be_read_is_a_reason() -> None:
    program = prepare([rule_of("pattern: f()")])
    for code in ("f(\n", "f()\nx = " + "(" * 500 + ")" * 500 + "\n", "f()\nx = -" + "-" * 100_000 + "1\n"):
        assert find(program, code).not_applied


def test_a_text_without_the_words_is_not_parsed() -> None:
    assert find(prepare([rule_of("pattern: f()")]), "this is ( no Python\n") == Matches(())


def test_explain_counts_clause_by_clause() -> None:
    body = """
    patterns:
      - pattern: f($X)
      - pattern-inside: |
          def $F(...):
            ...
      - pattern-not: f(1)
      - metavariable-regex: {metavariable: $X, regex: b}
    """
    told = explain(rule_of(body), "f(0)\ndef g():\n    f(1)\n    f(a)\n    f(b)\n")
    assert [(clause.found, clause.left) for clause in told.clauses] == [
        (None, 1), (4, 4), (1, 3), (1, 2), (None, 1),
    ]  # fmt: skip
    assert (told.hits, told.missing, told.not_applied) == (1, (), None)


def test_explain_names_the_words_that_are_missing() -> None:
    assert explain(rule_of("pattern: torch.f()"), "f()\n").missing == ("torch",)
