"""Tables of Python's own signs and words, as a chapter on operators shows them."""

import keyword
import re

_SIGNS = frozenset(
    {
        "+", "-", "*", "**", "/", "//", "%", "@", "<<", ">>", "&", "|", "^", "~", ":=", "<", ">", "<=", ">=", "==",
        "!=", "<>", "(", ")", "[", "]", "{", "}", ",", ":", "!", ".", ";", "=", "->", "...", "+=", "-=", "*=", "/=",
        "//=", "%=", "@=", "&=", "|=", "^=", ">>=", "<<=", "**=", "()", "[]", "{}", "$", "?", "`",
    }
)  # fmt: skip
_WORDS = frozenset((*keyword.kwlist, "case", "match", "type", "_"))
_COMMENT = re.compile(r"\s#.*")
_MEANING = re.compile(r"(?P<sign>\S+)[ \t]+(?:[:=–—-]+[ \t]*)?[^\W\d][^\W\d_]*(?:[ \t,'()/-]+[^\W\d][^\W\d_]*)*[.)]?")
# Fewer are no table, and of one sign alone a drawing.
_FEWEST, _FEWEST_KINDS = 3, 2


def is_sign_table(lines: list[str]) -> bool:
    """Whether every line lists signs and keywords, or tells what a sign means: `+ - *`, `is not`, `% remainder`."""
    found: list[str] = []
    for line in lines:
        bare = _COMMENT.sub("", line).strip()
        cells = [cell if cell in _SIGNS else cell.rstrip(",") for cell in bare.split()]
        if all(cell in _SIGNS or cell in _WORDS for cell in cells):
            found += cells
            continue
        meaning = _MEANING.fullmatch(bare)
        if meaning is None or meaning["sign"] not in _SIGNS:
            return False
        found.append(meaning["sign"])
    return len(found) >= _FEWEST and len(set(found)) >= _FEWEST_KINDS
