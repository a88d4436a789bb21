"""Sources of a run: the same audits from this process, from workers and out of the cache."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from auditor.audit import audit
from auditor.audited import AuditOptions, SourceAudit
from auditor.configuration import Limits
from auditor.discover import Candidate, discover
from auditor.engine import guarded
from auditor.engine.running import Run, audit_all
from auditor.engine.store import Store, cache_file
from auditor.model import Source
from auditor.rulebook import Rulebook, load

PAGE = """\
# Chapter {number}

```python
class Layer{number}:
    def forward(self, x):
        return self.w @ x
```

```python
def broken(:
```
"""


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """Some pages that are old enough to be trusted."""
    root = tmp_path / "book"
    root.mkdir()
    for number in range(12):
        write(root / f"{number:02}.md", PAGE.format(number=number))
    return root


def write(file: Path, text: str) -> None:
    file.write_text(text)
    settle(file)


def settle(file: Path, seconds: float = 100) -> None:
    """As if the file had been written a while ago; the change time cannot be set, so it is not waited for either."""
    then = time.time() - seconds
    os.utime(file, (then, then))


@pytest.fixture(autouse=True)
def _old_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("auditor.engine.store._RACY", 0)


@pytest.fixture
def audited(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths that were audited, and not found in the cache."""
    paths: list[str] = []
    perform = guarded.audit_here

    def noted(source: Source, rules: Rulebook, options: AuditOptions) -> SourceAudit:
        paths.append(source.path)
        return perform(source, rules, options)

    monkeypatch.setattr(guarded, "audit_here", noted)
    return paths


def audits(
    root: Path,
    cache: Path | None,
    jobs: int = 1,
    options: AuditOptions | None = None,
    rules: Rulebook | None = None,
    progress: Callable[[str], None] = lambda _path: None,
    limits: Limits | None = None,
) -> list[SourceAudit]:
    wishes = options or AuditOptions()
    run = Run(discover([root], root), rules or load([]), lambda _path: wishes, limits or Limits(), jobs)
    with Store(cache) as store:
        return list(audit_all(run, store, progress))


def test_workers_give_the_same(book: Path) -> None:
    assert audits(book, None, jobs=2) == audits(book, None)


