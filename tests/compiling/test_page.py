"""A whole page: verdicts by target, notes, limits, and places that hold whatever stands around the code."""

import ast
import io
import subprocess
import sys
import textwrap
import time
import tokenize
import warnings
from dataclasses import replace
from pathlib import Path

import pytest
from answers import answer, block_of
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.compiling import CompileOptions, compile_blocks
from auditor.compiling.compiler import Failure, try_compile
from auditor.compiling.options import TOO_DEEP
from auditor.model import Compilation, Diagnosis, MappedText, Source, Span

STANDARD = Path(ast.__file__).parent


def sound_programs() -> list[str]:
    """Some of the standard library, without what only a file can hold: carriage returns and form feeds."""
    texts = []
    for path in sorted(STANDARD.glob("*.py"))[::9]:
        with tokenize.open(path) as file:
            text = file.read()
        if len(text) < 25_000 and "\f" not in text:
            texts.append(text)
    return texts


PROGRAMS = sound_programs()


def compiled(source: Source, code: MappedText) -> Compilation:
    (compilation,) = compile_blocks(source, [block_of(code)], CompileOptions())
    return compilation


def assert_exact(source: Source, compilation: Compilation, text: str) -> None:
    """The compiled code is the text, and each of its characters stands in the source where the code says."""
    assert compilation.verdict in {"compiles", "compiles-in-context"}
    code = compilation.code
    assert code is not None
    assert code.text == text
    for offset in range(0, len(text), 97):
        if text[offset] != "\n":
            assert source.text[code.locate(offset).start] == text[offset]


@pytest.mark.parametrize("margin", ["    ", "\t", "   "])
def test_a_program_with_a_margin(margin: str) -> None:
    for text in PROGRAMS:
        source = Source("page.md", textwrap.indent(text, margin))
        assert_exact(source, compiled(source, MappedText.verbatim(source.text)), text)


def test_a_program_in_a_quote() -> None:
    for text in PROGRAMS:
        source = Source("page.md", "".join(f"> {line}\n" for line in text.split("\n")[:-1]))
        pieces = []
        at = 0
        for line in source.text.split("\n")[:-1]:
            pieces.append((at + 2, at + len(line) + 1))
            at += len(line) + 1
        assert_exact(source, compiled(source, MappedText.of(source.text, pieces)), text)


def test_a_program_with_carriage_returns() -> None:
    for text in PROGRAMS:
        source = Source("page.md", text.replace("\n", "\r\n"))
        code = MappedText.of(source.text, [(0, len(source.text))])
        assert_exact(source, compiled(source, code), text)


def shape(text: str) -> str:
    """The tree, blanks within strings left out: whether a string's lines had the margin nobody can tell."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = "".join(node.value.split())
    return ast.dump(tree)


def test_statements_with_a_margin_and_all_else_without() -> None:
    """Comments, and the inner lines of strings and brackets, stand where they stood; the tree stays the same."""
    for text in PROGRAMS:
        lines = text.split("\n")
        starts = set()
        fresh = True
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.NEWLINE:
                fresh = True
            elif token.type not in {tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT} and fresh:
                starts.add(token.start[0])
                fresh = False
        moved = "\n".join(f"   {line}" if number in starts and line else line for number, line in enumerate(lines, 1))
        source = Source("page.md", moved)
        compilation = compiled(source, MappedText.verbatim(moved))
        assert compilation.code is not None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert shape(compilation.code.text) == shape(text)


PIECES = (
    *"ab =():,.…·<>[]{}%!?#'\"\\\n\t\r\u00a0（）“\0\ud800",
    "    ", "\n    ", "def ", "class ", "return ", "...", ">>> ", "... ", "%%", "self", "else:", "await ", "x = ",
    '"""', "finally:", "try:", "In [1]: ", "except", "lambda", "<URL>",
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_no_text_raises(text: str) -> None:
    got = answer(text)
    assert got.compilation.verdict
    again = answer(text)
    assert again.compilation == got.compilation


NEWER = "type Pair = tuple[int, int]\nclass Box[T]:\n    item: T\n"


def test_the_verdict_by_target() -> None:
    got = answer(NEWER, targets=("3.10", "3.12", "3.9"))
    assert got.short == ("newer-python", "module")
    assert got.compilation.needs_python == "3.12"
    assert got.compilation.by_target == {"3.10": "newer-python", "3.12": "compiles", "3.9": "newer-python"}
    assert [kind for kind, _, _ in got.said] == ["needs-newer-python"]
    arguments = got.compilation.diagnoses[0].arguments
    assert (arguments["needs"], arguments["target"]) == ("3.12", "3.9")


def test_without_a_target_nothing_is_too_new() -> None:
    got = answer(NEWER)
    assert got.short == ("compiles", "module")
    assert got.compilation.needs_python == "3.12"
    assert answer(NEWER, targets=("3.13",)).short == ("compiles", "module")


