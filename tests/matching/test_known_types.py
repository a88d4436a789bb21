"""Metavariables with a type, by all the ways in which a type is known."""

import pytest

from auditor.matching import find, prepare
from auditor.matching.rule import Leaf, Rule


@pytest.mark.parametrize(
    ("wanted", "code", "hits"),
    [
        ("bool", "f(True)", 1),
        ("bool", "f(None)", 0),
        ("str", "f('a')", 1),
        ("int", "f(1)", 1),
        ("int", "f(1.5)", 0),
        ("float", "f(1.5)", 1),
        ("Path", "f(Path(x))", 1),
        ("Path", "f(Road(Path(x)))", 0),
        ("Path", "def g(p: Path):\n    f(p)", 1),
        ("Path", "def g(p: Road):\n    f(p)", 0),
    ],
)
def test_the_type_of_what_is_written(wanted: str, code: str, hits: int) -> None:
    program = prepare([Rule("typed", "error", {"en": "m"}, match=Leaf(f"f(($X : {wanted}))"))])
    assert len(find(program, f"{code}\n").matches) == hits


def test_the_type_of_what_a_name_was_bound_to() -> None:
    options = {"symbolic_propagation": True}
    program = prepare([Rule("typed", "error", {"en": "m"}, match=Leaf("f(($X : Path))"), options=options)])
    assert len(find(program, "def g(x):\n    p = Path(x)\n    f(p)\n").matches) == 1
    assert not find(program, "def g(x):\n    p = Road(Path)\n    f(p)\n").matches
