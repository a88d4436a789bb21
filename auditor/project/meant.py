"""Whether a page means another state of a definition than the known one: one yet to write, or one of the past."""

import re
from itertools import takewhile

from auditor.audited import BlockAudit
from auditor.project.pages import Page
from auditor.project.things import Origin
from auditor.structure.builtin_names import BUILTINS

# A comment that says that its line, or the lines below it, are meant to go wrong or no longer hold.
_WRONG = re.compile(
    r"#.*(?:\b(?:errors?|raises?|fails?|failed|wrong|invalid|illegal|broken|crash\w*|oops|not ok|not defined)\b"
    r"|[❌✗✘😱💥🚨⛔]|错|报错|失败)",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"#[\W_]*(?:before|old|older|previous(?:ly)?|deprecated|legacy|bad|don['’]?t|instead of|no longer|removed|v\d+\b)",
    re.IGNORECASE,
)
# Comments so many lines above are still about a line, where no blank line parts them.
_NEAR = 8
_NAMES_GIVEN = re.compile(r"\(\s*([^\W\d]\w*(?:\s*,\s*[^\W\d]\w*)*)\s*\)")
# Characters below a line in which its error may be told of.
_FAR = 500


def is_said_to_fail(line: str) -> bool:
    """Whether a line's own comment says that it goes wrong."""
    return "#" in line and _WRONG.search(line) is not None


def is_schematic(block: BlockAudit, page: Page, end: int) -> bool:
    """Whether the call behind an offset of a block's code is given nothing but names that nothing could define."""
    code = block.compilation.code
    given = _NAMES_GIVEN.match(code.text, end) if code is not None else None
    return given is not None and not any(
        name in BUILTINS or page.could_bind(name) for name in map(str.strip, given[1].split(","))
    )


def is_disowned(block: BlockAudit, offset: int) -> bool:
    """Whether comments say that what stands at an offset of a block's code is wrong or of the past."""
    code = block.compilation.code
    if code is None or "#" not in code.text:
        return False
    above = code.text[:offset].split("\n")[:-1]
    for line in reversed(above[-_NEAR:]):
        words = line.strip()
        if not words:
            break
        if words.startswith("#") and (_WRONG.search(words) or _PAST.search(words)):
            return True
    below = code.text[offset : offset + _FAR].split("\n")[1:]
    return any(_WRONG.search(line) for line in takewhile(_is_comment, below))


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith("#")


def means_another(block: BlockAudit, path: str, origin: Origin | None) -> bool:
    """Whether a block of the page at `path` speaks of another state of what is defined at `origin`.

    `origin` is `None` for a module as a whole. In an exercise only what the same section defines is what it uses; a
    page of changes speaks of files as they were.
    """
    told = block.told
    if origin is not None and origin.block is block:
        return False
    if told.wished:
        return True
    if origin is None or origin.path != path:
        return told.past or told.exercise
    return origin.block.told.fails or (told.exercise and origin.block.block.heading != block.block.heading)
