"""What holds for every history, every text, every ledger."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.ledger import Ledger, LedgerError, dump, load, load_merged
from auditor.ledger.entries import BlockEntry, DefinitionEntry, FindingEntry, Header, SourceEntry
from auditor.ledger.identity import carry
from auditor.ledger.pairing import Trait
from auditor.ledger.sketch import read_sketch, sketch
from auditor.ledger.views import csv, html, markdown
from auditor.ledger.views.sides import Side, side_by_side
from auditor.project.excerpts import Bodies, Body, statements

WORDS = st.lists(st.sampled_from(["x", "y", "=", "f(x)", "import os", "\n", "for i in y:"]), max_size=8).map(" ".join)
TEXT = st.text(max_size=60)


@st.composite
def traits(draw: st.DrawFn) -> Trait:
    body = draw(WORDS)
    return Trait(
        draw(st.sampled_from(["a.md", "b.md", "c.md"])),
        draw(st.sampled_from(["fence", "fence", "session"])),
        (draw(st.sampled_from(["One", "Two"])),),
        body,
        read_sketch(sketch(body)),
        draw(st.sampled_from([(), (), ("f",), ("g",)])),
        draw(st.sampled_from([None, None, None, "mine", "b.md", "not one"])),
    )


def in_order(found: list[Trait]) -> list[Trait]:
    return sorted(found, key=lambda trait: trait.path)


@settings(max_examples=150, deadline=None)
@given(st.lists(traits(), max_size=9), st.lists(traits(), max_size=9))
def test_no_id_stands_twice_and_none_is_lost_without_reason(first: list[Trait], second: list[Trait]) -> None:
    first, second = in_order(first), in_order(second)
    given_first = carry([], first)
    before = [
        replace(trait, id=each.id, origin=each.origin, mark=None)
        for trait, each in zip(first, given_first, strict=True)
    ]
    found = carry(before, second)
    assert len({each.id for each in found}) == len(second)
    known = {trait.id for trait in before}
    for each in found:
        if each.origin == "minted" and each.id in known:
            old = next(trait for trait in before if trait.id == each.id)
            assert any((new.path, new.body_sha256) == (old.path, old.body_sha256) for new in second)
    again = [
        replace(trait, id=each.id, origin=each.origin, mark=None) for trait, each in zip(second, found, strict=True)
    ]
    if not any(trait.mark for trait in second):
        assert carry(again, second) == found


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_a_ledger_or_an_error_of_one_line(data: bytes) -> None:
    for read in (load, load_merged):
        message = ""
        try:
            read(data)
        except LedgerError as error:
            message = str(error)
        assert "\n" not in message


@settings(max_examples=60, deadline=None)
@given(TEXT, TEXT, st.lists(TEXT, max_size=3))
def test_any_text_is_kept_and_shown(path: str, word: str, heading: list[str]) -> None:
    block = BlockEntry(
        "fence", "b1", "minted", path, tuple(heading), word, "python", (word,), "0", sketch(word), "compiles", "module",
        defines=(word,), findings=(FindingEntry(word, "error", word, {word: word}),),
    )  # fmt: skip
    found = Ledger(
        Header(word, word, word, (word,)),
        (SourceEntry(path, word),),
        (block,),
        (DefinitionEntry("class", f"{path}::{word}", word, word, word, ("b1",)),),
    )
    assert load(dump(found)) == found
    for shown in (html(found), markdown(found), csv(found)):
        shown.encode("utf-8")
        assert "<img" not in shown or "<img" not in f"{path}{word}{heading}"


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="ab= (\n#'\"\\:…{f}", max_size=60), st.text(alphabet="ab= (\n#'\"\\:…{f}", max_size=60))
def test_any_code_has_statements_sides_and_places(one: str, other: str) -> None:
    statements(one)
    Bodies([Body("f.py::f", f"def f():\n{other}"), Body("f.py::g", other)]).place(one, meant=True)
    side_by_side(Side("", 1, one.split("\n")), Side("", 1, other.split("\n")), "en")
