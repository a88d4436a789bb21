"""What is left out before parsing, and that it changes nothing."""

from collections.abc import Mapping

import pytest

from auditor.matching import find, prepare
from auditor.matching.blanking import Blanked, blank_untouched
from auditor.matching.needs import Words
from auditor.matching.parts import is_bare, lies_in_statement, touches_of
from auditor.matching.prefilter import needs_of
from auditor.matching.regex_words import required
from auditor.matching.rule import (
    All,
    Any,
    Formula,
    Inside,
    Leaf,
    MetavariableRegex,
    Not,
    RegexLeaf,
    Rule,
    Scope,
    Sequence,
    Source,
    Step,
    Taint,
)


def blanked_for(match: Formula, code: str, options: Mapping[str, bool] | None = None) -> Blanked | None:
    """A text without the parts that a rule of one clause does not concern."""
    program = prepare([Rule("r", "error", {"en": "m"}, match=match, options=options or {})])
    return blank_untouched(code, program.ready)


FILLER = "".join(f"def filler_{number}(a, b):\n    return a + b * {number}\n\n\n" for number in range(100))


def test_words_are_whole() -> None:
    words = Words(("norm layer_norm",))
    assert words.has("norm")
    assert not words.has("layer")


def test_a_text_needs_the_names_of_a_pattern() -> None:
    needs = needs_of(Any((Leaf("a.b($X)"), Leaf("c()"))))
    assert needs.met(Words(("x = a.b(1)",)))
    assert needs.met(Words(("c",)))
    assert not needs.met(Words(("a(b)".replace("b", "d"),)))


def test_strings_and_negative_clauses_ask_for_nothing() -> None:
    needs = needs_of(All((Leaf('f("word")'), Not(Leaf("g()")))))
    assert needs.words == frozenset({"f"})


@pytest.mark.parametrize(
    ("text", "met"),
    [
        ("x.std(1)", True),
        ("(x.  # the spread\n std())", True),
        ("x.\\\n std", True),
        ("from a import std\nstd()", True),
        ("from a import (b,  # not )\n    std as spread)\nspread()", True),
        ("from a \\\n import std", True),
        ("from numpy import *\nstd(x)", True),
        ("init(x, std=0.2)", False),
        ("import a.b; std = 3", False),
        ("from a import b\nstd(b)", False),
    ],
)
def test_an_attribute_stands_behind_a_dot_or_in_an_import(text: str, met: bool) -> None:
    assert needs_of(Leaf("$X.std(...)")).met(Words((text,))) is met


def test_an_operator_is_a_need() -> None:
    needs = needs_of(Leaf("$X = $X + $F($X)"))
    assert needs.met(Words(("x += f(x)",)))
    assert not needs.met(Words(("x = f(x)",)))
    assert needs_of(Leaf("$A and f($X: int | None)")).texts == frozenset()


def test_a_type_need_not_be_written() -> None:
    assert needs_of(Leaf("f($X: int)")).words == frozenset({"f"})


def test_a_metavariable_s_regex_is_a_need() -> None:
    needs = needs_of(All((Leaf("$F($X)"),), (MetavariableRegex("$F", "(?i).*(norm|ln)$"),)))
    assert needs.met(Words(("self.LN_1(x)",)))
    assert not needs.met(Words(("self.attention(x)",)))


@pytest.mark.parametrize(
    ("expression", "texts"),
    [
        ("abc", {"abc"}),
        ("(?i)Ab|cd", {"ab", "cd"}),
        (r"\w*encod(?:er|e)s?$", {"encode"}),
        ("(?:ab)?cd+", {"c"}),
        ("a*", set()),
        (".*", set()),
        ("(?=abc)x", {"abc"}),
        ("(", set()),
    ],
)
def test_texts_that_a_regex_requires(expression: str, texts: set[str]) -> None:
    found = required(expression)
    assert found == (texts if all(len(text) > 1 for text in texts) else set())


def test_functions_that_nothing_touches_are_left_out() -> None:
    used = "@d\ndef use():\n    os.remove(1)\n"
    code = f"import os\n{FILLER}{used}class C:\n    def m(self):\n        return 1\n    x = os.remove\n"
    blanked = blanked_for(Leaf("os.remove(...)"), code)
    assert blanked is not None
    assert len(blanked.text) == len(code)
    assert blanked.text.count("\n") == code.count("\n")
    assert blanked.short.split("\n") == [
        "pass", "@d", "def use():", "    os.remove(1)", "class C:", "    pass", "    x = os.remove",
    ]  # fmt: skip
    assert blanked.text.split() == blanked.short.split()


