"""The context of a block: where it stands as Python, and what was done so that it compiles there."""

from textwrap import dedent

import pytest
from answers import answer, answers


def block(text: str) -> str:
    return dedent(text).lstrip("\n")


AS_IT_STANDS = {
    "module": "import math\nprint(math.pi)\n",
    "empty": "",
    "a comment alone": "# to come\n",
    "a class with its methods": "class Shape:\n    def area(self):\n        return self.width * self.height\n",
    "a receiver that the block binds": "self = build()\nself.run()\n",
    "a function of its own that takes a receiver by another name": "def area(shape):\n    return shape.width\n",
    "a receiver in a string": "text = 'self.x'\n",
    "a receiver as an attribute": "import app\napp.self.run()\n",
    "a class within a function": "def make():\n    class A:\n        def f(self): return self.x\n    return A\n",
    "dots as a body": "def f(x):\n    ...\n",
    "lone literals": "[[0.5, 1.5],\n [2.5, 3.5]]\n",
}


@pytest.mark.parametrize("text", AS_IT_STANDS.values(), ids=AS_IT_STANDS)
def test_as_it_stands(text: str) -> None:
    assert answer(text).short == ("compiles", "module")
    assert answer(text).said == []


IN_A_CLASS = {
    "a method": "def area(self):\n    return self.width\n",
    "a class method": "@classmethod\ndef make(cls):\n    return cls()\n",
    "a static method": "@staticmethod\ndef unit():\n    return 1\n",
    "a property without a receiver by name": "@property\ndef area(this):\n    return this.width\n",
    "a setter": "@area.setter\ndef area(this, value):\n    this.width = value\n",
    "a coroutine": "async def fetch(self, url):\n    return await self.client.get(url)\n",
    "parameters on lines of their own": "def area(\n    self,\n    scale,\n):\n    return self.width * scale\n",
    "an attribute beside a method": "width = 3\n\ndef area(self):\n    return self.width\n",
}


@pytest.mark.parametrize("text", IN_A_CLASS.values(), ids=IN_A_CLASS)
def test_class_body(text: str) -> None:
    assert answer(text).short == ("compiles", "class-body")
    assert answer(text.replace("\n", "\n  ").join(["  ", ""]).rstrip(" ")).short == (
        "compiles-in-context",
        "class-body",
    )


@pytest.mark.parametrize(
    "text",
    [
        "y = self.norm(x)\nz = y + self.mlp(y)\n",
        "total = cls.count + 1\n",
        "callback = lambda value: self.show(value)\n",
        "def inner(value):\n    return self.scale * value\n",
        "class Inner(self.base): pass\n",
    ],
)
def test_statements_of_a_method(text: str) -> None:
    assert answer(text).short == ("compiles", "method")


STRAY = {
    "return": ("y = f(x)\nreturn y\n", "function-body", ("function",)),
    "yield": ("for x in xs:\n    yield x\n", "function-body", ("function",)),
    "nonlocal": ("nonlocal count\ncount += 1\n", "function-body", ("function",)),
    "break": ("if done:\n    break\n", "loop-body", ("loop",)),
    "continue": ("if not x:\n    continue\nuse(x)\n", "loop-body", ("loop",)),
    "await": ("r = await get(url)\n", "async", ("async",)),
    "async for": ("async for row in rows:\n    print(row)\n", "async", ("async",)),
    "async with": ("async with lock:\n    pass\n", "async", ("async",)),
    "async comprehension": ("rows = [row async for row in cursor]\n", "async", ("async",)),
    "await and return": ("r = await get(url)\nreturn r\n", "function-body", ("async", "function")),
    "return and break": ("if done:\n    break\nreturn 1\n", "function-body", ("function", "loop")),
    "return of a receiver": ("return self.x\n", "method", ("function",)),
    "await of a receiver": ("await self.close()\n", "method", ("async",)),
    "return with a margin": ("    y = 1\n    return y\n", "function-body", ("margin", "function")),
    "star import beside await": ("from app import *\nawait run()\n", "async", ("async",)),
    "future import beside return": ("from __future__ import annotations\nreturn 1\n", "function-body", ("function",)),
    "return in the default of a loop": (
        "for x in xs:\n    if x:\n        return x\nelse:\n    break\n",
        "function-body",
        None,
    ),
}


