"""What a book calls itself: the first heading of the page that it opens with."""

import re
from collections.abc import Collection
from pathlib import Path

from auditor.extract.headings import plain
from auditor.reading import read_regular

# A longer opening page is read no further for its name.
_MOST, _LINES = 1 << 20, 200
_OPENINGS = ("readme.md", "index.md", "docs/index.md", "docs/readme.md")
# Characters of a line that may hold a book's name.
_LONGEST = 500
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}#[ \t]++(\S.*)")


def title_of(root: Path, paths: Collection[str]) -> str:
    """The book's name, empty where its opening page has none; `paths` are its pages, from `root` on.

    Only a page that the ledger holds is asked, so that a view depends on nothing but what the ledger is about.
    """
    found = {path.lower(): path for path in sorted(paths, reverse=True)}
    for opening in _OPENINGS:
        if opening in found:
            try:
                data = read_regular(root / found[opening], _MOST)
            except OSError:
                continue
            title = _first_heading(data.decode("utf-8-sig", "replace"))
            if title:
                return title
    return ""


def _first_heading(page: str) -> str:
    fence: str | None = None
    for line in page.replace("\r", "").split("\n")[:_LINES]:
        mark = _FENCE.match(line)
        if mark is not None and (fence is None or mark[1].startswith(fence)):
            fence = mark[1] if fence is None else None
        elif fence is None and len(line) <= _LONGEST:
            heading = _HEADING.fullmatch(line.rstrip())
            if heading is not None and plain(_without_closer(heading[1])):
                return plain(_without_closer(heading[1]))
    return ""


def _without_closer(heading: str) -> str:
    """A heading's text without the marks that may close it."""
    text = heading.rstrip("#")
    return text.rstrip() if text[-1:].isspace() else heading
