"""A second look that knows nothing of Markdown: every line that might open a Python fence, so that none is lost."""

import re
from collections.abc import Iterator

from auditor.extract.includes import FENCE_MARK, fence_on
from auditor.extract.info import parse_info

# Of a line that is longer than any info string, as much is looked at.
_LONGEST = 400

# Possessive, so that a line of blanks costs no more than its length.
_PREFIX = re.compile(r"[\s>]*+(?:(?:[-*+]|\d++[.)])\s++)*+[\s>]*+\Z")
_SPEAKS_OF_PYTHON = re.compile(r"[{}\s.#\w-]*?(?:py|doctest|test(?:code|setup|cleanup))", re.IGNORECASE)


def openers(text: str) -> Iterator[tuple[int, int, str]]:
    """Each line of the text (line ends are LF) that looks like the opener of a Python fence, or includes one.

    Yields the offset of the run, the offset of the line's end, and the info string.
    """
    for marks in ("```", "~~~", ":::"):
        at = text.find(marks)
        while at >= 0:
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
            info = text[at : min(end, at + _LONGEST)].lstrip(marks[0]).strip()
            if info and _is_python(info):
                line = text.rfind("\n", 0, at) + 1
                if _PREFIX.match(text, line, at) is not None:
                    yield at, end, info
            at = text.find(marks, end)
    at = text.find(FENCE_MARK)
    while at >= 0:
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        line = text.rfind("\n", 0, at) + 1
        if fence_on(text[at:end]) is not None and _PREFIX.match(text, line, at) is not None:
            yield at, end, ""
        at = text.find(FENCE_MARK, end)


def _is_python(info: str) -> bool:
    if _SPEAKS_OF_PYTHON.match(info) is None:
        return False
    said = parse_info(info.rstrip("`~: "))
    return bool(said.language or said.refused)
