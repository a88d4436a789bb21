"""Headings without their markup."""

import pytest

from auditor.extract.headings import Headings, plain


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Plain words", "Plain words"),
        ("`a_b` and `` c`d ``", "a_b and c`d"),
        ("**Bold** and *slanted* and __both__ and ~~gone~~", "Bold and slanted and both and gone"),
        ("snake_case_name stays", "snake_case_name stays"),
        ("[words](http://example.org/a_(b)) and [more][ref]", "words and more"),
        ("![badge](x.svg) Name", "badge Name"),
        ("Name {#anchor .cls}", "Name"),
        ("Name {: #anchor }", "Name"),
        ("Name [[anchor]]", "Name"),
        ('<a id="x"></a>Name<br/>', "Name"),
        (r"2 \* 3 \_ 4", "2 * 3 _ 4"),
        ("a  \t b", "a b"),
        ("2 * 3 * 4", "2 * 3 * 4"),
        ("2.2.5 编码器（Encoder）", "2.2.5 编码器（Encoder）"),
        ("<Tab>", ""),
    ],
)
def test_plain(text: str, words: str) -> None:
    assert plain(text) == words


def test_ranks_and_depths() -> None:
    headings = Headings()
    headings.enter(1, "a", 0)
    headings.enter(3, "b", 0)
    headings.enter(2, "c", 1)
    assert headings.path() == ("a", "b", "c")
    headings.leave(0)
    assert headings.path() == ("a", "b")
    headings.enter(2, "d", 0)
    assert headings.path() == ("a", "d")
    headings.enter(1, "e", 0)
    assert headings.path() == ("e",)
