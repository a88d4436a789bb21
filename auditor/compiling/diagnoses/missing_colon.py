"""missing-colon: a header without its colon, or a dictionary's key without one."""

from auditor.compiling.diagnoses.lines import COMPOUND, Statement, Token
from auditor.compiling.diagnoses.missing_comma import gaps
from auditor.compiling.diagnoses.reading import Found, Reading
from auditor.compiling.diagnoses.survey import is_attempt
from auditor.model import Edit

KIND = "missing-colon"


def find_missing_colon(reading: Reading) -> Found | None:
    """Where the colon goes: at the header's end, or behind the key."""
    return _after_header(reading) or _after_key(reading)


def _after_header(reading: Reading) -> Found | None:
    index = reading.index
    if index is None:
        return None
    statements = reading.scan.statements
    # The compiler may stop at the header or, where the rest reads as code, at the body under it.
    for at in (index, index - 1):
        if at < 0:
            continue
        statement = statements[at]
        if statement.is_header or statement.head not in COMPOUND:
            continue
        below = statements[at + 1] if at + 1 < len(statements) else None
        if below is not None and below.width <= statement.width:
            continue
        edits = [Edit(statement.end, statement.end, ":")]
        past = None
        if below is not None and below.line != statement.line:
            # Text may be set in below a word that is also a keyword: only code below makes it a header.
            past = below.start if _is_code(reading, below) else below.end
        proven = reading.proven(KIND, (statement.end, statement.end), {"header": statement.head}, edits, past)
        if proven is not None:
            return proven
    return None


def _is_code(reading: Reading, statement: Statement) -> bool:
    scan = reading.scan
    return scan.tokens[statement.first].kind == "string" or statement.is_header or is_attempt(scan, statement)


def _after_key(reading: Reading) -> Found | None:
    tokens = reading.tokens
    for at in gaps(tokens):
        key = tokens[at]
        if tokens[at + 1].end <= reading.at or at == 0 or not _opens_entry(tokens[at - 1]):
            continue
        if not _in_braces(tokens, at):
            continue
        edits = [Edit(key.end, key.end, ":")]
        proven = reading.proven(KIND, (key.end, key.end), {"header": key.text[:40]}, edits)
        if proven is not None:
            return proven
    return None


def _opens_entry(token: Token) -> bool:
    return token.text in {"{", ","}


def _in_braces(tokens: tuple[Token, ...], at: int) -> bool:
    """Whether the innermost open bracket is a brace."""
    depth = tokens[at].depth
    for token in reversed(tokens[:at]):
        if token.kind == "open" and token.depth == depth - 1:
            return token.text == "{"
    return False
