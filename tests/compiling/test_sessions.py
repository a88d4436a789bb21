"""Sessions: each example is judged alone, and its input keeps its places."""

import pytest
from answers import answer

SESSIONS = {
    "outputs": (
        ">>> x = 1\n>>> for i in range(2):\n...     print(i)\n0\n1\n",
        "x = 1\nfor i in range(2):\n    print(i)\n",
    ),
    "blank continuation": (">>> def f():\n...     return 1\n...\n>>> f()\n1\n", "def f():\n    return 1\n\nf()\n"),
    "indented": ("  >>> x\n  1\n  >>> y\n", "x\ny\n"),
    "below a comment": ("# look\n\n>>> x\n1\n", "x\n"),
    "traceback": (">>> f(0)\nTraceback (most recent call last):\n  ...\nValueError: x\n>>> y\n", "f(0)\ny\n"),
    "dots in the output": (">>> f()\na\n...\nb\n", "f()\n"),
    "directive": (">>> f()  # doctest: +ELLIPSIS\n[0, ..., 9]\n", "f()  # doctest: +ELLIPSIS\n"),
    "IPython": ("In [1]: x = (1,\n   ...:      2)\n\nIn [2]: x\nOut[2]: (1, 2)\n\nIn [3]:\n", "x = (1,\n     2)\nx\n"),
    "no blank behind the prompt": (">>>x = 1\n>>>x\n1\n", "x = 1\nx\n"),
    "no continuation prompts": (">>> def f(x):\n\treturn x\n\n>>> f(1)\n1\n", "def f(x):\n\treturn x\n\nf(1)\n"),
    "open bracket without continuation prompts": (">>> f(1,\n      2)\n3\n", "f(1,\n      2)\n"),
    "methods without continuation prompts": (
        ">>> class A:\n        def f(self):\n            pass\n        def g(self):\n            pass\n\n>>> A()\n",
        "class A:\n        def f(self):\n            pass\n        def g(self):\n            pass\n\nA()\n",
    ),
    "no final line end": (">>> x", "x\n"),
    "empty prompt at the end": (">>> x\n1\n>>>\n", "x\n"),
    "future import later on": (
        ">>> x\n>>> from __future__ import annotations\n",
        "x\nfrom __future__ import annotations\n",
    ),
}


@pytest.mark.parametrize(("text", "code"), SESSIONS.values(), ids=SESSIONS)
def test_inputs(text: str, code: str) -> None:
    got = answer(text)
    assert got.short == ("compiles-in-context", "session")
    assert got.compilation.adjustments == ("prompt",)
    assert got.text == code


def test_adjustments_within_a_session() -> None:
    got = answer(">>> r = await get(url)\n>>> %timeit f(r)\n>>> g(a=1, ...)\n3\n")
    assert got.short == ("compiles-elided", "session")
    assert got.compilation.adjustments == ("magics", "prompt", "async", "elision")
    assert got.said == [("elision", 3, 12)]


def test_places_count_the_prompt() -> None:
    got = answer("  >>> alpha = 1\n  text\n  >>> beta\n")
    assert got.origin("beta") == (3, 7)


BAD = {
    "open bracket": (">>> x = 1\n>>> y = (2\n>>> x\n1\n", 2),
    "body at the margin": (">>> for i in x:\n... print(i)\n>>> x\n", 2),
    "return": (">>> x = 1\n>>> return x\n", 2),
    "break": (">>> break\n", 1),
    "continuation further right": (">>> x = 1\n...     y = 2\n", 2),
    "two halves that fit only together": (">>> if x:\n>>>     y = 1\n", 1),
}


@pytest.mark.parametrize(("text", "line"), BAD.values(), ids=BAD)
def test_one_bad_example_breaks_the_session(text: str, line: int) -> None:
    got = answer(text)
    assert got.short == ("broken", "session")
    assert got.said[0][1] == line


def test_each_bad_example_is_diagnosed_and_the_good_ones_are_kept() -> None:
    got = answer(">>> a = 1\n>>> b = = 2\n>>> c = 3\n>>> d = )\n>>> e = 5\n")
    assert [(line, column) for _, line, column in got.said] == [(2, 9), (4, 9)]
    assert got.compilation.recovered
    assert got.text == "a = 1\nc = 3\ne = 5\n"


def test_an_error_that_the_session_shows_is_meant() -> None:
    text = '>>> x = 1\n>>> x + = 2\n  File "<stdin>", line 1\n    x + = 2\nSyntaxError: invalid syntax\n>>> x\n1\n'
    got = answer(text)
    assert got.short == ("compiles-in-context", "session")
    assert got.said == [("shown-error", 2, 5)]
    assert got.text == "x = 1\nx\n"


@pytest.mark.parametrize(
    "text",
    [
        "print(answer)\n\n>>>\n答案是（四十二）\n",
        ">>>\n1 2 3\n",
        "x = 1\n>>> x\n1\n",
    ],
)
def test_no_session(text: str) -> None:
    assert answer(text).compilation.context is None


def test_a_fence_of_sessions_may_begin_with_a_banner() -> None:
    text = 'Python 3.12 on linux\nType "help" for more.\n>>> x = 1\n'
    assert answer(text, language="pycon").short == ("compiles-in-context", "session")
    assert answer(text).compilation.context is None


def test_a_fence_of_sessions_may_hold_plain_code() -> None:
    assert answer("x = 1\n", language="pycon").short == ("compiles", "module")


def test_a_future_feature_holds_for_the_inputs_behind_it() -> None:
    session = ">>> from __future__ import barry_as_FLUFL\n>>> 'a' <> 'b'\nTrue\n"
    assert answer(session).short == ("compiles-in-context", "session")
    assert answer(">>> 'a' <> 'b'\nTrue\n").short == ("broken", "session")


def test_a_numbered_prompt_makes_a_session_though_it_reads_as_an_annotation() -> None:
    told = answer("In [3]: x = 1\n\nIn [4]: x\nOut[4]: 1\n")
    assert told.short == ("compiles-in-context", "session")
    assert told.text.split() == ["x", "=", "1", "x"]
    assert answer("table: dict\nIn [0]: int = 1\n").short == ("compiles", "module")
