"""How a fence's code differs from its definition's."""

import re
import textwrap

import pytest

from auditor.structure.difference import difference
from auditor.structure.operation import Operation

BLOCK = '''\
class Block(nn.Module):
    """Pre-norm."""

    def __init__(self, width, drop=0.1):
        super().__init__()
        self.norm = Norm(width)
        self.mix = Mix(width, drop=drop)

    def forward(self, x):
        # Keep the raw input for the residual.
        y = self.norm(x)
        if self.training:
            y = self.drop(y)
        else:
            y = y
        return x + self.mix(y, y, mask=None)
'''


def changed(*pairs: tuple[str, str]) -> str:
    text = BLOCK
    for old, new in pairs:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize(
    ("kind", "fence"),
    [
        ("identical", BLOCK),
        ("identical", textwrap.indent(BLOCK, "  ")),
        ("identical", BLOCK.replace("\n", "\r\n")),
        ("identical", "\n" + BLOCK.replace(":\n", ":  \n") + "\n\n"),
        ("comments", changed(('    """Pre-norm."""\n\n', ""))),
        ("comments", changed(("        # Keep the raw input for the residual.\n", ""))),
        ("comments", changed(("self.norm(x)\n", "self.norm(x)  # normalised\n"))),
        ("formatting", changed(("return x + self.mix(y, y, mask=None)", "return (x + self.mix(y, y, mask = None,))"))),
        ("formatting", BLOCK.replace("    ", "  ")),
        ("renamed", BLOCK.replace("Block", "Layer")),
        ("renamed", re.sub(r"\by\b", "z", BLOCK)),
        ("elided", changed(("        self.norm = Norm(width)\n        self.mix", "        ...\n        self.mix"))),
        ("elided", changed(("        self.norm = Norm(width)\n", "        # ...\n"))),
        ("elided", changed(("            y = self.drop(y)\n", "            pass\n"))),
        ("subset", changed(("        self.norm = Norm(width)\n", ""))),
        ("subset", BLOCK[: BLOCK.index("    def forward")]),
        ("signature", changed(("drop=0.1", "drop=0.2"))),
        ("signature", changed(("(self, x)", "(self, x, mask=None)"))),
        ("signature", changed(("(nn.Module)", "(Module)"))),
        ("signature", changed(("(self, x)", "(self, x: Tensor) -> Tensor"))),
        ("signature", changed(("    def forward", "    @compiled\n    def forward"))),
        ("diverged", changed(("self.norm(x)", "self.norm(y)"))),
        ("diverged", changed(("self.training", "not self.training"))),
        ("diverged", changed(("mask=None", "mask=True"))),
        ("diverged", changed(("        self.norm = Norm(width)\n", "        ...\n"), ("drop=0.1", "drop=0.2"))),
        ("diverged", "def Block():\n    pass\n"),
        ("diverged", "class Block(:\n"),
    ],
)  # fmt: skip
def test_kinds(kind: str, fence: str) -> None:
    assert difference(fence, BLOCK).kind == kind


