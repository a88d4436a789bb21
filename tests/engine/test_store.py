"""The cache file: what is put is got, and nothing that happens to the file is ever a fault of the run."""

import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from auditor.engine.store import Stamp, Store, cache_file, cache_folder, clear


def put(folder: Path, **values: bytes) -> None:
    with Store(folder) as store:
        for key, value in values.items():
            store.put(key, value)


def got(folder: Path, *keys: str) -> dict[str, bytes]:
    with Store(folder) as store:
        return dict(store.get_all(keys))


@contextmanager
def opened(folder: Path) -> Iterator[sqlite3.Connection]:
    """The cache file as whoever damages it opens it; closed at the end, which `sqlite3` alone does not do."""
    with closing(sqlite3.connect(cache_file(folder))) as database, database:
        yield database


def test_what_is_put_is_got(tmp_path: Path) -> None:
    put(tmp_path / "deep/er", a=b"1", b=b"")
    put(tmp_path / "deep/er", a=b"2")
    assert got(tmp_path / "deep/er", "a", "b", "c") == {"a": b"2", "b": b""}


def test_many_keys_are_asked_for_at_once(tmp_path: Path) -> None:
    values = {f"k{number}": str(number).encode() for number in range(2_000)}
    put(tmp_path, **values)
    assert got(tmp_path, *values) == values


def test_a_flipped_bit_is_a_miss(tmp_path: Path) -> None:
    put(tmp_path, a=b"one value", b=b"another")
    with opened(tmp_path) as database:
        database.execute("UPDATE entry SET value=? WHERE key='a'", (b"one valuf",))
    assert got(tmp_path, "a", "b") == {"b": b"another"}


def test_a_value_under_another_key_is_a_miss(tmp_path: Path) -> None:
    put(tmp_path, a=b"1")
    with opened(tmp_path) as database:
        database.execute("UPDATE entry SET key='b'")
    assert got(tmp_path, "a", "b") == {}


@pytest.mark.parametrize("damage", [b"no database at all" * 400, b"SQLite format 3\0" + b"\xff" * 5_000, b"\0" * 8_192])
def test_a_damaged_file_is_replaced(tmp_path: Path, damage: bytes) -> None:
    put(tmp_path, a=b"1")
    cache_file(tmp_path).write_bytes(damage)
    assert got(tmp_path, "a") == {}
    put(tmp_path, a=b"2")
    put(tmp_path, a=b"2")
    assert got(tmp_path, "a") == {"a": b"2"}


def test_a_page_of_noise_in_the_middle_harms_nothing(tmp_path: Path) -> None:
    values = {f"k{number}": bytes([number]) * 3_000 for number in range(100)}
    put(tmp_path, **values)
    with opened(tmp_path) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    data = bytearray(cache_file(tmp_path).read_bytes())
    data[40_960:49_152] = os.urandom(8_192)
    cache_file(tmp_path).write_bytes(data)
    assert all(values[key] == value for key, value in got(tmp_path, *values).items())


def test_a_file_of_another_layout_is_replaced(tmp_path: Path) -> None:
    put(tmp_path, a=b"1")
    with opened(tmp_path) as database:
        database.execute("PRAGMA user_version=99")
    assert got(tmp_path, "a") == {}
    put(tmp_path, a=b"3")
    assert got(tmp_path, "a") == {"a": b"3"}


def test_no_folder_means_no_cache(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for folder in (None, tmp_path / "file", tmp_path / "file" / "below"):
        with Store(folder) as store:
            store.put("a", b"1")
            assert (store.works, store.get("a")) == (False, None)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_cache_is_read(tmp_path: Path) -> None:
    put(tmp_path, a=b"1")
    tmp_path.chmod(0o500)
    try:
        put(tmp_path, b=b"2")
    finally:
        tmp_path.chmod(0o700)
    assert got(tmp_path, "b") == {}


def test_a_full_disk_loses_nothing_that_was_there(tmp_path: Path) -> None:
    put(tmp_path, a=b"1")
    with Store(tmp_path) as store:
        assert store._database is not None
        (pages,) = store._database.execute("PRAGMA page_count").fetchone()
        store._database.execute(f"PRAGMA max_page_count={pages}")  # SQLite says "disk is full" beyond
        store.put("b", b"x" * 5_000_000)
        store.flush()
        assert not store.works
    assert got(tmp_path, "a", "b") == {"a": b"1"}


def test_a_locked_file_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("auditor.engine.store._PATIENCE", 0.05)
    put(tmp_path, a=b"1")
    database = sqlite3.connect(cache_file(tmp_path), isolation_level=None)
    database.execute("BEGIN IMMEDIATE")
    put(tmp_path, b=b"2")
    database.execute("COMMIT")
    database.close()
    assert got(tmp_path, "a", "b") == {"a": b"1"}


def test_the_oldest_go_when_there_is_too_much(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        for number in range(40):
            store.put(f"k{number}", b"x" * 100_000)
    with opened(tmp_path) as database:
        database.execute("UPDATE entry SET used=id")
    with Store(tmp_path, most_bytes=2_000_000) as store:
        store.put("new", b"y")
    kept = got(tmp_path, *(f"k{number}" for number in range(40)), "new")
    assert "new" in kept
    assert sum(map(len, kept.values())) <= 1_000_000
    assert set(kept) == {"new", *(f"k{number}" for number in range(41 - len(kept), 40))}


def test_two_runs_at_once_lose_nothing(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from auditor.engine.store import Store\n"
        "for turn in range(20):\n"
        "    with Store(Path(sys.argv[1])) as store: store.put(f'{sys.argv[2]}-{turn}', b'x' * 5000)\n"
    )
    path = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent.parent)}
    words = [sys.executable, "-c", script, str(tmp_path)]
    runs = [subprocess.Popen([*words, str(number)], env=path) for number in range(3)]
    assert [run.wait() for run in runs] == [0, 0, 0]
    keys = [f"{number}-{turn}" for number in range(3) for turn in range(20)]
    assert set(got(tmp_path, *keys)) == set(keys)


def test_stamps_are_kept_by_root_and_only_once_they_are_settled(tmp_path: Path) -> None:
    old = Stamp(1, time.time_ns() - 10**10, time.time_ns() - 10**10, 7)
    with Store(tmp_path) as store:
        store.stamp(Path("/book"), "a\udcff.md", old, "digest")
        store.stamp(Path("/book"), "new.md", Stamp(1, time.time_ns(), 0, 7), "digest")
    with Store(tmp_path) as store:
        assert store.digests(Path("/book")) == {"a\udcff.md": (old, "digest")}
        assert store.digests(Path("/other")) == {}


def test_clear_removes_it_all(tmp_path: Path) -> None:
    put(tmp_path, a=b"1" * 10_000)
    assert clear(tmp_path) > 10_000
    assert clear(tmp_path) == 0
    assert got(tmp_path, "a") == {}


def test_the_cache_lies_where_the_user_says_and_never_in_the_book(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AUDITOR_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "/home/reader")
    assert cache_folder() == Path("/home/reader/.cache/auditor")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")  # the specification says to leave such a one out
    assert cache_folder() == Path("/home/reader/.cache/auditor")
    monkeypatch.setenv("XDG_CACHE_HOME", "/caches")
    assert cache_folder() == Path("/caches/auditor")
    monkeypatch.setenv("AUDITOR_CACHE_DIR", "/own")
    assert cache_folder() == Path("/own")
