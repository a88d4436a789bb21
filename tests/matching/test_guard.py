"""Texts that libcst must not see, and hostile texts that nothing may fail on."""

import time
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.matching import find, prepare
from auditor.matching.explanation import explain
from auditor.matching.guard import refused
from auditor.matching.pattern_text import python_of
from auditor.matching.patterns import PatternError, parse_pattern
from auditor.matching.rule import All, Inside, Leaf, Rule, Sequence, Source, Step, Taint


@pytest.mark.parametrize(
    "code",
    [
        "x = " + "(" * 1400 + ")" * 1400,
        "x = " + " and ".join(["1"] * 8000),
        "x = a" + ".b" * 5000,
        "x = " + "-" * 100_000 + "1",
        "match x:\n case {1:{1:{1:{1:{1:{1:{1:y}}}}}}}: pass",
        "del " + "(" * 26 + "f()" + ")" * 26,
        "x = " + "lambda: " * 3000 + "1",
        "x = (\n" + "1 +\n" * 3000 + "1)",
        "x" * 2_000_001,
        "x=1\n" * 60_001,
    ],
)
def test_what_would_hang_or_crash_is_refused_at_once(code: str) -> None:
    started = time.perf_counter()
    assert refused(code) is not None
    assert time.perf_counter() - started < 1


@pytest.mark.parametrize(
    "code",
    [
        "x = '" + "(" * 200 + "'",
        "# " + "(" * 200,
        '"""' + "[\n" * 200 + '"""',
        "a = b\n" * 5000,
        "f(1, [2, {3: (4,)}])",
    ],
)
def test_what_is_no_code_does_not_count(code: str) -> None:
    assert refused(code) is None


RULES = [
    Rule("leaf", "error", {"en": "m"}, match=Leaf("$F($X, ...)")),
    Rule("statements", "error", {"en": "m"}, match=Leaf("$X = $Y\n...\n$Z = $X")),
    Rule("all", "error", {"en": "m"}, match=All((Leaf("$X"), Inside(Leaf("def $F(...): ..."))))),
    Rule("sequence", "error", {"en": "m"}, match=Sequence((Step("A", Leaf("$X = $Y")), Step("B", Leaf("$X"))))),
    Rule("taint", "error", {"en": "m"}, match=Taint((Source(Leaf("$A($B)")),), (Source(Leaf("$C.$D"), exact=True),))),
]
TOKENS = st.sampled_from([
    "a", "b", "def f(a):\n    ", "class C:\n    ", "if a:\n    ", "\n", "\n    ", "(", ")", "[", "]", "{", "}",
    "=", ":=", "+", "'", '"', "f'{a}'", '"""', "#", "\\\n", "\t", "\f", "lambda a: ", "import a", "from a import *",
    "return ", "é", "\u2028", "\x00", "\r", "match a:\n    case ", "del ", "*", "**", ",", ":", ".", "...", "async ",
    "await ", ";",
])  # fmt: skip
PIECES = st.sampled_from([
    "$X", "$...A", "...", "<...", "...>", "(", ")", "[", "]", "{", "}", ":", "=", ",", "f", '"', "'", "def f",
    "class C", "@", "\n", " ", "f'{$X}'", ". ... .",
])  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(TOKENS, max_size=25))
def test_no_text_makes_matching_fail(tokens: list[str]) -> None:
    code = "".join(tokens)
    find(prepare(RULES), code)
    explain(RULES[0], code)


@settings(max_examples=150, deadline=None)
@given(st.lists(PIECES, max_size=15))
def test_no_pattern_makes_parsing_fail(tokens: list[str]) -> None:
    text = "".join(tokens)
    python_of(text)
    with suppress(PatternError):
        parse_pattern(text)
