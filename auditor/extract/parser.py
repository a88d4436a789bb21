"""Markdown's block structure with true positions: the rules of CommonMark, and a fence rule that forgets nothing."""

import re
from collections.abc import Mapping, Sequence

from auditor.extract.containers import list_, quote
from auditor.extract.events import Fence, Indented, Title
from auditor.extract.html import html
from auditor.extract.info import Info, parse_info
from auditor.extract.page import RUN, Page, Rule, Rules, after_options, body_lines, find_closer, lines_within

_ATX = re.compile(r"#{1,6}(?=[ \t]|\Z)")
_SETEXT = re.compile(r"(?:=+|-+)[ \t]*\Z")
_BREAK = re.compile(r"([-*_])(?:[ \t]*\1){2,}[ \t]*\Z")


def fence(page: Page, start: int, end: int, silent: bool) -> bool:
    """A fence of backticks, tildes or (in MyST) colons, kept with its marks, info string and body lines."""
    at = page.begins[start] + page.shifts[start]
    stop = page.ends[start]
    found = RUN.match(page.text, at, stop)
    if found is None or page.is_code(start):
        return False
    run = found[1]
    if run[0] == ":" and page.flavour != "myst":
        return False
    raw_info = page.text[found.end() : stop].rstrip(" \t")
    if run[0] == "`" and "`" in raw_info:
        return False
    if silent:
        return True
    closer, closed = find_closer(page, start + 1, end, run)
    info = parse_info(raw_info)
    after = closer + 1 if closed else closer
    if page.flavour == "myst" and holds_markdown(info, run):
        page.inside("directive", after_options(page, start + 1, closer), closer)
    else:
        body = body_lines(page, start, closer)
        page.events.append(Fence(start, after, at, run, raw_info, info, closed, body))
    page.line = after
    return True


# Directives whose body is not Markdown: formulas, pictures, tables of data, raw text.
VERBATIM_DIRECTIVES = frozenset(
    {
        *("math", "mermaid", "graphviz", "plantuml", "raw", "parsed-literal", "prompt", "productionlist", "eval-rst"),
        *("csv-table", "bibliography", "literalinclude", "include", "image", "figure-md", "highlight", "glossary"),
        *("toctree", "tableofcontents", "contents", "index", "automodule", "autoclass", "autofunction"),
        *("code", "code-block", "sourcecode", "code-cell"),
    }
)


def holds_markdown(info: Info, run: str) -> bool:
    """Whether a MyST directive's body is Markdown, in which fences may stand."""
    if info.language or info.refused:
        return False
    if info.directive is None:
        return run[0] == ":"
    return info.directive not in VERBATIM_DIRECTIVES


def indented_code(page: Page, start: int, end: int, silent: bool) -> bool:  # noqa: ARG001 - a rule's signature
    """Code that stands four columns in: its lines, for the list of what was not audited."""
    if not page.is_code(start):
        return False
    last = line = start + 1
    while line < end:
        if page.is_empty(line):
            line += 1
        elif page.is_code(line):
            line += 1
            last = line
        else:
            break
    page.line = last
    page.events.append(Indented(start, last, lines_within(page, start, last, page.margin + 4)))
    return True


def thematic_break(page: Page, start: int, end: int, silent: bool) -> bool:  # noqa: ARG001 - a rule's signature
    """A line of three or more hyphens, stars or underscores."""
    at = page.begins[start] + page.shifts[start]
    if page.is_code(start) or _BREAK.match(page.text, at, page.ends[start]) is None:
        return False
    if not silent:
        page.line = start + 1
    return True


def heading(page: Page, start: int, end: int, silent: bool) -> bool:  # noqa: ARG001 - a rule's signature
    """A heading with number signs."""
    found = _ATX.match(page.text, page.begins[start] + page.shifts[start], page.ends[start])
    if found is None or page.is_code(start):
        return False
    if silent:
        return True
    page.line = start + 1
    words = page.text[found.end() : page.ends[start]].strip(" \t")
    shorn = words.rstrip("#")
    if shorn != words and (not shorn or shorn[-1] in " \t"):
        words = shorn.rstrip(" \t")
    page.events.append(Title(len(found[0]), words))
    return True


def paragraph(page: Page, start: int, end: int, silent: bool) -> bool:  # noqa: ARG001 - a rule's signature
    """A paragraph or a heading underlined by `===` or `---`."""
    text, begins, shifts, ends = page.text, page.begins, page.shifts, page.ends
    interrupting = page.rules.interrupting
    page.in_paragraph = True
    level = 0
    line = start + 1
    while line < page.end:
        at = begins[line] + shifts[line]
        if at >= ends[line]:
            break
        first = text[at]
        rules = interrupting.get(first)
        if rules is not None and (columns := page.columns[line]) >= 0:
            if columns - page.margin > 3 and page.flavour != "mdx":
                # No indented code begins here, but Python-Markdown finds fences at any depth.
                if page.flavour == "mkdocs" and RUN.match(text, at, ends[line]):
                    page.lazy = line
                    break
            elif first in "=-" and columns >= page.margin and line < end and _SETEXT.match(text, at, ends[line]):
                level = 1 if first == "=" else 2
                break
            elif any(rule(page, line, end, True) for rule in rules):
                break
        line += 1
    page.in_paragraph = False
    page.line = line + 1 if level else line
    if level:
        page.events.append(Title(level, _words(page, start, line)))
    return True


def _words(page: Page, start: int, end: int) -> str:
    """The text of some lines as it stands in its container."""
    lines = lines_within(page, start, end, page.margin)
    parts = (" " * pad + page.text[page.raw[line] + column : page.ends[line]] for line, column, pad in lines)
    return "\n".join(parts).strip()


# Each rule that a character tells of, with these characters; a line of any other begins a paragraph or indented code.
_BREAKS: Mapping[Rule, str] = {fence: "`~:", quote: ">", thematic_break: "*-_"}
_OTHERS: Mapping[Rule, str] = {list_: "*-+0123456789", html: "<", heading: "#"}


def build(own: Mapping[Rule, str], *, indents: bool = True) -> Rules:
    """The rules of a flavour, with those of its own and the characters that these begin with."""
    breaks = {**own, **_BREAKS}
    told = {**breaks, **_OTHERS}
    starting = _by_character(told)
    return Rules(
        every=(*([indented_code] if indents else []), *told, paragraph),
        plain=(paragraph,),
        starting={character: (*rules, paragraph) for character, rules in starting.items()},
        # A line of these makes a heading of the paragraph above.
        interrupting=dict[str, Sequence[Rule]].fromkeys("=-", ()) | starting,
        between_items=_by_character(breaks),
    )


def _by_character(told: Mapping[Rule, str]) -> dict[str, Sequence[Rule]]:
    return {
        character: tuple(rule for rule, characters in told.items() if character in characters)
        for character in "".join(told.values())
    }
