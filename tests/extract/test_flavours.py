"""MkDocs, MyST and MDX: what they add to CommonMark, and which flavour a page is written in."""

import pytest

from auditor.extract import ExtractOptions, Flavour, extract, flavour_of
from auditor.model import Extraction, Source


def read(text: str, flavour: Flavour) -> tuple[Source, Extraction]:
    source = Source("page.md", text)
    return source, extract(source, ExtractOptions(flavour))


def lines_of(text: str, flavour: Flavour) -> list[int]:
    source, extraction = read(text, flavour)
    return [source.position(block.span.start).line for block in extraction.blocks]


ADMONITION = (
    '!!! note "A title"\n    Words.\n\n    ```python\n    x = (\n    ```\n\n'
    '=== "Tab"\n\n    ```python\n    y\n    ```\n'
)


def test_admonitions_and_tabs_of_mkdocs() -> None:
    source, extraction = read(ADMONITION, "mkdocs")
    assert [block.container for block in extraction.blocks] == [("admonition",), ("tab",)]
    assert [block.code.text for block in extraction.blocks] == ["x = (\n", "y\n"]
    assert source.position(extraction.blocks[0].code.locate(4).start) == (5, 9)
    assert extraction.not_audited == ()


def test_in_plain_commonmark_they_are_listed_as_indented_code() -> None:
    source, extraction = read(ADMONITION, "commonmark")
    assert extraction.blocks == ()
    listed = [(item.kind, source.position(item.span.start).line) for item in extraction.not_audited]
    assert listed == [("indented-code", 4), ("indented-code", 10)]


@pytest.mark.parametrize("opener", ["!!! tip", "??? tip", "???+ tip", '=== "A"', '===! "A"', '??? quote "x"'])
def test_a_fence_right_under_text_is_not_lost(opener: str) -> None:
    source, extraction = read(f"{opener}\n    Text right above\n    ```python\n    z\n    ```\nback\n", "mkdocs")
    assert [source.position(block.span.start) for block in extraction.blocks] == [(3, 5)]
    assert extraction.blocks[0].code.text == "z\n"


def test_mkdocs_blocks_within_each_other_and_in_lists() -> None:
    page = (
        '- item\n\n    !!! note\n\n        === "A"\n\n'
        "            ```py\n            x\n              y\n            ```\n"
        "\n        ```py\n        z\n        ```\n\nafter\n\n```py\nw\n```\n"
    )
    source, extraction = read(page, "mkdocs")
    assert [source.position(block.span.start).line for block in extraction.blocks] == [7, 12, 18]
    assert extraction.blocks[0].code.text == "x\n  y\n"
    assert extraction.blocks[0].container == ("list", "admonition", "tab")
    assert extraction.blocks[1].container == ("list", "admonition")
    assert extraction.blocks[2].container == ()


def test_mkdocs_fence_deeper_than_commonmark_allows_in_a_list() -> None:
    assert lines_of("- item\n\n      ```py\n      x\n      ```\n", "mkdocs") == [3]


def test_mkdocs_looks_for_fences_before_html() -> None:
    page = "<div class='x'>\n```py\nx\n```\n</div>\n"
    assert lines_of(page, "mkdocs") == [2]
    assert lines_of(page, "commonmark") == []


def test_an_admonition_ends_a_paragraph_and_does_not_swallow_what_follows() -> None:
    assert lines_of("words\n!!! note\n    ```py\n    x\n    ```\n```py\ny\n```\n", "mkdocs") == [3, 6]


def test_directives_of_myst_hold_fences() -> None:
    page = (
        "::::{grid}\n:::{card} T\n:open:\n\n```python\na\n```\n:::\n::::\n\n"
        "````{note}\nwords\n```python\nb\n```\n````\n\n:::{code-block} python\n:linenos:\nc\n:::\n"
    )
    source, extraction = read(page, "myst")
    assert [source.position(block.span.start).line for block in extraction.blocks] == [5, 13, 18]
    assert [block.code.text for block in extraction.blocks] == ["a\n", "b\n", "c\n"]
    assert extraction.blocks[0].container == ("directive", "directive")


