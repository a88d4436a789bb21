"""Markdown's block structure with true positions: markdown-it's block rules, and a fence rule that forgets nothing."""

import re
from collections.abc import Callable

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block.html_block import html_block

from auditor.extract.events import Fence, Hidden, Included, Indented, Title
from auditor.extract.includes import fence_on
from auditor.extract.info import Info, parse_info
from auditor.extract.options import Flavour
from auditor.extract.page import RUN, Page, after_options, body_lines, find_closer, lines_within

# markdown-it's own limit of 20 hides a fence under ten list levels in silence; a list takes two levels.
MAX_NESTING = 200

Rule = Callable[[StateBlock, int, int, bool], bool]

_HIDDEN = re.compile(r"<!--+\s*auditor:\s*hidden\b")
_ATX = re.compile(r"#{1,6}(?=[ \t]|\Z)")
_SETEXT = re.compile(r"(=+|-+)[ \t]*\Z")


def _page(state: StateBlock) -> Page:
    if not isinstance(state, Page):
        raise TypeError("these rules read pages")
    return state


def fence(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A fence of backticks, tildes or (in MyST) colons, kept with its marks, info string and body lines."""
    page = _page(state)
    at = page.bMarks[start] + page.tShift[start]
    stop = page.eMarks[start]
    if at + 3 > stop or page.src[at] not in "`~:":
        return False
    found = RUN.match(page.src, at, stop)
    if found is None or page.is_code_block(start):
        return False
    run = found[1]
    if run[0] == ":" and page.flavour != "myst":
        return False
    raw_info = page.src[found.end() : stop].rstrip(" \t")
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
        page.meet(Fence(start, after, at, run, raw_info, info, closed, body))
    page.line = after
    return True


def included(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: ARG001 - a rule's signature
    """A directive that includes a file as a fence of its own, on one line."""
    page = _page(state)
    at = page.bMarks[start] + page.tShift[start]
    if page.src[at : at + 1] != "{" or page.is_code_block(start):
        return False
    reference = fence_on(page.src[at : page.eMarks[start]])
    if reference is None:
        return False
    if not silent:
        page.line = start + 1
        page.meet(Included(start, start + 1, at, reference))
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


def indented_code(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: ARG001 - a rule's signature
    """Code that stands four columns in: its lines, for the list of what was not audited."""
    page = _page(state)
    if not page.is_code_block(start):
        return False
    last = line = start + 1
    while line < end:
        if page.isEmpty(line):
            line += 1
        elif page.is_code_block(line):
            line += 1
            last = line
        else:
            break
    page.line = last
    page.meet(Indented(start, last, lines_within(page, start, last, page.blkIndent + 4)))
    return True


def html(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A block of HTML, which hides its fences; a comment that opts in is read as Markdown."""
    page = _page(state)
    at = page.bMarks[start] + page.tShift[start]
    if page.src[at : at + 1] != "<":
        return False
    comment = page.src.startswith("<!--", at)
    # Python-Markdown takes fences out before it looks at HTML, and MDX has tags that hold Markdown instead of HTML.
    if not comment and page.flavour in ("mkdocs", "mdx"):
        return False
    count = len(page.tokens)
    if not html_block(page, start, end, silent):
        return False
    if silent:
        return True
    del page.tokens[count:]
    after = page.line
    if comment and _HIDDEN.match(page.src, at):
        if page.src.find("-->", at, page.eMarks[start]) >= 0:
            page.hidden = True
        else:
            page.inside("comment", start + 1, max(start + 1, after - 1))
    elif comment and page.hidden and after > start + 2:
        page.inside("comment", start + 1, after - 1)
    else:
        page.meet(Hidden("comment" if comment else "html", start, after))
    page.line = after
    return True


def text(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: ARG001 - a rule's signature
    """A paragraph or a heading underlined by `===` or `---`: markdown-it's two rules in one pass over the lines."""
    page = _page(state)
    terminators = page.md.block.ruler.getRules("paragraph")
    parent = page.parentType
    page.parentType = "paragraph"
    may_end = page.terminators
    indents = page.flavour != "mdx"
    level = 0
    line = start + 1
    limit = page.lineMax
    while line < limit:
        at = page.bMarks[line] + page.tShift[line]
        if at >= page.eMarks[line]:
            break
        columns = page.sCount[line]
        first = page.src[at]
        if columns >= 0 and first in may_end:
            if columns - page.blkIndent > 3 and indents:
                # No indented code begins here, but Python-Markdown finds fences at any depth.
                if page.flavour == "mkdocs" and RUN.match(page.src, at, page.eMarks[line]):
                    page.lazy = line
                    break
                line += 1
                continue
            if first in "=-" and columns >= page.blkIndent:
                found = _SETEXT.match(page.src[at : page.eMarks[line]])
                if found is not None and line < end:
                    level = 1 if first == "=" else 2
                    break
            if any(rule(page, line, end, True) for rule in terminators):
                break
        line += 1
    page.parentType = parent
    if level:
        page.line = line + 1
        page.meet(Title(level, page.getLines(start, line, page.blkIndent, False).strip()))
    else:
        page.line = line
    return True


def plain_text(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A paragraph whose first character can begin nothing else: the short way for most of them."""
    page = _page(state)
    if page.src[page.bMarks[start] + page.tShift[start]] in page.terminators or page.is_code_block(start):
        return False
    return text(page, start, end, silent)


def heading(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: ARG001 - a rule's signature
    """A heading with number signs."""
    page = _page(state)
    at = page.bMarks[start] + page.tShift[start]
    if page.src[at : at + 1] != "#" or page.is_code_block(start):
        return False
    found = _ATX.match(page.src, at, page.eMarks[start])
    if found is None:
        return False
    if silent:
        return True
    page.line = start + 1
    words = page.src[found.end() : page.eMarks[start]].strip(" \t")
    shorn = words.rstrip("#")
    if shorn != words and (not shorn or shorn[-1] in " \t"):
        words = shorn.rstrip(" \t")
    page.meet(Title(len(found[0]), words))
    return True


def build(flavour: Flavour, extra: tuple[tuple[str, Rule, str], ...]) -> MarkdownIt:
    """A parser of blocks alone: `extra` holds the flavour's own rules as (name, rule, the rule to stand before)."""
    markdown = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING, "html": True})
    ruler = markdown.block.ruler
    texts = ["paragraph", "reference", "blockquote"]
    breaks = [*texts, "list"]
    ruler.at("code", indented_code)
    ruler.at("fence", fence, {"alt": breaks})
    ruler.at("html_block", html, {"alt": texts})
    ruler.at("heading", heading, {"alt": texts})
    ruler.at("paragraph", text)
    ruler.before("code", "plain", plain_text)
    ruler.before("plain", "included", included, {"alt": breaks})
    ruler.disable(["lheading", "reference"])
    if flavour == "mdx":
        ruler.disable("code")
    for name, rule, before in extra:
        ruler.before(before, name, rule, {"alt": breaks})
    return markdown
