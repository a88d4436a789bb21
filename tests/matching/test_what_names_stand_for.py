"""What metavariables and names stand for: the same thing twice, one or many, a type, what a star has brought."""

import pytest
from test_patterns_semantics import found


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("a = 1\nf(a, 1)\nf(1, a)\nf(a, 2)\n", [2, 3]),
        ("a = 'u'\nf(a, 'u')\nf(a, b'u')\n", [2]),
        ("b = g()\nf(b, b)\nf(b, 1)\n", [2]),
        ("f(1, 2)\nf(1, '1')\n", []),
    ],
)
def test_a_name_and_its_constant_are_one_thing(code: str, lines: list[int]) -> None:
    assert found("f($X, $X)", code) == lines


def test_without_constants_a_name_is_no_value() -> None:
    assert found("f($X, $X)", "a = 1\nf(a, 1)\nf(a, a)\n", constant_propagation=False) == [3]


@pytest.mark.parametrize(
    ("pattern", "code", "lines"),
    [
        ("f(k=$...A)", "f(k=1)\nf(j=2)\n", [1]),
        ("return $...A", "def f():\n    return 1\n", [2]),
        ("$...A + $...A", "1 + 1\n1 + 2\n", [1]),
    ],
)
def test_any_number_may_be_one(pattern: str, code: str, lines: list[int]) -> None:
    assert found(pattern, code) == lines


@pytest.mark.parametrize(
    ("pattern", "code", "lines"),
    [
        ("g($X: T)", "x = T()\ng(x)\ny = U()\ng(y)\ng(z)\n", [2]),
        ("[$X for $X in $Y]", "{a for a in b}\n[a for a in b]\n(a for a in b)\n", [2]),
        # What a star may have brought is a name of its module, written out; it is no metavariable's.
        ("m.f(1)", "from m import *\nf(1)\nm.f(1)\n", [2, 3]),
        ("m.a.f(1)", "from m.a import *\nf(1)\nm.a.f(1)\n", [2, 3]),
        ("$M.f(1)", "from m import *\nf(1)\nm.f(1)\n", [3]),
        ("m.$F(1)", "from m import *\nf(1)\nm.f(1)\n", [3]),
        ("$M.a.f(1)", "from m.a import *\nf(1)\nm.a.f(1)\n", [3]),
        ("m.$A.f(1)", "from m.a import *\nf(1)\nm.a.f(1)\n", [3]),
    ],
)
def test_what_a_name_stands_for(pattern: str, code: str, lines: list[int]) -> None:
    assert found(pattern, code) == lines
