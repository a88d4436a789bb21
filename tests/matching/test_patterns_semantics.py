"""What each kind of pattern matches: one table, a pattern, a text, and the lines on which it is found."""

import pytest

from auditor.matching import find, prepare
from auditor.matching.rule import Leaf, Rule


def found(pattern: str, code: str, **options: bool) -> list[int]:
    """The lines on which a pattern's hits begin."""
    rule = Rule("r", "error", {"en": "m"}, match=Leaf(pattern), options=options)
    result = find(prepare([rule]), code)
    assert result.not_applied is None
    return sorted({code.count("\n", 0, match.start) + 1 for match in result.matches})


CASES = {
    # Calls
    "no dots, exact arguments": ("f(1)", "f(1)\nf(1, 2)\nf()\n", [1]),
    "dots, any arguments": ("f(...)", "f()\nf(1, *a, k=2, **b)\ng()\n", [1, 2]),
    "keywords in any order": ("f(a=1, b=2)", "f(b=2, a=1)\nf(a=1)\n", [1]),
    "a keyword before dots may follow positionals": ("f(a=1, ...)", "f(9, a=1)\nf(a=1, z=2)\nf(9)\n", [1, 2]),
    "positionals keep their order": ("f(..., 1, ..., 2, ...)", "f(0, 1, 2)\nf(2, 1)\n", [1]),
    "a metavariable is one argument": ("f($X)", "f(1)\nf(*a)\nf(**k)\nf(k=1)\nf(1, 2)\n", [1, 2, 3]),
    "a metavariable for a keyword": ("f(..., $K=$V, ...)", "f(1, k=2)\nf(1)\n", [1]),
    "any number under one name": ("f($...A, 3)", "f(1, 2, 3)\nf(3)\nf(1)\n", [1, 2]),
    "any number twice is the same": ("g(f($...A), f($...A))", "g(f(1, 2), f(1, 2))\ng(f(1), f(2))\n", [1]),
    # Unification
    "one name, one thing": ("$X == $X", "a == a\na == b\n", [1]),
    "blanks and quotes do not count": ("f($X, $X)", "f(a . b, a.b)\nf(\"a\", 'a')\nf(1, 1.0)\n", [1, 2]),
    "an underscore unifies with nothing": ("f($_, $_)", "f(1, 2)\n", [1]),
    "bytes are no text": ("$X == $X", 'b"a" == "a"\n', []),
    "one name in two functions is two": (
        "$A = $X\n...\n$B = $A",
        "z = 3\ndef f():\n    y = z\n    z = 1\n    w = z\n",
        [4],
    ),
    "declared anew is another": ("$X = f()\n...\ng($X)", "a = f()\ng(a)\na: int = f()\nb = 1\na = 2\n", [1]),
    "up to where it is declared": ("$X = f()\n...\ng($X)", "a = f()\na: int = 1\ng(a)\n", []),
    # Names
    "through an alias": ("torch.nn.functional.softmax(...)", "import torch.nn.functional as F\nF.softmax(x)\n", [2]),
    "through a from": ("flask.request.args", "from flask import request\nrequest.args\nflask.request.args\n", [2, 3]),
    "through a module of a package": ("a.b.c(...)", "import a.b\na.b.c()\n", [2]),
    "through a star": ("m.f(...)", "from m import *\nf()\n", [2]),
    "no star in a function": ("m.f(...)", "def g():\n    from m import *\nf()\n", []),
    "a name bound here is not the star's": ("m.f(...)", "from m import *\ndef f(): pass\nf()\n", []),
    "a parameter hides an import": ("m.f(...)", "from m import f\ndef g(f):\n    f()\nf()\n", [4]),
    "the import above counts": ("m.f(...)", "from m import f\nf()\nfrom n import f\nf()\n", [2]),
    "not before it is imported": ("m.f(...)", "f()\nfrom m import f\nf()\n", [3]),
    "a bare name is itself": ("F.f(...)", "import g as F\nF.f()\nH.f()\n", [2]),
    "aliases of variables do not resolve": ("os.system(...)", "import os\nrun = os\nrun.system(1)\n", []),
    "in the bases of a class": ("class $C(a.B): ...", "from a import B\nclass C(B): pass\n", [2]),
    "every form of import": (
        "import torch",
        "import torch\nimport torch.nn as n\nfrom torch.nn import x\nimport t\n",
        [1, 2, 3],
    ),
    "from, as a plain import": (
        "from a.b import c",
        "import a.b.c\nfrom a.b import c, d\nfrom .a.b import c\n",
        [1, 2],
    ),
    "from, and what is in it": (
        "from os import path",
        "from os.path import join\nimport os.path\nfrom os import sep\n",
        [1, 2],
    ),
    "any import": ("import $X", "import a.b\nfrom . import c\nfrom a import *\n", [1, 2, 3]),
    "an alias must be there": ("import os as $X", "import os\nimport os as o\nfrom os import path\n", [2]),
    "either of two imports": ("a.f()", "try:\n    import a as b\nexcept ImportError:\n    import b\nb.f()\n", [5]),
    "an import under a metavariable": ("import a as $X\n...\n$X.f()", "import a as b\nb.f()\nc.f()\n", [1]),
    # Literals
    "numbers by value": ("f(16)", "f(0x10)\nf(1_6)\nf(16.0)\n", [1, 2]),
    "any string": (
        'f("...")',
        "f('a')\nf(b'a')\nf(f'{x}')\nf(f'a')\nf('a' 'b')\nf('a' + 'b')\nf(x)\n",
        [1, 2, 4, 5, 6],
    ),
    "the content of a string": ('f("$X", $X)', "f('a', a)\nf('a', b)\n", [1]),
    "a regex on a string": ('f("=~/^ab/")', "f('abc')\nf('cab')\n", [1]),
    "one match for each hole": ('f"...{$X}..."', "f'a{b}c{d}'\n'abc'\n", [1]),
    "strings in a row": ('"..." "..."', "x = 'a' 'b'\ny = 'a'\n", [1]),
    "a local constant": ("f(1)", "def g():\n    a = 1\n    f(a)\n    a = 2\n    f(a)\n", [3]),
    "a constant of the module": ("f(1)", "A = 1\ndef g():\n    f(A)\n", [3]),
    "no constant that is assigned twice": ("f(1)", "A = 1\nA = 2\ndef g():\n    f(A)\n", []),
    "no constant on one way only": ("f(1)", "def g(c):\n    if c:\n        a = 1\n    f(a)\n", []),
    "a string on both ways": (
        'f("...")',
        "def g(c):\n    if c:\n        a = 'x'\n    else:\n        a = 'y'\n    f(a)\n",
        [6],
    ),
    "folded arithmetic": ("f(6)", "a = 2 * 3\nf(a)\nf(2 + 4)\n", [2, 3]),
    "no constant in an attribute": ("f(1)", "a.b = 1\nf(a.b)\n", []),
    # Operators
    "any order of or on bits": ("A | B", "B | A\nA | C\nA | C | B\n", [1, 3]),
    "and keeps its order": ("A and B", "A and B\nB and A\n", [1]),
    "a prefix of a sum": ("a + b", "a + b + c\nb + a\n", [1]),
    "dots in a sum": ("$X = 1 + ...", "x = 1 + 2 + 3\nx = 2 + 1\n", [1]),
    "equality is not turned round": ("a == b", "a == b\nb == a\n", [1]),
    "no chain of comparisons": ("$A < $B", "a < b\na < b < c\n", [1]),
    "not is not is not": ("not $X", "not x\nx is not y\n", [1]),
    # Statements
    "adjacent statements": ("a()\nb()", "a()\nb()\na()\nc()\nb()\n", [1]),
    "dots go down into blocks": ("a()\n...\nb()", "a()\nif c:\n    d()\n    b()\n", [1]),
    "and not up and out": ("a()\n...\nb()", "if c:\n    a()\nb()\n", []),
    "deep in a statement": ("$X = a()\n...\nb($X)", "x = a()\ny = c(b(x))\n", [1]),
    "not in a condition": ("$X = a()\n...\nb($X)", "x = a()\nif c(b(x)):\n    pass\n", []),
    "nor in a lambda": ("$X = a()\n...\nb($X)", "x = a()\ny = lambda: b(x)\n", []),
    "anywhere deep where it is asked for": ("a()\n...\n<... b() ...>", "a()\nif c(b()):\n    pass\n", [1]),
    "a cause may be there": ("raise $X", "def f():\n    raise E from e\n", [2]),
    "a name of the exception must be there": ("try: ...\nexcept $E as $N: ...", "try: a()\nexcept E: b()\n", []),
    "or not be there": ("try: ...\nexcept $E: ...", "try: a()\nexcept E as e: b()\n", []),
    "a with in a with": ("with b() as $X: ...", "with a(), b() as c:\n    d()\n", [1]),
    "any with": ("with $X: ...", "with a() as b:\n    c()\n", [1]),
    "the last keyword": ("f(..., a=1)", "f(2, a=1)\nf(a=1, b=2)\nf(b=2, a=1)\n", [1, 3]),
    "several to delete": ("del $X", "del a\ndel a, b\n", [1]),
    "a part of an f-string": ('"a"', "f'a{b}'\nf'{a}'\n", [1]),
    "strings in a row or with holes": ('x = "..." "..."', "x = 'a' 'b'\nx = f'{a}'\nx = 'a'\n", [1, 2]),
    "no constant of a class": ("f(1)", "class C:\n    A = 1\n    def g(self):\n        f(A)\n", []),
    "a constant of the function around": ("f(1)", "def g():\n    a = 1\n    return lambda: f(a)\n", [3]),
    "not if it is given twice": ("f(1)", "def g():\n    a = 2\n    a = 1\n    return lambda: f(a)\n", []),
    "if without else": ("if $C: ...", "if c:\n    a()\nelse:\n    b()\n", [1]),
    "else must be there": ("if $C: ...\nelse: ...", "if c:\n    a()\n\nif d:\n    a()\nelse:\n    b()\n", [4]),
    "finally must agree": (
        "try: ...\nexcept ...: ...",
        "try:\n    a()\nexcept E:\n    b()\ntry:\n    a()\nfinally:\n    b()\n",
        [1],
    ),
    "a bare except": ("try: ...\nexcept ...: ...", "try:\n    a()\nexcept:\n    b()\n", [1]),
    "an exception in a tuple": (
        "try: ...\nexcept (..., E, ...): ...",
        "try: a()\nexcept E: b()\ntry: a()\nexcept (D, E): b()\n",
        [1, 3],
    ),
    "def is async def, too": ("def f(): ...", "async def f():\n    pass\n", [1]),
    "async def is strict": ("async def f(): ...", "def f():\n    pass\n", []),
    "decorators in any order": ("@b\n@a\ndef $F(...): ...", "@a\n@c\n@b\ndef f():\n    pass\n", [1]),
    "a decorator without a call": ("@a(...)\ndef $F(...): ...", "@a\ndef f(): pass\n@a(1)\ndef g(): pass\n", [1, 3]),
    "a decorator alone": ("@$N($X)", "@a(1)\ndef f(): pass\n@b\ndef g(): pass\n", [1]),
    "a decorator as a call": ("a.b(...)", "@a.b\ndef f(): pass\n", [1]),
    "a body without dots is all of it": ("def f():\n    a()", "def f():\n    a()\ndef f():\n    a()\n    b()\n", [1]),
    "members in any order": (
        "class $C:\n    ...\n    b = 1\n    a = 2\n    ...",
        "class C:\n    a = 2\n    x = 0\n    b = 1\n",
        [1],
    ),
    "the first bases": ("class $C(A): ...", "class C(A): pass\nclass D(A, B): pass\nclass E(B, A): pass\n", [1, 2]),
    "any of the bases": ("class $C(..., A, ...): ...", "class C(B, A, k=1): pass\nclass D(B): pass\n", [1]),
    "a keyword among the bases": ("class $C(..., k=$V, ...): ...", "class C(B, k=1): pass\nclass D(B): pass\n", [1]),
    "a default is left open": ("def f($X): ...", "def f(a: int = 1): pass\n", [1]),
    "return of anything": ("return ...", "def f():\n    return\n    return 1\n", [2, 3]),
    "both arms alike": ("if $C:\n    $S\nelse:\n    $S", "if c:\n    a()\n    b()\nelse:\n    a()\n    b()\n", [1]),
    "an assertion with a message": ("assert ...", "assert a, 'b'\n", [1]),
    # Assignments
    "an annotated one": ("$X = 1", "a: int = 1\na += 1\n", [1]),
    "a walrus": ("$X = 1", "if (a := 1): pass\n", [1]),
    "tuples by their elements": ("$X = g()", "a, b = f(), g()\n", [1]),
    "no loop and no with": ("$X = y", "for x in y: pass\nwith y as x: pass\n", []),
    "a chain": ("a = $X", "a = b = 1\n", [1]),
    # Others
    "anywhere below": ("f(<... x ...>)", "f(a(b(x)))\nf(y)\n", [1]),
    "a slice is no item": ("x[$A]", "x[1]\nx[1:2]\nx[:]\n", [1]),
    "dots alone are anything": ("...", "a\n", [1]),
    "links of a chain": ("a. ... .z()", "a.z()\na.b(1).c.z()\nb.z()\n", [1, 2]),
    "a list is a comprehension": ("f([...])", "f([1])\nf([a for a in b])\n", [1, 2]),
    "a set or a dict": ("x = {...}", "x = {1}\nx = {1: 2}\nx = {}\n", [1, 2, 3]),
    "pairs of a dict in any order": ("{..., 'b': $X, 'a': $Y, ...}", "{'a': 1, 'b': 2}\n", [1]),
    "a typed argument": ("f($X: int)", "f(1)\nf('')\ndef g(a: int):\n    f(a)\n", [1, 4]),
    "several items": ("x[$A, $B]", "x[1, 2]\nx[1]\n", [1]),
    "a tuple is items": ("1, 2", "x[1, 2]\n(1, 2)\nf(1, 2)\n", [1, 2]),
    "a lambda": ("lambda $X: $X", "lambda a: a\nlambda a: b\n", [1]),
    "a comprehension": ("[$X for $X in $Y]", "[a for a in b]\n[c for a in b]\n", [1]),
    "a conditional": ("$A if $C else $A", "a if c else a\na if c else b\n", [1]),
    "a with": ("with open(...) as $F: ...", "with open(a) as f:\n    pass\nwith open(a):\n    pass\n", [1]),
    "an await": ("await $X", "async def f():\n    await g()\n", [2]),
}


@pytest.mark.parametrize(("pattern", "code", "lines"), CASES.values(), ids=CASES.keys())
def test_pattern(pattern: str, code: str, lines: list[int]) -> None:
    assert found(pattern, code) == lines


def test_symbolic_propagation_is_asked_for() -> None:
    code = "def f(s):\n    t = s.float()\n    return softmax(t)\n"
    assert found("softmax($X.float())", code) == []
    assert found("softmax($X.float())", code, symbolic_propagation=True) == [3]


def test_symbolic_propagation_needs_one_definition() -> None:
    code = "def f(s, c):\n    t = s.float()\n    if c:\n        t = s\n    return softmax(t)\n"
    assert found("softmax($X.float())", code, symbolic_propagation=True) == []


def test_constants_can_be_left_alone() -> None:
    assert found("f(1)", "a = 1\nf(a)\n", constant_propagation=False) == []


def test_operands_can_keep_their_order() -> None:
    assert found("A | B", "B | A\n", ac_matching=False) == []


def test_a_wide_choice_of_operands_ends_soon() -> None:
    names = " & ".join("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    assert found("A & $B & C & $D & $E & $F & $G", f"x = {names}\n") == [1]
