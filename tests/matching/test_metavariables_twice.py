"""A metavariable that stands in a pattern twice, and `$...A` where only one thing can stand."""

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
