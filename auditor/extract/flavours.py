"""What MkDocs, MyST and MDX add to CommonMark's blocks, each as rules over lines, with true positions."""

import re
from collections.abc import Mapping
from functools import cache

from auditor.extract.events import Hidden
from auditor.extract.options import Flavour
from auditor.extract.page import Page, Rule, Rules
from auditor.extract.parser import build

# Openers of MkDocs' blocks, whose bodies stand four columns in, and the container that each makes.
MKDOCS_BLOCKS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"!!!\+?[ ]?\S"), "admonition"),
    (re.compile(r"\?\?\?\+?[ ]?\S"), "admonition"),
    (re.compile(r"===[!+]{0,2}[ ]+[\"']"), "tab"),
    (re.compile(r"\[\^[^\]\s]+\]:"), "footnote"),
    (re.compile(r":[ ]{1,3}\S"), "definition"),
)


def mkdocs_block(page: Page, start: int, end: int, silent: bool) -> bool:
    """An admonition, a collapsible one, a tab, a footnote or a definition: all lines that stand four columns in."""
    if page.is_code(start):
        return False
    at = page.begins[start] + page.shifts[start]
    name = next((name for opener, name in MKDOCS_BLOCKS if opener.match(page.text, at, page.ends[start])), None)
    if name is None:
        return False
    if silent:
        return True
    margin = page.columns[start] + 4
    after = start + 1
    while after < end and (page.is_empty(after) or page.columns[after] >= margin):
        after += 1
    page.inside(name, start + 1, after, deeper=margin - page.margin)
    return True


_MODULE_LINE = re.compile(r"(?:import|export)[ {*]")


def mdx_module(page: Page, start: int, end: int, silent: bool) -> bool:
    """Lines of JavaScript at the page's outermost level, up to a blank line."""
    if silent or page.depth or page.columns[start]:
        return False
    at = page.begins[start]
    if _MODULE_LINE.match(page.text, at, page.ends[start]) is None:
        return False
    after = start + 1
    while after < end and not page.is_empty(after):
        after += 1
    page.events.append(Hidden("javascript", start, after))
    page.line = after
    return True


def mdx_comment(page: Page, start: int, end: int, silent: bool) -> bool:
    """A comment of MDX, braces and all."""
    at = page.begins[start] + page.shifts[start]
    if not page.text.startswith("{/*", at):
        return False
    if silent:
        return True
    stop = page.text.find("*/", at + 3)
    after = start + 1
    while after < end and stop >= 0 and page.ends[after - 1] < stop:
        after += 1
    page.events.append(Hidden("comment", start, after))
    page.line = after
    return True


# The rules of each flavour's own, and the characters that they begin with.
OWN_RULES: Mapping[Flavour, Mapping[Rule, str]] = {
    "commonmark": {},
    "mkdocs": {mkdocs_block: "!?=[:"},
    "myst": {},
    "mdx": {mdx_module: "ie", mdx_comment: "{"},
}


@cache
def rules_for(flavour: Flavour) -> Rules:
    """The rules of a flavour; they hold no state between pages."""
    return build(OWN_RULES[flavour], indents=flavour != "mdx")
