"""Files that the commands write: the old one or the new one, never a half of it."""

import contextlib
import os
import stat
import tempfile
from pathlib import Path

from auditor.cli.exits import INCOMPLETE, Failure


def replace_file(file: Path, data: bytes) -> None:
    """Put `data` where `file` stands, atomically; the mode of an older file is kept.

    Raises `Failure` (5) where it cannot be written: the old file is then as it was and no temporary file is left.
    """
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        mode = _mode(file)
        descriptor, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
        try:
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            os.chmod(name, mode)
            os.replace(name, file)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(name)
            raise
    except OSError as error:
        raise Failure(f"{file}: cannot be written: {error.strerror}", INCOMPLETE) from None


def _mode(file: Path) -> int:
    """The older file's permissions, else those a new file gets."""
    try:
        return stat.S_IMODE(os.stat(file).st_mode)
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
