"""Any text at all: `diagnose` never raises, stays inside the text, and answers within a counted budget."""

import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.compiling.compiler import Failure, Neighbourhood, try_compile
from auditor.compiling.diagnoses.diagnose import diagnose
from auditor.model import Span

PIECES = [
    "a", "1", "0.5", " ", "  ", "    ", "\t", "\n", "\n    ", "\\", "'", '"', '"""', "(", ")", "[", "]", "{",
    "}", ":", ",", "=", "==", "+ ", "- ", "<", ">", ".", "...", "#", "def f(x):", "class A:", "if a:",
    "else:", "for ", "import ", "print ", "return ", "self", "pip install ", "$ ", ">>> ", "Traceback ", "—",
    "（", "）", "，", "“", "”", "\u00a0", "\u200b", "\0", "\ud800", "\r", "\f", "&lt;", "\\_", "**b**", "<b>",
    "{% if %}", "`", "@", "f'{", "❶", "const x = ", "\u2028", "好",
]  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join), st.sampled_from([None, 0, 2, 50]))
def test_never_raises_and_stays_inside_the_text(code: str, distance: int | None) -> None:
    failure = try_compile(code) or Failure("made up", 99, 99, 120, 3)
    diagnosed = diagnose(code, failure, Neighbourhood("print(1)\n", distance))
    assert diagnosed.diagnoses
    assert diagnosed == diagnose(code, failure, Neighbourhood("print(1)\n", distance))
    for said in diagnosed.diagnoses:
        spans = [said.span, *(value for value in said.arguments.values() if isinstance(value, Span))]
        assert all(0 <= span.start <= span.end <= len(code) for span in spans)
        edits = said.repair or ()
        assert all(0 <= edit.start <= edit.end <= len(code) for edit in edits)
        assert all(before.end <= after.start for before, after in pairwise(edits))


@pytest.mark.parametrize(
    "piece",
    [
        "(", "x = f(1 2)\n", "print 'a'\n", "a b c d\n", "“x”，", "if a:\n", "\\_", "'a\n", "- a\n+ b\n",
        "1 2 3\n", "<b>", "def f(:\n", "x = = 1\n", "pip install a\n", "&lt; ", "**a** ", "a-b = 1\n",
        "\u00a0x\n", "{{a}} ", "f(a=1, b)\n", "  a = 1\nb = 2\n", "A: ", "a. ", "const a = {\n",
        "| a | b |\n", "`a` ", "a.", "0.1 ", "-", "\\", " ", "= ", "a\\ ",
    ],
)  # fmt: skip
def test_a_large_text_costs_no_more_than_its_size(piece: str) -> None:
    code = piece * (20_000 // len(piece)) + "\n?"
    failure = try_compile(code) or Failure("made up", 1, 1, 1, 2)
    started = time.process_time()
    diagnose(code, failure, Neighbourhood())
    assert time.process_time() - started < 2
