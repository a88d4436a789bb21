"""Elisions and placeholders: what was left out on purpose is put in, and a fault behind it is found all the same."""

import pytest
from answers import answer

DOTS = {
    "argument": ("f(a=1, ...)\n", "f(a=1, **...)\n"),
    "argument between": ("f(a=1, ..., b=2)\n", "f(a=1, **..., b=2)\n"),
    "argument without a comma": ("f(\n    ...\n    b=2,\n)\n", "f(\n    ..., \n    b=2,\n)\n"),
    "argument on lines": ("f(a=1,\n  …\n)\n", "f(a=1,\n  **...\n)\n"),
    "nested": ("f(a=g(b=2, ...), ...)\n", "f(a=g(b=2, **...), **...)\n"),
    "behind keywords": ("f(**k, ...)\n", "f(**k, **...)\n"),
    "base class": ("class A(B, metaclass=M, ...):\n    pass\n", "class A(B, metaclass=M, **...):\n    pass\n"),
    "entry": ('{"a": 1, ...}\n', '{"a": 1, **...}\n'),
    "entry first": ('{..., "a": 1}\n', '{**..., "a": 1}\n'),
    "item without commas": ("[1, 2 ... 9]\n", "[1, 2 , ...,  9]\n"),
    "two dots": ("f(a, b, ..)\n", "f(a, b, ...)\n"),
    "many dots": ("f(......)\n", "f(...)\n"),
    "parameter": ("def f(self, ..., x=1, ...): pass\n", "def f(self, _1, x=1, _3=...): pass\n"),
    "parameter in brackets": ("def f(x, [...]): pass\n", "def f(x, _1): pass\n"),
    "parameter behind all others": ("def f(x, **k, ...): pass\n", "def f(x, **k, ): pass\n"),
    "names imported in brackets": ("from a import (b, ...)\n", "from a import (b, _)\n"),
    "name imported": ("from a import b, ...\n", "from a import b, _\n"),
    "target": ("a, ..., z = f()\n", "a, _, z = f()\n"),
    "loop target": ("for ... in xs: pass\n", "for _ in xs: pass\n"),
    "middle dots": (
        "class A:\n    ···\n    def f(self):\n        ……\n",
        "class A:\n    ...\n    def f(self):\n        ...\n",
    ),
    "behind a statement": ("item: Annotated[X] ...\n", "item: Annotated[X] ; ...\n"),
    "before a statement": ("... Depends(item)\n", "...;  Depends(item)\n"),
    "in an open bracket of one line": ("item: Annotated[f(X, ...\n", "item: Annotated[f(X, ...)]\n"),
    "in an open signature of one line": ("def find( ...\n", "def find( _0): pass\n"),
    "dots apart": (". . .\n", "...\n"),
}


@pytest.mark.parametrize(("text", "code"), DOTS.values(), ids=DOTS)
def test_dots(text: str, code: str) -> None:
    got = answer(text)
    assert got.compilation.verdict == "compiles-elided"
    assert {kind for kind, _, _ in got.said} - {"signature-only"} == {"elision"}
    assert got.text == code


def test_only_dots_that_python_does_not_read_are_said() -> None:
    got = answer("x: Callable[..., int] = f(...)\ny = g(a=..., b=x[..., 0], ...)\n")
    assert got.said == [("elision", 2, 27)]


def test_legal_dots_are_no_elision() -> None:
    assert answer("def f(x):\n    ...\n\n\ny = x[..., 0]\nf(...)\n").short == ("compiles", "module")


def test_dots_at_any_depth() -> None:
    got = answer("def f(x):\n    y = 1\n        ...\n    return y\n")
    assert got.short == ("compiles-elided", "module")
    assert got.said == [("elision", 3, 9)]


