"""Comments to the auditor, authors' marks, and set-up that is hidden in comments."""

import pytest

from auditor.extract import ExtractOptions, Flavour, extract
from auditor.model import Extraction, Source, Span, Suppression


def read(text: str, flavour: Flavour = "commonmark") -> tuple[Source, Extraction]:
    source = Source("page.md", text)
    return source, extract(source, ExtractOptions(flavour))


def covered(text: str, flavour: Flavour = "commonmark") -> list[int | None]:
    """For each suppression the number of the block that it covers."""
    _, extraction = read(text, flavour)
    spans = [block.span for block in extraction.blocks]
    return [spans.index(said.covers) if said.covers in spans else None for said in extraction.suppressions]


FENCE = "```python\nx\n```\n"


def test_a_comment_names_rules_and_a_reason() -> None:
    mark = "<!-- auditor: ignore[rule-a, rule-b] shown\n     on purpose -->"
    source, extraction = read(f"{mark}\n{FENCE}")
    assert extraction.suppressions == (
        Suppression(("rule-a", "rule-b"), "shown on purpose", "comment", Span(0, len(mark)), extraction.blocks[0].span),
    )
    assert source.text[extraction.suppressions[0].covers.start] == "`"


@pytest.mark.parametrize(
    "between",
    ["\n", "\n\n\n", "\n<!-- another -->\n", "\n<!-- auditor: ignore[b] x -->\n\n", "\n<details>\n\n", "\n- "],
)
def test_blanks_comments_and_tags_may_stand_between(between: str) -> None:
    fence = FENCE if not between.endswith("- ") else "```python\n  x\n  ```\n"
    assert covered(f"<!-- auditor: ignore[a] why -->{between}{fence}")[0] == 0


@pytest.mark.parametrize("between", ["\nwords\n\n", "\n# Heading\n\n", "\n```json\n{}\n```\n"])
def test_what_comes_first_takes_the_comment(between: str) -> None:
    assert covered(f"<!-- auditor: ignore[a] why -->\n{between}{FENCE}") == [None]


def test_a_comment_without_a_fence_covers_nothing() -> None:
    assert covered(f"{FENCE}\n<!-- auditor: ignore[a] why -->\n") == [None]
    assert covered("<!-- auditor: ignore[a] why -->\nwords\n") == [None]


def test_only_the_next_fence() -> None:
    assert covered(f"{FENCE}\n<!-- auditor: ignore[a] why -->\n{FENCE}\n{FENCE}") == [1]


def test_within_containers() -> None:
    assert covered("> <!-- auditor: ignore[a] why -->\n> ```py\n> x\n> ```\n") == [0]
    assert covered("1. a\n\n   <!-- auditor: ignore[a] why -->\n\n   ```py\n   x\n   ```\n") == [0]
    assert covered("!!! note\n    <!-- auditor: ignore[a] why -->\n    ```py\n    x\n    ```\n", "mkdocs") == [0]


def test_in_mdx() -> None:
    assert covered(f"{{/* auditor: ignore[a] why */}}\n\n{FENCE}", "mdx") == [0]


def test_with_carriage_returns() -> None:
    assert covered("words\r\n\r\n<!-- auditor: ignore[a] why -->\r\n```py\r\nx\r\n```\r\n") == [0]


def test_a_comment_shown_in_code_is_no_mark() -> None:
    shown = "<!-- auditor: ignore[a] why -->"
    assert covered(f"```html\n{shown}\n```\n{FENCE}") == []
    assert covered(f"Write `{shown}` so.\n{FENCE}") == []
    assert covered(f"words\n\n    {shown}\n\n{FENCE}") == []


def test_from_start_to_end() -> None:
    page = (
        f"<!-- auditor: ignore-start[a] all of it -->\n{FENCE}\nwords\n\n{FENCE}\n<!-- auditor: ignore-end -->\n{FENCE}"
    )
    _, extraction = read(page)
    (said,) = extraction.suppressions
    inside = [
        said.covers.start <= block.span.start and block.span.end <= said.covers.end for block in extraction.blocks
    ]
    assert inside == [True, True, False]
    assert (said.rules, said.reason) == (("a",), "all of it")
    source, extraction = read(page.replace("<!-- auditor: ignore-end -->", ""))
    assert extraction.suppressions[0].covers.end == len(source.text)