def test_directives_that_hold_no_markdown() -> None:
    source, extraction = read(
        "````{eval-rst}\n.. code-block:: python\n\n   x\n````\n\n````{math}\n```python\n````\n", "myst"
    )
    assert extraction.blocks == ()
    listed = [(item.kind, source.position(item.span.start).line) for item in extraction.not_audited]
    assert listed == [("restructuredtext", 1), ("inside-fence", 8)]


def test_a_cell_without_a_language_takes_the_kernels() -> None:
    cell = "```{code-cell}\n:tags: [a]\nx\n```\n"
    _, extraction = read(cell, "myst")
    assert [item.kind for item in extraction.not_audited] == ["no-language"]
    _, extraction = read(f"---\nkernelspec:\n  display_name: P\n  name: python3\n---\n\n{cell}", "myst")
    assert [(block.language, block.code.text) for block in extraction.blocks] == [("ipython", "x\n")]


def test_tags_of_mdx_hide_and_invent_nothing() -> None:
    page = (
        "import Tabs from '@theme/Tabs';\n\n<Tabs>\n<Tab title=\"a\">\n```python\nx\n```\n</Tab>\n  <Tab>\n\n"
        "      ```python\n      y\n      ```\n  </Tab>\n</Tabs>\n"
    )
    source, extraction = read(page, "mdx")
    assert [source.position(block.span.start) for block in extraction.blocks] == [(5, 1), (11, 7)]
    assert [block.code.text for block in extraction.blocks] == ["x\n", "y\n"]


def test_mdx_has_no_indented_code() -> None:
    quote = "    > ```py\n    > x\n    > ```\n"
    item = "    1. a\n\n        ```py\n        y\n        ```\n"
    _, extraction = read(f"<Steps>\n{quote}    words\n{item}</Steps>\n", "mdx")
    assert [block.code.text for block in extraction.blocks] == ["x\n", "y\n"]
    assert [block.container for block in extraction.blocks] == [("quote",), ("list",)]


@pytest.mark.parametrize("comment", ["{/*\n```py\nx\n```\n*/}", "<!--\n```py\nx\n```\n-->"])
def test_comments_of_mdx_are_not_audited(comment: str) -> None:
    source, extraction = read(f"{comment}\n\n```py\ny\n```\n", "mdx")
    assert [source.position(block.span.start).line for block in extraction.blocks] == [7]
    assert [item.kind for item in extraction.not_audited] == ["html-comment"]


def test_javascript_of_mdx_is_not_audited() -> None:
    source, extraction = read("export const code = `\n```py\nx\n```\n`\n\n```py\ny\n```\n", "mdx")
    assert [source.position(block.span.start).line for block in extraction.blocks] == [7]
    assert [item.kind for item in extraction.not_audited] == ["javascript"]


@pytest.mark.parametrize(
    ("path", "files", "flavour"),
    [
        ("a.md", [], "commonmark"),
        ("docs/a.md", ["mkdocs.yml", "docs/a.md"], "mkdocs"),
        ("docs/a.md", ["mkdocs-common.yml"], "mkdocs"),
        ("docs/a.md", ["other/mkdocs.yml"], "commonmark"),
        ("book/ch/a.md", ["book/_toc.yml"], "myst"),
        ("docs/source/a.md", ["docs/source/conf.py"], "myst"),
        ("docs/a.md", ["docusaurus.config.js"], "mdx"),
        ("docs/a.md", ["docs.json"], "mdx"),
        ("docs/en/sub/a.md", ["docs/en/_toctree.yml"], "mdx"),
        ("site/docs/a.md", ["mkdocs.yml", "site/docusaurus.config.ts"], "mdx"),
        ("docs/a.md", ["mkdocs.yml", "conf.py"], "mkdocs"),
        ("docs/a.mdx", ["mkdocs.yml"], "mdx"),
        ("docs/a.qmd", ["mkdocs.yml"], "commonmark"),
    ],
)
def test_the_flavour_of_a_page(path: str, files: list[str], flavour: Flavour) -> None:
    assert flavour_of(path, frozenset(files)) == flavour
