"""The bytes of a file that the user or the repository names: a regular file only, and never more than a limit."""

import errno
import os
import stat
from pathlib import Path

# Bytes of a configuration, in whatever tool's file it stands; of a baseline; of a ledger.
MOST_CONFIGURATION = 8_000_000
MOST_BASELINE = 100_000_000
MOST_LEDGER = 500_000_000


def read_regular(file: Path, limit: int) -> bytes:
    """The bytes of a regular file, or of one that a link leads to, of at most `limit` bytes.

    Raises `OSError` with the reason in `strerror`, also for a device, a pipe or a socket (`EINVAL`), none of which is
    waited for, and for a larger file (`EFBIG`).
    """
    # Without O_NONBLOCK a pipe that nobody writes to is waited for.
    descriptor = os.open(file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0))
    with open(descriptor, "rb") as stream:
        status = os.fstat(descriptor)
        if stat.S_ISDIR(status.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(file))
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "not a regular file", str(file))
        if status.st_size <= limit:
            data = stream.read(limit + 1)
            if len(data) <= limit:
                return data
    raise OSError(errno.EFBIG, f"larger than the limit ({limit:,} bytes)", str(file))