@pytest.mark.parametrize(("text", "context", "adjustments"), STRAY.values(), ids=STRAY)
def test_stray_statements(text: str, context: str, adjustments: tuple[str, ...] | None) -> None:
    got = answer(text)
    assert got.short == ("compiles-in-context", context)
    assert adjustments is None or got.compilation.adjustments == adjustments


@pytest.mark.parametrize(
    "text",
    [
        "class A:\n    return 1\n",
        "def f():\n    await g()\n",
        "class A:\n    break\n",
        "for x in xs:\n    def f():\n        continue\n",
        "return [(yield x) for x in xs]\n",
        "async def f():\n    yield 1\n    return 2\n",
        "return 1\nf(a=1, a=2)\n",
    ],
)
def test_a_scope_excuses_nothing_else(text: str) -> None:
    assert answer(text).refused


def test_a_failure_inside_an_added_scope_keeps_its_place() -> None:
    got = answer("r = await get(url)\nplot(行=1, 行=2)\n")
    assert [(line, column) for _, line, column in got.said] == [(2, 11)]


def test_a_return_beside_a_function_is_remarked() -> None:
    got = answer("def area(x):\n    y = x * x\nreturn y\n")
    assert got.short == ("compiles-in-context", "function-body")
    assert got.said == [("stray-return-beside-def", 3, 1)]
    assert answer("y = 1\nreturn y\n").said == []
    assert answer("return make\ndef later(): pass\n").said == []


MARGINS = {
    "common": ("    a = 1\n    if a:\n        b = 2\n", "a = 1\nif a:\n    b = 2\n"),
    "tabs": ("\ta = 1\n\tif a:\n\t\tb = 2\n", "a = 1\nif a:\n\tb = 2\n"),
    "blank lines": ("\n    a = 1\n\n  \n    b = 2\n", "\na = 1\n\n  \nb = 2\n"),
    "a string's lines move along": ('    s = """\n    x\n      y\n    """\n', 's = """\nx\n  y\n"""\n'),
    "a comment at the margin": ("# now\n    a = 1\n    b = 2\n", "# now\na = 1\nb = 2\n"),
    "a comment between": ("    a = 1\n  # now\n    b = 2\n", "a = 1\n# now\nb = 2\n"),
    "a string's line further left": ('    s = """\n x\n    """\n    t = 1\n', 's = """\n x\n    """\nt = 1\n'),
    "a bracket's line further left": ("    s = f(1,\n  2)\n    t = 1\n", "s = f(1,\n2)\nt = 1\n"),
}


@pytest.mark.parametrize(("text", "code"), MARGINS.values(), ids=MARGINS)
def test_margins(text: str, code: str) -> None:
    got = answer(text)
    assert got.short == ("compiles-in-context", "module")
    assert got.compilation.adjustments == ("margin",)
    assert got.text == code


def test_positions_count_a_margin() -> None:
    got = answer("# a comment\n\n      alpha = 1\n      beta = alpha\n")
    assert got.origin("beta") == (4, 7)
    assert answer("    alpha = 1\n    beta = = 2\n").said[0][1:] == (2, 12)


@pytest.mark.parametrize(
    "text",
    [
        "from lib import Client\n\n    client = Client()\n    client.run()\n",
        "a = 1\n    b = 2\n",
        "    a = 1\nb = 2\n",
        '"""Title."""\n    a = 1\n',
        "class A:\n  '''a'''\n    def f(self):\n        return 1\n",
        "if a:\nb = 1\n",
        "    if a:\n        run()\n    '''\n    otherwise\n    '''\n    elif b:\n        stop()\n",
    ],
)
def test_a_margin_excuses_no_indentation_fault(text: str) -> None:
    assert answer(text).refused


CONTINUED = {
    "except": "except OSError:\n    log()\n",
    "finally": "finally:\n    close()\n",
    "else": "else:\n    stop()\n",
    "elif and else": "elif b:\n    go()\nelse:\n    stop()\n",
    "case": 'case 1:\n    text = """\n  a\n"""\ncase _:\n    pass\n',
    "with a margin": "    except OSError:\n        log()\n",
    "with what follows": "except OSError:\n    log()\nprint(1)\n",
}


@pytest.mark.parametrize("text", CONTINUED.values(), ids=CONTINUED)
def test_a_clause_of_the_fence_before(text: str) -> None:
    got = answers("try:\n    run()\nexcept KeyError:\n    pass\n", text)
    assert [one.short for one in got] == [("compiles", "module"), ("compiles-in-context", "continuation")]