@pytest.mark.parametrize(
    ("fence", "operations"),
    [
        (
            changed(("        return x", "        log(y)\n        return x")),
            [("statement-added", "Block.forward", None, "log(y)")],
        ),
        (
            changed(("        super().__init__()\n", "")),
            [("statement-removed", "Block.__init__", "super().__init__()", None)],
        ),
        (
            changed(("self.training", "self.training and y")),
            [("condition-changed", "Block.forward", "self.training", "self.training and y")],
        ),
        (changed(("(y, y, mask=None)", "(y, mask=None)")), [("argument-removed", "Block.forward", "y", None)]),
        (changed(("(y, y, mask=None)", "(y, y)")), [("argument-removed", "Block.forward", "mask=None", None)]),
        (changed(("(y, y, mask=None)", "(y, y, mask=None, k=1)")), [("argument-added", "Block.forward", None, "k=1")]),
        (
            changed(("mask=None", "mask=\n  True")),
            [("argument-changed", "Block.forward", "mask=None", "mask= True")],
        ),
        (changed(("Norm(width)", "Norm(width, 1e-6)")), [("argument-added", "Block.__init__", None, "1e-6")]),
        (changed(("y = self.norm(x)", "x = self.norm(x)")), [("name-replaced", "Block.forward", "y", "x")]),
        (changed(("y = self.norm(x)", "x = self.norm(x, 1)")),
         [("name-replaced", "Block.forward", "y", "x"), ("argument-added", "Block.forward", None, "1")]),
        (
            changed(("return x + self.mix(y, y, mask=None)", "return self.mix(y)")),
            [("statement-changed", "Block.forward", "return x + self.mix(y, y, mask=None)", "return self.mix(y)")],
        ),
        (changed(("(nn.Module)", "(nn.Module, Named)")), [("base-changed", "Block", None, "Named")]),
        (changed(("(nn.Module)", "(Base)")), [("base-changed", "Block", "nn.Module", "Base")]),
        (
            changed(("    def forward", "    @fast\n    def forward")),
            [("decorator-changed", "Block.forward", None, "fast")],
        ),
        (changed(("drop=0.1", "drop = 0.5")), [("default-changed", "Block.__init__", "drop=0.1", "drop=0.5")]),
        (changed(("drop=0.1", "drop")), [("default-changed", "Block.__init__", "drop=0.1", "drop")]),
        (changed(("(self, x)", "(self, x, *, mask)")), [("argument-added", "Block.forward", None, "mask")]),
        (changed(("(self, width, drop", "(self, drop")), [("argument-removed", "Block.__init__", "width", None)]),
        (changed(("(self, x)", "(self, x: T)")), [("annotation-changed", "Block.forward", None, "x: T")]),
        (BLOCK + "\n    def extra(self): pass\n", [("statement-added", "Block", None, "def extra(self):")]),
        (BLOCK.replace("forward", "run"), [("name-replaced", "", "forward", "run")]),
    ],
)  # fmt: skip
def test_operations_lead_from_the_definition_to_the_fence(
    fence: str, operations: list[tuple[str, str, str | None, str | None]]
) -> None:
    found = difference(fence, BLOCK).operations
    assert [(each.kind, each.path, each.before, each.after) for each in found] == operations


def test_loops_contexts_handlers_and_cases_are_compared_suite_by_suite() -> None:
    code = textwrap.dedent("""\
        def f(a):
            for i in a:
                with open(i) as g:
                    try:
                        g.read()
                    except OSError as e:
                        raise A from e
            match a:
                case [b]:
                    return b
        """)
    fence = code.replace("g.read()", "g.read(1)").replace("raise A from e", "raise").replace("return b", "return -b")
    kinds = [each.kind for each in difference(fence, code).operations]
    assert kinds == ["argument-added", "statement-changed", "statement-changed"]
    head = difference(code.replace("for i in a:", "for j in a:"), code).operations
    assert head == (Operation("statement-changed", "f", "for i in a:", "for j in a:"),)


def test_statements_alone_are_compared_with_the_body() -> None:
    definition = "def f(self, x):\n    a = g(x)\n    b = h(a)\n    return b\n"
    assert difference("a = g(x)\nb = h(a)\n", definition).kind == "subset"
    moved = difference("a = g(x)\nb = h(x)\n", definition)
    assert moved.kind == "diverged"
    assert moved.operations[0] == Operation("name-replaced", "f", "a", "x")


def test_a_docstring_alone_is_a_body_that_passes() -> None:
    definition = 'def f():\n    """Does."""\n'
    assert difference("def f(): pass\n", definition).kind == "formatting"
    assert difference("def f():\n    return 1\n", definition).operations == (
        Operation("statement-removed", "f", "pass", None),
        Operation("statement-added", "f", None, "return 1"),
    )


def test_methods_in_another_order_are_no_operations() -> None:
    one, two = "    def a(self): return 1\n", "    def b(self): return 2\n"
    assert difference("class A:\n" + two + one, "class A:\n" + one + two).kind == "formatting"


def test_newer_syntax_counts() -> None:
    code = "def f[T](a: T) -> T:\n    return f'{a['b']} c'\n"
    assert difference(code.replace("[T]", "[ T ]"), code).kind == "formatting"
    bound = difference(code.replace("[T]", "[T: int]"), code)
    assert bound.kind == "signature"
    assert [(each.before, each.after) for each in bound.operations] == [("[ T ]", "[ T : int ]")]
    assert difference(code.replace("} c'", "} d'"), code).kind == "diverged"


def test_long_bodies_are_compared_in_bounded_time() -> None:
    code = "def f():\n" + "".join(f"    a{i} = g({i})\n" for i in range(3000))
    fence = "def f():\n" + "".join(f"    b{i} = h({i}, 1)\n" for i in range(3000))
    assert difference(fence, code).kind == "diverged"
