"""Kinds that real pages taught: what is no code although an edit would make it compile, and what only looks so."""

import pytest

from auditor.compiling.compiler import Neighbourhood, try_compile
from auditor.compiling.diagnoses.diagnose import diagnose


def first(code: str) -> tuple[str, str, int]:
    """Verdict, kind and line of the first diagnosis."""
    failure = try_compile(code)
    assert failure is not None, "the text compiles"
    diagnosed = diagnose(code, failure, Neighbourhood())
    said = diagnosed.diagnoses[0]
    return diagnosed.verdict, said.kind, code.count("\n", 0, said.span.start) + 1


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("t = 0.25\np-value = 0.81\n", 1),
        ("best angle = 45.0 degrees\n", 1),
        ("mean = 1.5\nupper bound of error: 2.3e-09\n", 1),
        ("   status: 0\n  success: True\n     nfev: 54\n  message: 'done'\n", 1),
        ("root\tid=4f-8a\tparent=null\nleaf\tid=7c-11\tparent=4f-8a\n", 1),
        ("Manager: adding part 'a_1', but it has the name 'a|b'\n'a_1'\n", 1),
        ("p.Thing(mass=1.0, pos=[ 0\\.   1.5  3\\. ])\n", 1),
        ("|   >>> help(f)\n|   Help on function f:\n|\n|   f(x)\n|       Do it.\n", 1),
    ],
)
def test_a_record_was_printed(code: str, line: int) -> None:
    assert first(code) == ("not-python", "printed-output", line)


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("batch-size = 32\n", "hyphenated-name"),
        ("pipe line = f(1)\npipeline.run()\n", "split-name"),
        ("x = [1 2 3]\n", "missing-comma"),
        ("f(a=1 b=2)\n", "missing-comma"),
        ("a: int = f()\n  b: int = g()\nc: int = h()\n", "unexpected-indent"),
    ],
)
def test_a_defect_that_looks_like_a_record_is_one(code: str, kind: str) -> None:
    assert first(code)[:2] == ("broken", kind)


def test_a_setting_of_a_shell_is_no_split_name() -> None:
    code = 'export SERVICE_KEY="your_key"\nexport SERVICE_URL="http://localhost:7766"   # or yours\n'
    assert first(code) == ("not-python", "shell-in-python", 1)


def test_versions_of_packages_are_no_figures() -> None:
    assert first("conda install numpy=1.26\nconda update numpy=1.26\n")[1] == "shell-in-python"


@pytest.mark.parametrize(
    "code",
    [
        "```{{python}}\nimport a\na.plot()\n```\n",
        "```{{r}}\nparams$alpha\n```\n",
        '::: {.card title="T"}\nText of a card\n:::\n',
        "{{< include part.py >}}\n",
    ],
)
def test_a_page_shown_as_python_is_markdown(code: str) -> None:
    assert first(code) == ("not-python", "wrong-language", 1)


def test_a_property_block_is_cython() -> None:
    assert first("property size:\n    def __get__(self):\n        return 1\n")[1] == "wrong-language"


@pytest.mark.parametrize(
    "code",
    [
        "<, >, <=, >=, ==, !=\n",
        "[low:high:step]\n",
        "grid(-1:.5:1, -1:.5:1)\n",
        "N[NUM=pl]\n",
        "[NUMBER = 74]\n",
        'def Base.from_url(url: str = "x",\n                  user: str = "y")\n',
        "limit = load * growth\n      = 130,000 * 2\n      = 260,000 / month\n",
    ],
)
def test_a_notation_for_readers(code: str) -> None:
    assert first(code)[:2] == ("not-python", "pseudo-notation")


def test_a_slice_without_its_list_among_code_is_broken() -> None:
    assert first("import a\n\nrows = a.rows()\nprint(rows)\n[1:3]\n")[0] == "broken"


def test_words_with_their_tags_are_running_text() -> None:
    assert first("another/DT sharp/JJ dive/NN\nany/DT new/JJ measure/NN\n")[:2] == ("not-python", "prose-in-fence")


def test_a_lost_dot() -> None:
    code = "import a\n\npicture = a.read(path)resize((64, 64))\nshow(picture)\n"
    assert first(code) == ("broken", "missing-operator", 3)


def test_a_shells_mark_before_one_name() -> None:
    code = 'import a\n\n$engine = a.Engine(\n    url="x",\n)\nengine.run()\n'
    assert first(code) == ("broken", "stray-character", 3)


def test_marks_before_all_names_are_another_language() -> None:
    assert first("$total = 5;\n$rest = f($total);\n")[0] == "not-python"


def test_a_fault_of_a_later_pass_hides_no_mend_below_it() -> None:
    code = "c = g(x=1, x=2)\nwhile a\n    b += 1\n"
    failure = try_compile(code)
    assert failure is not None
    kinds = [said.kind for said in diagnose(code, failure, Neighbourhood()).diagnoses]
    assert kinds == ["repeated-argument", "missing-colon"]


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("weights =\ndf = f(weights)\n", 1),
        ("a = f(, dtype=float)\n", 1),
        ("birth = ['1769']\nnow = Series(2020, index=)\n", 2),
    ],
)
def test_a_value_that_got_lost(code: str, line: int) -> None:
    assert first(code) == ("broken", "missing-value", line)


@pytest.mark.parametrize("text", ["code goes here", "如果条件为真，则运行此部分代码"])
def test_words_for_a_body(text: str) -> None:
    code = f"for item in items:\n    {text}\nelse:\n    {text}\n"
    assert first(code) == ("broken", "prose-among-code", 2)
    failure = try_compile(code)
    assert failure is not None
    near = diagnose(code, failure, Neighbourhood("print(1)\n", 2))
    assert near.diagnoses[0].kind == "prose-among-code"


def test_a_sentence_of_both_scripts() -> None:
    assert first("Ada Lovelace住在伦敦。她已婚。\n") == ("not-python", "prose-in-fence", 1)


@pytest.mark.parametrize("label", ["# saída", "Salida:", "# خروجی"])
def test_output_under_a_label_of_another_language(label: str) -> None:
    assert first(f"a = 4\nprint(a + 3)\n\n{label}\n4 + 3 = 7\n[1, 2 3]\n")[:2] == ("broken", "output-after-code")
