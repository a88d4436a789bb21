"""What newer syntax a text needs, and the same text in older syntax."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from version_snippets import NEWER, OLD

from auditor.compiling.compiler import try_compile
from auditor.compiling.newer import newer_edits, rewrite_newer
from auditor.compiling.syntax import FEATURES, uses_of
from auditor.compiling.tokens import Tokens
from auditor.compiling.versions import minimum_python, order

_HOST = sys.version_info[:2]


@pytest.mark.parametrize("code", OLD)
def test_old_syntax_needs_nothing(code: str) -> None:
    assert minimum_python(code) is None
    assert rewrite_newer(code) == code
    assert try_compile(code) is None


@pytest.mark.parametrize(("version", "code"), NEWER)
def test_newer_syntax_is_named_with_its_version(version: str, code: str) -> None:
    feature = minimum_python(code)
    assert feature is not None
    assert feature.version == version
    assert feature.version == FEATURES[feature.name]
    assert 0 <= feature.span.start < feature.span.end <= len(code)


@pytest.mark.parametrize(("version", "code"), NEWER)
def test_the_host_agrees_on_newer_syntax(version: str, code: str) -> None:
    if order(version) <= _HOST:
        assert try_compile(code) is None
    elif _HOST < (3, 14):
        assert try_compile(code) is not None


@pytest.mark.parametrize(("version", "code"), NEWER)
def test_rewritten_syntax_compiles_on_every_host_line_by_line(version: str, code: str) -> None:
    older = rewrite_newer(code)
    assert try_compile(older) is None
    assert [len(line) for line in older.split("\n")] == pytest.approx([len(line) for line in code.split("\n")], abs=1)
    assert (older == code) == (order(version) <= (3, 11))


_JUDGE = """\
import sys, warnings
warnings.simplefilter("ignore")
for code in eval(sys.stdin.read()):
    try:
        compile(code, "", "exec")
        print(1)
    except SyntaxError:
        print(0)
"""


def _interpreter(version: str) -> str | None:
    """A CPython of that version on this machine, from pyenv or from the path."""
    candidates = [
        *sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python")),
        shutil.which(f"python{version}"),
    ]
    for candidate in candidates:
        if candidate and subprocess.run([candidate, "-c", ""], capture_output=True, check=False).returncode == 0:
            return str(candidate)
    return None


@pytest.mark.parametrize("version", ["3.8", "3.9", "3.10", "3.11", "3.12", "3.13"])
def test_real_compilers_agree(version: str) -> None:
    found = _interpreter(version)
    if found is None:
        pytest.skip(f"no CPython {version} here")
    snippets = list(OLD) + [code for _, code in NEWER]
    answers = subprocess.run([found, "-c", _JUDGE], input=repr(snippets), capture_output=True, text=True, check=True)
    expected = [True] * len(OLD) + [order(needed) <= order(version) for needed, _ in NEWER]
    assert [answer == "1" for answer in answers.stdout.split()] == expected


def test_the_newest_need_wins_and_points_at_its_first_use() -> None:
    code = "a[*b]\ntype X = int\nif (y := 1): pass\ntype Z = str\n"
    feature = minimum_python(code)
    assert feature is not None
    assert (feature.version, feature.name) == ("3.12", "type-statement")
    assert code[feature.span.start : feature.span.end] == "type X = int"


def test_columns_stay_where_newer_syntax_goes() -> None:
    assert rewrite_newer("def f[T: int](x: T): return x\n") == "def f        (x: T): return x\n"
    assert rewrite_newer("type X = int; y\n") == "0  ; X = int; y\n"
    assert rewrite_newer("print(f'{a['b']!r:>{w}} c', d)\n") == "print(f( a['b'],    w,   ), d)\n"


def test_a_multi_line_parameter_list_keeps_its_lines() -> None:
    code = "class A[\n    T,  # why\n\n    *Ts,\n](B): x = 1\n"
    older = rewrite_newer(code)
    assert older.count("\n") == code.count("\n")
    assert older.endswith(" (B): x = 1\n")
    assert try_compile(older) is None


@pytest.mark.parametrize(
    "code",
    [
        "def f[T T](): pass\n",
        "def f[T, T](): pass\n",
        "def f[T: int str](): pass\n",
        "def f[](): pass\n",
        "def f[,](): pass\n",
        "f'{a['b' c]}'\n",
        "f'{!r}{a['b']}'\n",
        "f'{*a}{b['c']}'\n",
        "f'{a['b']}' = 3\n",
        "b'' f'{a['b']}'\n",
        "try: pass\nexcept A, B as e: pass\n",
        "type X = \n",
        "lazy import\n",
    ],
)
def test_a_fault_in_newer_syntax_stays_a_fault(code: str) -> None:
    assert try_compile(rewrite_newer(code)) is not None


def test_code_generation_still_judges_what_was_rewritten() -> None:
    assert try_compile(rewrite_newer("def f[T](): await x\n")) is not None
    assert try_compile(rewrite_newer("f'{(await x)['a']}{y['b']}'\n")) is not None
    assert try_compile(rewrite_newer("async def f(): return f'{(await x)['a']}{y['b']}'\n")) is None
    assert try_compile(rewrite_newer("def f(): return f'{a['b']}{yield c!r }{yield d}'\n")) is None


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ('for x in"ab",*y: pass\n', "starred-for"),
        ("s = 'it''s'; a[*b]\n", "starred-index"),
        ("# don't\na[*b]  # it's\n", "starred-index"),
        ("a['x', *b]\n", "starred-index"),
    ],
)
def test_strings_and_comments_beside_newer_syntax_hide_nothing(code: str, name: str) -> None:
    feature = minimum_python(code)
    assert feature is not None
    assert feature.name == name


def test_newer_syntax_in_strings_and_comments_is_none() -> None:
    code = 's = """\nmatch x:\n    case 1: pass\ntype X = int\nf\'{a[\'b\']}\'\n"""\n# def f[T](): pass\n'
    assert minimum_python(code) is None


