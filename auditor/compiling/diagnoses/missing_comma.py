"""missing-comma: two values stand side by side inside brackets."""

import keyword
from collections.abc import Iterator, Sequence

from auditor.compiling.diagnoses.lines import Token
from auditor.compiling.diagnoses.reading import Found, Reading
from auditor.model import Edit

KIND = "missing-comma"
# So many places are tried in one statement; a list that lacks more commas than that was printed, not written.
MOST_PLACES = 6

_CONSTANTS = frozenset({"None", "True", "False"})
_OPENS_A_VALUE = _CONSTANTS | {"not", "lambda", "await"}


def find_missing_comma(reading: Reading) -> Found | None:
    """Where the comma goes: behind the left one of the two values."""
    tokens = reading.tokens
    places = [at for at in gaps(tokens) if _reach(tokens, at) > reading.at]
    for at in places[:MOST_PLACES]:
        left, right = tokens[at], tokens[at + 1]
        if is_run_of_words(tokens, at) or _is_bare_row(tokens, at):
            continue
        between = reading.text[left.end : right.start]
        if right.kind == "number" and len(between) > 1 and "\n" not in between:
            continue  # a sign between blanks was lost: a comma has none before it
        arguments = {"left": _shown(left), "right": _shown(right)}
        edits = [Edit(left.end, left.end, ",")]
        proven = reading.proven(KIND, (left.end, left.end), arguments, edits)
        if proven is not None:
            return proven
    return None


def _reach(tokens: Sequence[Token], at: int) -> int:
    """The end of what the compiler must read to miss the comma: between strings the colon behind the second."""
    behind = at + 2 if is_joined(tokens[at], tokens[at + 1]) else at + 1
    return tokens[behind].end


def gaps(tokens: Sequence[Token]) -> Iterator[int]:
    """Indices of values inside brackets that another value follows without anything between."""
    for at in range(len(tokens) - 1):
        left, right = tokens[at], tokens[at + 1]
        if left.depth != right.depth or not left.depth or not ends_value(left) or not begins_value(right):
            continue
        follows = tokens[at + 2].text if at + 2 < len(tokens) else ""
        if not is_joined(left, right) or (right.kind == "string" and follows == ":" and _holds_value(tokens, at)):
            yield at


def _holds_value(tokens: Sequence[Token], at: int) -> bool:
    """Whether the left one is an entry's value, so that the string behind it, with its colon, is the next key."""
    return at > 0 and tokens[at - 1].text == ":"


def ends_value(token: Token) -> bool:
    """Whether a value can end with the token."""
    if token.kind == "name":
        return not keyword.iskeyword(token.text) or token.text in _CONSTANTS
    return token.kind in {"number", "string", "close"} or token.text == "..."


def begins_value(token: Token) -> bool:
    """Whether a value can begin with the token and nothing else can."""
    if token.kind == "name":
        return not keyword.iskeyword(token.text) or token.text in _OPENS_A_VALUE
    if token.kind == "open":
        return token.text == "{"
    return token.kind in {"number", "string"}


def is_joined(left: Token, right: Token) -> bool:
    """Whether the two may be meant as one: strings side by side, a brace right behind a name."""
    return left.kind == right.kind == "string" or (left.end == right.start and right.kind == "open")


def is_run_of_words(tokens: Sequence[Token], at: int) -> bool:
    """Whether the two are part of three words in a row on one line, which is prose."""
    run = 0
    for token in tokens[max(at - 1, 0) : at + 3]:
        run = run + 1 if token.kind == "name" else 0
        if run == 3:
            return True
    return False


def _is_bare_row(tokens: Sequence[Token], at: int) -> bool:
    """Whether the two stand in brackets that hold no comma and name no call: an array or a tree as it is printed."""
    depth = tokens[at].depth
    opener = next((i for i in range(at, -1, -1) if tokens[i].kind == "open" and tokens[i].depth == depth - 1), None)
    if opener is None:
        return True
    before = tokens[opener - 1] if opener else None
    is_call = before is not None and before.kind in {"name", "close"} and before.end == tokens[opener].start
    if before is not None and (is_call or before.text in {"=", "return", "in"}):
        after = next((i for i in range(at + 1, len(tokens)) if tokens[i].depth < depth), len(tokens) - 1)
        grouped = tokens[opener].text == "(" and before.kind == "operator" and after + 1 < len(tokens)
        return grouped and tokens[after + 1].kind == "operator"
    for token in tokens[opener + 1 :]:
        if token.depth < depth:
            break
        if token.text in {",", ":"} and token.depth == depth:
            return False
    return True


def _shown(token: Token) -> str:
    return token.text if len(token.text) <= 40 else token.text[:39] + "…"
