"""Comments that belong to a statement: in its lines, behind it, or on the lines right above it."""

import re

from auditor.matching.hits import Hit
from auditor.matching.regexes import compile_regex
from auditor.matching.tree import Tree

_COMMENT = re.compile(r"""('''|\""")(?:[^\\]|\\.)*?\1|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|(\#[^\n]*)""", re.DOTALL)


def comments_of(tree: Tree, hit: Hit) -> list[tuple[int, str]]:
    """Offset and text of each comment that belongs to the statement that a hit lies in."""
    code = tree.code
    start = code.rfind("\n", 0, hit.start) + 1
    end = code.find("\n", hit.end)
    end = len(code) if end < 0 else end
    while start > 0:
        above = code.rfind("\n", 0, start - 1) + 1
        if not code[above : start - 1].lstrip().startswith("#"):
            break
        start = above
    return [(found.start(2), found[2]) for found in _COMMENT.finditer(code, start, end) if found[2]]


def comment_of(tree: Tree, hit: Hit, expression: str) -> bool:
    """Whether a regex is found in a comment that belongs to a hit."""
    wanted = compile_regex(expression)
    return any(wanted.search(text, timeout=0.5) for _, text in comments_of(tree, hit))
