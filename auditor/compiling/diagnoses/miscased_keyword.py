"""miscased-keyword: a word of Python's is written with capitals, as `While` or `IF`."""

import keyword

from auditor.compiling.diagnoses.lines import Token
from auditor.compiling.diagnoses.reading import Found, Reading
from auditor.model import Edit

KIND = "miscased-keyword"


def find_miscased_keyword(reading: Reading) -> Found | None:
    """The first such word of the statement, where all of them in small letters are proven right."""
    statement, tokens = reading.statement, reading.tokens
    if statement is None:
        return None
    wrong = [token for token in tokens if _is_miscased(token)]
    # A sentence may begin with such a word, too: `Import error`, `Return value`.
    others = [token for token in tokens if token.kind in {"operator", "open"} or token.text in keyword.kwlist]
    if not wrong or not (others or len(wrong) > 1):
        return None
    edits = [Edit(token.start, token.end, token.text.lower()) for token in wrong]
    first = wrong[0]
    arguments = {"word": first.text, "meant": first.text.lower()}
    return reading.proven(KIND, (first.start, first.end), arguments, edits, past=statement.end - 1)


def _is_miscased(token: Token) -> bool:
    return token.kind == "name" and token.text not in keyword.kwlist and token.text.lower() in keyword.kwlist
