"""Patterns over text that is no Python (`language: generic`), as regexes."""

import re
from functools import lru_cache

_TOKEN = re.compile(r"\$\.\.\.[A-Z_][A-Z_0-9]*|\$[A-Z_][A-Z_0-9]*|\.\.\.|\w+|\s+|.", re.DOTALL)


@lru_cache(maxsize=1000)
def generic_regex(pattern: str) -> str:
    """A regex for a generic pattern: words and marks with any blanks between them, `$X` a word, `...` anything."""
    parts: list[str] = []
    tokens = [token for token in _TOKEN.findall(pattern.strip()) if not token.isspace()]
    for number, token in enumerate(tokens):
        if token.startswith(("...", "$...")):
            # What ends a pattern reaches as far as it can and need not be looked for.
            parts.append("" if number == len(tokens) - 1 else r"(?:.|\n){0,2000}?")
        elif token.startswith("$"):
            parts.append(r"\w+")
        elif token[0].isalnum() or token[0] == "_":
            parts.append(rf"\b{re.escape(token)}\b")
        else:
            parts.append(re.escape(token))
    return r"\s*".join(parts)
