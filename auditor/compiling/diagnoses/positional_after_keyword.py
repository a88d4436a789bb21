"""positional-after-keyword: a call gives a value without a name after one with a name."""

from auditor.compiling.diagnoses.lines import Token
from auditor.compiling.diagnoses.reading import Found, Reading

KIND = "positional-after-keyword"
_MESSAGE = "positional argument follows keyword argument"


def find_positional_after_keyword(reading: Reading) -> Found | None:
    """The value that comes too late."""
    if not reading.failure.message.startswith(_MESSAGE):
        return None
    tokens = reading.tokens
    at = _late_value(tokens)
    if at is None:
        return None
    depth = tokens[at].depth
    end = at + 1
    while end < len(tokens) and not (
        tokens[end].depth < depth or (tokens[end].text == "," and tokens[end].depth == depth)
    ):
        end += 1
    return reading.found(KIND, tokens[at].start, tokens[end - 1].end, {"value": tokens[at].text.split("\n")[0][:40]})


def _late_value(tokens: tuple[Token, ...]) -> int | None:
    """The first argument without a name, or star, after one with a name in the same call."""
    named: list[bool] = []
    for at, token in enumerate(tokens):
        if token.kind == "close":
            if named:
                named.pop()
            continue
        before = tokens[at - 1] if at else None
        if (
            named
            and before is not None
            and before.text in {"(", ","}
            and before.depth == token.depth - (before.text == "(")
        ):
            equals = at + 1 < len(tokens) and tokens[at + 1].text == "="
            if equals:
                named[-1] = True
            elif named[-1] and token.text not in {"*", "**"}:
                return at
        if token.kind == "open":
            named.append(False)
    return None