def test_a_function_is_kept_for_the_alias_of_an_import() -> None:
    code = f"from os import remove as gone\n{FILLER}def use():\n    gone(1)\n"
    blanked = blanked_for(Leaf("os.remove(...)"), code)
    assert blanked is not None
    assert blanked.short == "from os import remove as gone\npass\ndef use():\n    gone(1)"


def test_an_import_is_told_without_being_read_where_it_only_says_what_a_name_is() -> None:
    code = f"from a import name\n{FILLER}f(name)\n"
    blanked = blanked_for(Leaf("f($X)"), code)
    assert blanked is not None
    assert blanked.short == "pass\nf(name)"
    assert blanked.imports == (("a.name", "name", 0),)


def test_functions_that_bind_a_name_for_what_is_kept_are_kept() -> None:
    code = f"{FILLER}def load():\n    global json\n    import json\ndef other():\n    import re\nf(json)\n"
    blanked = blanked_for(Leaf("f($X)"), code)
    assert blanked is not None
    assert "global json" in blanked.short
    assert "import re" not in blanked.short


STATEMENTS = """import os
from shutil import copy
import sys
NAME = "a"
OTHER = "b"
place = os.path.join(NAME, "c")
print(OTHER,
      "d" * 100)
if sys.argv:
    print(3)
remove(place)
x = 1; remove(2)
class Kept:
    def untouched(self):
        return 1
    def m(self):
        remove(self)
class Gone:
    pass
"""


def test_statements_stay_that_are_touched_or_bind_what_is_spoken_of_there() -> None:
    blanked = blanked_for(Leaf('remove("$X")'), STATEMENTS)
    assert blanked is not None
    assert list(map(len, blanked.text.split("\n"))) == list(map(len, STATEMENTS.split("\n")))
    assert blanked.short.split("\n") == [
        "pass", 'NAME = "a"', "pass", 'place = os.path.join(NAME, "c")', "pass", "remove(place)", "x = 1; remove(2)",
        "class Kept:", "    pass", "    def m(self):", "        remove(self)", "pass",
    ]  # fmt: skip
    assert blanked.text.split() == blanked.short.split()


def test_of_what_a_bare_rule_touches_only_headers_and_its_own_statements_stay() -> None:
    blanked = blanked_for(Leaf("remove($X)"), STATEMENTS)
    assert blanked is not None
    assert blanked.short.split("\n") == [
        "pass", "remove(place)", "x = 1; remove(2)",
        "class Kept:", "    pass", "    def m(self):", "        remove(self)", "pass",
    ]  # fmt: skip
    assert blanked.text.split() == blanked.short.split()


NESTED = '''def use(place):
    """Call remove(place), and import nothing."""
    from os import sep
    if place:
        y = place
    elif remove(place):
        for one in two:
            y = one; z = 2
            remove(one)
            z = 3
        else:
            other()
    else:
        other()
    try:
        import re
    except OSError:
        with place: remove(4)
    return y
'''


def test_statements_in_statements_are_left_out_for_bare_rules() -> None:
    blanked = blanked_for(Leaf("remove($X)"), FILLER + NESTED)
    assert blanked is not None
    assert len(blanked.text) == len(FILLER + NESTED)
    assert (
        blanked.short
        == """pass
def use(place):
    pass
    from os import sep
    if place:
        pass
    elif remove(place):
        for one in two:
            y = one; z = 2
            remove(one)
            pass
        else:
            pass
    else:
        pass
    try:
        import re
    except OSError:
        with place: remove(4)
    pass"""
    )


@pytest.mark.parametrize(
    "pattern", ["f($X, $X)", "f(1)", 'f("...")', "f(($X: int))", "if f($X):\n    ...", "$X = f()\ng()"]
)
def test_what_hangs_on_values_or_on_what_is_around_is_not_bare(pattern: str) -> None:
    assert not is_bare(Rule("r", "error", {"en": "m"}, match=Leaf(pattern)))


