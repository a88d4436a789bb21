"""Fences in plain CommonMark: found, stripped of what containers put in front, and mapped back to the character."""

import pytest

from auditor.extract import ExtractOptions, extract
from auditor.model import Block, Extraction, Source


def read(text: str, *, path: str = "page.md") -> tuple[Source, Extraction]:
    source = Source(path, text)
    return source, extract(source, ExtractOptions())


def only(text: str) -> tuple[Source, Block]:
    source, extraction = read(text)
    assert len(extraction.blocks) == 1
    return source, extraction.blocks[0]


def place_of(source: Source, block: Block, words: str) -> tuple[int, int]:
    """Where the first of the words stands in the file, by way of the code's map."""
    span = block.code.locate(block.code.text.index(words))
    position = source.position(span.start)
    return position.line, position.column


def test_a_fence_between_prose() -> None:
    source, block = only("# Title\n\nwords\n\n```python\na = 1\nb = 2\n```\n\nmore\n")
    assert block.code.text == "a = 1\nb = 2\n"
    assert source.position(block.span.start) == (5, 1)
    assert source.position(block.span.end) == (8, 4)
    assert place_of(source, block, "b =") == (7, 1)
    assert (block.kind, block.info, block.language, block.closed) == ("fence", "python", "python", True)
    assert block.heading == ("Title",)
    assert block.container == ()


def test_on_a_list_marker_line_columns_count_the_marker() -> None:
    source, block = only("- ```py\n  one\n    two\n  ```\n")
    assert block.code.text == "one\n  two\n"
    assert source.position(block.span.start) == (1, 3)
    assert place_of(source, block, "one") == (2, 3)
    assert place_of(source, block, "two") == (3, 5)
    assert block.container == ("list",)


def test_two_markers_and_a_quote_on_the_line() -> None:
    source, block = only("1. - > ```py\n     > x\n     > ```\n")
    assert block.code.text == "x\n"
    assert source.position(block.span.start) == (1, 8)
    assert place_of(source, block, "x") == (2, 8)
    assert block.container == ("list", "list", "quote")


def test_a_quote_inside_a_list() -> None:
    source, block = only("1. item\n\n   > ```python\n   > a = 1\n   >\n   >   b = )\n   > ```\n")
    assert block.code.text == "a = 1\n\n  b = )\n"
    assert place_of(source, block, ")") == (6, 12)
    assert block.container == ("list", "quote")


def test_the_openers_indentation_is_taken_from_the_body() -> None:
    source, block = only("  ```python\n  if a:\n      b\n c\n  ```\n")
    assert block.code.text == "if a:\n    b\nc\n"
    assert place_of(source, block, "b") == (3, 7)
    assert place_of(source, block, "c") == (4, 2)


def test_a_tab_that_a_list_eats_in_part_leaves_blanks() -> None:
    source, block = only("- a\n\n\t```py\n\tx\n\t\ty\n\t```\n")
    assert block.code.text == "x\n\ty\n"
    assert source.position(block.span.start) == (3, 2)
    assert place_of(source, block, "x") == (4, 2)
    source, block = only("- ```py\n\tx\n\t\ty\n  ```\n")
    assert block.code.text == "  x\n  \ty\n"
    assert place_of(source, block, "x") == (2, 2)
    assert place_of(source, block, "y") == (3, 3)


def test_a_tab_behind_a_quote_mark() -> None:
    source, block = only(">\t```py\n>\tx\n>\t```\n")
    assert block.code.text.strip() == "x"
    assert place_of(source, block, "x") == (2, 3)


def test_line_ends_become_lf_and_positions_stay() -> None:
    source, block = only("# t\r\n\r\n```python\r\nx = 1\r\ny = = 2\r\n```\r\n")
    assert block.code.text == "x = 1\ny = = 2\n"
    assert source.position(block.span.start) == (3, 1)
    assert place_of(source, block, "= 2") == (5, 5)


def test_carriage_returns_alone_and_mixed() -> None:
    source, block = only("a\r\r```python\rx\r\ny\nz\r```\r")
    assert block.code.text == "x\ny\nz\n"
    assert source.position(block.span.start) == (3, 1)
    assert place_of(source, block, "z") == (6, 1)


@pytest.mark.parametrize("odd", ["\u2028", "\u2029", "\u0085", "\v", "\f", "\x1c", "\x00"])
def test_other_separators_end_no_line(odd: str) -> None:
    source, block = only(f"a{odd}b\n\n```python\ns = '{odd}'\nt\n```\n")
    assert source.position(block.span.start) == (3, 1)
    assert place_of(source, block, "t\n") == (5, 1)
    assert odd in block.code.text


def test_no_final_newline() -> None:
    source, block = only("```python\nx\n```")
    assert (block.code.text, block.closed) == ("x\n", True)
    assert block.span.end == len(source.text)
    _, block = only("```python\nx")
    assert (block.code.text, block.closed) == ("x", False)
    _, block = only("```python")
    assert (block.code.text, block.closed) == ("", False)


