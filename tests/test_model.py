"""Positions: offsets in a source, pieces of it joined to code, edits of that code, and the way back."""

from hypothesis import given
from hypothesis import strategies as st

from auditor.model import Diagnosis, Edit, MappedText, Place, Position, Source, Span


def test_only_lf_cr_and_crlf_end_a_line() -> None:
    source = Source("a.md", "a\r\nb\rc\nd\u2028e\x0cf\x0bg\x85h")
    assert source.line_starts == [0, 3, 5, 7]
    assert source.line_text(4) == "d\u2028e\x0cf\x0bg\x85h"
    assert source.position(12) == Position(4, 6)


def test_a_place_counts_code_points_and_holds_its_first_line() -> None:
    source = Source("a.md", "甲乙\n😀x = （\n")
    assert source.place(Span(4, 9)) == Place("a.md", 4, 9, 2, 2, 2, 7, "😀x = （")


def test_the_hash_does_not_see_line_ends() -> None:
    texts = ["a\nb\n", "a\r\nb\r\n", "a\rb\r", "a\r\nb\n"]
    assert len({Source("a", text).sha256 for text in texts}) == 1
    assert Source("a", "a\nb").sha256 != Source("a", "a\nb\n").sha256


def test_pieces_of_a_quoted_fence_map_back() -> None:
    text = "> x = 1\r\n> y\r\n"
    code = MappedText.of(text, [(2, 9), (11, 14)])
    assert code.text == "x = 1\ny\n"
    assert code.locate(0, 1) == Span(2, 3)
    assert code.locate(6, 7) == Span(11, 12)
    assert code.locate(5, 6) == Span(7, 9), "the line end stands for both of its characters"
    assert code.locate(0, 8) == Span(2, 14)


def test_an_edit_stands_for_what_it_replaced() -> None:
    code = MappedText.verbatim("abcdef", 10).edit([Edit(0, 2, ""), Edit(3, 4, "XYZ")])
    assert code.text == "cXYZef"
    assert code.locate(0, 1) == Span(12, 13)
    assert code.locate(2, 3) == Span(13, 14), "any part of a replacement is the whole of what it replaced"
    assert code.locate(4, 6) == Span(14, 16)


def test_inserted_text_comes_from_where_it_stands() -> None:
    code = MappedText.verbatim("ab", 5).edit([Edit(1, 1, "____")])
    assert code.locate(2, 3) == Span(6, 6)


def test_nothing_left_still_has_a_place() -> None:
    assert MappedText.verbatim("ab", 5).edit([Edit(0, 2, "")]).locate(0) == Span(5, 5)
    assert MappedText.of("text", [(2, 2)]).locate(0) == Span(2, 2)


def test_a_diagnosis_is_moved_with_its_spans_and_its_repair() -> None:
    code = MappedText.of("> a\n> b\n", [(2, 4), (6, 8)])
    told = Diagnosis("k", Span(2, 3), {"line": Span(0, 1), "width": 4}, "said", (Edit(2, 3, "c"),)).through(code)
    assert told == Diagnosis("k", Span(6, 7), {"line": Span(2, 3), "width": 4}, "said", (Edit(6, 7, "c"),))


@st.composite
def edited(draw: st.DrawFn) -> tuple[str, list[Edit]]:
    text = draw(st.text("ab\n", max_size=30))
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=8)))
    pairs = list(zip(cuts[::2], cuts[1::2], strict=False))
    return text, [Edit(start, end, draw(st.text("XY", max_size=3))) for start, end in pairs]


@given(edited(), edited())
def test_every_kept_character_maps_to_itself_through_two_edits(
    first: tuple[str, list[Edit]], second: tuple[str, list[Edit]]
) -> None:
    text, edits = first
    once = MappedText.verbatim(text).edit(edits)
    limit = len(once.text)
    twice = once.edit([edit for edit in second[1] if edit.end <= limit])
    for mapped in (once, twice):
        for at, character in enumerate(mapped.text):
            if character in "ab\n":
                span = mapped.locate(at, at + 1)
                assert text[span.start : span.end] == character