def test_what_is_told_from_one_statement_is_bare() -> None:
    choice = Any((Leaf("$X = f(...)"), All((Leaf("raise $E(...)"),), (MetavariableRegex("$E", "OS"),))))
    assert is_bare(Rule("r", "error", {"en": "m"}, match=choice))
    assert not is_bare(Rule("r", "error", {"en": "m"}, match=choice, options={"symbolic_propagation": True}))
    assert not is_bare(Rule("r", "error", {"en": "m"}, match=All((Leaf("f($X)"), Leaf("$F($X)")))))
    of_value = MetavariableRegex("$X", "a", constants=True)
    assert not is_bare(Rule("r", "error", {"en": "m"}, match=All((Leaf("f($X)"),), (of_value,))))


def test_statements_stay_together_that_a_rule_may_find_in_several() -> None:
    blanked = blanked_for(Leaf("$X = $Y\n...\nremove($Z)"), STATEMENTS)
    assert blanked is not None
    assert "print(OTHER,\n" in blanked.short
    assert "class Gone" not in blanked.short


def test_everything_stays_for_a_rule_to_which_a_name_may_be_what_it_stands_for() -> None:
    assert blanked_for(Leaf("f(g())"), f"{FILLER}x = g()\nf(x)\n", {"symbolic_propagation": True}) is None


@pytest.mark.parametrize(
    ("before", "used"),
    [
        ("import torch as th\n", "th.softmax(x)\n"),
        ("from torch import *\n", "softmax(x)\n"),
        ("from torch import softmax as sm\n", "def w():\n    sm(x)\n"),
    ],
)
def test_imports_of_earlier_texts_say_what_concerns_a_rule(before: str, used: str) -> None:
    rule = Rule("r", "error", {"en": "m"}, match=Leaf("torch.softmax(...)"), scope=Scope(join="document"))
    found = find(prepare([rule]), FILLER + used, before=(before,)).matches
    assert [one.start for one in found] == [len(FILLER) + used.index("s" if used[0] != "t" else "th")]


def test_no_rule_is_left_where_no_part_has_what_it_needs() -> None:
    code = f"# os.remove\nprint('remove')\n{FILLER}os.path(1)\nremove(2)\n"
    blanked = blanked_for(Leaf("os.remove($X)"), code)
    assert blanked is not None
    assert blanked.rules == ()


def test_what_is_asked_to_be_around_a_sequence_need_not_stand_in_the_function() -> None:
    used = "def use():\n    net = Net()\n    net.forward(1)\n"
    within = All((Leaf("$M.forward($X)"), Inside(Leaf("import torch\n..."))))
    match = Sequence((Step("MADE", Leaf("$M = $C()")), Step("CALL", within)))
    blanked = blanked_for(match, f"import torch\n{FILLER}{used}")
    assert blanked is not None
    assert "net.forward(1)" in blanked.short


def test_what_must_not_be_around_concerns_nothing_by_itself() -> None:
    match = All((Leaf("f($X)"), Not(Leaf("with lock:\n    ..."), inside=True)))
    without = blanked_for(match, f"{FILLER}with lock:\n    g(1)\n")
    assert without is not None
    assert without.rules == ()
    beside = blanked_for(match, f"{FILLER}with lock:\n    g(1)\nf(1)\n")
    assert beside is not None
    assert beside.short == "pass\nwith lock:\n    g(1)\nf(1)"


@pytest.mark.parametrize(
    ("match", "lies"),
    [
        (Leaf("f($X)"), True),
        (Leaf("def f(...):\n    ...\n    g()"), True),
        (Leaf("$X = f()\n...\ng($X)"), True),
        (Leaf("$X = $Y\n...\ng($X)"), False),
        (Leaf("class C:\n    pass"), False),
        (All((Leaf("f($X)"), Inside(Leaf("def $F(...): ...")))), True),
        (All((Leaf("f($X)"), Not(Leaf("$X = $Y\n..."), inside=True))), False),
        (Sequence((Step("A", Leaf("$X = f()")), Step("B", Leaf("g($X)")))), False),
    ],
)
def test_what_lies_in_one_statement(match: Leaf | All | Sequence, lies: bool) -> None:
    assert lies_in_statement(match) is lies


@pytest.mark.parametrize(
    "match",
    [
        Leaf("$X = $Y"),
        RegexLeaf("todo"),
        All((Leaf("$F($X)"), Inside(Leaf("def g(...): ...")))),
        Any((Leaf("f()"), Leaf("$X"))),
        All((Leaf("f()"), Not(RegexLeaf("x")))),
    ],
)
def test_rules_that_may_be_anywhere_keep_everything(match: Leaf | RegexLeaf | All | Any) -> None:
    assert touches_of(match) is None


