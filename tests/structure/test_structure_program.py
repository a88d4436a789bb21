"""The outside of a text, and text that is no code."""

import pytest

from auditor.structure.hints import hinted
from auditor.structure.program import program
from auditor.structure.shape import Arguments, Program, Signature


def read(code: str) -> Program:
    found = program(code)
    assert found is not None
    return found


def uses(code: str) -> list[tuple[str, str, bool]]:
    return [(".".join(use.name), use.inside, use.now) for use in read(code).uses]


def test_what_binds_a_name() -> None:
    found = read("import a.b\nfrom c import d as e\nx = f(1)\ny = 2\nif y:\n    def g(): ...\nfor z in x:\n    pass\n")
    assert {each.name: (each.by, each.target, each.sure) for each in found.bound} == {
        "a": ("import", "", True),
        "e": ("import", "", True),
        "x": ("made", "f", True),
        "y": ("other", "", True),
        "g": ("function", "", False),
        "z": ("other", "", False),
    }


def test_what_a_pattern_captures() -> None:
    found = read("match x:\n    case {'a': a, **rest}:\n        pass\n    case [b, *others] as whole:\n        pass\n")
    captured = {"a", "rest", "b", "others", "whole"}
    assert found.stored == captured
    assert {(each.name, each.by, each.sure) for each in found.bound} == {(name, "other", False) for name in captured}


def test_signatures() -> None:
    found = read("def f(a, /, b, c=1, *d, e, g=2, **h): ...\n")
    assert found.functions[0].signature == Signature(("a", "b", "c"), 1, 2, True, ("e", "g"), ("e",), True)


def test_how_methods_are_reached() -> None:
    code = (
        "class A:\n    def a(self): pass\n    @staticmethod\n    def b(): pass\n    @classmethod\n"
        "    def c(cls): pass\n"
        "    @property\n    def d(self): pass\n    @other\n    def e(self): pass\n"
        "    @torch.no_grad()\n    def f(self): pass\n"
    )
    assert {each.qualname[2:]: each.reached for each in read(code).functions} == {
        "a": "method", "b": "static", "c": "class", "d": "property", "e": "unknown", "f": "method",
    }  # fmt: skip


def test_what_is_asked_for() -> None:
    assert uses("f(1)\na.b.c\nx\nprint(g())\n") == [("f", "", True), ("a.b.c", "", True), ("g", "", True)]
    assert uses("def f(a):\n    b = 1\n    a.x\n    b.x\n    c.x\n") == [("c.x", "", False)]
    assert uses("class A:\n    def f(self):\n        self.x.y(1)\n") == [("self.x.y", "A", False)]
    assert uses("def f(self):\n    self.x\n") == [("self.x", "self", False)]
    assert uses("class A:\n    def f(self):\n        self = g\n        self.x\n") == []
    assert uses("[a.x for a in b.y]\n") == [("b.y", "", True)]
    assert uses("try:\n    a.x\nexcept E:\n    b.x\n") == [("b.x", "", True)]


def test_arguments() -> None:
    found = read("f(1, *a, b=2, **c)\nf(...)\n").uses
    assert found[0].arguments == Arguments(1, ("b",), True, True)
    assert found[1].arguments == Arguments(0, (), True, True), "dots stand for any number, none of them counted"


def test_what_a_class_holds() -> None:
    (shape,) = read(
        "class A(B, C[int]):\n    x = 1\n"
        "    def __init__(self, part):\n        self.y = D(1)\n        self.z = part(1)\n"
        "        self.register_buffer('w', 1)\n    def f(this):\n        this.v = this.y\n"
    ).classes
    assert shape.bases == ("B", "C")
    assert shape.attributes == {"x", "y", "z", "w", "v", "f", "__init__"}
    assert dict(shape.makes) == {"y": "D"}
    assert not shape.open


def test_what_is_expected_to_fail_is_no_use() -> None:
    code = "with pytest.raises(TypeError):\n    f(1)\n    a.b\ntry:\n    a.c(1)\nexcept TypeError:\n    g(3)\n"
    assert uses(code) == [("pytest.raises", "", True), ("g", "", True)]
    in_function = "def h():\n    with raises(TypeError):\n        f(1)\n    f.x(2)\n"
    assert uses(in_function) == [("raises", "", False), ("f.x", "", False)]


def test_without_uses() -> None:
    found = program("f(1)\ndef g():\n    x = 1\n", uses=False)
    assert found is not None
    assert found.uses == ()
    assert found.stored == {"g", "x"}


@pytest.mark.parametrize(
    "code",
    [
        "x" + ".y" * 3000 + "()\n",
        "f(" * 80 + ")" * 80 + "\n",
        "x = " + "+".join(["a.b"] * 2000) + "\n",
        "class A:\n" + "".join(f"    def f{n}(self): self.x{n} = A.f(self)\n" for n in range(500)),
        "match x:\n    case {'a': [b, *c], **d} | e: pass\n",
        "type X[T: int] = list[T]\ndef f[T](x: T) -> T: return x.y\n",
        "async def f():\n    async with a.b() as c, d: pass\n",
        "lambda self: self.x\n",
        "\ud800 = 1\n",
        "def f(:\n",
    ],
    ids=lambda code: code[:20].encode("ascii", "replace").decode(),
)
def test_any_text(code: str) -> None:
    program(code)
    hinted(code)


def test_hints() -> None:
    text = (
        "Let `depth = 3` and:\n\n    width, height = 1, 2\n\n> colour: str = 'red'\n\n$ x==1\n"
        "from shop import (price,\n  tax)\ndef area(r)\nclass Tank\nfor one, two in pairs:\n"
    )
    assert hinted(text) >= {"depth", "width", "height", "colour", "price", "tax", "area", "Tank", "one", "two"}
    assert "x" not in hinted("$ x==1\n")
    assert hinted("a = 1\nb = 2\n", [(0, 6)]) == {"b"}


@pytest.mark.parametrize(
    "line",
    ["{* ./code/tank.py ln[1:3] *}", "<<< @/code/tank.py", "```{literalinclude} tank.py", '--8<-- "code/tank.py:fill"'],
)
def test_a_page_that_takes_in_code(line: str) -> None:
    assert "*" in hinted(f"Text.\n\n{line}\n\nText.\n")
    assert "*" not in hinted(f"Text.\n\n{line}\n".replace(".py", ".txt"))
    assert "*" not in hinted(line, [(0, len(line))])
    assert "*" in hinted(f"{line}\n\nText.\n\n{line}\n".replace(".py", ".txt", 1))


@pytest.mark.parametrize(
    ("code", "reached"),
    [
        ("def f(): ...\n", "unknown"),
        ("def f():\n    'What it does.'\n    ...\n", "unknown"),
        ("def f(a): ...\n", "function"),
        ("def f():\n    'What it does.'\n", "function"),
        ("def f(*, a): ...\n", "function"),
        ("def f(): pass\n", "function"),
    ],
)
def test_dots_without_parameters_are_a_sketch(code: str, reached: str) -> None:
    assert read(code).functions[0].reached == reached
