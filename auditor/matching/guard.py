"""What is refused before libcst sees it: texts on which its parser takes exponential time or overflows its stack."""

import re

from auditor.compiling.nesting import bracket_depth, may_be_deep

MAX_BRACKETS = 90
# Operators, attributes and calls in one logical line; libcst's parser and tree builder recurse over some of them.
MAX_CHAIN = 1500
MAX_CHARACTERS = 2_000_000
# libcst keeps two kilobytes and more of each statement, however short.
MAX_LINES = 60_000
# `case {1:{1:…` and `del ((f()))` double libcst's time with each level.
MAX_DOUBLING = 5
# Characters of a rule's pattern; a hundred times what the longest of a thousand rules has.
MAX_PATTERN = 20_000

_DOUBLING = re.compile(r"\b(?:case|del)\b")
_TOKEN = re.compile(
    r"""('''|\""")(?:[^\\]|\\.)*?\1|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|\#[^\n]*"""
    r"""|[()\[\]{},;]|\n|\\\n|\b(?:case|del)\b|[-+~.*/%@&|^<>=!]+|\b(?:not|lambda|await|if|else|and|or|in|is|for)\b""",
    re.DOTALL,
)


def refused(code: str) -> str | None:
    """Why a text is not handed to libcst, or None. Counted, so the same everywhere."""
    if len(code) > MAX_CHARACTERS or code.count("\n") > MAX_LINES:
        return "larger than the limit"
    if len(code) <= MAX_CHAIN and sum(map(code.count, "([{")) <= MAX_BRACKETS and not _DOUBLING.search(code):
        return None
    # What one item of a list holds makes the next one no deeper; but a lambda holds what stands behind its commas.
    opened: list[int] = []
    chain = lambdas = 0
    doubling = False
    for found in _TOKEN.finditer(code):
        token = found[0]
        first = token[0]
        if first in "([{":
            chain += 1
            opened.append(chain)
            if len(opened) > MAX_BRACKETS or (doubling and len(opened) > MAX_DOUBLING):
                return "nested too deeply"
        elif first in ")]}":
            chain = opened.pop() if opened else chain
        elif first in ",;":
            chain = opened[-1] if opened else 0
            doubling = doubling and first == ","
        elif first == "\n":
            if not opened:
                chain = lambdas = 0
                doubling = False
        elif first in "#'\"\\":
            continue
        elif token in {"case", "del"}:
            doubling = doubling or not opened
        else:
            lambdas += found[0] == "lambda"
            chain += 1 if first.isalpha() else len(token)
            if chain + lambdas > MAX_CHAIN:
                return "nested too deeply"
    return None


def refused_pattern(pattern: str) -> str | None:
    """Why a pattern, written as Python, is not handed to libcst, or None.

    No compiler goes before, which would stop at what is deep in an f-string, or down a line of clauses: all that could
    make a level is counted, wherever it stands.
    """
    if len(pattern) > MAX_PATTERN:
        return "larger than the limit"
    if bracket_depth(pattern) > MAX_BRACKETS or may_be_deep(pattern):
        return "nested too deeply"
    return refused(pattern)
