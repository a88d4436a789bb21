"""Offsets of nodes: read off the text, whatever stands between the tokens."""

import libcst as cst
import pytest

from auditor.matching.lowering import Misread, lower
from auditor.matching.lowering_atoms import number_value, string_content
from auditor.matching.tree import Node, Tree


def tree_of(code: str) -> Tree:
    return lower(cst.parse_module(code), code)


def only(tree: Tree, kind: str) -> Node:
    (node,) = tree.of_kind(kind)
    return node


def test_blanks_comments_and_line_ends_belong_to_no_node() -> None:
    code = "x = (  # one\n    f ( a ,\\\n  b )\n)  # two\n"
    tree = tree_of(code)
    assert tree.text_of(only(tree, "Call")) == "f ( a ,\\\n  b )"
    assert tree.text_of(only(tree, "Assign")) == code.removesuffix("  # two\n")


@pytest.mark.parametrize(
    ("code", "kind", "text"),
    [
        ("(a)\n", "Name", "a"),
        ("(1, 2)\n", "Tuple", "(1, 2)"),
        ("x = 1, 2\n", "Tuple", "1, 2"),
        ("f(a for a in b)\n", "Comp", "a for a in b"),
        ("x = (a for a in b)\n", "Comp", "(a for a in b)"),
        ("if a:\n    b\n    # below\n\nc\n", "If", "if a:\n    b"),
        ("@d\n# between\ndef f(): pass\n", "Def", "@d\n# between\ndef f(): pass"),
        ("try:\n    a\nexcept  E  :\n    b\n", "Handler", "except  E  :\n    b"),
        ('f"{x !r:>{w}}"\n', "FStr", 'f"{x !r:>{w}}"'),
        ("a  if  b  else  c\n", "IfExp", "a  if  b  else  c"),
        ("x [ 1 : 2 ]\n", "Slice", "1 : 2"),
        ("a; b ;\n", "Block", "a; b"),
        ("a  not   in  b\n", "Cmp", "a  not   in  b"),
        ("def f(a, /, b, *, c=1, **d): pass\n", "Params", "a, /, b, *, c=1, **d"),
        ("from a import (b as c,)\n", "ImportFrom", "from a import (b as c,)"),
        ("class A [T] (B, metaclass = C) : pass\n", "Class", "class A [T] (B, metaclass = C) : pass"),
        ("match x:\n    case {1: y} if z: pass\n", "Case", "case {1: y} if z: pass"),
        ("with (a as b, c): pass\n", "With", "with (a as b, c): pass"),
        ("async def f():\n    async for a in b: pass\n", "For", "async for a in b: pass"),
    ],
)
def test_place_of_a_node(code: str, kind: str, text: str) -> None:
    tree = tree_of(code)
    assert text in {tree.text_of(node) for node in tree.of_kind(kind)}


def test_a_subtree_is_a_slice() -> None:
    tree = tree_of("f(a, g(b))\n")
    outer = next(node for node in tree.of_kind("Call") if tree.text_of(node).startswith("f"))
    assert {tree.text_of(node) for node in tree.within(outer) if node.kind == "Name"} == {"f", "a", "g", "b"}


def test_a_long_chain_is_no_deep_tree() -> None:
    assert len(tree_of("x = " + " + ".join(["a"] * 800) + "\n").of_kind("Bin")) == 799
    assert len(tree_of("if a: pass\n" + "elif a: pass\n" * 90).of_kind("If")) == 91


def test_a_deep_tree_is_refused() -> None:
    with pytest.raises(Misread, match="nested too deeply"):
        tree_of("x = " + "not " * 150 + "y\n")


def test_a_text_of_another_tree_is_refused() -> None:
    with pytest.raises(Misread):
        lower(cst.parse_module("a + b\n"), "a - b\n")


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [("1_000", "1000", True), ("0x10", "16", True), ("1", "1.0", False), ("1e3", "1000.0", True), ("1j", "1", False)],
)
def test_numbers_by_value(one: str, other: str, alike: bool) -> None:
    assert (number_value(one) == number_value(other)) is alike


def test_a_number_of_thousands_of_digits_has_a_value() -> None:
    assert number_value("9" * 5000) == number_value("9_" * 4999 + "9")
    assert number_value("0x" + "f" * 5000).startswith("int ")


@pytest.mark.parametrize(("text", "content"), [("'a'", "a"), ('rb"""a"b"""', 'a"b'), ("u''", "")])
def test_content_of_a_string(text: str, content: str) -> None:
    assert string_content(text) == content


def test_shapes_leave_formatting_out() -> None:
    tree = tree_of("f(a . b, 'x')\nf( a.b,\"x\" )\nf(a.b, 'y')\n")
    one, two, three = tree.of_kind("Call")
    assert tree.shape_of(one) == tree.shape_of(two) != tree.shape_of(three)
