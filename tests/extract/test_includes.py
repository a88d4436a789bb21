"""Includes: found as written, resolved to the target's own lines, and named where they lead nowhere."""

import pytest

from auditor.extract import ExtractOptions, extract, include_references
from auditor.model import Block, Extraction, Source, Span

TARGET = Source(
    "src/app.py", "import a\r\n# --8<-- [start:body]\r\ndef f():\r\n    return a\r\n# --8<-- [end:body]\r\nlast = 1\r\n"
)


def read(text: str, includes: dict[str, Source | str]) -> tuple[Source, Extraction]:
    source = Source("docs/page.md", text, includes=includes)
    return source, extract(source, ExtractOptions("mkdocs"))


def only(text: str, includes: dict[str, Source | str]) -> tuple[Source, Block]:
    source, extraction = read(text, includes)
    (block,) = extraction.blocks
    return source, block


@pytest.mark.parametrize(
    ("line", "reference", "path"),
    [
        ("{!> ../src/app.py !}", "../src/app.py", "../src/app.py"),
        ("{!../src/app.py!}", "../src/app.py", "../src/app.py"),
        ("{! src/app.py[ln:1-3] !}", "src/app.py[ln:1-3]", "src/app.py"),
        ("{!src/app.py!lines=1-2 4}", "src/app.py", "src/app.py"),
        ('--8<-- "src/app.py"', "src/app.py", "src/app.py"),
        ("  --8<-- 'src/app.py:body'", "src/app.py:body", "src/app.py"),
        ('--8<-- "src/app.py:2:3"', "src/app.py:2:3", "src/app.py"),
        ('--8<-- "src/app.py::3"', "src/app.py::3", "src/app.py"),
        ('-8<- "src/app.py"', "src/app.py", "src/app.py"),
        ('> --8<-- "src/app.py"', "src/app.py", "src/app.py"),
    ],
)
def test_references_as_written(line: str, reference: str, path: str) -> None:
    (found,) = include_references(f"words\n\n{line}\n")
    assert (found.reference, found.path) == (reference, path)


def test_a_block_of_names() -> None:
    page = "--8<--\na.md\n\n; b.md\nc.py:part\n--8<--\n\nd.md\n"
    assert [found.reference for found in include_references(page)] == ["a.md", "c.py:part"]


@pytest.mark.parametrize(
    "text",
    ["words", ';--8<-- "a.py"', "\\{!a.py!}", 'in words --8<-- "a.py"', "{! !}", "--8<-- [start:x]", "x {!y!} z"],
)
def test_what_is_no_directive(text: str) -> None:
    assert include_references(text) == []


def test_an_address_on_the_web_is_not_read() -> None:
    (found,) = include_references('--8<-- "https://example.org/a.py"\n')
    assert found.remote
    _, block = only('```py\n--8<-- "https://example.org/a.py"\n```\n', {})
    assert block.skip == "included from the web"
    assert block.structure == ()


def test_a_whole_file_at_its_own_place() -> None:
    source, block = only("```python\nx = 0\n{!> ../src/app.py !}\ny = 2\n```\n", {"../src/app.py": TARGET})
    assert block.code.text == "x = 0\nimport a\ndef f():\n    return a\nlast = 1\ny = 2\n"
    place = source.place(block.code.locate(block.code.text.index("return"), block.code.text.index("return") + 6))
    assert (place.path, place.line, place.column, place.end_column) == ("src/app.py", 4, 5, 11)
    after = source.place(block.code.locate(block.code.text.index("y =")))
    assert (after.path, after.line, after.column) == ("docs/page.md", 4, 1)
    assert block.structure == ()


def test_a_section_and_lines() -> None:
    _, block = only('```py\n--8<-- "src/app.py:body"\n```\n', {"src/app.py:body": TARGET})
    assert block.code.text == "def f():\n    return a\n"
    _, block = only('```py\n--8<-- "src/app.py:3:4"\n```\n', {"src/app.py:3:4": TARGET})
    assert block.code.text == "def f():\n    return a\n"
    _, block = only('```py\n--8<-- "src/app.py:6"\n```\n', {"src/app.py:6": TARGET})
    assert block.code.text == "last = 1\n"
    _, block = only('```py\n--8<-- "src/app.py::1"\n```\n', {"src/app.py::1": TARGET})
    assert block.code.text == "import a\n"
    _, block = only("```py\n{! a.py[ln:1,6-] !}\n```\n", {"a.py[ln:1,6-]": TARGET})
    assert block.code.text == "import a\nlast = 1\n"


def test_included_lines_stand_behind_the_directives_indentation() -> None:
    source, block = only(
        'if x:\n\n!!! note\n\n    ```py\n    if x:\n        --8<-- "src/app.py:body"\n    ```\n',
        {"src/app.py:body": TARGET},
    )
    assert block.code.text == "if x:\n    def f():\n        return a\n"
    place = source.place(block.code.locate(block.code.text.index("return")))
    assert (place.path, place.line, place.column) == ("src/app.py", 4, 5)


@pytest.mark.parametrize(
    ("target", "kind"),
    [("missing", "include-missing"), ("outside-root", "include-outside-root"), ("unreadable", "include-missing")],
)
def test_an_include_that_leads_nowhere(target: str, kind: str) -> None:
    source, block = only('> ```py\n> a\n>   --8<-- "../x.py"\n> ```\n', {"../x.py": target})
    (fault,) = block.structure
    assert fault.kind == kind
    assert source.position(fault.span.start) == (3, 5)
    assert source.text[fault.span.start : fault.span.end] == '--8<-- "../x.py"'
    assert fault.arguments == {"reference": "../x.py", "reason": target}
    assert block.code.text == "a\n\n"


def test_a_section_that_the_target_lacks() -> None:
    _, block = only('```py\n--8<-- "src/app.py:nothing"\n```\n', {"src/app.py:nothing": TARGET})
    assert [(fault.kind, fault.arguments["reason"]) for fault in block.structure] == [
        ("include-missing", "no section nothing")
    ]


def test_an_include_nobody_looked_for_is_missing() -> None:
    _, block = only('```py\n--8<-- "a.py"\n```\n', {})
    assert [fault.kind for fault in block.structure] == ["include-missing"]


@pytest.mark.parametrize("path", ["/etc/a.py", "../../a.py", "x/../../../a.py", "~/a.py"])
def test_a_path_that_leads_out_of_the_root_is_told_by_itself(path: str) -> None:
    _, block = only(f"```py\n{{!> {path} !}}\n```\n", {})
    assert [fault.kind for fault in block.structure] == ["include-outside-root"]


def test_a_missing_page_is_listed() -> None:
    source, extraction = read(
        'words\n\n--8<-- "gone.md"\n\n--8<-- "here.md"\n', {"gone.md": "missing", "here.md": TARGET}
    )
    assert [(item.kind, item.span) for item in extraction.not_audited] == [("include-missing", Span(7, 23))]
    assert source.text[7:23] == '--8<-- "gone.md"'
