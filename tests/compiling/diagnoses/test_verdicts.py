"""Weak evidence: a real defect is never called no Python, and a twin of output is never called output."""

import pytest

from auditor.compiling.compiler import Neighbourhood, try_compile
from auditor.compiling.diagnoses.diagnose import Diagnosed, diagnose


def ask(code: str, before: str = "", distance: int | None = None) -> Diagnosed:
    failure = try_compile(code)
    assert failure is not None
    return diagnose(code, failure, Neighbourhood(before, distance))


@pytest.mark.parametrize(
    "code",
    [
        "x = [1, 2 3]\n",
        "rows = [[0.1 0.2], [0.3, 0.4]]\n",
        "from a.b C\n",
        "def f(x)\n    return x\n\nprint(f(3)\n",
        "remote-graph = Graph(URL)\n",
        "import a\nimport b\nc = a.d(b\ne = c.f()\n",
        "for i in range(3) print(i)\n",
        "model = Model(size=3\nmodel.fit(data)\n",
        "x = 5\nif x = 5:\n    print(x)\n",
        "accuracy = = 0.5\n",
        "class A:\n    def f(self):\n    return 1\n",
        "print('The quick brown fox jumps over the lazy dog)\n",
        "raise ValueError('The quick brown fox'\n",
        "a = {\n  'b': 1,\n  'c' 2,\n  'd': 3,\n}\n",
    ],
)
@pytest.mark.parametrize("distance", [None, 2])
def test_a_defect_stays_broken_wherever_it_stands(code: str, distance: int | None) -> None:
    assert ask(code, "print(1)\n", distance).verdict == "broken"


def test_a_defect_behind_something_else_is_still_found() -> None:
    kinds = [said.kind for said in ask("a = f(1 2)\nprint “b”\nc = g(3 4)\n").diagnoses]
    assert kinds[0] == "missing-comma"
    assert kinds[-1] == "missing-comma"


def test_a_run_of_words_lacks_no_commas() -> None:
    assert "missing-comma" not in {said.kind for said in ask("f(a=1, this is the default value)\n").diagnoses}


def test_a_tree_in_brackets_lacks_no_commas() -> None:
    assert "missing-comma" not in {said.kind for said in ask("(S\n  (NP Alice)\n  (VP (V ran)))\n").diagnoses}


def test_running_text_with_full_width_marks_is_no_tuple() -> None:
    assert ask("你好，世界。\n").verdict == "not-python"


def test_code_of_python_2_is_code() -> None:
    code = 'import sys\n\ndef main(args):\n    print "%d args" % len(args)\n    print\n\nmain(sys.argv)\n'
    diagnosed = ask(code)
    assert (diagnosed.verdict, [said.kind for said in diagnosed.diagnoses]) == ("broken", ["python2-syntax"])


@pytest.mark.parametrize(
    "code",
    ["open the door and see\n", "python is a fine language to learn\n", "make sure that it runs\n"],
)
def test_a_sentence_that_opens_with_a_command_is_no_command(code: str) -> None:
    assert ask(code).diagnoses[0].kind != "shell-in-python"


def test_an_import_that_lacks_a_word_is_no_prose() -> None:
    found = ask("import a\nfrom b.c import compile all regions\nd = a.e()\n").diagnoses[0]
    assert found.kind != "prose-among-code"


def test_a_comment_is_not_joined_with_the_line_below() -> None:
    kinds = {said.kind for said in ask("# show data\nf(x, c=\\'a\\') g\nh()\n").diagnoses}
    assert "broken-line" not in kinds


def test_a_call_that_runs_into_an_elision_is_no_output() -> None:
    assert ask("a = f()\n\nb = G(\n    c=a,\n    ...\n").diagnoses[0].kind == "unclosed-bracket"


def test_a_sign_lost_between_blanks_is_no_comma() -> None:
    assert ask("m = zeros((n, k * 2   2))\n").diagnoses[0].kind == "missing-operator"


def test_a_margin_is_no_fault() -> None:
    code = "    if a:\n        f()\n    g(1 2)\n"
    (found,) = ask(code).diagnoses
    assert (found.kind, code[: found.span.start].count("\n")) == ("missing-comma", 2)


def test_a_string_between_clauses_orphans_the_second() -> None:
    code = "    if a:\n        f()\n    '''\n    otherwise\n    '''\n    elif b:\n        g()\n"
    (found,) = ask(code).diagnoses
    assert (found.kind, code[: found.span.start].count("\n")) == ("orphan-clause", 5)


@pytest.mark.parametrize(
    "newer",
    [
        "type A = int\n",
        "def f[T](x: T) -> T:\n    return x\n",
        "class A[T]:\n    x: T\n",
        'a = f"{"-" * 20}"\n',
        "a = f\"{'\\n'.join(b)}\"\n",
    ],
)
def test_newer_syntax_does_not_move_the_fault(newer: str) -> None:
    code = newer + "c = d(1 2)\n"
    (found,) = ask(code).diagnoses
    assert (found.kind, code[: found.span.start].count("\n")) == ("missing-comma", newer.count("\n"))