def test_empty_and_comment_only_bodies() -> None:
    source, extraction = read("```python\n```\n\n```python\n# nothing\n```\n")
    assert [block.code.text for block in extraction.blocks] == ["", "# nothing\n"]
    empty = extraction.blocks[0]
    assert source.position(empty.code.locate(0).start) == (2, 1)


def test_tildes_and_long_closers() -> None:
    _, block = only('~~~ python title="`a`"\nx = "```"\n~~~~~\n')
    assert block.code.text == 'x = "```"\n'
    assert block.info == 'python title="`a`"'


def test_a_longer_fence_shows_a_shorter_one() -> None:
    source, extraction = read('````markdown\n```python\ndef (:\n```\n````\n\n````python\ns = """\n```\n"""\n````\n')
    assert [source.position(block.span.start).line for block in extraction.blocks] == [7]
    assert extraction.blocks[0].code.text == 's = """\n```\n"""\n'
    assert extraction.blocks[0].structure == ()
    assert [(item.kind, source.position(item.span.start).line) for item in extraction.not_audited] == [
        ("inside-fence", 2)
    ]


def test_deep_nesting_hides_nothing() -> None:
    marks = "> " * 20
    source, block = only(f"{marks}```python\n{marks}x\n{marks}```\n")
    assert (block.code.text, source.position(block.span.start).column) == ("x\n", 41)
    items = "".join(f"{'  ' * depth}- a\n" for depth in range(12))
    margin = "  " * 12
    source, block = only(f"{items}\n{margin}```python\n{margin}x\n{margin}```\n")
    assert (block.code.text, source.position(block.span.start)) == ("x\n", (14, 25))


def test_headings_are_those_above_without_markup() -> None:
    page = (
        "# One *thing*\n\n## Two `a_b` [link](http://x) ##\n\nThree\nlines\n-----\n\n### Four {#four}\n\n"
        "```python\n1\n```\n\n## Five\n\n```python\n2\n```\n\n> # Within\n> ```python\n> 3\n> ```\n\n"
        "```python\n4\n```\n"
    )
    _, extraction = read(page)
    assert [block.heading for block in extraction.blocks] == [
        ("One thing", "Three lines", "Four"),
        ("One thing", "Five"),
        ("One thing", "Five", "Within"),
        ("One thing", "Five"),
    ]


def test_both_underlines_make_headings() -> None:
    _, block = only("One\n===\n\nTwo\n---\n\n```python\n1\n```\n")
    assert block.heading == ("One", "Two")


def test_blank_lines_first_move_nothing() -> None:
    source, block = only("```python\n\n\n\n\n\na = (\nb = )\n```\n\n")
    assert place_of(source, block, "a") == (7, 1)
    assert place_of(source, block, ")") == (8, 5)


def test_front_matter_is_no_heading() -> None:
    _, block = only("---\ntitle: x\n---\n\n```python\n1\n```\n")
    assert block.heading == ()
    _, block = only("---\n\n```python\n1\n```\n\n---\n")
    assert block.code.text == "1\n"


def test_option_blocks_are_no_code_and_move_no_line() -> None:
    source, block = only("```{code-block} python\n:linenos:\n:caption: a b\n\nx = 1\n```\n")
    assert block.code.text == "\nx = 1\n"
    assert place_of(source, block, "x") == (5, 1)
    assert block.attributes == {"linenos": "", "caption": "a b"}
    source, block = only("> ```{code-cell} ipython3\n> ---\n> tags: [hide]\n> ---\n> %time x\n> ```\n")
    assert block.code.text == "%time x\n"
    assert place_of(source, block, "%time") == (5, 3)
    assert block.language == "ipython"


def test_quarto_options_are_comments_of_the_code() -> None:
    _, block = only("```{python}\n#| echo: false\nx\n```\n")
    assert block.code.text == "#| echo: false\nx\n"


def test_labelled_output_is_a_block_with_a_reason() -> None:
    _, block = only("```python out\n[[1. 2.]]\n```\n")
    assert block.skip == "labelled as output"


def test_a_python_file_is_one_block() -> None:
    source, extraction = read("a = 1\r\nb = 2\r\n", path="code/thing.py")
    (block,) = extraction.blocks
    assert (block.kind, block.code.text, block.language) == ("file", "a = 1\nb = 2\n", "python")
    assert (block.span.start, block.span.end) == (0, len(source.text))
    assert place_of(source, block, "b") == (2, 1)


def test_pages_without_python_are_counted_as_empty() -> None:
    _, extraction = read("# words\n\n```json\n{}\n```\n\n```\nplain\n```\n")
    assert extraction == Extraction(())
    assert read("only words\n")[1] == Extraction(())
    assert read("")[1] == Extraction(())


def test_an_unknown_ending_is_an_error() -> None:
    with pytest.raises(KeyError):
        read("x", path="a.docx")