def test_what_needs_workers_begins_here(book: Path, audited: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    alone = audits(book, None)
    audited.clear()
    monkeypatch.setattr("auditor.engine.running._WORTH_WORKERS", 1)
    monkeypatch.setattr(
        "auditor.engine.running._FIRST", len(PAGE)
    )  # the number in a page takes no more room than its field
    monkeypatch.setattr("auditor.engine.running.processors", lambda: 2)
    assert audits(book, None, jobs=0) == alone
    assert audited == ["00.md", "01.md"]


def test_the_second_run_audits_nothing(book: Path, tmp_path: Path, audited: list[str]) -> None:
    first = audits(book, tmp_path / "cache")
    assert len(audited) == 12
    assert audits(book, tmp_path / "cache") == first
    assert len(audited) == 12


def test_only_what_changed_is_audited(book: Path, tmp_path: Path, audited: list[str]) -> None:
    audits(book, tmp_path / "cache")
    audited.clear()
    write(book / "03.md", PAGE.format(number=99))
    (book / "05.md").unlink()
    write(book / "20.md", "```python\nx = 1\n```\n")
    found = audits(book, tmp_path / "cache")
    assert audited == ["03.md", "20.md"]
    assert found == audits(book, None)


def test_a_touched_or_renamed_file_is_told_by_its_content(book: Path, tmp_path: Path, audited: list[str]) -> None:
    audits(book, tmp_path / "cache")
    audited.clear()
    settle(book / "03.md", 50)
    audits(book, tmp_path / "cache")
    assert audited == []
    (book / "04.md").rename(book / "40.md")  # the path stands in the audit
    assert audits(book, tmp_path / "cache") == audits(book, None)


def test_same_size_and_time_but_not_settled_is_looked_at_again(
    book: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("auditor.engine.store._RACY", 10**12)
    audits(book, tmp_path / "cache")
    status = (book / "03.md").stat()
    (book / "03.md").write_text(PAGE.format(number=7))
    os.utime(book / "03.md", ns=(status.st_atime_ns, status.st_mtime_ns))
    assert audits(book, tmp_path / "cache") == audits(book, None)


def test_other_wishes_and_other_rules_are_other_audits(book: Path, tmp_path: Path, audited: list[str]) -> None:
    audits(book, tmp_path / "cache")
    chinese = AuditOptions(lang="zh")
    few = load([]).chosen(lambda rule: rule.id == "syntax-error")
    severe = AuditOptions(severities={"syntax-error": "note"})
    for wishes, rules in ((chinese, None), (None, few), (severe, None)):
        audited.clear()
        assert audits(book, tmp_path / "cache", options=wishes, rules=rules) == audits(
            book, None, options=wishes, rules=rules
        )
        assert len(audited) == 24


def test_an_included_file_that_changed_renews_the_page(book: Path, tmp_path: Path) -> None:
    write(book / "snippet.py", "x = 1\n")
    write(book / "page.md", '```python\n--8<-- "snippet.py"\n```\n\n```python\n--8<-- "later.py"\n```\n')
    mkdocs = AuditOptions()
    audits(book, tmp_path / "cache", options=mkdocs)
    write(book / "snippet.py", "x = (\n")
    assert audits(book, tmp_path / "cache") == audits(book, None)
    write(book / "later.py", "y = 1\n")
    assert audits(book, tmp_path / "cache") == audits(book, None)


def test_a_limit_holds_for_what_the_cache_knows(book: Path, tmp_path: Path) -> None:
    write(book / "snippet.py", "x = 1\n" * 100)
    write(book / "page.md", '```python\n--8<-- "snippet.py"\n```\n')
    audits(book, tmp_path / "cache")
    for limit in (400, 10):  # less than the included file alone, less than any
        limits = Limits(file_bytes=limit)
        warm = audits(book, tmp_path / "cache", limits=limits)
        assert warm == audits(book, None, limits=limits)
        told = {audit.path: audit.reason for audit in warm if audit.status == "unreadable"}
        assert told["snippet.py"] == f"larger than the limit (600 of {limit} bytes)"


def test_a_cache_that_is_cut_anywhere_gives_the_same(book: Path, tmp_path: Path) -> None:
    expected = audits(book, tmp_path / "cache")
    data = cache_file(tmp_path / "cache").read_bytes()
    for size in range(0, len(data), max(len(data) // 12, 1)):
        cache_file(tmp_path / "cache").write_bytes(data[:size])
        assert audits(book, tmp_path / "cache") == expected


def test_a_fault_of_the_tool_costs_the_file_that_shows_it(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(source: Source, rules: Rulebook, options: AuditOptions) -> SourceAudit:
        if source.path == "03.md":
            raise RecursionError
        return audit(source, rules, options)

    monkeypatch.setattr("auditor.audit.audit", faulty)
    found = audits(book, None)
    assert [each.path for each in found if each.status == "unreadable"] == ["03.md"]
    (reason,) = (each.reason for each in found if each.reason)
    assert reason.startswith("the audit failed: RecursionError in test_running.py:")


def test_what_could_kill_is_audited_apart(book: Path) -> None:
    write(book / "99.md", "```python\n" + "(" * 80 + "1" + ")" * 80 + "\n```\n")
    found = audits(book, None)
    assert found == audits(book, None, jobs=2)
    assert found[-1].blocks[0].compilation.verdict == "compiles"


def test_progress_counts_every_source(book: Path, tmp_path: Path) -> None:
    for jobs in (1, 2, 1):
        steps: list[str] = []
        audits(book, tmp_path / f"cache{jobs}", jobs, progress=steps.append)
        assert steps == [f"{number:02}.md" for number in range(12)]


def test_bytes_that_an_editor_holds_are_not_taken_for_the_file(book: Path, tmp_path: Path) -> None:
    audits(book, tmp_path / "cache")
    held = Candidate("03.md", book / "03.md", named=True, data=b"```python\nheld = 1\n```\n")
    discovery = discover([book], book)
    run = Run(type(discovery)(book, (held,)), load([]), lambda _path: AuditOptions(), Limits(), 1)
    with Store(tmp_path / "cache") as store:
        (found,) = audit_all(run, store, lambda _path: None)
    assert len(found.blocks) == 1
    assert audits(book, tmp_path / "cache") == audits(book, None)
