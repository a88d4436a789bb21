"""A fix changes its own edit and nothing else, and what it leaves compiles, or it is withheld and said."""

from collections.abc import Sequence

import pytest

from auditor.audit import audit
from auditor.audited import AuditOptions, SourceAudit
from auditor.fix import Fixed, fix
from auditor.model import Source
from auditor.rulebook import Rulebook, load, load_text

SHIPPED = load(())


def rules(text: str) -> Rulebook:
    found, problems = load_text(text, "rules.yaml")
    assert not problems
    return Rulebook((*SHIPPED.rules, *found), f"with {text}")


def fixed(text: str, book: Rulebook = SHIPPED, path: str = "a.md", *, unsafe: bool = True) -> Fixed:
    def look(source: Source) -> SourceAudit:
        return audit(source, book, AuditOptions())

    return fix(Source(path, text), look, lambda found: found.fix is not None and (unsafe or found.fix_safety == "safe"))


def fence(*lines: str, info: str = "python") -> str:
    return "\n".join((f"```{info}", *lines, "```", ""))


def applied(result: Fixed) -> Sequence[str]:
    return [finding.rule for finding in result.applied]


MIXED = fence(
    "class A:", "  '''A class.'''", "    def f(self):", "        return 1", "", "    def g(self):", "        return 2"
)


def test_a_mixed_class_is_indented_by_one_width() -> None:
    result = fixed(MIXED)
    assert applied(result) == ["mixed-class-indentation"]
    assert result.source.text == MIXED.replace("\n  '''", "\n    '''")


def test_everything_else_stays() -> None:
    around = f"\ufeff# Täglich\r\n\r\n{MIXED}\r\ntext\x0c  \r\u2028{fence('x = 1 ')}\n\n\n"
    result = fixed(around)
    assert result.source.text == around.replace("\n  '''", "\n    '''")


def test_line_ends_of_what_is_put_in_are_the_fences() -> None:
    page = fence("x = [1, 2]", "print(x)", "# Output:", "array([1. 2. 3.])").replace("\n", "\r\n")
    result = fixed(page)
    assert applied(result) == ["output-after-code"]
    assert "\n" not in result.source.text.replace("\r\n", "")


def test_a_second_run_changes_nothing() -> None:
    result = fixed(MIXED)
    assert fixed(result.source.text).source == result.source


def test_full_width_and_invisible_characters_one_after_the_other() -> None:
    page = fence("def f(a， b)：", "\u00a0\u00a0\u00a0\u00a0return a", "print（f(1, 2)）")
    result = fixed(page)
    assert result.source.text == fence("def f(a, b):", "    return a", "print(f(1, 2))")


def test_a_block_that_stays_broken_keeps_all_its_bytes() -> None:
    page = fence("print（1）", "x = = = 1")
    result = fixed(page)
    assert result.source.text == page
    assert [(held.finding.rule, held.reason) for held in result.withheld] == [
        ("fullwidth-punctuation", "the block would still not compile")
    ]


def test_one_bad_block_does_not_keep_another_from_its_fix() -> None:
    page = fence("print（1）", "x = = = 1") + "\n" + MIXED
    result = fixed(page)
    assert applied(result) == ["mixed-class-indentation"]
    assert result.source.text == page.replace("\n  '''", "\n    '''")
    assert len(result.withheld) == 1


@pytest.mark.parametrize(
    ("info", "after"),
    [
        ("python", "text"),
        ('py title="x"', 'text title="x"'),
        ("{.python .annotate}", "{.text .annotate}"),
        ("Python", "text"),
    ],
)
def test_printed_output_is_relabelled(info: str, after: str) -> None:
    body = ("   name  value", "0  one   0.25", "1  two   0.50", "[2 rows x 2 columns]")
    assert fixed(fence(*body, info=info)).source.text == fence(*body, info=after)


def test_a_session_with_a_bad_example_keeps_its_label() -> None:
    page = fence(">>> print（1）", "1", ">>> ls -la /tmp", info="python")
    assert "```python" in fixed(page).source.text


def test_what_is_run_where_it_stands_is_not_relabelled() -> None:
    page = fence("$ pip install x", "$ ls -la /tmp", info="{python}")
    assert fixed(page).source.text == page


TRACEBACK = ("Traceback (most recent call last):", '  File "<stdin>", line 1, in <module>', "ValueError: no")


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ((*TRACEBACK, "def share(x):", "    return x"), 5),
        ((*TRACEBACK, ">>> x = 1", ">>> y = 2"), 5),
        (("[1 2 3]", "print(share(2))", "[4 5 6]"), 3),
        (("$ pip install x", "import x", "$ ls"), 3),
        (("$ python", ">>> import x", ">>> x.run("), 3),
        (("const a = 3;", "function f() { return a; }", "def g(): pass"), 4),
        (("1 / 0", ">>> 1 / 0", *TRACEBACK, ">>> x = [1 2]"), 3),
    ],
    ids=["function", "session", "call", "import", "session in a shell", "another language", "session with a fault"],
)
def test_no_label_takes_code_out_of_the_audit(body: tuple[str, ...], line: int) -> None:
    page = fence(*body)
    result = fixed(page)
    assert result.source.text == page
    ((reason),) = [left.reason for left in result.withheld]
    assert reason == f"line {line} is code, and nothing would audit it under another label"


