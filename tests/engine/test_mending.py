"""Fixes here and in a process of its own: the same, but for a source that takes too long, which stays as it was."""

import pytest

from auditor.audited import AuditOptions
from auditor.engine.mending import Mended, Mender, Wishes, mend
from auditor.engine.workers import Workers
from auditor.model import Source
from auditor.rulebook import load

BOOK = load([])
SAFE = Wishes((), frozenset(rule.id for rule in BOOK.rules))
FAULT = "```python\nprint（'a'）\n```\n"
MENDED = "```python\nprint('a')\n```\n"
PROSE = "Words that say something of the code.\n\n"


def mended(text: str, wishes: Wishes = SAFE) -> Mended:
    with Mender(BOOK, wishes, 60) as mender:
        return mender.mend(Source("a.md", text), AuditOptions())


@pytest.mark.parametrize("code", [FAULT, "```python\nx = {'a': 1\n     'b': 2}\n```\n"], ids=["safe", "unsafe"])
def test_fixes_are_the_same_wherever_they_are_made(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    wishes = Wishes((), SAFE.known, unsafe=True)
    text = PROSE * 100 + code
    here = mended(text, wishes)
    assert here.applied == 1
    there: list[str] = []
    work_on = Workers.work_on

    def noted(workers: Workers[Mended], source: Source, options: AuditOptions) -> Mended:
        there.append(source.path)
        return work_on(workers, source, options)

    monkeypatch.setattr(Workers, "work_on", noted)
    for characters in (len(text) // 2, len(text) + 1):  # too many from the beginning, or with the second look
        monkeypatch.setattr("auditor.engine.hazards._IN_A_SECOND", characters / 60)
        assert mended(text, wishes) == here
    assert there == ["a.md", "a.md"]


def test_a_source_that_takes_too_long_is_lost_alone() -> None:
    # CPython compares every keyword with all others: on any machine it takes many times as long.
    slow = "```python\nf(" + ",\n".join(f"k{number}=1" for number in range(40_000)) + ")\n```\n"
    with Mender(BOOK, SAFE, 1) as mender:
        assert mender.mend(Source("slow.md", FAULT + slow), AuditOptions()) == Mended(
            FAULT + slow, incomplete=("slow.md: not finished within 1 s",)
        )
        assert mender.mend(Source("a.md", FAULT), AuditOptions()).text == MENDED


def test_an_audit_that_fails_leaves_the_source(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise KeyError

    monkeypatch.setattr("auditor.audit.extract", fail)
    got = mend(Source("a.md", FAULT), BOOK, AuditOptions(), SAFE)
    assert got.text == FAULT
    (reason,) = got.incomplete
    assert reason.startswith("a.md: the audit failed: KeyError in ")


def test_what_was_not_looked_at_is_told() -> None:
    got = mended(FAULT + "```python\n" + "-" * 5000 + "1\n```\n")
    assert got.applied == 1
    assert got.incomplete == ("a.md:4: nested too deeply or too complex",)
