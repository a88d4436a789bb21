"""Include directives that are fences by themselves: a block where the file is there, a reason where it is not."""

import pytest

from auditor.extract import ExtractOptions, extract, include_references
from auditor.extract.options import Flavour
from auditor.model import Extraction, Source

TARGET = Source("src/app.py", "import a\r\n\r\ndef f():\r\n    return a\r\n\r\nlast = 1")


def read(text: str, target: Source | str = TARGET, flavour: Flavour = "mkdocs") -> tuple[Source, Extraction]:
    includes = {found.reference: target for found in include_references(text)}
    source = Source("docs/page.md", text, includes=includes)
    return source, extract(source, ExtractOptions(flavour))


def shown(line: str) -> str:
    (block,) = read(line + "\n")[1].blocks
    return block.code.text


@pytest.mark.parametrize("flavour", ["commonmark", "mkdocs", "myst", "mdx"])
def test_a_whole_file_is_a_block_that_stands_where_the_directive_does(flavour: Flavour) -> None:
    page = '# Top\n\nwords\n{* ../src/app.py hl[3:4] title["app/main.py"] *}  \nmore words\n\n## Next\n'
    source, extraction = read(page, flavour=flavour)
    (block,) = extraction.blocks
    assert (block.kind, block.language, block.info, block.heading) == ("fence", "python", "", ("Top",))
    assert block.attributes == {"hl": "3:4", "title": "app/main.py"}
    assert source.text[block.span.start : block.span.end] == '{* ../src/app.py hl[3:4] title["app/main.py"] *}'
    assert block.code.text == "import a\n\ndef f():\n    return a\n\nlast = 1"
    place = source.place(block.code.locate(block.code.text.index("return")))
    assert (place.path, place.line, place.column) == ("src/app.py", 4, 5)
    assert extraction.not_audited == ()


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ("ln[3:4]", "def f():\n    return a\n"),
        ("ln[1] hl[1]", "import a\n"),
        ("hl[1]  ln[6:6]", "last = 1"),
        ("ln[1,3:4]", "import a\n# ...\ndef f():\n    return a\n"),
        ("ln[6, 1]", "last = 1\n# ...\nimport a\n"),
        ("ln[0:0]", "import a\n\ndef f():\n    return a\n\nlast = 1"),
        ("hl[2,", "import a\n\ndef f():\n    return a\n\nlast = 1"),
    ],
)
def test_only_ln_chooses_lines(options: str, code: str) -> None:
    assert shown(f"{{* ../src/app.py {options} *}}") == code


def test_lines_that_were_left_out_stand_where_the_next_ones_do() -> None:
    source, extraction = read("{* ../src/app.py ln[1,4] *}\n")
    (block,) = extraction.blocks
    place = source.place(block.code.locate(block.code.text.index("return")))
    assert (block.code.text, place.line, place.column) == ("import a\n# ...\n    return a\n", 4, 5)


@pytest.mark.parametrize(
    ("target", "kind", "reason"),
    [
        ("missing", "include-missing", "the included file: missing"),
        ("outside-root", "include-outside-root", "the included file lies outside the root"),
        ("not valid utf-8", "include-missing", "the included file: not valid utf-8"),
    ],
)
def test_what_cannot_be_had_is_listed_with_its_reason(target: str, kind: str, reason: str) -> None:
    source, extraction = read("words\n\n{* ../src/app.py hl[1] *}\n", target)
    (left,) = extraction.not_audited
    assert (left.kind, left.reason) == (kind, reason)
    assert source.text[left.span.start : left.span.end] == "{* ../src/app.py hl[1] *}"
    assert extraction.blocks == ()


def test_lines_that_the_file_lacks_are_listed() -> None:
    _, extraction = read("{* ../src/app.py ln[70:80] *}\n")
    assert [(left.kind, left.reason) for left in extraction.not_audited] == [("include-missing", "no lines 70:80")]
    assert extraction.blocks == ()


def test_a_file_on_the_web_is_listed_without_being_looked_for() -> None:
    _, extraction = read("{* https://example.org/a.py *}\n")
    assert [(left.kind, left.reason) for left in extraction.not_audited] == [
        ("include-missing", "included from the web")
    ]


def test_the_containers_and_marks_around_it_count() -> None:
    _, extraction = read("<!-- auditor: ignore[bare-except] shown on purpose -->\n{* a.py *}\n")
    (block,), (mark,) = extraction.blocks, extraction.suppressions
    assert (mark.covers.start, mark.covers.end) == (block.span.start, block.span.end)
    (block,) = read("!!! note\n\n    {* a.py *}\n")[1].blocks
    assert block.container == ("admonition",)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("<!--\n{* a.py *}\n-->\n", "html-comment"),
        ("````md\n{* a.py *}\n````\n", "inside-fence"),
        ("---\nx: 1\n{* a.py *}\n---\n", "front-matter"),
        ("<div>\n{* a.py *}\n</div>\n", "html-block"),
    ],
)
def test_one_that_is_hidden_or_shown_is_listed_as_a_fence_would_be(text: str, kind: str) -> None:
    _, extraction = read(text, flavour="commonmark")
    assert [left.kind for left in extraction.not_audited] == [kind]
    assert extraction.blocks == ()


@pytest.mark.parametrize("text", ["{* a template's comment *}", "x {* a.py *}", "{* a.py *} x", "{* a.md *}", "{**a}"])
def test_what_is_no_directive(text: str) -> None:
    assert include_references(text) == []
    _, extraction = read(text + "\n")
    assert (extraction.blocks, extraction.not_audited) == ((), ())
