"""What is refused before libcst sees it: texts on which its parser takes exponential time or overflows its stack."""

import re

MAX_BRACKETS = 90
# Operators, attributes and calls in one logical line; libcst's parser and tree builder recurse over some of them.
MAX_CHAIN = 1500
MAX_CHARACTERS = 2_000_000
# `case {1:{1:…` and `del ((f()))` double libcst's time with each level.
MAX_DOUBLING = 5

_TOKEN = re.compile(
    r"""('''|\""")(?:[^\\]|\\.)*?\1|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|\#[^\n]*"""
    r"""|[()\[\]{}]|\n|\\\n|\b(?:case|del)\b|[-+~.*/%@&|^<>=!]+|\b(?:not|lambda|await|if|else|and|or|in|is|for)\b""",
    re.DOTALL,
)


def refused(code: str) -> str | None:
    """Why a text is not handed to libcst, or None. Counted, so the same everywhere."""
    if len(code) > MAX_CHARACTERS:
        return "larger than the limit"
    depth = chain = 0
    doubling = False
    for found in _TOKEN.finditer(code):
        token = found[0]
        first = token[0]
        if first in "([{":
            depth += 1
            chain += 1
            if depth > MAX_BRACKETS or (doubling and depth > MAX_DOUBLING):
                return "nested too deeply"
        elif first in ")]}":
            depth = max(depth - 1, 0)
        elif first == "\n":
            if depth == 0:
                chain = 0
                doubling = False
        elif first in "#'\"\\":
            continue
        elif token in {"case", "del"}:
            doubling = doubling or depth == 0
        else:
            chain += 1 if first.isalpha() else len(token)
            if chain > MAX_CHAIN:
                return "nested too deeply"
    return None
