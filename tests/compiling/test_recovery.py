"""What can still be read of text that does not compile."""

import ast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.compiling.compiler import silent
from auditor.compiling.damage import parses
from auditor.compiling.lines import logical_lines
from auditor.compiling.recovery import recover
from auditor.model import Diagnosis, MappedText, Span

SHOP = '''\
import math

LIMIT = 3


class Shop:
    """Sells things."""

    price = 1

    def __init__(self, stock):
        self.stock = stock

    def sell(self, count=1):
        if count > self.stock:
            raise ValueError("too many")
        else:
            self.stock -= count
        return math.ceil(count)

    def close(self):
        try:
            return self.stock
        finally:
            self.stock = 0


def main(argument):
    shop = Shop(
        argument,
    )
    return shop.sell()
'''
NAMES = {"Shop", "Shop.__init__", "Shop.sell", "Shop.close", "main"}


def recovered(code: str) -> str:
    edits = recover(code)
    assert edits is not None
    text = MappedText.verbatim(code).edit(edits).text
    assert text.count("\n") == code.count("\n")
    return text


def names(text: str) -> set[str]:
    found: set[str] = set()

    def visit(node: ast.AST, prefix: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.ClassDef):
                found.add(prefix + child.name)
                visit(child, f"{prefix}{child.name}.")
            else:
                visit(child, prefix)

    visit(ast.parse(text), "")
    return found


def replaced(old: str, new: str) -> str:
    assert SHOP.count(old) == 1
    return SHOP.replace(old, new)


def test_sound_text_needs_no_edit() -> None:
    assert recover(SHOP) == ()
    assert recover("return 1\n") == ()


@pytest.mark.parametrize(
    "code",
    [
        replaced("        self.stock = stock\n", "        self.stock = = stock\n"),
        replaced("    price = 1\n", "    price = 1 2\n"),
        replaced("    price = 1\n", "  price = 1\n"),
        replaced("    price = 1\n", "price = 1\n"),
        replaced("    price = 1\n", "Here we set the price of all things.\n"),
        replaced("    shop = Shop(\n", "    shop = Shop((\n"),
        replaced("        argument,\n    )\n", "        argument,\n"),
        replaced('raise ValueError("too many")', 'raise ValueError("too many'),
        replaced("        else:\n", "      else:\n"),
        replaced("        else:\n", "            else:\n"),
        replaced("        finally:\n            self.stock = 0\n", ""),
        replaced("    def sell(self, count=1):\n", "    def sell(self, count=1:\n"),
        replaced("    def sell(self, count=1):\n", "    def sell(self, count=1)\n"),
        replaced("    def sell(self, count=1):\n", "    def sell(self count):\n"),
        replaced("    def sell(self, count=1):\n", "      def sell(self, count=1):\n"),
        replaced("    def sell(self, count=1):\n", "  def sell(self, count=1):\n"),
        replaced("    def close(self):\n", "         def close(self):\n"),
        replaced("class Shop:\n", "class Shop(:\n"),
        replaced("class Shop:\n", "class Shop\n"),
        replaced('    """Sells things."""\n', '    """Sells things.\n'),
        replaced("def main(argument):\n", "  def main(argument):\n"),
        replaced("def main(argument):\n", ">>> x\ndef main(argument):\n"),
        replaced("LIMIT = 3\n", "LIMIT = 3\n    indented()\n"),
        replaced("LIMIT = 3\n", "if LIMIT = 3:\n    pass\n"),
        SHOP + "tensor([[1., 2.],\n        [3., 4.]], device='cpu'...\n",
        SHOP.replace("    def ", "\tdef "),
        "$ python shop.py\n" + SHOP,
    ],
)
def test_one_fault_loses_no_name(code: str) -> None:
    assert names(recovered(code)) == NAMES


def test_a_lost_line_stays_a_line_and_keeps_the_name_it_binds() -> None:
    assert recovered("a = 1\nb = 2 3\nc d\nd = 4\n") == "a = 1\nb = ...\npass\nd = 4\n"


def test_a_broken_header_keeps_its_name_and_its_body() -> None:
    assert recovered("def f(a b):\n    return a\n") == "def f(*_, **__):\n    return a\n"
    assert recovered("async def f(a b):\n    return a\n") == "async def f(*_, **__):\n    return a\n"
    assert recovered("class A(b c):\n    d = 1\n") == "class A:\n    d = 1\n"


def test_the_body_of_another_broken_header_goes_to_what_is_around_it() -> None:
    assert recovered("def f():\n    if a = 1:\n        return 2\n") == "def f():\n    pass\n    return 2\n"


