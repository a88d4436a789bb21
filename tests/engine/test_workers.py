"""One bad source costs one source, and the order stays."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from deaths import lost, perform

from auditor.audited import AuditOptions, SourceAudit
from auditor.engine.packing import unpack
from auditor.engine.workers import Workers
from auditor.model import Source
from auditor.rulebook import Rulebook

BOOK = Rulebook((), "")


def audits(names: list[str], count: int = 2, seconds: float = 2.0) -> list[SourceAudit]:
    with Workers(perform, lost, BOOK, count, seconds, memory=800_000_000) as workers:
        return list(map(unpack, workers.work((Source(name, "x" * len(name)), AuditOptions()) for name in names)))


def test_order_is_kept() -> None:
    names = [f"{number:03}-{'long' * (number % 5)}.md" for number in range(200)]
    found = audits(names)
    assert [(audit.path, audit.sha256, audit.status) for audit in found] == [
        (name, str(len(name)), "read") for name in names
    ]


def test_of_forty_sources_three_are_lost() -> None:
    names = [f"{number:02}.md" for number in range(40)]
    names[3], names[17], names[31] = "03-crash.md", "17-memory.md", "31-stuck.md"
    found = audits(names)
    assert [audit.path for audit in found] == names
    assert {audit.path for audit in found if audit.status != "read"} == {names[3], names[17], names[31]}


@pytest.mark.parametrize(
    ("name", "seconds", "reason"),
    [
        ("crash.md", 60, "the process that audited it died"),
        ("memory.md", 60, "needs more memory than the limit"),
        ("raise.md", 60, "needs more memory than the limit"),
        ("stuck.md", 0.5, "not finished within 0.5 s"),
    ],
)
def test_the_reason_is_said(name: str, seconds: float, reason: str) -> None:
    assert [audit.reason for audit in audits([name], 1, seconds)] == [reason]


def test_neighbours_that_all_die_are_all_named() -> None:
    found = audits(["a.md", "kill-1.md", "kill-2.md", "raise.md", "b.md"], count=1)
    assert [audit.status for audit in found] == ["read", "unreadable", "unreadable", "unreadable", "read"]


@pytest.mark.skipif(sys.platform != "linux", reason="nothing is forked elsewhere")
def test_only_the_first_workers_are_forks_of_this_process() -> None:
    here = str(os.getpid())
    with Workers(perform, lost, BOOK, 1, 20.0) as workers:
        parents = [workers.work_on(Source(name, ""), AuditOptions()) for name in ("parent.md", "kill.md", "parent.md")]
    first, _, second = map(unpack, parents)
    assert first.sha256 == here
    assert second.sha256 not in {here, ""}


def test_one_source_is_audited_alone() -> None:
    with Workers(perform, lost, BOOK, 1, 2.0) as workers:
        assert unpack(workers.work_on(Source("kill.md", ""), AuditOptions())).status == "unreadable"
        assert unpack(workers.work_on(Source("a.md", ""), AuditOptions())).status == "read"


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_workers_die_with_their_parent(tmp_path: Path) -> None:
    script = (
        "import sys, pathlib; sys.path.insert(0, sys.argv[1])\n"
        "from test_workers import *\n"
        "if __name__ == '__main__':\n"
        "    with Workers(perform, lost, BOOK, 2, 60.0) as workers:\n"
        "        names = ['a.md', *['stuck.md', 'endless.md'] * 30]\n"
        "        work = workers.work((Source(name, ''), AuditOptions()) for name in names)\n"
        "        workers.work_on(Source('b.md', ''), AuditOptions()); print('ready', flush=True); list(work)\n"
    )
    file = tmp_path / "parent.py"
    file.write_text(script)
    mark = f"AUDITOR_TEST_MARK={tmp_path}"
    parent = subprocess.Popen(
        [sys.executable, str(file), str(Path(__file__).parent)],
        stdout=subprocess.PIPE,
        env={**os.environ, "AUDITOR_TEST_MARK": str(tmp_path), "PYTHONPATH": str(Path(__file__).parent.parent.parent)},
    )
    assert parent.stdout is not None
    parent.stdout.readline()
    time.sleep(0.3)
    assert len(_holding(mark)) > 2
    parent.kill()
    parent.wait()
    parent.stdout.close()
    deadline = time.monotonic() + 10
    while _holding(mark) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert _holding(mark) == []


def _holding(mark: str) -> list[str]:
    """The processes that were started with a mark in their environment."""
    found = []
    for process in Path("/proc").iterdir():
        try:
            if process.name.isdigit() and mark.encode() in (process / "environ").read_bytes():
                found.append(process.name)
        except OSError:
            continue
    return found
