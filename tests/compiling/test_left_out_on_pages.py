"""What authors leave out, as real pages taught: holes with a text, behind a dot, dots in brackets, fences in fences."""

import pytest
from answers import answer

from auditor.audit import audit
from auditor.audited import AuditOptions, BlockAudit
from auditor.model import Source
from auditor.rulebook import load


@pytest.mark.parametrize(
    "code",
    [
        'model_id = <"your-model-id">\nload(model_id)\n',
        "from package.<module> import <object>\n",
        "from package.v1.<module> import <object>\n",
        "layers = [\n    [...]\n    Dense(10),\n    [...]\n]\n",
        "def train(model, epochs, [...]):\n    data = read(paths, repeat=epochs, [...])\n",
    ],
)
def test_it_compiles_elided(code: str) -> None:
    assert answer(code).short == ("compiles-elided", "module")


@pytest.mark.parametrize("code", ["x = [[...], 1]\n", "x = [\n    [...],\n]\n"])
def test_dots_in_a_list_that_is_one_stay(code: str) -> None:
    assert answer(code).short == ("compiles", "module")


def test_a_sentence_that_hesitates_is_no_elision() -> None:
    found = answer("f(\n    a=g(0), this is default... can change it here\n)\n")
    assert found.compilation.verdict == "broken"
    assert "elision" not in {kind for kind, _, _ in found.said}


def test_dots_behind_a_defect_are_no_second_one() -> None:
    found = answer("class A(B)\n\n    def __init__(a, b: str, ...) -> None:\n        self.a = a\n")
    assert found.said == [("missing-colon", 1, 11), ("elision", 3, 29)]


def blocks(page: str) -> tuple[BlockAudit, ...]:
    return audit(Source("page.md", page), load([]), AuditOptions()).blocks


def kinds(block: BlockAudit) -> list[str]:
    return [said.kind for said in block.compilation.diagnoses]


def test_a_fence_that_begins_with_another_opener_is_broken_by_that_alone() -> None:
    (block,) = blocks("```python\n```python\na = f(1)\n```\n")
    assert (block.compilation.verdict, kinds(block)) == ("broken", ["opener-inside-body"])


def test_an_opener_below_sound_code_is_the_one_fault() -> None:
    (block,) = blocks("```python\nimport a\n\n```python\n\ndef f(x):\n    return a.g(x)\n```\n")
    assert (block.compilation.verdict, kinds(block)) == ("broken", ["opener-inside-body"])
    assert block.compilation.code is not None
    assert block.compilation.code.text.strip() == "import a"


def test_an_option_may_go_on_behind_its_colon() -> None:
    (block,) = blocks("```{code-cell} ipython3\n:tags: [hide]\n:other:\n:  key: 1\n:  more: 2\n\nprint(1)\n```\n")
    assert block.compilation.verdict == "compiles"
    assert block.block.code.text.strip() == "print(1)"


@pytest.mark.parametrize(
    "code",
    [
        '"blocks.*.out": Rowwise(),\n',
        '# in the plan\n"a.*": Colwise([1, 1]),\n"b.*": Rowwise(),  # last\n',
    ],
)
def test_items_of_a_dictionary_are_a_fragment(code: str) -> None:
    assert answer(code).short == ("compiles-in-context", "fragment")


def test_items_without_code_may_be_of_any_language() -> None:
    assert answer('"a": [1, 2],\n"b": "x"\n').refused


@pytest.mark.parametrize(
    "code",
    [
        "    first: str, last: str\n",
        'first="john", last="doe"\n',
    ],
)
def test_what_stands_between_parentheses_is_a_fragment(code: str) -> None:
    assert answer(code).short == ("compiles-in-context", "fragment")


@pytest.mark.parametrize("code", ["x: int, y\n", "a.b=1, c=2\n", 'a = 1\nfirst="john", last="doe"\n'])
def test_other_lists_are_none(code: str) -> None:
    assert answer(code).refused


def test_an_item_between_dots_is_left_out_around() -> None:
    found = answer('        ... "item_name": item.name ...\n')
    assert found.short == ("compiles-elided", "fragment")
    assert [kind for kind, _, _ in found.said] == ["elision", "elision"]


def test_a_try_with_comments_for_bodies() -> None:
    found = answer("try:\n    # what may fail\nexcept ValueError:\n    # what then\nfinally:\n    # what always\n")
    assert found.short == ("compiles-elided", "module")
    assert [kind for kind, _, _ in found.said] == ["header-only"] * 3


def test_marks_behind_code_close_nothing() -> None:
    (block,) = blocks("```python\na = f(1)\nprint(a)```\n\nText of the page.\n\n```python\nb = 2\n```\n")
    assert (block.compilation.verdict, kinds(block)) == ("broken", ["opener-inside-body"])
    assert block.compilation.code is not None
    assert block.compilation.code.text == "a = f(1)\nprint(a)"


def test_words_between_dots_are_output_left_out() -> None:
    assert answer(">>> a.b\n... look at the output ...\n>>> c.d\n... see what happens ...\n>>>\n").short == (
        "compiles-in-context",
        "session",
    )


def test_a_continuation_is_one_still() -> None:
    assert answer(">>> for a in b:\n...     f(a, ...)\n...\n").text == "for a in b:\n    f(a, ...)\n\n"


def test_a_restart_of_idle_is_no_input() -> None:
    found = answer(">>> ==== RESTART ====\n>>> a = f()\n>>> ==== RESTART ====\n>>> a\n1\n")
    assert found.short == ("compiles-in-context", "session")