def test_an_end_names_the_start_that_it_ends() -> None:
    page = (
        "<!-- auditor: ignore-start[a] x -->\n<!-- auditor: ignore-start[b] y -->\n\n"
        f"<!-- auditor: ignore-end[a] -->\n{FENCE}"
    )
    _, extraction = read(page)
    first, second = extraction.suppressions
    block = extraction.blocks[0]
    assert (first.rules, first.covers.end < block.span.start) == (("a",), True)
    assert (second.rules, second.covers.end > block.span.end) == (("b",), True)


def test_an_end_without_rules_ends_what_was_opened_last() -> None:
    starts = [f"<!-- auditor: ignore-start[{rule}] x -->\n" for rule in "aba"]
    ends = [f"<!-- auditor: ignore-end{rules} -->\n" for rules in ("[b]", "", "", "")]
    text = "".join((*starts, *ends))
    _, extraction = read(text)
    ended = [(said.rules, said.span.start, said.covers.end) for said in extraction.suppressions]
    opened = [text.index(start) for start in starts[:2]] + [text.rindex(starts[2])]
    closed = [text.index(ends[0]) + len(ends[0]) + number * len(ends[1]) for number in range(2)]
    assert ended == [
        (("a",), opened[0], closed[1]),
        (("b",), opened[1], text.index(ends[0])),
        (("a",), opened[2], closed[0]),
    ]


def test_what_a_mark_says_ends_where_another_begins() -> None:
    _, extraction = read(f"<!-- auditor: id=a\n<!-- auditor: id=b -->\n{FENCE}")
    assert extraction.blocks[0].marks == {"id": "a"}
    _, extraction = read(f"<!-- auditor: ignore[x] meant\n<!-- auditor: id=b -->\n{FENCE}")
    assert [said.reason for said in extraction.suppressions] == ["meant"]


@pytest.mark.parametrize(
    "page",
    [
        "<!-- auditor: ignore-start[b] -->\n" * 9_000
        + "<!-- auditor: ignore-start[a] -->\n" * 9_000
        + "<!-- auditor: ignore-end[b] -->\n" * 9_000,
        "<!-- auditor: id=a\n" * 50_000 + "-->",
        "`<!-- auditor: id=a -->` " * 50_000,
    ],
    ids=["ends far from their starts", "one comment", "one line"],
)
def test_many_marks_do_not_cost_their_square(page: str) -> None:
    _, extraction = read(page)  # a minute and more if each looked through all the others
    assert extraction.blocks == ()


def test_words_about_the_next_fence() -> None:
    page = f'<!-- auditor: id=norm-1 -->\n<!-- auditor: implements="code/a.py::Norm" -->\n{FENCE}\n{FENCE}'
    _, extraction = read(page)
    assert extraction.blocks[0].marks == {"id": "norm-1", "implements": "code/a.py::Norm"}
    assert extraction.blocks[1].marks == {}
    assert extraction.suppressions == ()


def test_an_authors_lint_mark_covers_its_own_fence() -> None:
    source, extraction = read('```python {lint="skip"}\ndef (:\n```\n')
    (said,) = extraction.suppressions
    assert (said.rules, said.where, said.covers) == (("*",), "attribute", extraction.blocks[0].span)
    assert source.text[said.span.start : said.span.end] == 'python {lint="skip"}'


def test_not_run_is_no_suppression() -> None:
    assert read('```python {test="skip"}\ndef (:\n```\n')[1].suppressions == ()


def test_fences_in_comments_are_listed_and_not_audited() -> None:
    source, extraction = read(f"<!--\n{FENCE}-->\n\n{FENCE}")
    assert [source.position(block.span.start).line for block in extraction.blocks] == [7]
    assert [(item.kind, source.position(item.span.start).line) for item in extraction.not_audited] == [
        ("html-comment", 2)
    ]


