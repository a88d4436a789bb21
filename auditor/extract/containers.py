"""Quotes and lists: what holds other blocks, as CommonMark has them."""

import re

from auditor.extract.page import Page

_MARKER = re.compile(r"(?:[-*+]|(?P<number>[0-9]{1,9})[.)])(?=[ \t]|\Z)")
# A list and its item are two of the levels that may stand in each other.
_LEVELS = 2


def quote(page: Page, start: int, end: int, silent: bool) -> bool:
    """Lines behind `>`, and those without it that go on with a paragraph."""
    if page.text[page.begins[start] + page.shifts[start]] != ">" or page.is_code(start):
        return False
    if silent:
        return True
    kept: list[tuple[int, int, int, int]] = []
    limit = page.end
    empty = False
    line = start
    while line < end and not page.is_empty(line):
        at = page.begins[line] + page.shifts[line]
        before = (page.begins[line], page.shifts[line], page.columns[line], page.eaten[line])
        if page.text[at] == ">" and page.columns[line] >= page.margin:
            _step_behind(page, line, at + 1)
            empty = page.is_empty(line)
        elif empty:
            break
        elif page.is_interrupted(line, end, page.rules.interrupting):
            page.end = line  # what ends the quote ends its paragraphs, too
            if page.margin:
                kept.append(before)
                page.columns[line] -= page.margin
            break
        else:
            page.columns[line] = -1
        kept.append(before)
        line += 1
    margin, page.margin = page.margin, 0
    page.enter("quote")
    page.read(start, line)
    page.leave()
    page.margin, page.end = margin, limit
    for number, before in enumerate(kept, start):
        page.begins[number], page.shifts[number], page.columns[number], page.eaten[number] = before
    return True


def _step_behind(page: Page, line: int, at: int) -> None:
    """Let a line begin behind its `>` and the blank that may follow; of a tab there the rest is still a blank."""
    column = page.columns[line] + 1
    eaten, ends_tab = page.eaten[line], False
    blank = page.text[at] in " \t"
    if blank:
        ends_tab = page.text[at] == "\t" and (eaten + column) % 4 != 3
        if not ends_tab:
            at += 1
            column += 1
    page.begins[line] = at
    page.eaten[line] = page.columns[line] + 1 + blank
    behind, width = _behind_blanks(page, line, at, column, eaten + ends_tab)
    page.shifts[line] = behind - at
    page.columns[line] = width - column


def _behind_blanks(page: Page, line: int, at: int, column: int, eaten: int) -> tuple[int, int]:
    """The first offset from `at` on that is no blank, and its column, where `at` stands at a column."""
    while at < page.ends[line] and (mark := page.text[at]) in " \t":
        column += 4 - (column + eaten) % 4 if mark == "\t" else 1
        at += 1
    return at, column


def list_(page: Page, start: int, end: int, silent: bool) -> bool:
    """The items of one list, numbered or not."""
    if page.is_code(start) or 0 <= page.list_margin <= page.columns[start] - 4 < page.margin - 4:
        return False
    found = _marker(page, start)
    if found is None:
        return False
    if silent:
        # Only a number one and an item with words in it end a paragraph.
        alone = page.in_paragraph and page.columns[start] >= page.margin
        return not alone or (
            int(found["number"] or 1) == 1 and bool(page.text[found.end() : page.ends[start]].strip(" \t"))
        )
    mark = found[0][-1]
    line = start
    while found is not None and found[0][-1] == mark:
        line = _item(page, line, end, found)
        if (
            line >= end
            or page.columns[line] < page.margin
            or page.is_code(line)
            or page.is_interrupted(line, end, page.rules.between_items)
        ):
            break
        found = _marker(page, line)
    return True


def _marker(page: Page, line: int) -> re.Match[str] | None:
    return _MARKER.match(page.text, page.begins[line] + page.shifts[line], page.ends[line])


def _item(page: Page, line: int, end: int, marker: re.Match[str]) -> int:
    """Read one item; the line behind it."""
    kept = page.shifts[line], page.columns[line], page.list_margin, page.margin
    column = page.columns[line] + len(marker[0])
    at, width = _behind_blanks(page, line, marker.end(), column, page.eaten[line])
    empty = at >= page.ends[line]
    ends_here = empty and page.is_empty(line + 1)
    # More than four blanks: one is the marker's, and the others begin indented code.
    gap = 1 if empty or width - column > 4 else width - column
    page.shifts[line], page.columns[line] = at - page.begins[line], width
    page.list_margin, page.margin = page.margin, column + gap
    page.enter("list", _LEVELS)
    if ends_here:
        page.line = min(line + 2, end)
    else:
        page.read(line, end)
    page.leave(_LEVELS)
    page.shifts[line], page.columns[line], page.list_margin, page.margin = kept
    return page.line
