"""A second look that knows nothing of Markdown: every line that might open a Python fence, so that none is lost."""

import re
from collections.abc import Iterator

from auditor.extract.info import parse_info

_RUN = re.compile(r"`{3,}|~{3,}|:{3,}")
# Possessive, so that a line of blanks costs no more than its length.
_PREFIX = re.compile(r"[\s>]*+(?:(?:[-*+]|\d++[.)])\s++)*+[\s>]*+\Z")
_SPEAKS_OF_PYTHON = re.compile(r"[{}\s.#\w-]*?(?:py|doctest|test(?:code|setup|cleanup))", re.IGNORECASE)


def openers(text: str) -> Iterator[tuple[int, int, str]]:
    """Each line of the text (line ends are LF) that looks like the opener of a Python fence.

    Yields the offset of the run, the offset of the line's end, and the info string.
    """
    reached = 0
    for found in _RUN.finditer(text):
        start = found.start()
        if start < reached:
            continue
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        reached = end
        info = text[found.end() : min(end, found.end() + 400)].strip()
        if not info or _SPEAKS_OF_PYTHON.match(info) is None:
            continue
        line = text.rfind("\n", 0, start) + 1
        if _PREFIX.match(text, line, start) is None:
            continue
        said = parse_info(info.rstrip("`~: ") if info[-1] in "`~:" else info)
        if said.language or said.refused:
            yield start, end, info