def test_a_comment_that_opts_in_holds_set_up() -> None:
    source, extraction = read(f"<!-- auditor: hidden\n\n{FENCE}\n-->\n\n<!--\n{FENCE}-->\n")
    (block,) = extraction.blocks
    assert (source.position(block.span.start).line, block.container) == (3, ("comment",))
    assert [source.position(item.span.start).line for item in extraction.not_audited] == [10]


def test_a_page_that_opts_in() -> None:
    source, extraction = read(f"<!-- auditor: hidden -->\n\n<!--\n{FENCE}-->\n\n{FENCE}")
    assert [source.position(block.span.start).line for block in extraction.blocks] == [4, 9]
    assert extraction.not_audited == ()


def test_many_comments_are_read_in_one_pass() -> None:
    assert covered("<!-- auditor: ignore[a] x -->\n" * 3000 + FENCE) == [0] * 3000


def faults(text: str, flavour: Flavour = "commonmark") -> list[tuple[str, object, object]]:
    """For each fault of a mark its kind, the word and the form that was meant, or the rules."""
    _, extraction = read(text, flavour)
    return [
        (fault.kind, fault.arguments.get("word", fault.arguments.get("rule")), fault.arguments.get("meant"))
        for fault in extraction.faults
    ]


@pytest.mark.parametrize("verb", ["ignore", "ignore-start", "ignore-end"])
def test_a_bracket_that_is_not_closed_suppresses_nothing(verb: str) -> None:
    text = f"<!-- auditor: {verb}[rule-a, rule-b why -->\n{FENCE}"
    assert read(text)[1].suppressions == ()
    ((kind, word, meant),) = faults(text)
    assert (kind, word) == ("unknown-mark", f"{verb}[rule-a")
    assert str(meant).startswith(verb)


@pytest.mark.parametrize(
    ("said", "word", "meant"),
    [
        ("ignroe[a] why", "ignroe", "ignore[rule] reason"),
        ("ignore-strat[a] why", "ignore-strat", "ignore-start[rule] reason"),
        ("ignore-next", "ignore-next", "ignore-end"),
        ("implement=a.py::B", "implement", "implements=path::name"),
        ("id=a implments=a.py::B", "implments", "implements=path::name"),
        ("id a", "id", "id=name"),
        ("hiden", "hiden", "<!-- auditor: hidden -->"),
        ("zzz", "zzz", "ignore[rule] reason"),
        ("", "auditor:", "ignore[rule] reason"),
    ],
)
def test_a_word_that_is_not_known_is_a_fault(said: str, word: str, meant: str) -> None:
    page = f"words\n\n<!-- auditor: {said} -->\n{FENCE}"
    assert faults(page) == [("unknown-mark", word, meant)]
    source, extraction = read(page)
    (fault,) = extraction.faults
    assert source.position(fault.span.start).line == 3
    assert extraction.suppressions == ()


@pytest.mark.parametrize(
    "said",
    [
        "ignore[a] why",
        "ignore why",
        "ignore[a] see [1",
        "ignore-end",
        "id=a",
        "id=a, implements='a.py::B'",
        "implements=a.py::B authority=file note='why it differs'",
        "hidden",
    ],
)
def test_what_is_understood_is_no_fault(said: str) -> None:
    assert faults(f"<!-- auditor: {said} -->\n{FENCE}") == []


def test_set_up_cannot_be_hidden_in_a_comment_of_mdx() -> None:
    assert faults(f"{{/* auditor: hidden */}}\n\n{FENCE}", "mdx") == [
        ("unknown-mark", "hidden", "<!-- auditor: hidden -->")
    ]


def test_a_start_without_an_end_is_a_fault_at_the_start() -> None:
    start = "<!-- auditor: ignore-start[a, b] why -->\n"
    assert faults(f"{start}{FENCE}") == [("unclosed-suppression", "a, b", None)]
    assert faults(f"{start}{FENCE}\n<!-- auditor: ignore-end[a] -->\n") == [("unclosed-suppression", "a, b", None)]
    assert faults(f"{start}{FENCE}\n<!-- auditor: ignore-end -->\n") == []


def test_many_words_that_are_not_known_do_not_cost_their_square() -> None:
    page = "".join(f"<!-- auditor: {'ignore' * 400}{number} -->\n" for number in range(2000))
    assert len(faults(page)) == 2000
