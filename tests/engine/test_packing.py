"""Audits and findings that are packed are those that were put in, in their order."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from auditor.audit import audit
from auditor.audited import AuditOptions, SourceAudit, outline_of, outlines_of
from auditor.engine.codec import CodecError
from auditor.engine.packing import Packed, hold, pack, unpack
from auditor.engine.sorting import in_order
from auditor.model import Finding, Place, Source
from auditor.rulebook import load

PAGE = "# A page\n\n```python\ndef broken(:\n```\n\n```python\nx = 1\n```\n\n```python\n>>> x\n1\n```\n"
BOOK = load([])


def audits(count: int) -> list[SourceAudit]:
    return [audit(Source(f"{at:02}.md", PAGE * (at % 3)), BOOK, AuditOptions()) for at in range(count)]


def finding(path: str, start: int, rule: str = "a-rule", message: str = "") -> Finding:
    return Finding(rule, "error", Place(path, start, start + 1, 1, start + 1, 1, start + 2, "text"), message, 0)


@pytest.mark.parametrize("room", [0, 4, 1_000])
def test_what_is_held_is_what_was_there(room: int) -> None:
    made = audits(9)
    held = hold(made, room)
    assert len(held) == 9
    assert list(held) == made
    assert [held[at] for at in range(-9, 9)] == [made[at] for at in range(-9, 9)]
    assert list(held[2:7]) == made[2:7]
    assert list(outlines_of(held[2:7])) == list(map(outline_of, made[2:7]))


def test_a_small_run_is_held_as_it_is() -> None:
    made = audits(5)
    assert all(one is other for one, other in zip(hold(made), made, strict=True))


def test_outlines_say_what_their_audits_do() -> None:
    unread = SourceAudit("lost.md", "", "unreadable", "gone")
    made = [*audits(3), unread, audit(Source("code.py", "@wraps(f)\nclass A:\n    x = 1\n"), BOOK, AuditOptions())]
    held = outlines_of(hold(made, 0))
    assert held == outlines_of(made)
    assert [outline.is_file for outline in held] == [False, False, False, False, True]
    assert [outline.size for outline in held] == [len(each.blocks) for each in made]
    assert (held[3].path, held[3].status, held[3].reason) == ("lost.md", "unreadable", "gone")


@pytest.mark.parametrize("data", [b"", b"noise", pack(SourceAudit("a.md", "")).data[:-3]])
def test_bytes_that_hold_no_audit_are_said_to(data: bytes) -> None:
    with pytest.raises(CodecError):
        unpack(Packed(outline_of(SourceAudit("a.md", "")), data))


FOUND: Sequence[Finding] = [
    finding("b.md", 7),
    finding("b.md", 3, message="first"),
    finding("b.md", 3, message="second"),
    finding("a.md", 9),
    finding("b.md", 3, rule="another-rule"),
    replace(finding("a.md", 1), source="b.md"),
    finding("c.md", 0),
    finding("a.md", 2),
]


@pytest.mark.parametrize("room", [0, 3, len(FOUND), 1_000])
def test_findings_come_by_path_position_and_rule_and_equals_as_they_came(room: int) -> None:
    found = in_order(iter(FOUND), room)
    expected = [FOUND[at] for at in (5, 7, 3, 1, 2, 4, 0, 6)]
    assert list(found) == expected
    assert len(found) == len(expected)
    assert [found[at] for at in range(-8, 8)] == expected * 2
    assert list(found[1:-1]) == expected[1:-1]
    with pytest.raises(IndexError):
        found[8]


def test_no_findings_are_none() -> None:
    assert list(in_order([], 0)) == []