HOLES = {
    "argument": ("c = Client(url=<YOUR_URL>)\n", "c = Client(url=...)\n", (1, 16)),
    "words": ("key = <your key>\n", "key = ...\n", (1, 7)),
    "item": ("f(<a>, [<b-c>], {'k': <d>})\n", "f(..., [...], {'k': ...})\n", (1, 3)),
    "operand": ("x = base + <path>\n", "x = base + ...\n", (1, 12)),
    "module": ("from <your_package> import x\n", "from _ import x\n", (1, 6)),
    "keyword": ("f(<option>=1)\n", "f(_=1)\n", (1, 3)),
    "condition and body": ("if <condition>:\n    <do something>\n", "if ...:\n    ...\n", (1, 4)),
    "receiver": ("<client>.run()\n", "_.run()\n", (1, 1)),
    "statement": ("x = 1\n<your code here>\n", "x = 1\n...\n", (2, 1)),
    "comment for a value": ("key = # your key\nrun(key)\n", "key = ... # your key\nrun(key)\n", (1, 7)),
    "comment for an argument": (
        "f(\n    key=,  # yours\n    b=1,\n)\n",
        "f(\n    key= ...,  # yours\n    b=1,\n)\n",
        (2, 12),
    ),
    "comment for the last argument": ("f(key=  # yours\n)\n", "f(key= ...  # yours\n)\n", (1, 9)),
    "comment for an entry": ("{'k': # yours\n}\n", "{'k': ... # yours\n}\n", (1, 7)),
}


@pytest.mark.parametrize(("text", "code", "place"), HOLES.values(), ids=HOLES)
def test_placeholders(text: str, code: str, place: tuple[int, int]) -> None:
    got = answer(text)
    assert got.short == ("compiles-elided", "module")
    assert got.compilation.adjustments == ("placeholder",)
    assert got.said[0] == ("placeholder", *place)
    assert got.text == code


@pytest.mark.parametrize(
    "text",
    [
        "remote-graph = Graph(<DEPLOYMENT_URL>)\n",
        "f(a=1, ..., b)\n",
        "f(a=1, ...)\ng(a=1, a=2)\n",
        "f(a=1, ...)\nif x\n    y = 1\n",
        "f(\n    a=...\n    b=...\n)\n",
        '{"a": ... "b": 1}\n',
        "Loading ...\n",
        "Loading weights ... done\n",
        "... and so on\n",
        "f(x) ... g(x)\n",
        "loader = Loader(\n    box=box,\n    ...\n",
        "x =\n",
        "y = = # 2\n",
        "if a # b\n    c = 1\n",
        "x = [1., 2. ... 3.] 4\n",
        "x = <function f at 0x7f00>\n",
        "<function len>\n",
        "{'f': <function app.f>}\n",
        "<b>bold</b>\n",
        "def f(a=1, ...)\n    return a\n",
    ],
)
def test_what_was_left_out_excuses_no_fault(text: str) -> None:
    assert answer(text).refused


@pytest.mark.parametrize("body", ["...statements", "...more of it", "...statements..."])
def test_a_body_that_is_only_named(body: str) -> None:
    got = answer(f"while size < 3:\n    {body}\n")
    assert (got.refused, got.said) == (False, [("elision", 2, 5)])
    assert answer("print(1)\n...done\n").refused, "what a program printed begins so, too"


def test_a_fault_behind_an_elision_is_the_diagnosis() -> None:
    got = answer("f(a=1, ...)\ny = = 2\n")
    assert next(one for one in got.said if one[0] != "elision")[1:] == (2, 5)
    assert got.said[-1] == ("elision", 1, 8)
    got = answer("f(\n    a=<A>\n    b=<B>\n)\n")
    assert got.said[0][1] == 2
    assert got.said[1:] == [("placeholder", 2, 7), ("placeholder", 3, 7)]
    got = answer("c = Client(<URL>)\nd = 1 +\n")
    assert got.said[0][1] == 2
    assert got.said[-1] == ("placeholder", 1, 12)


def test_elision_with_margin_and_scope() -> None:
    got = answer("    r = await f(a=1, ...)\n    return r\n")
    assert got.short == ("compiles-elided", "function-body")
    assert got.compilation.adjustments == ("margin", "async", "function", "elision")
    assert got.said == [("elision", 1, 22)]
