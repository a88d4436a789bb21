"""Files that the commands write: the old one or the new one, never a half of it."""

import contextlib
import os
import stat
from collections.abc import Iterable
from pathlib import Path

from auditor.cli.exits import INCOMPLETE, Failure


def replace_file(file: Path, data: bytes) -> None:
    """Put `data` where `file` stands, as `replace_by_pieces` does."""
    replace_by_pieces(file, (data,))


def replace_by_pieces(file: Path, pieces: Iterable[bytes]) -> None:
    """Put bytes where `file` stands, atomically; the mode of an older file is kept. A device or a pipe is written to.

    Raises `Failure` (5) where it cannot be written: the old file is then as it was and no temporary file is left.
    """
    import tempfile  # noqa: PLC0415 - most runs write no file

    try:
        if file.exists() and not file.is_file() and not file.is_dir():
            with open(file, "wb") as stream:
                stream.writelines(pieces)
            return
        file.parent.mkdir(parents=True, exist_ok=True)
        mode = _mode(file)
        descriptor, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
        try:
            with os.fdopen(descriptor, "wb") as stream:
                stream.writelines(pieces)
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


def rewrite_file(file: Path, root: Path, was: bytes, data: bytes) -> None:
    """Put `data` where `was` stands in a file of somebody's own; all happens within one folder that is held open.

    Raises `Failure` (5), and leaves the file as it was and no other behind, where it is a link, has several names, lies
    outside of `root` through a link, is not what was read, or cannot be written.
    """
    folder = os.path.realpath(file.parent)
    top = os.path.realpath(root)
    if folder != os.path.abspath(file.parent) and os.path.commonpath([folder, top]) != top:
        raise Failure(f"{file}: lies outside of {root} through a link; nothing was written", INCOMPLETE)
    if os.open not in os.supports_dir_fd:  # Windows: by names, one after the other
        if file.is_symlink() or file.read_bytes() != was:
            raise Failure(f"{file}: a link, or changed since it was read; nothing was written", INCOMPLETE)
        replace_file(file, data)
        return
    try:
        directory = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            _rewrite(file, directory, was, data)
        finally:
            os.close(directory)
    except OSError as error:
        raise Failure(f"{file}: cannot be written: {error.strerror}", INCOMPLETE) from None


def _rewrite(file: Path, directory: int, was: bytes, data: bytes) -> None:
    with open(os.open(file.name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=directory), "rb") as stream:
        status = os.fstat(stream.fileno())
        if not stat.S_ISREG(status.st_mode) or status.st_nlink > 1:
            raise Failure(f"{file}: a link or a hard-linked file is not rewritten", INCOMPLETE)
        if stream.read(len(was) + 1) != was:
            raise Failure(f"{file}: changed since it was read; nothing was written", INCOMPLETE)
    import secrets  # noqa: PLC0415 - as above

    name = f".auditor-{secrets.token_hex(8)}"
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
        with open(os.open(name, flags, 0o600, dir_fd=directory), "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fchmod(stream.fileno(), stat.S_IMODE(status.st_mode))
            with contextlib.suppress(OSError):  # only the superuser gives files away
                os.fchown(stream.fileno(), status.st_uid, status.st_gid)
            os.fsync(stream.fileno())
        os.replace(name, file.name, src_dir_fd=directory, dst_dir_fd=directory)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name, dir_fd=directory)
        raise
    os.fsync(directory)
