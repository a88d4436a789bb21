"""New means: not in the base under this path or its old name; equal findings count."""

from dataclasses import replace

import pytest

from auditor.gate import (
    Accepted,
    BaselineError,
    Side,
    accept,
    against,
    dump_baseline,
    load_baseline,
    prune,
    under_baseline,
)
from auditor.model import Finding, Place, Suppressed


def finding(fingerprint: str, path: str = "a.md", line: int = 1, *, suppressed: bool = False) -> Finding:
    place = Place(path, line, line + 1, line, 1, line, 2)
    mark = Suppressed("meant", "comment") if suppressed else None
    return Finding("rule", "error", place, "message", 0, fingerprint=fingerprint, suppressed=mark)


def compared(now: list[Finding], base: list[Finding], renamed: dict[str, str]) -> tuple[Finding, ...]:
    return against(Side(now), Side(base), renamed)


def statuses(found: tuple[Finding, ...]) -> list[str | None]:
    return [item.status for item in found]


def test_a_moved_finding_is_not_new() -> None:
    assert statuses(compared([finding("f", line=90)], [finding("f", line=3)], {})) == ["existing"]


def test_a_second_equal_finding_is_new() -> None:
    found = compared([finding("f"), finding("f", line=2)], [finding("f")], {})
    assert statuses(found) == ["existing", "new"]


def test_a_swap_of_equal_counts_is_seen() -> None:
    assert statuses(compared([finding("g")], [finding("f")], {})) == ["new"]


def test_a_renamed_file_keeps_its_findings() -> None:
    base = [finding("f", "old.md")]
    assert statuses(compared([finding("f", "new.md")], base, {"new.md": "old.md"})) == ["existing"]
    assert statuses(compared([finding("f", "new.md")], base, {})) == ["new"]


def test_taking_a_suppression_away_makes_the_finding_new() -> None:
    assert statuses(compared([finding("f")], [finding("f", suppressed=True)], {})) == ["new"]


def test_a_baseline_survives_the_file_and_merges_line_by_line() -> None:
    entries = accept([finding("f"), finding("f", line=9), finding("g", "b.md")], reason="before the audit")
    data = dump_baseline(entries)
    assert data.count(b"\n") == 2
    assert sorted(load_baseline(data), key=lambda entry: entry.path) == sorted(entries, key=lambda entry: entry.path)
    assert dump_baseline(reversed(entries)) == data


def test_a_baseline_accepts_as_many_as_it_counts() -> None:
    found, stale = under_baseline([finding("f"), finding("f", line=9)], [Accepted("rule", "a.md", "f")])
    assert statuses(found) == ["baselined", "new"]
    assert stale == ()


def test_what_no_finding_uses_is_stale_and_can_be_pruned() -> None:
    entries = (Accepted("rule", "a.md", "f", 3), Accepted("rule", "a.md", "gone"))
    _, stale = under_baseline([finding("f")], entries)
    assert stale == (Accepted("rule", "a.md", "f", 2), Accepted("rule", "a.md", "gone"))
    assert prune(entries, stale) == (Accepted("rule", "a.md", "f", 1),)


def test_of_what_a_baseline_does_not_hold_it_says_nothing() -> None:
    note = replace(finding("n"), severity="note")
    found, _ = under_baseline([note, finding("s", suppressed=True), finding("f")], [], notes=False)
    assert statuses(found) == [None, None, "new"]
    assert statuses(under_baseline([note], [Accepted("rule", "a.md", "n")], notes=False)[0]) == ["baselined"]
    assert statuses(under_baseline([note], [])[0]) == ["new"]
    assert statuses(under_baseline([replace(note, status="new")], [], notes=False)[0]) == ["new"], "a base's word stays"


def test_a_suppressed_finding_uses_no_entry() -> None:
    _, stale = under_baseline([finding("f", suppressed=True)], [Accepted("rule", "a.md", "f")])
    assert len(stale) == 1


@pytest.mark.parametrize(
    "line",
    [b"{", b"[]", b'{"rule": 1, "path": "a", "fingerprint": "f"}', b'{"rule": "r", "path": "a"}', b"\xff"],
)
def test_a_broken_line_is_named(line: bytes) -> None:
    good = dump_baseline([Accepted("rule", "a.md", "f")])
    with pytest.raises(BaselineError, match=r"^line 2: "):
        load_baseline(good + line + b"\n")
