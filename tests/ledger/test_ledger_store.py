import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from auditor.ledger import LedgerError, dump, dump_reviews, load, load_merged, load_reviews
from auditor.ledger.entries import (
    BlockEntry,
    Claim,
    DefinitionEntry,
    DiagnosisEntry,
    FindingEntry,
    Header,
    Ledger,
    LinkEntry,
    NeedEntry,
    OperationEntry,
    Provenance,
    Review,
    Scope,
    SourceEntry,
    SuppressedEntry,
    Unverified,
    Verified,
)
from auditor.ledger.store import canonical, json_schema, records

ROOT = Path(__file__).parent.parent.parent


def block(name: str, path: str = "b.md", **facts: object) -> BlockEntry:
    entry = BlockEntry(
        "fence", name, "minted", path, ("Part",), "python", "python", (), "0" * 64, "", "compiles", "module"
    )
    return replace(entry, **facts)  # type: ignore[arg-type]


def full() -> Ledger:
    """A ledger in which every field of every record says something."""
    rich = block(
        "rich",
        verdict="broken",
        context=None,
        adjustments=("margin", "elision"),
        diagnoses=(DiagnosisEntry("kind", 1, 4, {"width": 4, "opener": {"rel_line": 0}, "word": "x"}),),
        needs_python="3.12",
        reason="why",
        recovered=True,
        defines=("A",),
        binds=("A", "b"),
        needs=(NeedEntry("torch", "import"), NeedEntry("x")),
        links=(
            LinkEntry(
                "a.py::A", "outdated", "qualname", "fence", "2.1", "diverged",
                (OperationEntry("name-replaced", "A.f", "x", "y"),), True,
            ),
        ),
        findings=(FindingEntry("rule", "error", "ab" * 16, {"x": "1"}, SuppressedEntry("meant", "comment")),),
        not_verified=(Claim("whole-body", "recovered"),),
    )  # fmt: skip
    scope = Scope((Verified("compiled", "compiler", ("3.11",)),), (Unverified("executed", "never-run", ("b.md",)),))
    return Ledger(
        Header("tool 1", "r", "c", ("3.11",), provenance=Provenance("origin", "commit", "licence"), scope=scope),
        (SourceEntry("a.py", "1" * 64), SourceEntry("b.md", "2" * 64, "unreadable", "not UTF-8")),
        (rich, block("plain")),
        (DefinitionEntry("class", "a.py::A", "A", "3", "4", ("rich",), "partial", "because"),),
    )


def test_what_is_written_is_read_again() -> None:
    assert load(dump(full())) == full()


def test_every_record_fits_the_published_schema() -> None:
    published = json.loads((ROOT / "docs" / "ledger.schema.json").read_text(encoding="utf-8"))
    assert published == json_schema()
    validator = jsonschema.Draft202012Validator(published)
    review = json.loads(dump_reviews([Review("rich", "Ada", "read", "0", {"a.py::A": "4"}, "2026-01-02")]))
    for record in (*records(full()), review):
        validator.validate(record)
    for wrong in ({"record": "block"}, {**next(iter(records(full()))), "more": 1}, {"record": "unknown"}):
        assert not validator.is_valid(wrong)


def test_lines_are_sorted_and_bare() -> None:
    text = dump(full()).decode("utf-8")
    assert text.endswith("\n")
    assert "\r" not in text
    lines = [json.loads(line) for line in text.split("\n")[:-1]]
    assert [line["record"] for line in lines] == ["header", "source", "definition", "source", "block", "block"]
    assert all(list(line) == sorted(line) for line in lines)


def test_the_order_of_paths_decides_not_the_order_given() -> None:
    ledger = full()
    assert dump(replace(ledger, sources=ledger.sources[::-1])) == dump(ledger)


def test_a_terminal_sees_nothing_to_act_on() -> None:
    hostile = "a\x1b[31m\x9b\u202e\u2028\ud800\x7f\n"
    line = canonical({"x": hostile})
    assert not set(hostile) & set(line) - {"a", "[", "3", "1", "m"}
    assert json.loads(line) == {"x": hostile}
    line.encode("utf-8")


def test_a_crlf_checkout_and_a_byte_order_mark_change_nothing() -> None:
    data = dump(full())
    assert load(b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n")) == full()


@pytest.mark.parametrize(
    ("change", "line", "words"),
    [
        (lambda _lines: [], None, "empty"),
        (lambda lines: [lines[1]], 1, "begins with its header"),
        (lambda lines: [lines[0], lines[0]], 2, "second header"),
        (lambda lines: [lines[0], "{"], 2, "not JSON"),
        (lambda lines: [lines[0], "[1]"], 2, "not a JSON object"),
        (lambda lines: [lines[0], "[" * 100_000], 2, "line 2: "),
        (lambda lines: [lines[0], '{"record":"x"}'], 2, "'x'"),
        (lambda lines: [lines[0], '{"a":1,"a":2}'], 2, "stands twice"),
        (lambda lines: [lines[0], '{"record":"source","path":NaN}'], 2, "NaN"),
        (lambda lines: [lines[0], '{"record":"source","path":"x"}'], 2, "'sha256' is missing"),
        (lambda lines: [lines[0], lines[1].replace('"read"', '"red"')], 2, "one of read, unreadable, excluded"),
        (lambda lines: [lines[0], lines[1].replace("{", '{"new":1,', 1)], 2, "does not know: 'new'"),
        (lambda lines: [lines[0], lines[1], lines[1]], 3, "second time"),
        (lambda lines: [lines[0].replace("ledger/1", "ledger/0")], 1, "auditor.ledger/0"),
        (lambda lines: [lines[0], "<<<<<<< ours", lines[1]], 2, "merge"),
    ],
)
def test_a_ledger_that_cannot_be_read_names_its_line(change: object, line: int | None, words: str) -> None:
    assert callable(change)
    lines = change(dump(full()).decode("utf-8").splitlines())
    with pytest.raises(LedgerError, match=words) as caught:
        load("\n".join(lines).encode("utf-8"))
    assert caught.value.line == line
    assert "\n" not in str(caught.value)


def test_bytes_that_are_no_text_name_their_line() -> None:
    with pytest.raises(LedgerError, match="line 2: not valid UTF-8"):
        load(b"{}\n\xff\n")


def test_both_sides_of_a_merge_are_read() -> None:
    ours, theirs = dump(full()).decode(), dump(replace(full(), blocks=(block("theirs"),))).decode()
    text = f"<<<<<<< ours\n{ours}=======\n{theirs}>>>>>>> theirs\n"
    merged = load_merged(text.encode())
    assert [entry.id for entry in merged.blocks] == ["rich", "plain", "theirs"]
    assert merged.header == full().header


def test_reviews_are_sorted_and_survive_a_merge() -> None:
    one, other = Review("b", "Ada", "fine", "0"), Review("a", "Bo", "fine too", "1")
    data = dump_reviews([one, other, one])
    assert data == dump_reviews([other, one])
    assert load_reviews(b"<<<<<<< ours\n" + data + b"=======\n>>>>>>> theirs\n") == (other, one)
    with pytest.raises(LedgerError, match="line 1: only reviews"):
        load_reviews(b'{"record":"source"}\n')
