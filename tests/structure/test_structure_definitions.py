"""The definitions of a text, their places and their hashes."""

import textwrap

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.model import Definition
from auditor.structure.definitions import definitions, may_define
from auditor.structure.difference import difference
from auditor.structure.names import names

CODE = '''\
import abc


@abc.decorate(
    1
)
class Outer(Base, metaclass=abc.ABCMeta):
    """What it is."""

    @property
    def size(self) -> int:
        return 1

    class Inner:
        async def run(self): pass

    if FLAG:
        def one(self): pass
    else:
        def two(self): pass


try:
    def free(a, b=2):
        def hidden(): pass
        return hidden
except NameError:
    free = None
'''


def by_name(code: str) -> dict[str, Definition]:
    return {definition.qualname: definition for definition in definitions(code)}


def only(code: str) -> Definition:
    (definition,) = definitions(code)
    return definition


def test_definitions_at_any_nesting_of_classes_and_conditions() -> None:
    assert [(each.qualname, each.kind) for each in definitions(CODE)] == [
        ("Outer", "class"),
        ("Outer.size", "method"),
        ("Outer.Inner", "class"),
        ("Outer.Inner.run", "method"),
        ("Outer.one", "method"),
        ("Outer.two", "method"),
        ("free", "function"),
    ]


def test_spans_begin_at_the_decorator_and_code_has_no_margin() -> None:
    found = by_name(CODE)
    assert CODE[found["Outer"].span.start :].startswith("@abc.decorate(\n    1\n)\nclass Outer")
    assert CODE[: found["Outer"].span.end].endswith("def two(self): pass")
    assert found["Outer.size"].code == "@property\ndef size(self) -> int:\n    return 1"
    assert found["free"].code.split("\n")[1] == "    def hidden(): pass"


def test_offsets_count_code_points() -> None:
    code = "été = 'ß🙂'; x = 1\nif été:\n    def f(ä='🙂'): return '🙂'\n"
    found = only(code)
    assert code[found.span.start : found.span.end] == "def f(ä='🙂'): return '🙂'"


@pytest.mark.parametrize(
    "other",
    [
        'def f(a, b="x"):\n    return a + b\n',
        "def f(a, b='x'):\n\n    # why\n    return (a + b)\n",
        'def f(\n    a,\n    b="x",\n):\n    """Adds."""\n    return (\n        a\n        + b\n    )\n',
        "def f(a, b='x'): return a+b\n",
        "def f(a, b=u'''x'''): return ((a) + (b))\n",
    ],
)
def test_layout_comments_quotes_and_docstrings_change_no_hash(other: str) -> None:
    base, same = only("def f(a, b='x'):\n    return a + b\n"), only(other)
    assert (base.signature_hash, base.structure_hash) == (same.signature_hash, same.structure_hash)


@pytest.mark.parametrize(
    "other",
    [
        "def f(a, b='y'):\n    return a + b\n",
        "def f(a, *, b='x'):\n    return a + b\n",
        "def f(a: int, b='x'):\n    return a + b\n",
        "def f(a, b='x') -> int:\n    return a + b\n",
        "async def f(a, b='x'):\n    return a + b\n",
        "@d\ndef f(a, b='x'):\n    return a + b\n",
        "def f[T](a, b='x'):\n    return a + b\n",
    ],
)
def test_the_header_counts_for_both_hashes(other: str) -> None:
    base, changed = only("def f(a, b='x'):\n    return a + b\n"), only(other)
    assert base.signature_hash != changed.signature_hash
    assert base.structure_hash != changed.structure_hash


def test_the_body_and_the_name_count_for_one_hash_each() -> None:
    base = only("def f(a):\n    return a\n")
    body, name = only("def f(a):\n    return -a\n"), only("def g(a):\n    return a\n")
    assert base.signature_hash == body.signature_hash == name.signature_hash
    assert base.structure_hash not in {body.structure_hash, name.structure_hash}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1", "True"), ("1", "1.0"), ("'1'", "b'1'"), ("'a', 'b'", "'a, b'"), ("a, b", "[a, b]"),
        ("f(a, b)", "f(a, b=b)"), ("f(*a)", "f(a)"), ("f(**a)", "f(a=a)"), ("a.b", "a[b]"),
        ("[a, [b]]", "[[a], b]"), ("{a: b}", "{a, b}"),
        ("a < b < c", "(a < b) < c"), ("a or b", "a and b"), ("not a", "-a"), ("f'{a}'", "f'{a!r}'"),
        ("f'{a}b'", "f'{a:b}'"),
        ("[a for b in c]", "(a for b in c)"), ("(yield a)", "(yield)"), ("lambda: a", "lambda a: a"),
        ("a[b:c]", "a[b:c:d]"),
        ("...", "None"), ("f'{a['b']}c'", "f'{a['b']}d'"), ("f'{a['b']}'", "t'{a['b']}'"), ("'a' 'b'", "'a' f'{b}'"),
    ],
)  # fmt: skip
def test_different_code_has_different_hashes(one: str, other: str) -> None:
    first, second = only(f"def f():\n    return {one}\n"), only(f"def f():\n    return {other}\n")
    assert first.structure_hash != second.structure_hash


