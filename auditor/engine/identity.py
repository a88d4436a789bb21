"""What decides an answer, as digests: the tool with its parsers, a source's content, the wishes of a run."""

import os
import sys
from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import auditor

if TYPE_CHECKING:
    from auditor.model import Source

# The packages whose versions may change an answer.
_PARSERS = ("libcst", "markdown_it", "yaml", "regex")


@lru_cache(maxsize=1)
def tool_digest() -> str:
    """The tool as it stands on the disk, its parsers and the interpreter; files are told by size and time, not read."""
    digest = sha256(f"{auditor.__version__} {sys.version} {sys.platform}".encode())
    package = Path(auditor.__file__).parent
    for stamp in (*_modules(package), *map(_stamp_of, _PARSERS)):
        digest.update(stamp.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def _modules(package: Path) -> Iterator[str]:
    for folder, folders, names in os.walk(package):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(names):
            if name.endswith(".py"):
                status = os.stat(os.path.join(folder, name))
                yield f"{name} {status.st_size} {status.st_mtime_ns}\n"


def _stamp_of(name: str) -> str:
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        return f"{name} -\n"
    status = os.stat(spec.origin)
    return f"{spec.origin} {status.st_size} {status.st_mtime_ns}\n"


def content_digest(source: "Source") -> str:
    """The content of a source's file: its text as it stands, with what the bytes say beside it."""
    head = f"{source.encoding}\0{source.bom}\0".encode()
    return sha256(head + source.text.encode("utf-8", "surrogatepass")).hexdigest()


def key_of(*parts: str) -> str:
    """One key out of several texts, none of which can be taken for a part of another."""
    digest = sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(b"%d:" % len(data))
        digest.update(data)
    return digest.hexdigest()
