"""Whether code that nobody called Python is Python: on strong evidence only."""

import ast
import re
import warnings
from textwrap import dedent

_HALLMARK = re.compile(
    r"""^[ \t]*(?:
        (?:from[ ]+[\w.]+[ ]+import[ ]+[\w(*])
      | (?:import[ ]+[A-Za-z_][\w.]*(?:[ ]+as[ ]+\w+)?[ \t]*(?:,|\#|$))
      | (?:(?:async[ ]+)?def[ ]+\w+[ ]*\()
      | (?:class[ ]+\w+[ ]*(?:\([^()\n]*\))?[ ]*:[ \t]*(?:\#|$))
      | (?:>>>[ ]\S)
      | (?:(?:for[ ]+[\w, ]+[ ]in[ ]|while[ ]|if[ ]|with[ ]|elif[ ])[^\n{};]+:[ \t]*(?:\#|$))
      | (?:@\w[\w.]*(?:\([^\n]*\))?[ \t]*$)
    )""",
    re.MULTILINE | re.VERBOSE,
)
_WEAK = re.compile(
    r"^[ \t]*(?:\w[\w.]*(?:\[[^\]\n]*\])?[ ]*(?:[-+*/|&]?=)[ ]*[^=\s]|\w[\w.]*\(.*\)?[ \t]*$|return\b|raise\b)",
    re.MULTILINE,
)
_FOREIGN = re.compile(
    r"^[ \t]*(?:```|~~~|\$ |#include|<[a-zA-Z!/?]|\{%"
    r"|(?:const|let|var|function|package|public|sudo|pip|git|cd|npm) )",
    re.MULTILINE,
)

# Deeper brackets than people write are no evidence, and hard on the parser.
_MOST_BRACKETS = 60
_LARGEST = 200_000


def _parses(code: str) -> bool:
    if len(code) > _LARGEST:
        return False
    depth = deepest = 0
    for mark in re.findall(r"[()\[\]{}]", code):
        depth += 1 if mark in "([{" else -1
        deepest = max(deepest, depth)
    if deepest > _MOST_BRACKETS:
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return False
    return True


def surely_python(code: str) -> bool:
    """A line that only Python has, and all of it parses; a prompt session counts by its prompts."""
    if _HALLMARK.search(code) is None:
        return False
    if re.match(r"\s*>>> ", code):
        return True
    return _parses(code)


def looks_like_python(code: str) -> bool:
    """Weaker, for code that is audited on request: a line that only Python has, or plain statements that parse."""
    if _FOREIGN.search(code) is not None:
        return False
    return _HALLMARK.search(code) is not None or (_WEAK.search(code) is not None and _parses(dedent(code)))