def test_a_header_without_a_body_gets_one() -> None:
    assert recovered("def f():  # why\nx = 1\n") == "def f(): pass  # why\nx = 1\n"
    assert recovered("for a in b:\n") == "for a in b: pass\n"


def test_clauses_find_their_owner_or_go() -> None:
    assert recovered("else:\n    a = 1\nb = 2\n") == "pass\na = 1\nb = 2\n"
    assert recovered("try:\n    a = 1\nb = 2\n") == "if 1:\n    a = 1\nb = 2\n"
    assert recovered("if a:\n    b\n  else:\n    c\n") == "if a:\n    b\nelse:\n    c\n"
    assert recovered("match a:\n    b\n") == "if 1:\n    b\n"
    assert parses(recovered("match a:\n    case 1: b\n  case 2:\n    c\n    case = = 3\n"))
    assert parses(recovered("if a:\n    b\nelse:\n    c\nelse:\n    d\n"))
    assert parses(recovered("try:\n    a\nexcept:\n    b\nexcept A:\n    c\n"))


def test_a_decorator_of_nothing_goes() -> None:
    assert recovered("@a\nb = 1\n@c\ndef d(): pass\n") == "pass\nb = 1\n@c\ndef d(): pass\n"


def test_methods_at_a_margin_of_their_own_stay_in_the_class() -> None:
    code = "class A:\n  def __init__(self):\n        self.a = 1\n\n    def f(self):\n        return self.a\n"
    assert names(recovered(code)) == {"A", "A.__init__", "A.f"}


def test_strings_over_lines_are_left_alone() -> None:
    code = 'def f():\n  """One.\n\nTwo.\n  """\n  a = "b \\\n  c"\n  d e\n'
    assert recovered(code) == 'def f():\n  """One.\n\nTwo.\n  """\n  a = "b \\\n  c"\n  pass\n'


def test_newer_syntax_is_kept() -> None:
    code = "def f[T](a: T) -> T:\n    return f'{a['b']}'\ntype X = int\ny z\n"
    assert recovered(code) == code.replace("y z", "pass")


def test_nothing_but_faults_is_nothing() -> None:
    assert recover("a b\nc d\n") is None
    assert recover("") == ()
    assert recover("a \0 b") is None


def test_output_behind_code_is_left_out() -> None:
    code = "print(a)\n[1, 2\n 3, 4]\n"
    output = Diagnosis("output-after-code", Span(9, 14))
    edits = recover(code, [output])
    assert edits is not None
    assert MappedText.verbatim(code).edit(edits).text == "print(a)\n\n\n"


def test_positions_of_what_is_kept_map_back() -> None:
    code = replaced("    price = 1\n", "    price = 1 2\n").replace("    def close", "       def close")
    edits = recover(code)
    assert edits is not None
    mapped = MappedText.verbatim(code).edit(edits)
    for name in ("close", "sell", "main", "math.ceil"):
        assert mapped.locate(mapped.text.index(name)).start == code.index(name)


@given(st.text(alphabet="ad:=()[]{}'\"#\\@ \n\t,+", max_size=60) | st.text(max_size=40))
@settings(max_examples=300, deadline=None)
def test_any_text_keeps_its_lines_and_gets_a_tree(code: str) -> None:
    edits = recover(code)
    if edits is not None:
        text = MappedText.verbatim(code).edit(edits).text
        assert text.count("\n") == code.count("\n")
        with silent():
            assert parses(text)


@given(st.lists(st.sampled_from(SHOP.split("\n")), max_size=12), st.integers(0, 9))
@settings(max_examples=200, deadline=None)
def test_shuffled_lines_get_a_tree(lines: list[str], blanks: int) -> None:
    code = "\n".join(" " * (blanks * at % 7) + line for at, line in enumerate(lines))
    edits = recover(code)
    with silent():
        assert edits is None or parses(MappedText.verbatim(code).edit(edits).text)


def test_every_line_of_code_is_in_one_logical_line() -> None:
    code = 'a = [\n  1,\n]\n\n# c\nb = """x\ny"""\nc = (\ndef f(\n  a):\n  return "\\\n"\n'
    spans = [(line.first, line.last) for line in logical_lines(code)]
    assert spans == [(0, 2), (5, 6), (7, 7), (8, 9), (10, 11)]


@pytest.mark.parametrize(
    "code",
    ["x(\n" * 20_000, "'''\n" * 20_001, "def f(\n" * 10_000, "if x:\n" * 500, ":#" * 50_000 + "\n(", "else:\n" * 5_000],
)
def test_hostile_text_takes_bounded_time(code: str) -> None:
    edits = recover(code)
    assert edits is None or isinstance(edits, tuple)
