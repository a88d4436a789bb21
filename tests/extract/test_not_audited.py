"""Nothing is passed over in silence: what was not audited has a line and a reason."""

import pytest

from auditor.extract import ExtractOptions, extract
from auditor.model import Source


def listed(text: str, *, unlabelled: bool = False) -> list[tuple[str, int]]:
    source = Source("page.md", text)
    extraction = extract(source, ExtractOptions(unlabelled=unlabelled))
    assert all(item.reason for item in extraction.not_audited)
    return [(item.kind, source.position(item.span.start).line) for item in extraction.not_audited]


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<div>\n```py\nx\n```\n</div>\n", [("html-block", 2)]),
        ("<!-- a\n\n~~~python\nx\n~~~\n-->\n", [("html-comment", 3)]),
        ("words\n\n<!--- invisible-code-block: python\nx = 1\n-->\n", [("html-comment", 3)]),
        ("```python x = 1```\n", [("not-a-fence", 1)]),
        ("\u00a0```python\nx\n", [("not-a-fence", 1)]),
        (":::python\nwords\n:::\n", [("not-a-fence", 1)]),
        (":::{code-block} python\nx\n:::\n", [("not-a-fence", 1)]),
        ("```{{python}}\nx\n```\n", [("escaped", 1)]),
        ("```cython\nx\n```\n", [("unknown-dialect", 1)]),
        ("```pyhton\nx\n```\n", [("misspelt-language", 1)]),
        ("````{.python .pymd}\n```{python}\n```\n````\n", [("unknown-dialect", 1), ("inside-fence", 2)]),
        ("```bash\nls\n\n```python\nx\n```\n", [("inside-fence", 4)]),
        ("words\n\n    ```python\n    x\n    ```\n", [("indented-code", 3)]),
        ("words\n\n    a\n\n    ```python\n    x\n    ```\n", [("indented-code", 3), ("indented-code", 5)]),
        ("> " * 150 + "\n```py\nx\n```\n", []),
    ],
)
def test_openers_that_are_no_blocks(page: str, expected: list[tuple[str, int]]) -> None:
    assert listed(page) == expected


def test_a_fence_below_the_deepest_nesting_is_listed() -> None:
    marks = "> " * 250
    assert listed(f"{marks}```py\n{marks}x\n{marks}```\n") == [("not-a-fence", 1)]


def test_indented_code_is_listed_and_audited_on_request() -> None:
    page = "words\n\n    import os\n    print(os.name)\n\n    x\n\nmore\n\n    $ ls -l\n"
    assert listed(page) == [("indented-code", 3), ("indented-code", 10)]
    source = Source("page.md", page)
    extraction = extract(source, ExtractOptions(indented=True))
    (block,) = extraction.blocks
    assert (block.kind, block.code.text) == ("indented", "import os\nprint(os.name)\n\nx\n")
    assert source.position(block.code.locate(0).start) == (3, 5)
    assert [item.kind for item in extraction.not_audited] == ["indented-code"]


def test_indented_code_in_a_list_and_with_tabs() -> None:
    items = "- a\n\n      import os\n        x = 1\n\n1.     def f():\n           return 1\n\n"
    source = Source("page.md", f"{items}words\n\n\timport b\n\t\tc()\n")
    extraction = extract(source, ExtractOptions(indented=True))
    assert [block.code.text for block in extraction.blocks] == [
        "import os\n  x = 1\n",
        "def f():\n    return 1\n",
        "import b\n\tc()\n",
    ]


@pytest.mark.parametrize(
    ("label", "language"), [(":::python", "python"), ("#!python", "python"), (":::pycon", "pycon")]
)
def test_labelled_indented_code(label: str, language: str) -> None:
    source = Source("page.md", f"words\n\n    {label}\n    total\n\n    more\n")
    (block,) = extract(source, ExtractOptions("mkdocs", indented=True)).blocks
    assert (block.language, block.code.text) == (language, "total\n\nmore\n")
    assert source.position(block.code.locate(0).start) == (4, 5)


def test_indented_code_of_another_label_stays_listed() -> None:
    source = Source("page.md", "words\n\n    :::bash\n    x = 1\n")
    assert extract(source, ExtractOptions("mkdocs", indented=True)).blocks == ()


@pytest.mark.parametrize(
    "body",
    ["$ x = 1", "<div>", "in = <a> + <b>", "```python", "key: value", "words about a thing", "a: 1\n    b = {x}, y: z"],
)
def test_indented_code_of_others_is_never_a_block(body: str) -> None:
    source = Source("page.md", f"words\n\n    {body}\n")
    assert extract(source, ExtractOptions(indented=True)).blocks == ()


@pytest.mark.parametrize(
    ("body", "sure"),
    [
        ("import os\nprint(os.name)", True),
        ("def f(x):\n    return x", True),
        (">>> 1 + 1\n2", True),
        ("for x in y:\n    print(x)", True),
        ("x", False),
        ("import the module and run it", False),
        ("from here import nothing at all", False),
        ("$ pip install a", False),
        ("class A { }", False),
        ("key: value", False),
        ("def f(x)\n  x\nend", False),
        ("(" * 200 + "\nimport os", False),
    ],
)
def test_unlabelled_fences_that_are_surely_python(body: str, sure: bool) -> None:
    page = f"```\n{body}\n```\n"
    assert listed(page) == []
    assert listed(page, unlabelled=True) == ([("unlabelled-python", 1)] if sure else [])
