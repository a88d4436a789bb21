"""The cache file: keys and checked bytes in SQLite, and which content each file of the disk had when last read.

A store never raises and never decides anything: what is missing, damaged, locked or not writable is not there, and the
run does the work again. Values are looked at with their own checksum; nothing in the file is ever run.
"""

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Self

# A file of another layout is thrown away.
_LAYOUT = 1
_SCHEMA = """
CREATE TABLE IF NOT EXISTS entry (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, value BLOB NOT NULL, checksum BLOB NOT NULL, used INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS file (
    id INTEGER PRIMARY KEY, root BLOB NOT NULL, path BLOB NOT NULL, size INTEGER NOT NULL, mtime INTEGER NOT NULL,
    ctime INTEGER NOT NULL, inode INTEGER NOT NULL, digest TEXT NOT NULL, UNIQUE (root, path)
);
"""
# Bytes of the file beyond which the entries that were not used for longest go.
MOST_BYTES = 256_000_000
# Bytes that wait for one transaction, and parameters that one question may have.
_BATCH = 8_000_000
_ASKED = 400
# Seconds that another run's transaction is waited for, and after which use is noted again.
_PATIENCE = 3.0
_DAY = 86_400
# A file that was written so shortly before it was looked at may be written again without a new time.
_RACY = 2_000_000_000


@dataclass(frozen=True, slots=True)
class Stamp:
    """What the disk says of a file without reading it; times in nanoseconds."""

    size: int
    mtime: int
    ctime: int
    inode: int

    @classmethod
    def of(cls, file: str | os.PathLike[str]) -> "Stamp | None":
        """The stamp of a file, of a link its own; `None` where there is none."""
        try:
            found = os.lstat(file)
        except (OSError, ValueError):
            return None
        return cls(found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)

    @property
    def settled(self) -> bool:
        """Whether the file is old enough that its next change will show."""
        return time.time_ns() - max(self.mtime, self.ctime) > _RACY


def cache_folder() -> Path | None:
    """Where the cache is kept: `AUDITOR_CACHE_DIR`, else the user's cache folder; `None` where there is no home.

    Never in the audited repository: whoever can commit a file there must not be able to say what was found.
    """
    named = os.environ.get("AUDITOR_CACHE_DIR")
    if named:
        return Path(os.path.abspath(named))
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    if base and os.path.isabs(base):
        return Path(base, "auditor")
    home = os.path.expanduser("~")
    return Path(home, ".cache", "auditor") if os.path.isabs(home) else None


def cache_file(folder: Path) -> Path:
    """The cache file in its folder."""
    return folder / "cache.sqlite3"


def clear(folder: Path) -> int:
    """Remove the cache; how many bytes it held. Raises `OSError` where it cannot be removed."""
    freed = 0
    for ending in ("", "-wal", "-shm", "-journal"):
        file = cache_file(folder).with_name(cache_file(folder).name + ending)
        with contextlib.suppress(FileNotFoundError):
            freed += file.stat().st_size
            file.unlink()
    return freed


