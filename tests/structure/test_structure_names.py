"""The names that a text binds and needs."""

import pytest

from auditor.model import Imported
from auditor.structure.names import names

CASES: tuple[tuple[str, str, str], ...] = (
    # code · names bound · names needed, with `!` in a function's body alone and `:` in annotations alone
    ("x = 1", "x", ""),
    ("x = x + 1", "x", "x"),
    ("x += y", "x", "x y"),
    ("x.a = y", "", "x y"),
    ("x[i] = y", "", "x i y"),
    ("x: int = y", "x", "int: y"),
    ("x: int", "x", "int:"),
    ("(x): int", "", "int:"),
    ("a, (b, *c) = d", "a b c", "d"),
    ("print(x); x = 1", "x", "print x"),
    ("if a: b = 1\nc = b", "b c", "a"),
    ("for i in r: i\ni", "i", "r"),
    ("while a: a = b", "a", "a b"),
    ("with a as b, b.c as d: d", "b d", "a"),
    ("try: a\nexcept E as e: e", "", "a E"),
    ("try:\n    import a\nexcept ImportError:\n    a = None\na", "a", "ImportError"),
    ("del a", "", "a"),
    ("a = 1\ndel a\na", "", "a"),
    ("a = 1\nif b: del a\na", "a", "b"),
    ("(a := b)", "a", "b"),
    ("[a := b for b in c]", "a", "c"),
    ("[i for i in a if j]", "", "a j"),
    ("[i for i in i]", "", "i"),
    ("[i for i in a for j in i for k in j]", "", "a"),
    ("{k: v for k, v in a}\nk", "", "a k"),
    ("(x for x in y)", "", "y"),
    ("lambda a, b=c: a + b + d", "", "c d!"),
    ("f = lambda: g\ng = 1", "f g", ""),
    ("def f(): return g\ndef g(): return f", "f g", ""),
    ("def f(): return g", "f", "g!"),
    ("def f(a, *b, c=d, **e): return a, b, c, e", "f", "d"),
    ("def f(a: A, *b: B) -> C: pass", "f", "A: B: C:"),
    ("def f():\n    x: T = 1\n    return x", "f", "T:"),
    ("@d(a)\ndef f(): pass", "f", "d a"),
    ("def f(): f()", "f", ""),
    ("def f():\n    x = 1\n    def g(): return x + y\n    y = 2\n    return g", "f", ""),
    ("def f():\n    print(x)\n    x = 1", "f", "print!"),
    ("def f():\n    global g\n    g = 1\ng", "f g", ""),
    ("def f():\n    global g\n    return g", "f", "g!"),
    ("def f():\n    x = 1\n    def g():\n        nonlocal x\n        x += z\n    return g", "f", "z!"),
    ("def f():\n    import a.b\n    return a", "f", ""),
    ("class A(B, m=C): x = 1; y = x", "A", "B C"),
    ("class A:\n    x = 1\n    y = [x for _ in r]", "A", "x r"),
    ("class A:\n    x = 1\n    y = [z for z in x]", "A", ""),
    ("class A:\n    x = 1\n    def f(self): return x", "A", "x!"),
    ("class A:\n    x = 1\n    class B: y = x", "A", "x"),
    ("class A:\n    def f(self): return __class__, super()", "A", "super!"),
    ("class A:\n    def f(self): return A", "A", ""),
    ("class A:\n    def f(self, a=x): pass\n    x = 1", "A", "x"),
    ("def f():\n    x = 1\n    class A:\n        y = x\n        def g(self): return x, y\n    return A", "f", "y!"),
    ("match s:\n    case [a, *b]: a\n    case {'k': c, **d}: c\n    case P(q=e) as g: e", "a b c d e g", "s P"),
    ("match s:\n    case m.X | 1: pass\n    case _: pass", "", "s m"),
    ("import a.b.c, d as e", "a e", ""),
    ("from . import a\nfrom b.c import d as e", "a e", ""),
    ("from a import *\nb", "", "b"),
    ("__name__ == '__main__' and __file__", "", ""),
    ("async def f():\n    async with a as b: return [c async for c in b]", "f", "a!"),
    ("f'{a} {b!r:>{c}}'", "", "a b c"),
    ("x = yield_ = y", "x yield_", "y"),
    ("é = ö", "é", "ö"),
    # Newer syntax, the same on every host
    ("def f[T: B = D](x: T) -> U: return T, v", "f", "B: D: U: v!"),
    ("async def c[T](x: T): return T", "c", ""),
    ("class A[*Ts](G[*Ts]):\n    def f(self) -> Ts: return Ts", "A", "G"),
    ("type X[T] = list[T] | X | V", "X", "list: V:"),
    ("f'{a['b']} {f'{c}'}'", "", "a c"),
    ("f = 1\nt'{x}' + f", "f", "x"),
    ("try: pass\nexcept A, B: c", "", "A B c"),
    ("lazy import a\n[*x for x in a]", "a", ""),
)


@pytest.mark.parametrize(("code", "binds", "needs"), CASES)
def test_names_bound_and_needed(code: str, binds: str, needs: str) -> None:
    found = names(code)
    assert found is not None
    assert found.binds == tuple(binds.split())
    marks = {"now": "", "later": "!", "annotation": ":"}
    assert sorted(need.name + marks[need.use] for need in found.needs) == sorted(needs.split())
    for need in found.needs:
        assert code[need.offset :].startswith(need.name)


def test_a_need_points_at_its_first_use_and_says_the_most_urgent() -> None:
    code = "def f(a: x): return x\nx()\nx\n"
    found = names(code)
    assert found is not None
    assert [(need.name, need.use, need.offset) for need in found.needs] == [("x", "now", code.index("x()"))]


def test_imports_are_told_one_by_one() -> None:
    code = "import a.b, c as d\nfrom ..e.f import g as h, i\nfrom j import *\ndef k():\n    from . import l\n"
    found = names(code)
    assert found is not None
    assert found.imports == (
        Imported("a.b", None, "a", 0, code.index("a.b"), later=False),
        Imported("c", None, "d", 0, code.index("c as"), later=False),
        Imported("e.f", "g", "h", 2, code.index("g as"), later=False),
        Imported("e.f", "i", "i", 2, code.index("i\n"), later=False),
        Imported("j", "*", None, 0, code.index("*"), later=False),
        Imported("", "l", "l", 1, code.index("l\n", 60), later=True),
    )
    assert found.stars == ("j",)


def test_what_has_no_tree_has_no_names() -> None:
    assert names("a b") is None
