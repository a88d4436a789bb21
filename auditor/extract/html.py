"""Blocks of HTML, which hide the fences in them, by the seven ways that CommonMark begins and ends them."""

import re

from auditor.extract.events import Hidden
from auditor.extract.page import Page

_HIDDEN = re.compile(r"<!--+\s*auditor:\s*hidden\b")
_BLOCKS = (
    "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt"
    "|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu"
    "|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr"
    "|track|ul"
)
_VALUE = r"""(?:[^"'=<>`\x00-\x20]+|'[^']*'|"[^"]*")"""
_TAG = (
    rf"<[A-Za-z][A-Za-z0-9-]*(?:\s+[A-Za-z_:][A-Za-z0-9:._-]*(?:\s*=\s*{_VALUE})?)*\s*/?>|</[A-Za-z][A-Za-z0-9-]*\s*>"
)
# How a block begins, and what its last line holds: none but the blank line that ends it where this is `None`.
_KINDS: tuple[tuple[re.Pattern[str], re.Pattern[str] | None], ...] = tuple(
    (re.compile(begin, re.IGNORECASE), re.compile(last, re.IGNORECASE) if last is not None else None)
    for begin, last in (
        (r"<(?a:script|pre|style|textarea)(?=\s|>|\Z)", r"</(?a:script|pre|style|textarea)>"),
        (r"<!--", r"-->"),
        (r"<\?", r"\?>"),
        (r"<![A-Za-z]", r">"),
        (r"<!\[CDATA\[", r"\]\]>"),
        (rf"</?(?a:{_BLOCKS})(?=\s|/?>|\Z)", None),
    )
)
# Any other tag alone on its line; it ends no paragraph.
_LONE_TAG = re.compile(rf"(?:{_TAG})\s*\Z")


def html(page: Page, start: int, end: int, silent: bool) -> bool:
    """A block of HTML, which hides its fences; a comment that opts in is read as Markdown."""
    at = page.begins[start] + page.shifts[start]
    if page.text[at] != "<" or page.is_code(start):
        return False
    comment = page.text.startswith("<!--", at)
    # Python-Markdown takes fences out before it looks at HTML, and MDX has tags that hold Markdown instead of HTML.
    if not comment and page.flavour in ("mkdocs", "mdx"):
        return False
    first = page.text[at : page.ends[start]]
    last = next((last for begin, last in _KINDS if begin.match(first)), _LONE_TAG)
    if last is _LONE_TAG:
        if silent or not _LONE_TAG.match(first):
            return False
        last = None
    if silent:
        return True
    after = start + 1 if last is not None and last.search(first) else _behind(page, start + 1, end, last)
    if comment and _HIDDEN.match(page.text, at):
        if page.text.find("-->", at, page.ends[start]) >= 0:
            page.hidden = True
        else:
            page.inside("comment", start + 1, max(start + 1, after - 1))
    elif comment and page.hidden and after > start + 2:
        page.inside("comment", start + 1, after - 1)
    else:
        page.events.append(Hidden("comment" if comment else "html", start, after))
    page.line = after
    return True


def _behind(page: Page, line: int, end: int, last: re.Pattern[str] | None) -> int:
    """The line behind a block that is not closed before `line`."""
    while line < end:
        if page.is_empty(line):
            if last is None:
                return line
        elif page.columns[line] < page.margin:
            return line
        elif last is not None and last.search(page.text, page.begins[line] + page.shifts[line], page.ends[line]):
            return line + 1
        line += 1
    return end