def test_output_that_looks_like_a_call_is_no_code() -> None:
    body = ("[[1. 2.]", " [3. 4.]]", "Forest(size=2, name='x')", "tensor([1, 2])")
    assert fixed(fence(*body)).source.text == fence(*body, info="text")


def test_a_session_below_code_stays_python() -> None:
    code, session = ("def share(x):", "    return 1 / x"), (">>> share(0)", *TRACEBACK)
    assert fixed(fence(*code, *session)).source.text == fence(*code) + "\n" + fence(*session, info="pycon")
    assert fixed(fence(*code, *session)).withheld == ()


def test_code_below_output_keeps_the_fence_whole() -> None:
    page = fence("print(1)", "", "Output:", "[1 2 3]", ">>> print(2)", "2")
    result = fixed(page)
    assert result.source.text == page
    assert [left.reason.split(",")[0] for left in result.withheld] == ["line 6 is code"]


def test_commands_get_their_own_label() -> None:
    body = ("pip install something", "cd /tmp && ls -la")
    assert fixed(fence(*body)).source.text == fence(*body, info="bash")


@pytest.mark.parametrize("prefix", ["", "> ", "   "])
def test_output_is_split_off_inside_its_container(prefix: str) -> None:
    page = "".join(f"{prefix}{line}\n" for line in fence("print(x)", "# Output:", "array([1. 2. 3.])").splitlines())
    after = "".join(
        f"{prefix}{line}".rstrip() + "\n"
        for line in ["```python", "print(x)", "```", "", "```text", "# Output:", "array([1. 2. 3.])", "```"]
    )
    assert fixed(page).source.text == after


def test_a_fence_that_its_own_string_closes_gets_longer_marks() -> None:
    page = fence('prompt = """', "Answer like this:", "```", "print(1)", "```", '"""', "ask(prompt)")
    result = fixed(page)
    assert applied(result) == ["fence-closed-early"]
    assert result.source.text == "`" + page.removesuffix("\n") + "`\n"


def test_wrong_marks_at_the_end_become_the_openers() -> None:
    page = "```python\nx = 1\n:::\n"
    assert fixed(page).source.text == "```python\nx = 1\n```\n"


def test_a_fence_to_the_end_of_the_page_is_closed() -> None:
    for page in ("# A\n\n```python\nx = 1\n", "# A\n\n```python\nx = 1"):
        assert fixed(page).source.text == "# A\n\n```python\nx = 1\n```\n"


def test_code_on_the_openers_line_moves_down() -> None:
    page = "```python import os\nprint(os.name)\n```\n"
    assert fixed(page).source.text == "```python\nimport os\nprint(os.name)\n```\n"


REPLACING = """rules:
  - id: own
    languages: [python]
    severity: warning
    message: m
    pattern: old($X)
    fix: {fix}
"""


def test_a_fix_that_joins_with_its_neighbours_is_withheld() -> None:
    book = rules(REPLACING.format(fix="$X + 1"))
    result = fixed(fence("y = 2 * old(3)"), book)
    assert not result.applied
    assert [held.reason for held in result.withheld] == ["the code around the edit would be read in another way"]
    assert fixed(fence("y = old(3)"), book).source.text == fence("y = 3 + 1")


def test_a_bad_fix_does_not_keep_a_good_one_of_the_same_block_from_being_applied() -> None:
    book = rules(REPLACING.format(fix="$X + 1"))
    result = fixed(fence("y = 2 * old(3)", "z = old(4)", "w = old(5)"), book)
    assert result.source.text == fence("y = 2 * old(3)", "z = 4 + 1", "w = 5 + 1")
    assert len(result.withheld) == 1


def test_a_fix_whose_result_does_not_compile_is_withheld() -> None:
    result = fixed(fence("y = old(3)"), rules(REPLACING.format(fix='"$X +"')))
    assert not result.applied
    assert [held.reason for held in result.withheld] == ["the block would be broken"]


def test_a_fix_that_leaves_its_finding_is_withheld() -> None:
    result = fixed(fence("y = old(3)"), rules(REPLACING.format(fix="old($X, 1) or old($X)")))
    assert not result.applied
    assert [held.reason for held in result.withheld] == ["own would stay"]


def test_fixes_that_undo_each_other_come_to_an_end() -> None:
    back = REPLACING.replace("own", "back").replace("old", "new").removeprefix("rules:\n")
    book = rules(REPLACING.format(fix="new($X)") + back.format(fix="old($X)"))
    page = fence("y = old(3)")
    result = fixed(page, book)
    assert result.source.text == page
    assert result.withheld


def test_of_overlapping_fixes_the_outer_goes_first() -> None:
    book = rules(REPLACING.format(fix="new($X)"))
    assert fixed(fence("y = old(old(3))"), book).source.text == fence("y = new(new(3))")


def test_python_files_are_fixed_too() -> None:
    book = rules(REPLACING.format(fix="new($X)"))
    assert fixed("y = old(3)\n", book, "a.py").source.text == "y = new(3)\n"