def test_statements_that_look_alike_have_different_hashes() -> None:
    bodies = [
        "if a: b\n    else: c", "if a: b\n    c", "while a: b\n    else: c", "for a in b: c", "async for a in b: c",
        "with a as b: c", "with a: c", "try: a\n    except b: c", "try: a\n    except* b: c", "try: a\n    finally: c",
        "import a", "import a as b", "from a import b", "from .a import b", "global a", "del a", "a = b",
        "a: b", "a: b = c", "a += b", "a -= b", "assert a", "assert a, b", "raise a", "raise a from b", "return a",
        "return", "pass", "break", "match a:\n        case b: c", "match a:\n        case 'b': c",
        "match a:\n        case [b]: c",
        "match a:\n        case b if d: c", "match a:\n        case {**b}: c", "type a = b", "type a[T] = b",
    ]  # fmt: skip
    hashes = {only(f"async def f():\n    {body}\n").structure_hash for body in bodies}
    assert len(hashes) == len(bodies)


def test_one_hash_where_versions_read_f_strings_differently() -> None:
    one = only("def f():\n    return 'a' f'b{c:>{d}}e' 'f'\n")
    other = only("def f():\n    return f'ab{c:>{d}}' f'ef'\n")
    assert one.structure_hash == other.structure_hash


def test_hashes_are_the_same_on_every_interpreter() -> None:
    # Taken once: whoever changes the normal form changes every ledger, and should know it.
    found = only("def f(a, *, b: int = 1) -> str:\n    return f'{a!r:>{b}}' if a else {'x': [b, *a], **b}\n")
    assert found.signature_hash[:16] == "1f00e9641105deab"
    assert found.structure_hash[:16] == "2edefcd1260cd1af"


def test_newer_syntax_has_definitions_on_every_host() -> None:
    code = "class A[T: int](B):\n    def f[U](self) -> T:\n        return f'{self['é']}'\n"
    outer, inner = definitions(code)
    assert code[outer.span.start : outer.span.end] == code.rstrip("\n")
    assert inner.code == "def f[U](self) -> T:\n    return f'{self['é']}'"


def test_what_has_no_tree_has_no_definitions() -> None:
    assert definitions("def f(:\n") == ()
    assert definitions("\0") == ()
    assert definitions("") == ()


@pytest.mark.parametrize(
    "code",
    [
        "x = " + "(" * 90 + "1" + ")" * 90,
        "x = " + " + ".join(["a"] * 900),
        "if a: b\n" + "elif a: b\n" * 300,
        "def f():\n" + textwrap.indent("x = a.b" + ".c()" * 400, "    "),
        "x" + "[0]" * 600,
        "lambda: " * 300 + "1",
        "x = " + "-" * 5000 + "1",
        "def f(" + ", ".join(f"a{i}={i}" for i in range(2000)) + "): pass",
        "x = 0x" + "f" * 6000,
    ],
)
def test_deep_and_long_code_is_survived(code: str) -> None:
    assert isinstance(definitions(code), tuple)
    found = names(code)
    assert found is None or found.needs is not None
    assert difference(code, "def f():\n    pass\n").kind in {"diverged", "subset", "signature"}
    assert difference(code, code + "\n# end\n").kind in {"comments", "diverged"}


@given(st.text(alphabet="abf(){}[]:=,.*@'\" \n#", max_size=50))
@settings(max_examples=150, deadline=None)
def test_any_text_is_answered(code: str) -> None:
    assert isinstance(definitions(code), tuple)
    names(code)
    assert difference(code, code).kind == "identical"


@pytest.mark.parametrize(
    "code", ["def f(): pass", "async  def\tf(): pass", "class \\\n A: pass", "if a:\n  class\fA: pass\n"]
)
def test_what_may_hold_a_definition(code: str) -> None:
    assert may_define(code)
    assert len(definitions(code)) == 1
    assert not may_define("default = undefined.classes(subclass)")