@pytest.mark.parametrize(
    ("match", "code", "lines"),
    [
        (Leaf("f($X)"), "def a():\n    f(1)\n\nclass C:\n    def m(self):\n        f(2)\n", [2, 6]),
        (Leaf("$X = f()\n...\ng($X)"), "x = f()\ndef a():\n    g(x)\n", [1]),
        (
            Leaf("class $C(B):\n    ...\n    def m(self): ...\n    ..."),
            "class C(B):\n    def n(self): pass\n    def m(self): pass\n",
            [1],
        ),
        (
            All((Leaf("f($X)"), Not(Leaf("$X = safe()\n..."), inside=True))),
            "y = safe()\ndef a():\n    f(y)\n    f(z)\n",
            [4],
        ),
        (Leaf("f(1)"), "K = 1\ndef a():\n    f(K)\n", [3]),
        (Leaf("f(1)"), "L = 1\nK = L\nf(K)\n", [3]),
        (Leaf("f(1)"), "K = 1\ng(0)\nK = 2\nf(K)\n", []),
        (Leaf("a()\nb()"), "a()\nc()\nb()\n", []),
        (Leaf("class C:\n    pass"), "class C:\n    def m(self):\n        f()\n", []),
        (Leaf("a.f(1)"), "import a as b\nb.f(1)\ncall(2)\n", [2]),
        (Leaf("a.f(1)"), "from a import f as g\ng(1)\nf(1)\n", [2]),
        (Leaf("f(1)"), "from a import K\nif b:\n    K = 1\nf(K)\n", []),
        (Any(tuple(Leaf(f"f{n}($X)") for n in range(9))), "f3(1)\nf8(f0(2))\nf9(3)\n", [1, 2]),
        (
            Sequence((Step("A", Leaf("$X = f()")), Step("B", Leaf("g($X)")))),
            "def a():\n    x = f()\n    g(x)\ndef b():\n    f()\n",
            [2],
        ),
    ],
)
def test_what_is_left_out_changes_nothing(
    match: Leaf | All | Sequence, code: str, lines: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    program = prepare([Rule("r", "error", {"en": "m"}, match=match)])
    whole = FILLER + code
    offset = FILLER.count("\n")

    def found() -> list[int]:
        return sorted({whole.count("\n", 0, one.start) + 1 - offset for one in find(program, whole).matches})

    assert found() == lines
    monkeypatch.setattr("auditor.matching.program.blank_untouched", lambda *_: None)
    assert found() == lines


@pytest.mark.parametrize(
    "code",
    ["(x): int = 1\n", "class A(B, metaclass=C, *D): pass\n", "x = a or(lambda: 1)\n", "if a:\n    (x.y): int\n"],
)
def test_what_libcst_cannot_read_is_said_without_a_rule_that_asks(code: str) -> None:
    program = prepare([Rule("r", "error", {"en": "m"}, match=Leaf("nothing_here()"))])
    assert find(program, code).not_applied
    assert find(program, "x: int = 1\nf(a or (lambda: 1))\n").not_applied is None


@pytest.mark.parametrize(
    "other",
    [
        "", "X = 2\n", "import X\n", "import X.y\n", "from q import X\n", "def X():\n    pass\n",
        "class X:\n    pass\n",
        "def h():\n    global X\n    X = 2\n", "def h(a=(X := 3)):\n    pass\n", "@(X := 3)\ndef h():\n    pass\n",
        "class Q((X := 3)):\n    pass\n", "with y as X:\n    pass\n", "[X := 3]\n", "del X\n", "X += 1\n",
    ],
)  # fmt: skip
@pytest.mark.parametrize("match", [Leaf('f("a")'), Leaf("f($X: int)"), Leaf('f("...")')])
@pytest.mark.parametrize("use", ["f(X)\n", "def w():\n    f(X)\n", "class W:\n    def m(self):\n        f(X)\n"])
def test_a_name_stands_for_the_same_whatever_is_left_out(
    other: str, match: Leaf, use: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = prepare([Rule("r", "error", {"en": "m"}, match=match)])
    orders = (("X = 'a'\n", other), (other, "X = 'a'\n"), (other, "X: int = 1\n"))
    codes = [f"{FILLER}{first}{second}{use}" for first, second in orders]
    found = [find(program, code) for code in codes]
    monkeypatch.setattr("auditor.matching.program.blank_untouched", lambda *_: None)
    assert found == [find(program, code) for code in codes]


def test_a_class_ends_where_it_does_though_its_last_method_is_left_out() -> None:
    code = (
        FILLER
        + "class W:\n    def f(self):\n        return 1\n\n    def u(self):\n        y = 1\n        return y + 2\n"
    )
    match = Leaf("class $C:\n    ...\n    def f(...):\n        ...\n    ...")
    program = prepare([Rule("r", "error", {"en": "m"}, match=match)])
    (hit,) = find(program, code).matches
    assert code[hit.start : hit.end].endswith("return y + 2")


def found(rules: list[Rule], code: str) -> list[tuple[str, int]]:
    assert len(code) >= 200
    return [(one.rule_id, code.count("\n", 0, one.start) + 1) for one in find(prepare(rules), code).matches]


def rule(name: str, match: Formula | Taint, **named: object) -> Rule:
    return Rule(name, "error", {"en": "m"}, match=match, **named)  # type: ignore[arg-type] # as given


PAD = "\n".join(f"pad_{number} = {number}" for number in range(30)) + "\n"
REMOVE = rule("bare", Leaf("remove($X)"))


@pytest.mark.parametrize(
    ("used", "hits"),
    [
        ('X = "a"\nif c:\n    remove(1)\n    X = "b"\nput(X)\n', [("bare", 33)]),
        ('if c:\n    remove(1)\n    X = "a"\nelse:\n    X = "a"\nput(X)\n', [("bare", 32), ("value", 36)]),
    ],
)
def test_a_bare_rule_leaves_out_nothing_that_another_rule_needs(used: str, hits: list[tuple[str, int]]) -> None:
    assert found([REMOVE, rule("value", Leaf('put("a")'))], PAD + used) == hits
    assert found([rule("value", Leaf('put("a")'))], PAD + used) == hits[1:]


@pytest.mark.parametrize(
    ("used", "line"),
    [
        ('if mode == "是": x = 1\nelse: remove(1)\n', 32),
        ('try: x = "é"\nexcept E:\n    remove(1)\n', 33),
        ('é = "é"; remove(1)\n', 31),
    ],
)
def test_what_stands_in_its_header_s_line_stays(used: str, line: int) -> None:
    assert found([REMOVE], PAD + used) == [("bare", line)]


@pytest.mark.parametrize("brought", ["from numpy import \\\n    *\n", "from numpy import\f*\n", "from numpy import*\n"])
def test_a_star_may_bring_any_attribute(brought: str) -> None:
    assert found([rule("star", Leaf("numpy.std($X)"))], f"{brought}{PAD}std(1)\n") == [
        ("star", 31 + brought.count("\n"))
    ]


@pytest.mark.parametrize(
    "brought",
    [
        "try:\n    import a\nexcept ImportError:\n    from torch import load\n",
        "match a:\n    case 1:\n        pass\n    case 2:\n        from torch import load\n",
    ],
)
def test_an_import_in_a_clause_is_an_alias(brought: str) -> None:
    (hit,) = found([rule("alias", Leaf("torch.load($X)"))], f"{brought}{PAD}x = load(1)\n")
    assert hit == ("alias", 31 + brought.count("\n"))


def test_a_rule_that_adds_imports_sees_those_that_are_there() -> None:
    code = f'"""A text."""\nimport os\n{PAD}load(1)\n'
    fix = rule("fix", Leaf("load($X)"), fix="os.load($X)", ensure_import=("import os",))
    (match,) = find(prepare([fix]), code).matches
    assert match.fix is not None
    assert [edit.replacement for edit in match.fix] == ["os.load(1)"]


def test_taint_goes_once_through_what_is_added_to_in_a_loop() -> None:
    code = f"x = a.std\nfor p in x:\n    n += 1\n    m += n\n    n += m\n    put(n)\n{PAD}"
    taint = Taint(sources=(Source(Leaf("$X.std")),), sinks=(Source(Leaf("put(...)")),))
    matches = find(prepare([rule("taint", taint)]), code)
    assert matches.not_applied is None
    assert matches.matches == ()
