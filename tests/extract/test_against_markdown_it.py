"""Our rules against markdown-it's own: the same fences, code, headings and containers on any page."""

from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from auditor.extract.bodies import Ground
from auditor.extract.events import Enter, Event, Fence, Hidden, Included, Indented, Leave, Title
from auditor.extract.flavours import parser_for
from auditor.extract.page import Page, events
from auditor.model import Source

PIECES = (
    *(
        "```python\n",
        "```\n",
        "````\n",
        "~~~ py\n",
        "~~~\n",
        "> ",
        ">",
        "- ",
        "1. ",
        "2) ",
        "10. ",
        "+ ",
        "*",
        "* * *\n",
    ),
    *("    ", "\t", "  ", " ", "x = 1\n", "\n", "\n\n", "<!-- ", "-->", "<div>\n", "</div>", "<a>\n", "<script>\n"),
    *("</script>", "# Head\n", "#", "words\n", "===\n", "---\n", "`", "word ", '"""\n', "|a|b|\n"),
)

# A definition of a link is a paragraph to us: nothing that could hold a fence depends on it.
THEIRS = MarkdownIt("commonmark", {"maxNesting": 200}).disable(["inline", "reference"])


def theirs(text: str) -> Iterator[tuple[object, ...]]:
    for token in THEIRS.parse(text):
        first, last = token.map or (0, 0)
        if token.type == "fence":
            yield "fence", first, last, token.info.strip(" \t"), token.content
        elif token.type == "code_block":
            yield "indented", first, last, token.content
        elif token.type == "heading_open":
            yield "title", int(token.tag[1])
        elif token.type == "html_block":
            yield "html", first, last
        elif token.type in ("blockquote_open", "list_item_open"):
            yield ("enter",)
        elif token.type in ("blockquote_close", "list_item_close"):
            yield ("leave",)


def described(ground: Ground, event: Event) -> tuple[object, ...]:
    match event:
        case Fence():
            code = ground.code(event.start + 1, event.end - event.closed, event.body)
            return "fence", event.start, event.end, event.info, code.text
        case Indented():
            return "indented", event.start, event.end, ground.code(event.start, event.end, event.body).text
        case Included():
            return ("included",)
        case Title():
            return "title", event.level
        case Hidden():
            return "html", event.start, event.end
        case Enter():
            return ("enter",)
        case Leave():
            return ("leave",)


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=30).map(lambda pieces: "".join(pieces) + "\n"))
def test_the_same_structure(text: str) -> None:
    page = Page(text, parser_for("commonmark"), "commonmark")
    page.md.block.tokenize(page, 0, page.lineMax)
    ground = Ground(Source("p.md", text), page)
    assert [described(ground, event) for event in events(page)] == list(theirs(text))
