"""Info strings: every way in which authors say Python, and what else they say."""

import pytest

from auditor.extract.info import Info, parse_info


@pytest.mark.parametrize(
    ("info", "language"),
    [
        ("python", "python"),
        ("Python", "python"),
        ("PYTHON", "python"),
        ("py", "python"),
        ("py3", "python"),
        ("python3", "python"),
        ("python3.12", "python"),
        ("python-3.12", "python"),
        ("pyi", "python"),
        ("ipython", "ipython"),
        ("ipython3", "ipython"),
        ("pycon", "pycon"),
        ("python-repl", "pycon"),
        ("{.python}", "python"),
        ("{.python .input}", "python"),
        ("{.python .input  n=7}", "python"),
        ("{.input .python}", "python"),
        ("{ .python .annotate }", "python"),
        ("{.py3 title='x'}", "python"),
        ("{#listing .python}", "python"),
        ("{python}", "python"),
        ("{python3}", "python"),
        ("{python, echo=FALSE}", "python"),
        ("{python label, echo=FALSE}", "python"),
        ("{python} x", "python"),
        ("python {4-31} showLineNumbers", "python"),
        ("python{1,3}", "python"),
        ("python,ignore", "python"),
        ("python ignore", "python"),
        ("python:src/app.py", "python"),
        ("python title=app.py", "python"),
        ('python title="a b.py" hl_lines="1 3-4" linenums="1"', "python"),
        ("python A free title of a page", "python"),
        ("python {cmd=true}", "python"),
        ('python exec="on" session="a"', "python"),
        ("{code-block} python", "python"),
        ("{code} python", "python"),
        ("{sourcecode} pycon", "pycon"),
        ("{code-cell} ipython3", "ipython"),
        ("{code-cell} python", "python"),
        ("{doctest}", "pycon"),
        ("{testsetup}", "python"),
        ("{testcode} group", "python"),
    ],
)
def test_python_by_every_name(info: str, language: str) -> None:
    said = parse_info(info)
    assert said.language == language
    assert said.refused is None
    assert said.skip is None


@pytest.mark.parametrize(
    "info",
    [
        "",
        "json",
        "pyproject.toml",
        "text",
        "{r}",
        "{note}",
        "{code-block} yaml",
        "{code-cell} coconut",
        "{.toml}",
        "plain python",
        "pypi-index",
        "{{r}}",
        "###",
        "{",
        "}",
        "{}",
        "c#",
        "[json]",
        '"Python example"',
        "<python",
        "$ python example.py",
        "=html",
        "{#python}",
        "{#python .js}",
        "[cython]",
    ],
)
def test_other_languages_are_none_of_ours(info: str) -> None:
    said = parse_info(info)
    assert said.language == ""
    assert said.refused is None


@pytest.mark.parametrize(
    ("info", "kind"),
    [
        ("{{python}}", "escaped"),
        ("{{python, echo=FALSE}}", "escaped"),
        ("{{{python}}}", "escaped"),
        ("{.python .pymd}", "unknown-dialect"),
        ("cython", "unknown-dialect"),
        ("python2", "unknown-dialect"),
        ("py-snippet", "unknown-dialect"),
        ("xonsh", "unknown-dialect"),
        ("jython", "unknown-dialect"),
        *((word, "unknown-dialect") for word in ("micropython", "MicroPython", "circuitpython", "python+x")),
        *((word, "misspelt-language") for word in ("pyhton", "Pyhton3", "phyton", "pyton", "pythn", "pyhton3 title=x")),
        ("pythom", "misspelt-language"),
        ("pythonn", "misspelt-language"),
        ("python_ title=x", "misspelt-language"),
        ("ipyhton", "misspelt-language"),
        ("ipython2", "unknown-dialect"),
        ("python-snippet", "unknown-dialect"),
        ("{pyhton}", "misspelt-language"),
        ("{code-block} pyhton", "misspelt-language"),
        ("{.pyhton}", "misspelt-language"),
        *(
            (word, "misspelt-language")
            for word in ("[python]", '"python"', "\u201cpython\u201d title=x", "@python", "<py>")
        ),
        *(
            (word, "misspelt-language")
            for word in ("python#x", "py#", "{.python#x}", '{code-block} "python"', "[pyhton]")
        ),
        *((word, "misspelt-language") for word in ("\uff50ython", "\u0440ython", "\u200bpython", "{\uff50ython}")),
        ("{code-cell}", "no-language"),
    ],
)
def test_what_is_close_to_python_is_refused_by_name(info: str, kind: str) -> None:
    said = parse_info(info)
    assert said.language == ""
    assert said.refused is not None
    assert said.refused[0] == kind


@pytest.mark.parametrize("info", ["python out", "python output", "python trace", "py Output", "{.python .output}"])
def test_labelled_output_is_skipped(info: str) -> None:
    assert parse_info(info).skip == "labelled as output"


@pytest.mark.parametrize("info", ["python output.py", "python The output of a run", 'python output="x"'])
def test_a_title_about_output_is_no_label(info: str) -> None:
    said = parse_info(info)
    assert said.language == "python"
    assert said.skip is None


@pytest.mark.parametrize("info", ["pytb", "py3tb", "python-traceback"])
def test_tracebacks_are_skipped_with_their_own_reason(info: str) -> None:
    assert parse_info(info).skip == "a traceback"


def test_attributes_keep_their_values() -> None:
    said = parse_info('python title="a = {b}.py" hl_lines="1 3-4" linenums=1 {2,4-6}')
    assert said.attributes == {"title": "a = {b}.py", "hl_lines": "1 3-4", "linenums": "1", "lines": "2,4-6"}
    assert parse_info("python:src/app.py").attributes == {"path": "src/app.py"}
    assert parse_info("{.python .input #cell n=3}").attributes == {"class": "input", "id": "cell", "n": "3"}
    assert parse_info("python ignore").attributes == {"ignore": ""}
    assert parse_info("python Send a message").attributes == {"title": "Send a message"}


@pytest.mark.parametrize(
    "info",
    [
        'python {lint="skip"}',
        "python {lint='off' test='skip'}",
        "python lint=false",
        "python noqa",
        "{.python .nolint}",
    ],
)
def test_an_author_can_silence_linters(info: str) -> None:
    assert parse_info(info).silenced is not None


@pytest.mark.parametrize("info", ['python {test="skip"}', 'python {lint="on"}', "python,ignore", 'python title="noqa"'])
def test_not_run_is_not_silenced(info: str) -> None:
    assert parse_info(info).silenced is None


def test_one_answer_for_one_text() -> None:
    assert parse_info("python") is parse_info("python")
    assert Info() == parse_info("")


@pytest.mark.parametrize(
    ("info", "label", "meant"),
    [
        ("[python-repl] x", "[python-repl]", "python-repl"),
        ("Python3#x", "Python3#x", "python3"),
        ("\uff50ython title=x", "\uff50ython", "python"),
        ("{'py'}", "'py'", "py"),
    ],
)
def test_a_misspelt_label_is_told_as_written_with_the_one_that_is_meant(info: str, label: str, meant: str) -> None:
    assert parse_info(info).misspelt == (label, meant)
