"""Whatever the text: no error, offsets within it, and code that is the text's own."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.extract import ExtractOptions, Flavour, closed_early, extract
from auditor.model import Source, Span

FLAVOURS: tuple[Flavour, ...] = ("commonmark", "mkdocs", "myst", "mdx")
PIECES = (
    *(
        "```python\n",
        "```py\n",
        "```\n",
        "````\n",
        "~~~ py\n",
        "~~~\n",
        "```{note}\n",
        "::: {note}\n",
        ":::\n",
        "```{{py}}\n",
    ),
    *(
        "> ",
        "- ",
        "1. ",
        "    ",
        "  ",
        "\t",
        "x = 1\n",
        '"""',
        "\n",
        "\r\n",
        "\r",
        "\u2028",
        "\f",
        "\0",
        "\ufeff",
        "\u00a0",
    ),
    *(
        "<!-- ",
        "-->",
        "auditor: ignore[a] b",
        "auditor: hidden",
        "auditor: id=x ",
        "<div>\n",
        "{/* ",
        "*/}",
        "import x\n",
    ),
    *(
        "!!! note\n",
        "??? x\n",
        '=== "a"\n',
        "[^1]: n\n",
        "---\n",
        "===\n",
        "# H *x*\n",
        ":opt: v\n",
        "words\n",
        "`",
        "* * *\n",
    ),
    *('--8<-- "a.py:s"\n', "{!> gone.py !}\n", "--8<--\n", "```{code-cell} ipython3\n", '```py {lint="skip"}\n'),
)
INCLUDED = Source("a.py", "# --8<-- [start:s]\nq\r\nz\n# --8<-- [end:s]\n")


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join), st.sampled_from(FLAVOURS), st.booleans())
def test_every_page_has_an_answer(text: str, flavour: Flavour, wishes: bool) -> None:
    source = Source("p.md", text, includes={"a.py:s": INCLUDED, "gone.py": "missing"})
    extraction = extract(source, ExtractOptions(flavour, indented=wishes, unlabelled=wishes))
    size = len(text)

    def holds(span: Span) -> bool:
        return 0 <= span.start <= span.end <= (size if span.path is None else len(INCLUDED.text))

    starts = [block.span.start for block in extraction.blocks]
    assert starts == sorted(starts)
    for block in extraction.blocks:
        assert holds(block.span)
        assert "\r" not in block.code.text
        at = 0
        for segment in block.code.segments:
            assert segment.start == at
            at += segment.length
            origin = text if segment.path is None else INCLUDED.text
            assert holds(Span(segment.origin, segment.origin + segment.origin_length, segment.path))
            if segment.length == segment.origin_length and segment.length > 1:
                copied = block.code.text[segment.start : segment.start + segment.length]
                assert copied == origin[segment.origin : segment.origin + segment.length].replace("\r", "\n")
        assert at == len(block.code.text)
        closed_early(source, block)
        for fault in block.structure:
            assert holds(fault.span)
            assert all(holds(argument) for argument in fault.arguments.values() if isinstance(argument, Span))
    for item in extraction.not_audited:
        assert holds(item.span)
    for said in extraction.suppressions:
        assert holds(said.span)
        assert holds(said.covers)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200))
def test_arbitrary_text(text: str) -> None:
    for flavour in FLAVOURS:
        extract(Source("p.md", f"{text}\n```py {text}\n{text}"), ExtractOptions(flavour))


@pytest.mark.parametrize(
    "text",
    [
        "> " * 3000 + "```py\n",
        "".join(f"{'  ' * depth}- a\n" for depth in range(400)) + "```py\n",
        "```\n" * 10_001,
        "".join("`" * width + "py\n" for width in range(400, 3, -1)),
        "```py\n" + " " * 100_000 + "x```python\n```\n",
        "# a" + " " * 100_000 + "b\n```\n",
        "!!! note\n" * 10_000 + "```py\n",
        "```python " + "a='" * 20_000 + "\n```\n",
        "```python {" + "{a=" * 20_000 + "\n```\n",
        '```python\n"""\n```\n' * 1500,
        "```python\n" + ":::\n" * 10_000 + "```\n",
        "# " + "[a](" * 10_000 + "\n```py\n```\n",
        "---\n" + "a: b\n" * 50_000 + "```py\n```\n",
    ],
)
def test_work_grows_with_the_text_alone(text: str) -> None:
    source = Source("p.md", text)
    start = time.process_time()
    for flavour in FLAVOURS:
        for block in extract(source, ExtractOptions(flavour)).blocks[:50]:
            closed_early(source, block)
    assert time.process_time() - start < 4