def test_a_clause_keeps_its_places_and_its_faults() -> None:
    good, bad = answers("except OSError:\n    log(1)\n", "except OSError:\n    log(1 2)\n")
    assert good.origin("log") == (2, 5)
    assert bad.refused
    assert bad.said[0][1] == 6


WITHOUT_BODY = {
    "header": ("for x in loader:\n", "header-only", 1),
    "header behind code": ("import a\n\ndef fit(x):\n", "header-only", 3),
    "nested header": ("class A:\n    def fit(self, x):\n", "header-only", 2),
    "try": ("try:\n", "header-only", 1),
    "match": ("match x:\n", "header-only", 1),
    "comment for a body": ("for x in xs:\n    # use it\nprint(1)\n", "header-only", 1),
    "clauses": ("if a:\n    # first\nelif b:\n    # second\nelse:\n    # third\n", "header-only", 1),
    "dots in a comment for a body": ("def f():\n    # ...\nx = 1\n", "elision", 2),
    "list of headers": ("def fit(x):\ndef score(x):\n", "header-only", 1),
    "decorator": ("@app.get('/')\n", "header-only", 1),
    "signature": ("def fit(x, y, *, epochs=3) -> Model\n", "signature-only", 1),
    "signature of a class": ("class Box(Base)\n", "signature-only", 1),
    "signature behind code": ("import a\nasync def fit(x)\n", "signature-only", 2),
    "list of signatures": ("def fit(x) -> Model\ndef score(x) -> float\n", "signature-only", 1),
    "signatures in a class": ("class Model:\n    def fit(self, x)\n    def score(self)\n", "signature-only", 2),
    "signature as manuals print it": ("lib.nn.scale(x, *, out=None) -> Tensor\n", "signature-only", 1),
    "arrow of a manual": ("scale(x) → Tensor\n", "signature-only", 1),
}


@pytest.mark.parametrize(("text", "kind", "line"), WITHOUT_BODY.values(), ids=WITHOUT_BODY)
def test_missing_bodies(text: str, kind: str, line: int) -> None:
    got = answer(text)
    assert got.compilation.verdict == "compiles-elided"
    assert got.said[0][:2] == (kind, line)


@pytest.mark.parametrize(
    "text",
    [
        "for doc in docs:\nif doc.ok:\n        keep(doc)\n",
        "while n > 0\n    n -= 1\n",
        "def f():\n# no body\nx = 1\n",
        "for x in xs:\n    # use it\nprint(1\n",
        "scale(x y)\n",
        "import a\ndef f(x)\nprint(1)\n",
    ],
)
def test_a_missing_body_excuses_no_fault(text: str) -> None:
    assert answer(text).refused


def test_excerpts_stand_each_at_its_own_depth() -> None:
    text = "from lib import Entity\n...\n    def turn_on(self):\n        self.on = True\n# ...\nreturn Entity\n"
    got = answer(text)
    assert got.short == ("compiles-elided", "fragment")
    assert got.said == [("elision", 2, 1), ("elision", 5, 1)]
    assert got.origin("self.on") == (4, 9)
    assert got.origin("return Entity") == (6, 1)


def test_an_elision_is_said_once() -> None:
    got = answer("import a\n…\n  def g(self):\n    pass\n")
    assert got.short == ("compiles-elided", "fragment")
    assert got.said == [("elision", 2, 1)]


@pytest.mark.parametrize(
    "text",
    [
        "from lib import Entity\n...\n    def turn_on(self):\n      self.on = True\n        self.off = 1\n",
        "from lib import Entity\n\n    def turn_on(self):\n        self.on = True\n",
        "from lib import Entity\n# then\n    def turn_on(self):\n        self.on = True\n",
        "x = [\n...\n    y = 1\n",
    ],
)
def test_excerpts_are_split_at_elisions_only_and_hide_nothing(text: str) -> None:
    assert answer(text).refused


def test_a_file_has_no_context() -> None:
    assert answer("return 1\n", kind="file").short == ("broken", None)
    assert answer("  x = 1\n", kind="file").short == ("broken", None)
    assert answer("f(a=1, ...)\n", kind="file").short == ("broken", None)
    assert answer("%time x\n", kind="file").short == ("broken", None)
    assert answer("def area(self):\n    return self.width\n", kind="file").short == ("compiles", "module")
    assert answer("# -*- coding: nosuch -*-\nx = 1\n", kind="file").short == ("compiles", "module")