@given(st.text(alphabet="ftr'\"{}[]():=!*\\# \n\tax1,;@lambdefcsyifoprw", max_size=80))
@settings(max_examples=300, deadline=None)
def test_no_text_is_too_odd(code: str) -> None:
    feature = minimum_python(code)
    uses = list(uses_of(Tokens(code)))
    assert feature is None or uses
    older = rewrite_newer(code)
    assert older.count("\n") == code.count("\n")


@given(st.text(max_size=60))
@settings(max_examples=200, deadline=None)
def test_tokens_cover_any_text_in_order(code: str) -> None:
    end = 0
    for token in Tokens(code).all:
        assert end <= token.start <= token.end
        assert code[token.start : token.end] == token.text
        end = token.end


@pytest.mark.parametrize(
    "code",
    [
        "f'{" * 2000,
        "(" * 20000,
        "f'''{" * 500 + "x" + "}'''" * 500,
        "def f[T: " * 3000 + "]" * 3000,
        "match x:\n" * 3000,
        " @" * 30000,
        "[*" * 5000 + "for",
        "x[" + "a:=b," * 20000 + "]",
        "except a," * 3000,
        "f'{x:" * 3000,
        "lambda: " * 5000 + "type X = 1",
    ],
)
def test_hostile_text_takes_linear_time(code: str) -> None:
    minimum_python(code)
    assert isinstance(newer_edits(code), tuple)


@pytest.mark.parametrize("line", ["except OSError, e:", "except socket.error, err:", "except (A, B), e:"])
def test_a_small_word_behind_the_comma_is_python_2_not_python_3_14(line: str) -> None:
    assert minimum_python(f"try:\n    f()\n{line}\n    g()\n") is None


def test_two_classes_behind_except_are_python_3_14() -> None:
    for line in ("except OSError, ValueError:", "except a.A, b.B, c.C:", "except OSError, shutil.Error:"):
        feature = minimum_python(f"try:\n    f()\n{line}\n    g()\n")
        assert feature is not None
        assert feature.version == "3.14"