def test_newer_syntax_in_a_context() -> None:
    text = "    def first[T](self, items: list[T]) -> T:\n        return items[0]\n"
    assert answer(text).short == ("compiles-in-context", "class-body")
    assert answer(text, targets=("3.11",)).short == ("newer-python", "class-body")
    assert answer(">>> type A = int\n", targets=("3.11",)).short == ("newer-python", "session")


def test_a_fault_beside_newer_syntax() -> None:
    got = answer("type Pair = int\ny = = 2\n", targets=("3.12",))
    assert got.short == ("broken", None)
    assert got.said[0][1] == 2


NOTED = {
    "escape": ("x = '\\d+'\n", [("invalid-escape", 1, 6)]),
    "escape in a later literal": ("x = '\\n' + r'\\d'\ny = b'\\N{a}'\n", [("invalid-escape", 2, 7)]),
    "escape in a long string": ("x = '''\na\n\\w\n'''\n", [("invalid-escape", 3, 1)]),
    "escape in a formatted string": ("x = f'{a}\\s'\n", [("invalid-escape", 1, 10)]),
    "octal beyond a byte": ("x = '\\400'\n", [("invalid-escape", 1, 6)]),
    "sound escapes": ("x = '\\x41\\101\\u0041\\N{DIGIT ONE}\\\\d' if a else rb'\\d'\n", []),
    "identity": ("é = 1\nif é is 1 or é is not 'a':\n    pass\n", [("is-literal", 2, 4), ("is-literal", 2, 14)]),
    "identity of singletons": ("x is None or x is ... or x is True\n", []),
    "comma in a list": ("x = [\n    (1, 2)\n    (3, 4),\n]\n", [("perhaps-missing-comma", 2, 11)]),
    "comma before a bracket": ("x = [[1, 2] [3, 4]]\n", [("perhaps-missing-comma", 1, 12)]),
    "a true assertion": ("assert (x, 'text')\n", [("always-true-assert", 1, 8)]),
    "a number that runs on": ("x = 1if a else 2\n", [("glued-number", 1, 5)]),
}


@pytest.mark.parametrize(("text", "said"), NOTED.values(), ids=NOTED)
def test_notes(text: str, said: list[tuple[str, int, int]]) -> None:
    got = answer(text)
    assert got.short == ("compiles", "module")
    assert got.said == said


def test_notes_stand_in_the_file() -> None:
    got = answer("  >>> x = '\\d'\n")
    assert got.said == [("invalid-escape", 1, 12)]
    assert got.compilation.diagnoses[0].arguments == {"escape": "\\d"}


def test_nothing_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        answer("x = '\\d'\nx is 1\n")
    script = "from answers import answer; answer(\"x = '\\\\d'\\nx is 1\\n\")"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script], cwd=Path(__file__).parent, capture_output=True, check=True,
        env={"PYTHONPATH": str(Path(__file__).parents[2])},
    )  # fmt: skip
    assert (done.stdout, done.stderr) == (b"", b"")
    assert capfd.readouterr() == ("", "")


def test_a_skipped_block() -> None:
    source = Source("page.md", "[[1. 2.]]\n")
    block = block_of(MappedText.verbatim(source.text), skip="labelled output")
    (compilation,) = compile_blocks(source, [block], CompileOptions(("3.10",)))
    assert compilation.verdict == "skipped"
    assert compilation.reason == "labelled output"
    assert compilation.by_target == {"3.10": "skipped"}
    assert compilation.code is None


def test_a_large_block_is_skipped_unread() -> None:
    reason = answer("x = 1\n" * 200, max_size=1100).compilation.reason
    assert reason == "larger than the limit (1,200 of 1,100 characters, limits.block-bytes)"
    assert answer("x = 1\n" * 100, max_size=600).short == ("compiles", "module")


def test_a_block_with_a_long_line_is_skipped_unread() -> None:
    reason = answer("y = 2\nx = '" + "a" * 1195 + "'\n", max_line=1100).compilation.reason
    assert reason == "a line longer than the limit (1,201 of 1,100 characters, limits.line-length)"
    assert answer("y = 2\nx = '" + "a" * 1195 + "'\n", max_line=1201).short == ("compiles", "module")


DEEP = {
    "signs": "x = " + "-" * 5000 + "1\n",
    "attributes": "a" + ".a" * 5000 + "\n",
    "calls on lines": "(a\n" + ".b()\n" * 3000 + ")\n",
    "sums": "x = (1 +\n" + "1 +\n" * 3000 + "1)\n",
    "clauses": "if a: pass\n" + "elif b: pass\n" * 3000,
    "brackets with a fault": "x = " + "(" * 180 + "1 1" + ")" * 180 + "\n",
}


@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP)
def test_what_is_nested_too_deeply_is_skipped(text: str) -> None:
    got = answer(text)
    assert got.short == ("skipped", None)
    assert got.compilation.reason == TOO_DEEP


SHALLOW = {
    "operands in a row": "x = 1" + " and 1" * 8000 + "\n",
    "brackets": "x = " + "(" * 190 + "1" + ")" * 190 + "\n",
    "attributes": "a" + ".a" * 900 + "\n",
    "long string": "x = '" + "-" * 5000 + "'\n",
    "many lines": "x = [\n" + "    -1,\n" * 5000 + "]\n",
    "hex": "x = 0x" + "f" * 5000 + "\n",
}


