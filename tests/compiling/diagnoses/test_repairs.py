"""A repair proves its diagnosis: what it leaves compiles, and says what was meant."""

import pytest

from auditor.compiling.compiler import Neighbourhood, try_compile
from auditor.compiling.diagnoses.diagnose import Diagnosed, diagnose
from auditor.model import Edit


def ask(code: str) -> Diagnosed:
    failure = try_compile(code)
    assert failure is not None
    return diagnose(code, failure, Neighbourhood())


def mend(code: str, edits: list[Edit]) -> str:
    for edit in sorted(edits, key=lambda edit: edit.start, reverse=True):
        code = code[: edit.start] + edit.replacement + code[edit.end :]
    return code


def mended(code: str) -> str:
    """The text after every repair of its diagnoses."""
    return mend(code, [edit for found in ask(code).diagnoses for edit in found.repair or ()])


REPAIRED = [
    (
        "class A:\n  '''doc'''\n    def f(self):\n        return 1\n\n    def g(self):\n        return 2\n",
        "class A:\n    '''doc'''\n    def f(self):\n        return 1\n\n    def g(self):\n        return 2\n",
    ),
    (
        "class A:\n    def f(self):\n        return 1\n\n   def g(self):\n       return 2\n",
        "class A:\n    def f(self):\n        return 1\n\n    def g(self):\n        return 2\n",
    ),
    ("import a\n    b = a.c\n    b.d()\ne = 1\n", "import a\nb = a.c\nb.d()\ne = 1\n"),
    ("def f():\nreturn 1\n", "def f():\n    return 1\n"),
    ("@cached\n    def f(self):\n        return 1\n", "    @cached\n    def f(self):\n        return 1\n"),
    ("if a:\n        b = 1\n\tc = 2\n", "if a:\n        b = 1\n        c = 2\n"),
    ('f(\n    a="x"\n    b=2\n    c=3,\n)\n', 'f(\n    a="x",\n    b=2,\n    c=3,\n)\n'),
    ("for x in y\n    f(x)\n", "for x in y:\n    f(x)\n"),
    ("def f(a):\n    b = g(a\n    return b\n", "def f(a):\n    b = g(a)\n    return b\n"),
    ("def f(a:\n    return a\n", "def f(a):\n    return a\n"),
    ("print(f(1)))\n", "print(f(1))\n"),
    ("a = [f(1), 2)\n", "a = [f(1), 2]\n"),
    ('f(a="x)\ng()\n', 'f(a="x")\ng()\n'),
    ("print('it's late')\n", 'print("it\'s late")\n'),
    ("f(a=1, b=2, a=1)\n", "f(a=1, b=2)\n"),
    ("from my-lib import x\ny = x()\n", "from my_lib import x\ny = x()\n"),
    ("f(a=1, tit\nle=2)\n", "f(a=1, title=2)\n"),
    ("f(memory\n_format=2)\n", "f(memory_format=2)\n"),
    ('x = """a\nb\\"""\ny = 1\n', 'x = """a\nb"""\ny = 1\n'),
    ("rom a import b\nb()\n", "from a import b\nb()\n"),
    ("1 import a\n2 a.b()\n", "import a\na.b()\n"),
    ("x = f(\\'a\\', \\'b\\')\n", "x = f('a', 'b')\n"),
    ("class A:\n    def **init**(self):\n        pass\n", "class A:\n    def __init__(self):\n        pass\n"),
    ("x = f（1，2）  # 好（吗）\n", "x = f(1,2)  # 好（吗）\n"),
    ("print(“a，b”)\n", 'print("a，b")\n'),
    ("def f():\n\u00a0\u00a0return\u00a01\n", "def f():\n  return 1\n"),
    ("\u3000\u3000x = 1\n", "  x = 1\n"),
    ('print "a", b\nprint "c",\n', 'print("a", b)\nprint("c", end=" ")\n'),
    ("print >>f, a, b\nprint `a`\n", "print(a, b, file=f)\nprint(repr(a))\n"),
    ("def f((a, b)):\n    return a\n", "def f(a, b):\n    return a\n"),
    ("x = 1 + \\  # one\n    2\n", "x = 1 + \\\n    2\n"),
    ("pipe line = f(1)\n", "pipeline = f(1)\n"),
]


@pytest.mark.parametrize(("before", "after"), REPAIRED)
def test_the_repair_says_what_was_meant(before: str, after: str) -> None:
    assert mended(before) == after


@pytest.mark.parametrize("before", [before for before, _ in REPAIRED if not before.startswith("\u3000")])
def test_the_repair_compiles_but_for_its_margin(before: str) -> None:
    lines = mended(before).split("\n")
    margin = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    assert try_compile("\n".join(line[margin:] for line in lines)) is None


def test_several_defects_are_named_each_at_its_own_line() -> None:
    code = "\n\n\n\n\na = f(1 2)\nb = 3\nwhile b > 0\n    b -= 1\nprint “c”\nd = = 4\n"
    found = [(said.kind, code.count("\n", 0, said.span.start) + 1) for said in ask(code).diagnoses]
    assert found[:2] == [("missing-comma", 6), ("missing-colon", 8)]
    assert ("syntax-error", 11) in found


def test_what_cannot_be_mended_does_not_hide_what_follows() -> None:
    code = "a = = 1\nb = 2\nc = )\nd = = 3\n"
    assert [code.count("\n", 0, said.span.start) + 1 for said in ask(code).diagnoses] == [1, 3, 4]


def test_an_ambiguous_place_gets_no_repair() -> None:
    (found,) = ask("def f(x):\n    for y in x:\n        g(y)\n      h(x)\n").diagnoses
    assert (found.kind, found.repair) == ("unindent-mismatch", None)


def test_which_sign_was_lost_is_the_authors_to_say() -> None:
    (found,) = ask("y = f(x)   0.2*g(x)\n").diagnoses
    assert found.repair is None
