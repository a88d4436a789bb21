"""unterminated-string: a quotation mark opens a string that its line, or the text, does not end."""

import re
from collections.abc import Iterator

from auditor.compiling.diagnoses.lines import Token
from auditor.compiling.diagnoses.reading import Arguments, Found, Reading
from auditor.model import Edit

KIND = "unterminated-string"
_TAIL = re.compile(r"(?<![)\]},:;\s])[)\]},:;\s]*+$")
_PREFIX = re.compile(r"[A-Za-z]*")
MOST_TAILS = 5


def find_unterminated_string(reading: Reading) -> Found | None:
    """The string's beginning; the repair ends it, or gives a string with an apostrophe the other quotes."""
    scan = reading.scan
    at = next(
        (i for i, token in enumerate(scan.tokens) if token.kind == "open-string" and token.end >= reading.at), None
    )
    if at is None:
        return None
    token = scan.tokens[at]
    if scan.line_of(token.start) > reading.failure.end_line - 1 and token.start > reading.until:
        return None
    start = token.start + len(_PREFIX.match(token.text)[0])  # type: ignore[index]  # the pattern matches nothing, too
    quote = (
        reading.text[start : start + 3]
        if reading.text.startswith(reading.text[start] * 3, start)
        else reading.text[start]
    )
    arguments: Arguments = {"quote": quote}
    span = (token.start, token.end)
    apostrophe = _around_apostrophe(reading, at, quote)
    escaped = [[Edit(found, found + 1, "")] for found in _escaped_closers(reading.text, token, quote)]
    for edits in [*escaped, *apostrophe, *([Edit(end, end, quote)] for end in _ends(token, len(quote)))]:
        proven = reading.proven(KIND, span, arguments, edits, past=token.end)
        if proven is not None:
            return proven
    inside_word = start > 0 and reading.text[start - 1].isalpha() and start == token.start
    return None if inside_word else reading.found(KIND, *span, arguments)


def _escaped_closers(text: str, token: Token, quote: str) -> Iterator[int]:
    """The backslash that keeps a triple quote from ending the string."""
    if len(quote) != 3:
        return
    at = text.find("\\" + quote, token.start, token.end)
    if at >= 0:
        yield at


def _ends(token: Token, width: int) -> Iterator[int]:
    """Where the string may end: at the end of the line, or before closing marks that stand there."""
    tail = _TAIL.search(token.text, width)
    begin = len(token.text) if tail is None else tail.start()
    marks = [at for at in range(begin, len(token.text)) if not token.text[at].isspace()]
    for at in marks[:MOST_TAILS]:
        yield token.start + at
    yield token.start + len(token.text.rstrip())


def _around_apostrophe(reading: Reading, at: int, quote: str) -> list[list[Edit]]:
    """For `'I'm here'`: the other quotes around the whole."""
    if quote not in {"'", '"'}:
        return []
    tokens = reading.scan.tokens
    line = reading.scan.line_of(tokens[at].start)
    other = '"' if quote == "'" else "'"
    for index in range(at - 1, -1, -1):
        token = tokens[index]
        if reading.scan.line_of(token.start) != line:
            break
        glued = tokens[index + 1].start == token.end and tokens[index + 1].kind == "name"
        if token.kind == "string" and token.text.endswith(quote) and glued:
            begin = token.start + token.text.index(quote)
            close = tokens[at].start
            if other not in reading.text[begin:close]:
                return [[Edit(begin, begin + 1, other), Edit(close, close + 1, other)]]
    return []
