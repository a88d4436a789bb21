"""Whatever a page holds: every fence has its line, places are true, and what stands around a fence does not matter."""

import sys
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.audit import audit
from auditor.audited import AuditOptions, SourceAudit
from auditor.model import Source
from auditor.rulebook import Rulebook, load

sys.path.insert(0, str(Path(__file__).parent))
from pages import BROKEN, CONTAINERS, PAGES, PROSE, SOUND, Fence, Page, fences


@lru_cache(maxsize=1)
def shipped() -> Rulebook:
    return load([])


def look(text: str) -> SourceAudit:
    return audit(Source("p.md", text), shipped(), AuditOptions())


@settings(max_examples=60, deadline=None)
@given(PAGES)
def test_every_fence_is_accounted_for(page: Page) -> None:
    blocks = look(page.text).blocks
    assert [(block.place.line, block.place.column) for block in blocks] == [
        (line, fence.column) for line, fence in page.fences
    ]
    for block, (_, fence) in zip(blocks, page.fences, strict=True):
        assert block.block.code.text.rstrip("\n") == fence.code.rstrip("\n")
        assert block.block.closed
        if fence.code in SOUND:
            assert block.compilation.verdict in {"compiles", "compiles-in-context"}
        if fence.code in BROKEN:
            assert block.compilation.verdict in {"broken", "not-python"}
            assert block.diagnoses


@settings(max_examples=60, deadline=None)
@given(PAGES)
def test_places_point_into_the_text(page: Page) -> None:
    lines = page.text.split("\n")
    audited = look(page.text)
    openers = dict(page.fences)
    for finding in audited.findings:
        place = finding.place
        assert lines[place.line - 1] == place.text
        assert 1 <= place.column <= len(place.text) + 1
        assert (place.end_line, place.end_column) >= (place.line, place.column)
        block = audited.blocks[finding.block]
        assert block.place.line <= place.line <= block.place.end_line
        assert block.place.line in openers
    for block in audited.blocks:
        code = block.block.code
        for at, character in enumerate(code.text):
            if character != "\n":
                assert page.text[code.locate(at).start] == character


@settings(max_examples=40, deadline=None)
@given(PAGES, st.lists(st.sampled_from(PROSE), min_size=1, max_size=3))
def test_prose_above_shifts_and_changes_nothing_else(page: Page, prose: list[str]) -> None:
    above = "\n\n<!-- -->\n\n".join(prose) + "\n\n<!-- -->\n\n"
    by_lines, by_offset = above.count("\n"), len(above)
    before, after = look(page.text), look(above + page.text)
    assert [block.compilation.verdict for block in after.blocks] == [
        block.compilation.verdict for block in before.blocks
    ]
    shifted = [
        replace(
            finding.place,
            start=finding.place.start + by_offset,
            end=finding.place.end + by_offset,
            line=finding.place.line + by_lines,
            end_line=finding.place.end_line + by_lines,
        )
        for finding in before.findings
    ]
    assert [finding.place for finding in after.findings] == shifted
    assert [finding.rule for finding in after.findings] == [finding.rule for finding in before.findings]


@settings(max_examples=60, deadline=None)
@given(fences(*SOUND, *BROKEN), st.sampled_from(CONTAINERS))
def test_a_container_shifts_and_changes_nothing_else(fence: Fence, container: str) -> None:
    plain, nested = (look(replace(fence, container=around).text) for around in ("", container))
    (one,), (other,) = plain.blocks, nested.blocks
    assert one.compilation.verdict == other.compilation.verdict
    assert one.compilation.context == other.compilation.context
    assert [
        (finding.rule, finding.place.line, finding.place.column + len(container)) for finding in plain.findings
    ] == [(finding.rule, finding.place.line, finding.place.column) for finding in nested.findings]


@settings(max_examples=40, deadline=None)
@given(PAGES, st.sampled_from(["\r\n", "\r"]))
def test_line_ends_change_no_line(page: Page, end: str) -> None:
    plain, other = look(page.text), look(page.text.replace("\n", end))
    assert [(one.rule, one.place.line, one.place.column, one.fingerprint) for one in plain.findings] == [
        (one.rule, one.place.line, one.place.column, one.fingerprint) for one in other.findings
    ]
    assert [one.compilation.verdict for one in plain.blocks] == [one.compilation.verdict for one in other.blocks]
    assert plain.sha256 == other.sha256
