"""Notebook syntax: masked where it begins a statement, kept where it is Python, handed on where it is not."""

import pytest
from answers import answer

MASKED = {
    "line magic": ("%matplotlib inline\nx = 1\n", "pass\nx = 1\n"),
    "shell": ("!ls -l\n!!ls\n", "pass\npass\n"),
    "shell over lines": ("!pip install \\\n    a b\nx = 7\n", "pass\n\nx = 7\n"),
    "help": ("x?\nx.y??\n?x\n%time?\nd[0]?\n", "pass\npass\npass\npass\npass\n"),
    "assigned": ("files = !ls\na, b = %sql select 1\n", "files = None\na, b = None\n"),
    "in a block": ("if a:\n    !ls\n    %cd ..\nelse:\n    y = 1\n", "if a:\n    pass\n    pass\nelse:\n    y = 1\n"),
    "timed statement": ("%time x = f(1)\n%timeit -n 3 -r 2 f(x)\n", "x = f(1)\nf(x)\n"),
    "timed statement that is none": ("%time\nx = 1\n", "pass\nx = 1\n"),
    "timed cell": ("%%time\nx = 1\n", "\nx = 1\n"),
    "tabbed cell": ("%%tab pytorch\nx = 1\n", "\nx = 1\n"),
    "cell below a comment": ("# first\n\n%%capture out\nx = 1\n", "# first\n\n\nx = 1\n"),
    "Python file": ("%%writefile -a tool.py\nx = 1\n", "\nx = 1\n"),
    "unknown cell that holds Python": ("%%frobnicate\nx = 1\n!ls\n", "\nx = 1\npass\n"),
    "beside a percent sign": (
        "!ls\ny = (x\n     % 3)\nz = x \\\n    %y\n",
        "pass\ny = (x\n     % 3)\nz = x \\\n    %y\n",
    ),
    "beside a string": (
        '!ls\ns = """\n%matplotlib inline\n!ls\nx?\n"""\n',
        'pass\ns = """\n%matplotlib inline\n!ls\nx?\n"""\n',
    ),
    "beside comparisons": ("!ls\na = b != c\nd = 'x?'  # why?\n", "pass\na = b != c\nd = 'x?'  # why?\n"),
    "unbalanced shell": ("!echo 'it(\nx = 1\n", "pass\nx = 1\n"),
}


@pytest.mark.parametrize(("text", "code"), MASKED.values(), ids=MASKED)
def test_masked(text: str, code: str) -> None:
    got = answer(text)
    assert got.short == ("compiles-in-context", "notebook")
    assert got.compilation.adjustments == ("magics",)
    assert got.text == code
    assert code.count("\n") == text.count("\n")


FOREIGN = {
    "bash": "%%bash\nls -l\n",
    "a body that would compile": "%%sql\nx\n",
    "below a comment": "# list\n%%sh\nls -l\n",
    "text file": "%%writefile notes.txt\nx = 1\n",
    "unknown": "%%frobnicate\nselect * from t\n",
    "with options": "%%html --isolated\n<b>x</b>\n",
}


@pytest.mark.parametrize("text", FOREIGN.values(), ids=FOREIGN)
def test_foreign_cells_are_skipped_by_name(text: str) -> None:
    got = answer(text)
    assert got.short == ("skipped", None)
    name = next(word for word in text.split() if word.startswith("%%"))
    assert got.compilation.reason == f"cell magic {name}"
    assert got.compilation.code is None


def test_percent_signs_of_python_are_no_magics() -> None:
    got = answer("y = (x\n     % 3)\ns = '''\n%a\n'''\n")
    assert got.short == ("compiles", "module")


def test_a_notebook_awaits_and_has_a_margin() -> None:
    got = answer("    !ls\n    r = await get(url)\n")
    assert got.short == ("compiles-in-context", "notebook")
    assert got.compilation.adjustments == ("margin", "magics", "async")
    assert got.origin("get") == (2, 15)


def test_a_fault_behind_magics_is_found_at_its_place() -> None:
    got = answer("%matplotlib inline\nx = 1\ny = = 2\n")
    assert got.short == ("broken", "notebook")
    assert got.said[0][1:] == (3, 5)


def test_paths_are_no_magics() -> None:
    assert answer("/usr/bin/env python x\n").refused


def test_many_magics_take_linear_time() -> None:
    got = answer("!ls\n" * 5000)
    assert got.text == "pass\n" * 5000