@pytest.mark.parametrize("text", SHALLOW.values(), ids=SHALLOW)
def test_what_is_only_long_is_read(text: str) -> None:
    assert answer(text).short == ("compiles", "module")


@pytest.mark.parametrize("text", ["a b ", "x = a b ", "print a ", "1 a "], ids=["prose", "value", "print", "numbers"])
def test_many_words_on_a_line_are_no_python_on_any_host(text: str) -> None:
    first, _, pair = text.rpartition("a")
    for many in (400, 740, 760, 1500, 20_000):
        got = answer(first + f"a{pair}" * many)
        few = answer(first + f"a{pair}" * 50)
        assert got.short == few.short
        assert got.short[0] in {"broken", "not-python"}
        assert [said.span.start for said in got.compilation.diagnoses] == [
            said.span.start for said in few.compilation.diagnoses
        ]


FAULTS = {
    "too many brackets": "(" * 1400,
    "null": "x = 1\n#\0\n",
    "surrogate": "x = '\ud800'\n",
    "digits": "x = " + "1" * 4301 + "\n",
    "byte order mark inside": "x = 1\n\ufeffy = 2\n",
    "levels of indentation": "".join(" " * n + "if a:\n" for n in range(101)) + " " * 101 + "pass\n",
}


@pytest.mark.parametrize("text", FAULTS.values(), ids=FAULTS)
def test_odd_faults_are_faults(text: str) -> None:
    assert answer(text).refused


def test_nested_finally_is_judged_in_no_time() -> None:
    head = "def f():\n"
    levels = "".join(f"{' ' * n}try: return a\n{' ' * n}finally:\n" for n in range(1, 40))
    began = time.process_time()
    assert answer(f"{head}{levels}{' ' * 40}pass\n").short == ("compiles", "module")
    failure = try_compile(f"{head}{levels}{' ' * 40}break\n")
    assert time.process_time() - began < 2
    assert failure == Failure("'break' outside loop", 80, 41, 80, 46)


PLACES = {
    "bytes and characters": ("é = 'é'; return 1\n", (1, 10)),
    "bytes in a file's own scope": ("é = 'é'; break\n", (1, 10)),
    "parser": ("é = 'é' x\n", (1, 9)),
    "indent": ("a = 1\n    b = 2\n", (2, 5)),
    "future": ("é = 1; from __future__ import division\n", (1, 8)),
    "null": ("x = 1\n#\0\n", (2, 2)),
    "surrogate": ("x = 1\ny = '\ud800'\n", (2, 6)),
    "end of the text": ("if a:", (1, 6)),
}


@pytest.mark.parametrize(("text", "place"), PLACES.values(), ids=PLACES)
def test_failures_have_a_place_in_code_points(text: str, place: tuple[int, int]) -> None:
    failure = try_compile(text)
    assert failure is not None
    assert (failure.line, failure.column) == place


def test_a_broken_class_is_recovered_where_its_diagnosis_proves_how() -> None:
    got = answer("class A:\n  '''a'''\n    def f(self):\n        return 1\n")
    assert got.short == ("broken", None)
    assert got.compilation.recovered
    assert try_compile(got.text) is None
    assert got.origin("return") == (4, 9)


def unclosed(text: str, closer: str) -> tuple[Source, Compilation]:
    """A fence that ran on behind its wrong closer."""
    source = Source("page.md", text)
    start = text.index(closer)
    fault = Diagnosis("unclosed-fence", Span(0, 1), {"closer": Span(start, start + len(closer))})
    block = replace(block_of(MappedText.verbatim(text)), closed=False, structure=(fault,))
    (compilation,) = compile_blocks(source, [block], CompileOptions())
    return source, compilation


def test_an_unclosed_fence_is_judged_by_its_own_part() -> None:
    _, compilation = unclosed("x = 1\n:::\n\nText, and (more.\n", ":::")
    assert (compilation.verdict, compilation.context) == ("broken", None)
    assert [one.kind for one in compilation.diagnoses] == ["unclosed-fence"]
    assert compilation.recovered
    assert compilation.code is not None
    assert compilation.code.text == "x = 1\n"
    source, compilation = unclosed("x = 1\ny = = 2\n:::\n\nText.\n", ":::")
    assert [source.position(one.span.start).line for one in compilation.diagnoses] == [1, 2]


def test_a_fault_of_the_fence_alone_leaves_the_verdict() -> None:
    text = "x = 1\n"
    fault = Diagnosis("unclosed-fence", Span(0, 1))
    block = replace(block_of(MappedText.verbatim(text)), closed=False, structure=(fault,))
    (compilation,) = compile_blocks(Source("page.md", text), [block], CompileOptions())
    assert compilation.verdict == "compiles"
    assert compilation.diagnoses == (fault,)


def test_the_same_thing_of_the_same_place_is_said_once() -> None:
    said = answer("def f():\n    a = 1\n   b = 2\n    return a\n").said
    assert said == [("unindent-mismatch", 3, 4)]
