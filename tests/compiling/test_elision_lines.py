"""Lines of dots go, comments that say the same stay."""

import pytest
from answers import answer

from auditor.compiling import CompileOptions, compile_blocks
from auditor.extract import ExtractOptions, extract
from auditor.model import Source


def test_a_comment_of_dots_is_no_line_of_dots() -> None:
    source = Source("p.md", "```python\nclass A:\n    x = 1\n        ...\n    # ...\n    y = 2\n```\n")
    (answer,) = compile_blocks(source, extract(source, ExtractOptions()).blocks, CompileOptions())
    assert answer.verdict == "compiles-elided"
    assert answer.code is not None
    assert "# ..." in answer.code.text
    assert "y = 2" in answer.code.text


@pytest.mark.parametrize(
    "body",
    [
        "def f():\n    x = 1\n        ...\n    y = 2\n",
        "def f():\n    x = 1\n...\n    y = 2\n",
        "class A:\n    def f(self):\n        x = 1\n  ...\n        y = 2\n    def g(self):\n        pass\n",
        "if a:\n    b\n  ...\nelse:\n    c\n",
    ],
)
def test_around_a_line_of_dots_the_code_stays_whole(body: str) -> None:
    got = answer(body)
    assert got.short == ("compiles-elided", "module")
    assert got.compilation.adjustments == ("elision",)
    assert got.compilation.code is not None
    assert got.compilation.code.text.split() == [word for word in body.split() if word != "..."]


@pytest.mark.parametrize(("dots", "verdict"), [(40, "compiles-elided"), (41, "broken")])
def test_so_many_excerpts_are_one_block_and_more_are_output(dots: int, verdict: str) -> None:
    assert answer("  x = 1\n...\n" * dots + "    y = 1\n").short[0] == verdict


@pytest.mark.parametrize("body", ["f(a, <insert ... here>, b)\n", "x = {<your ...>}\n", "f(<a...>, <b>)\n"])
def test_dots_in_a_hole_are_words_of_it(body: str) -> None:
    got = answer(body)
    assert got.short == ("compiles-elided", "module")
    assert got.compilation.adjustments == ("placeholder",)


def test_dots_in_a_string_part_no_excerpts_and_those_between_stay() -> None:
    got = answer('  s = """\n...\n"""\n...\n    y = 2\n')
    assert got.short == ("compiles-elided", "fragment")
    assert [said.kind for said in got.compilation.diagnoses] == ["elision"]
    assert got.compilation.code is not None
    assert got.compilation.code.text == 's = """\n...\n"""\n...\ny = 2\n'


def test_a_header_alone_leaves_its_body_out() -> None:
    assert answer("def f(x):\n").compilation.adjustments == ("elision",)
