"""Faults of fences: what is not closed, closed by the wrong marks, or closed too early."""

import pytest

from auditor.extract import ExtractOptions, closed_early, extract
from auditor.model import Block, Diagnosis, Source, Span


def read(text: str) -> tuple[Source, tuple[Block, ...]]:
    source = Source("page.md", text)
    return source, extract(source, ExtractOptions()).blocks


def faults_of(text: str) -> list[tuple[str, int]]:
    source, blocks = read(text)
    return [(fault.kind, source.position(fault.span.start).line) for block in blocks for fault in block.structure]


def line_of(source: Source, fault: Diagnosis, name: str) -> int | None:
    argument = fault.arguments.get(name)
    return source.position(argument.start).line if isinstance(argument, Span) else None


def test_unclosed_to_the_end_of_the_page() -> None:
    source, (block,) = read("words\n\n```python\nx = 1\n")
    (fault,) = block.structure
    assert (fault.kind, source.position(fault.span.start)) == ("unclosed-fence", (3, 1))
    assert fault.arguments["marks"] == "```"
    assert block.closed is False


def test_unclosed_to_the_end_of_its_container() -> None:
    assert faults_of("- ```python\n  x\n\nwords\n") == [("unclosed-fence", 1)]
    assert faults_of("> ```python\n> x\n\nwords\n") == [("unclosed-fence", 1)]


def test_a_closer_that_stands_outside_the_container() -> None:
    source, blocks = read("- a\n  ```python\n  x\n```\n\nwords\n")
    (fault,) = blocks[0].structure
    assert (fault.kind, line_of(source, fault, "closer")) == ("unclosed-fence", 4)
    source, blocks = read("> ```python\n> x\n\n```\n")
    (fault,) = blocks[0].structure
    assert line_of(source, fault, "closer") is None


@pytest.mark.parametrize("closer", [":::", "~~~", "``", "    ```", "``` the end.", "```.", "> ```"])
def test_the_wrong_closer_is_named(closer: str) -> None:
    source, blocks = read(f"```python\nx = 1\n{closer}\n\n### Next\n\n```python\ny = 2\n```\n")
    assert [(fault.kind, source.position(fault.span.start).line) for fault in blocks[0].structure] == [
        ("unclosed-fence", 1),
        ("opener-inside-body", 7),
    ]
    fault = blocks[0].structure[0]
    assert line_of(source, fault, "opener") == 1
    assert line_of(source, fault, "closer") == 3
    assert line_of(source, fault, "swallowed") == 7


def test_a_wrong_closer_before_the_end() -> None:
    source, (block,) = read("```python\nx = 1\n:::\n\n## Next\n\nwords\n")
    (fault,) = block.structure
    assert (line_of(source, fault, "closer"), line_of(source, fault, "swallowed")) == (3, 5)


def test_an_opener_in_a_body_without_a_closer_before() -> None:
    source, (block,) = read("```python\nx = 1\n```python\ny = 2\n```\n")
    (fault,) = block.structure
    assert (fault.kind, source.position(fault.span.start).line) == ("opener-inside-body", 3)
    assert fault.arguments["longer"] == "````"


@pytest.mark.parametrize(
    "body",
    [
        's = """\n:::\n"""',
        "x = 1  # ```",
        '"""\n```json\n{}\n"""',
        "# ::: note",
        "a = b[::2]",
    ],
)
def test_marks_that_are_only_text(body: str) -> None:
    assert faults_of(f"```python\n{body}\n```\n") == []


def test_a_long_fence_may_show_whole_pages() -> None:
    page = "````python\n---\nt: x\n---\n\n```{{python}}\nx\n```\n\n::: {.note}\nwords\n:::\n\n```\nplain\n```\n````\n"
    assert faults_of(page) == []


def test_sessions_may_print_anything() -> None:
    assert faults_of("```pycon\n>>> show()\n:::\n~~~~\n```\n") == []


@pytest.mark.parametrize(
    ("info", "column"),
    [
        ("python from tools import run", 11),
        ("python import os", 11),
        ("py import os, sys", 7),
        ("python x = 1", 11),
        ("python print(x)", 11),
        ("python def f(x):", 11),
        ("python class A:", 11),
        ("{code-block} python import os", 24),
        ("python >>> x", 11),
    ],
)
def test_code_on_the_info_line(info: str, column: int) -> None:
    source, blocks = read(f"```{info}\nrun()\n```\n")
    (fault,) = blocks[0].structure
    assert fault.kind == "code-on-info-line"
    assert source.position(fault.span.start) == (1, column)
    assert source.text[fault.span.start : fault.span.end] == fault.arguments["code"]
    assert blocks[0].code.text == "run()\n"


@pytest.mark.parametrize(
    "info",
    [
        'python title="import os"',
        'python title = "a"',
        "python Import the module",
        "python import",
        "python From here to there",
        "python class diagram",
        "python {1,3} showLineNumbers",
        "python app.py",
        "python for beginners: a tour",
    ],
)
def test_words_on_the_info_line_are_titles(info: str) -> None:
    assert faults_of(f"```{info}\nrun()\n```\n") == []


def test_closed_early_by_marks_in_a_string() -> None:
    source, blocks = read('```python\nprompt = """\n```\n{text}\n```\n"""\n```\n')
    fault = closed_early(source, blocks[0])
    assert fault is not None
    assert fault.kind == "fence-closed-early"
    assert source.position(fault.span.start) == (3, 1)
    assert [line_of(source, fault, name) for name in ("opener", "closer", "end")] == [1, 3, 7]
    assert fault.arguments["longer"] == "````"


def test_closed_early_within_a_container_and_by_a_labelled_pair() -> None:
    source, blocks = read("> ~~~py\n> s = '''\n> ~~~json\n> {}\n> ~~~\n> '''\n> ~~~\n")
    fault = closed_early(source, blocks[0])
    assert fault is not None
    assert source.position(fault.span.start) == (5, 3)
    assert [line_of(source, fault, name) for name in ("opener", "closer", "end")] == [1, 5, 7]


@pytest.mark.parametrize(
    "page",
    [
        "```python\nx = 1\n```\n\n```python\ny = 2\n```\n",
        '```python\ns = """open\n```\n\nwords\n',
        '```python\ns = """open\n```\n\n```python\n"""doc"""\n```\n',
        '```python\ns = """open\n',
    ],
)
def test_not_closed_early(page: str) -> None:
    source, blocks = read(page)
    assert closed_early(source, blocks[0]) is None
