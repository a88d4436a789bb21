"""missing-operator: two values stand side by side where no comma belongs: a sign was lost between them."""

from auditor.compiling.diagnoses.lines import Token
from auditor.compiling.diagnoses.missing_comma import begins_value, ends_value, is_joined, is_run_of_words
from auditor.compiling.diagnoses.reading import Found, Reading
from auditor.compiling.diagnoses.shell import is_command
from auditor.model import Edit

KIND = "missing-operator"
MOST_PLACES = 6


def find_missing_operator(reading: Reading) -> Found | None:
    """The gap, where some sign in it is proven right; no repair, since which sign is the author's to say."""
    dot = _lost_dot(reading)
    if dot is not None:
        return dot
    tokens = reading.tokens
    if is_command(reading.scan.line_text(min(reading.failure.line, len(reading.scan.line_starts)) - 1)):
        return None
    if not any(token.text == "=" and token.depth == 0 for token in tokens) and (
        not tokens or tokens[0].text != "return"
    ):
        return None
    places = [
        at
        for at in range(1, len(tokens) - 1)
        if _is_gap(tokens[at], tokens[at + 1]) and tokens[at + 1].end > reading.at
    ]
    equals = next((at for at, token in enumerate(tokens) if token.text == "=" and token.depth == 0), 0)
    for at in places[:MOST_PLACES]:
        if at < equals or is_run_of_words(tokens, at):
            continue
        left, right = tokens[at], tokens[at + 1]
        proof = reading.proof([Edit(left.end, left.end, " +")])
        if proof is not None:
            arguments = {"left": left.text[:40], "right": right.text[:40]}
            return reading.found(KIND, left.end, left.end, arguments, proof=proof)
    return None


def _lost_dot(reading: Reading) -> Found | None:
    """A call right behind a value, as in `load(path)resize(size)`, where a dot is proven right."""
    tokens = reading.tokens
    for left, right, after in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if (left.kind, right.kind, after.text) != ("close", "name", "(") or right.end <= reading.at:
            continue
        if left.end != right.start or right.end != after.start:
            continue
        proof = reading.proof([Edit(left.end, left.end, ".")])
        if proof is not None:
            arguments = {"left": left.text, "right": right.text[:40]}
            return reading.found(KIND, left.end, left.end, arguments, proof=proof)
    return None


def _is_gap(left: Token, right: Token) -> bool:
    """Two values on one line with blanks between them."""
    return (
        left.depth == right.depth
        and left.end < right.start
        and ends_value(left)
        and (begins_value(right) or right.text == "(")
        and not is_joined(left, right)
    )
