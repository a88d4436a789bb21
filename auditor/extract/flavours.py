"""What MkDocs, MyST and MDX add to CommonMark's blocks, each as rules over lines, with true positions."""

import re
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock

from auditor.extract.events import Hidden
from auditor.extract.options import Flavour
from auditor.extract.page import Page
from auditor.extract.parser import Rule, build

# Openers of MkDocs' blocks, whose bodies stand four columns in, and the container that each makes.
MKDOCS_BLOCKS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"!!!\+?[ ]?\S"), "admonition"),
    (re.compile(r"\?\?\?\+?[ ]?\S"), "admonition"),
    (re.compile(r"===[!+]{0,2}[ ]+[\"']"), "tab"),
    (re.compile(r"\[\^[^\]\s]+\]:"), "footnote"),
    (re.compile(r":[ ]{1,3}\S"), "definition"),
)


def mkdocs_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """An admonition, a collapsible one, a tab, a footnote or a definition: all lines that stand four columns in."""
    if not isinstance(state, Page) or state.is_code_block(start):
        return False
    at = state.bMarks[start] + state.tShift[start]
    if state.src[at : at + 1] not in tuple("!?=[:"):
        return False
    name = next((name for opener, name in MKDOCS_BLOCKS if opener.match(state.src, at, state.eMarks[start])), None)
    if name is None:
        return False
    if silent:
        return True
    margin = state.sCount[start] + 4
    after = start + 1
    while after < end and (state.isEmpty(after) or state.sCount[after] >= margin):
        after += 1
    state.inside(name, start + 1, after, deeper=margin - state.blkIndent)
    return True


_MODULE_LINE = re.compile(r"(?:import|export)[ {*]")


def mdx_module(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Lines of JavaScript at the page's outermost level, up to a blank line."""
    if not isinstance(state, Page) or silent or state.level or state.sCount[start]:
        return False
    at = state.bMarks[start]
    if _MODULE_LINE.match(state.src, at, state.eMarks[start]) is None:
        return False
    after = start + 1
    while after < end and not state.isEmpty(after):
        after += 1
    state.meet(Hidden("javascript", start, after))
    state.line = after
    return True


def mdx_comment(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A comment of MDX, braces and all."""
    if not isinstance(state, Page):
        return False
    at = state.bMarks[start] + state.tShift[start]
    if not state.src.startswith("{/*", at):
        return False
    if silent:
        return True
    stop = state.src.find("*/", at + 3)
    after = start + 1
    while after < end and stop >= 0 and state.eMarks[after - 1] < stop:
        after += 1
    state.meet(Hidden("comment", start, after))
    state.line = after
    return True


FLAVOUR_RULES: dict[Flavour, tuple[tuple[str, Rule, str], ...]] = {
    "commonmark": (),
    "mkdocs": (("mkdocs_block", mkdocs_block, "fence"),),
    "myst": (),
    "mdx": (("mdx_comment", mdx_comment, "fence"), ("mdx_module", mdx_module, "plain")),
}


@cache
def parser_for(flavour: Flavour) -> MarkdownIt:
    """The parser of a flavour; it holds no state between pages."""
    return build(flavour, FLAVOUR_RULES[flavour])
