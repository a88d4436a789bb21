"""What is left out before parsing, and that it changes nothing."""

import pytest

from auditor.matching import find, prepare
from auditor.matching.needs import Words
from auditor.matching.parts import blank_untouched, touches_of
from auditor.matching.prefilter import needs_of
from auditor.matching.regex_words import required
from auditor.matching.rule import All, Any, Inside, Leaf, MetavariableRegex, Not, RegexLeaf, Rule, Sequence, Step

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
    code = f"import os\n{FILLER}@d\ndef use():\n    os.remove(1)\nclass C:\n    def m(self):\n        return 1\n"
    touches = touches_of(Leaf("os.remove(...)"))
    assert touches is not None
    blanked = blank_untouched(code, touches)
    assert blanked is not None
    assert len(blanked) == len(code)
    assert blanked.count("\n") == code.count("\n")
    assert "filler_1(" not in blanked
    assert "os.remove(1)" in blanked
    assert "    pass" in blanked


def test_a_function_is_kept_for_the_alias_of_an_import() -> None:
    code = f"from os import remove as gone\n{FILLER}def use():\n    gone(1)\n"
    touches = touches_of(Leaf("os.remove(...)"))
    assert touches is not None
    assert "gone(1)" in (blank_untouched(code, touches) or code)


def test_functions_that_import_or_bind_for_others_are_kept() -> None:
    code = f"{FILLER}def load():\n    global json\n    import json\n"
    assert "global json" in (blank_untouched(code, touches_of(Leaf("f()")) or ()) or "")


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
