"""Which files of a run a page links to, by a path beside it or by an address of its own repository."""

import posixpath
import re
from collections.abc import Iterable
from functools import cached_property

# How the hosts of repositories address a file: what stands behind the revision is its path.
_ADDRESS = re.compile(
    r"https?://(?:[\w.-]+/[^/]+/[^/]+/(?:-/)?(?:blob|raw|tree|src)/|raw\.githubusercontent\.com/[^/]+/[^/]+/)"
    r"(?:refs/(?:heads|tags)/)?[^/]+/(?P<path>.+)"
)


class Shelved:
    """The Python files of a run, found by what links say of their place."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths = frozenset(paths)

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for path in sorted(self._paths):
            found.setdefault(posixpath.basename(path), []).append(path)
        return found

    def meant(self, target: str, page: str) -> str | None:
        """The file that a link on a page means; `None` where the run has none, or several that it may be.

        The audited folder may be a part of the repository that an address names, or hold it.
        """
        address = _ADDRESS.fullmatch(target)
        if address is None:
            path = posixpath.normpath(posixpath.join(posixpath.dirname(page), target))
            return path if path in self._paths else None
        wanted = address["path"]
        if wanted in self._paths:
            return wanted
        likely = [
            path
            for path in self._by_name.get(posixpath.basename(wanted), ())
            if path.endswith(f"/{wanted}") or ("/" in path and wanted.endswith(f"/{path}"))
        ]
        return likely[0] if len(likely) == 1 else None