class Store:
    """An open cache file, or none at all: then nothing is found and nothing is kept."""

    def __init__(self, folder: Path | None, most_bytes: int = MOST_BYTES) -> None:
        self._folder = folder
        self._most = most_bytes
        self._waiting: dict[str, bytes] = {}
        self._stamps: dict[tuple[bytes, bytes], tuple[Stamp, str]] = {}
        self._used: set[int] = set()
        self._bytes = 0
        self._database: sqlite3.Connection | None = None
        if folder is not None:
            with self._tolerant():
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                self._database = sqlite3.connect(cache_file(folder), timeout=_PATIENCE, isolation_level=None)
                self._open()

    def _open(self) -> None:
        database = self._database
        if database is None:
            return
        (layout,) = database.execute("PRAGMA user_version").fetchone()
        if layout == _LAYOUT:
            database.execute("PRAGMA synchronous=NORMAL")
            return
        if layout:
            raise sqlite3.DatabaseError("another layout")
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=NORMAL")
        database.execute("BEGIN IMMEDIATE")
        for statement in _SCHEMA.split(";"):
            database.execute(statement)
        database.execute(f"PRAGMA user_version={_LAYOUT}")
        database.execute("COMMIT")

    @contextlib.contextmanager
    def _tolerant(self) -> Iterator[None]:
        """Whatever SQLite or the disk refuses ends the use of the cache in this run; a damaged file is removed."""
        try:
            yield
        except sqlite3.OperationalError:  # locked, full, read-only: the file itself may be sound
            self._abandon()
        except (sqlite3.DatabaseError, OverflowError):
            self._abandon()
            if self._folder is not None:
                with contextlib.suppress(OSError):
                    clear(self._folder)
        except OSError:
            self._abandon()

    def _abandon(self) -> None:
        database, self._database = self._database, None
        self._waiting.clear()
        self._stamps.clear()
        if database is not None:
            with contextlib.suppress(sqlite3.Error):
                database.close()

    def __del__(self) -> None:
        # What was flushed is kept; a connection that nobody closes is warned of from Python 3.13 on.
        self._abandon()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    @property
    def works(self) -> bool:
        """Whether anything can be found or kept."""
        return self._database is not None

    def get(self, key: str) -> bytes | None:
        """The value under a key."""
        return self.get_all([key]).get(key)

    def get_all(self, keys: Iterable[str]) -> Mapping[str, bytes]:
        """The values that are there, by key; one whose bytes changed on the disk is not."""
        found: dict[str, bytes] = {}
        wanted = list(keys)
        for start in range(0, len(wanted), _ASKED):
            part = wanted[start : start + _ASKED]
            with self._tolerant():
                if self._database is None:
                    break
                marks = ",".join("?" * len(part))
                query = f"SELECT id, key, value, checksum, used FROM entry WHERE key IN ({marks})"  # noqa: S608 - question marks only
                now = int(time.time())
                for number, key, value, checksum, used in self._database.execute(query, part):
                    if isinstance(value, bytes) and _checksum(key, value) == checksum:
                        found[key] = value
                        if now - used > _DAY:
                            self._used.add(number)
        return found

    def put(self, key: str, value: bytes) -> None:
        """Keep a value; it is written with others at once."""
        if self._database is None:
            return
        self._waiting[key] = value
        self._bytes += len(value)
        if self._bytes > _BATCH:
            self.flush()

    def digests(self, root: Path) -> Mapping[str, tuple[Stamp, str]]:
        """What is known of the files under a root: when each had which content."""
        with self._tolerant():
            if self._database is not None:
                rows = self._database.execute(
                    "SELECT path, size, mtime, ctime, inode, digest FROM file WHERE root=?", (os.fsencode(root),)
                )
                return {os.fsdecode(path): (Stamp(*stamp), digest) for path, *stamp, digest in rows}
        return {}

    def stamp(self, root: Path, path: str, stamp: Stamp, digest: str) -> None:
        """Keep what content a file had under a stamp."""
        if self._database is not None and stamp.settled:
            self._stamps[os.fsencode(root), os.fsencode(path)] = (stamp, digest)

    def flush(self) -> None:
        """Write what waits, in one transaction; entries beyond the size go, those that were used last stay."""
        if self._database is None or not (self._waiting or self._stamps or self._used):
            return
        now = int(time.time())
        with self._tolerant():
            database = self._database
            database.execute("BEGIN IMMEDIATE")
            try:
                database.executemany(
                    "INSERT OR REPLACE INTO entry (key, value, checksum, used) VALUES (?, ?, ?, ?)",
                    [(key, value, _checksum(key, value), now) for key, value in self._waiting.items()],
                )
                database.executemany(
                    "INSERT OR REPLACE INTO file (root, path, size, mtime, ctime, inode, digest)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?)",
                    [
                        (root, path, stamp.size, stamp.mtime, stamp.ctime, stamp.inode, digest)
                        for (root, path), (stamp, digest) in self._stamps.items()
                    ],
                )
                database.executemany("UPDATE entry SET used=? WHERE id=?", [(now, number) for number in self._used])
                self._shrink(database)
                database.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    database.execute("ROLLBACK")
                raise
            self._waiting.clear()
            self._stamps.clear()
            self._used.clear()
            self._bytes = 0

    def _shrink(self, database: sqlite3.Connection) -> None:
        """Remove the entries that were not used for longest, down to half, once there is too much."""
        (pages,), (free,), (size,) = (
            database.execute(f"PRAGMA {word}").fetchone() for word in ("page_count", "freelist_count", "page_size")
        )
        if (pages - free) * size <= self._most:
            return
        database.execute("DELETE FROM file")
        database.execute(
            "DELETE FROM entry WHERE id IN (SELECT id FROM (SELECT id, sum(length(value)) OVER (ORDER BY used DESC, id"
            " DESC) AS held FROM entry) WHERE held > ?)",
            (self._most // 2,),
        )

    def close(self) -> None:
        """Write what waits and let go of the file."""
        self.flush()
        with self._tolerant():
            if self._database is not None:
                self._database.close()
                self._database = None


def _checksum(key: str, value: bytes) -> bytes:
    return blake2b(value, digest_size=16, key=blake2b(key.encode(), digest_size=32).digest()).digest()
