"""repeated-argument: one name is given twice to a call, or stands twice in a parameter list."""

import re
from dataclasses import dataclass, field

from auditor.compiling.diagnoses.lines import Token
from auditor.compiling.diagnoses.reading import Arguments, Found, Reading
from auditor.model import Edit

KIND = "repeated-argument"

# Only code generation refuses it, so that the message is all that says that it was this.
_MESSAGE = re.compile(r"keyword argument repeated|duplicate (?:argument|parameter)")


@dataclass(slots=True)
class _Frame:
    """An open bracket: whether it holds a call's arguments or a definition's parameters, and the names so far."""

    takes: bool
    parameters: bool
    names: dict[str, int] = field(default_factory=dict)


def find_repeated_argument(reading: Reading) -> Found | None:
    """The second one; the repair takes it away where it says the same as the first."""
    scan = reading.scan
    index = reading.index
    if index is None or not _MESSAGE.search(reading.failure.message):
        return None
    for statement in scan.statements[index:]:
        tokens = scan.tokens_of(statement)
        pair = _repeated(tokens)
        if pair is None:
            continue
        first, second = pair
        name = tokens[second]
        arguments: Arguments = {
            "name": name.text,
            "first_line": reading.line_argument(scan.line_of(tokens[first].start)),
        }
        end = _argument_end(tokens, second)
        span = (name.start, tokens[end - 1].end)
        if _texts(tokens, first) == _texts(tokens, second):
            begin = tokens[second - 1].start if tokens[second - 1].text == "," else name.start
            proven = reading.proven(KIND, span, arguments, [Edit(begin, tokens[end - 1].end, "")])
            if proven is not None:
                return proven
        return reading.found(KIND, *span, arguments)
    return None


def _repeated(tokens: tuple[Token, ...]) -> tuple[int, int] | None:
    frames: list[_Frame] = []
    for at, token in enumerate(tokens):
        before = tokens[at - 1] if at else None
        if token.kind == "open":
            takes = token.text == "(" and before is not None and (before.kind in {"name", "close"})
            parameters = takes and at > 1 and tokens[at - 2].text == "def"
            frames.append(_Frame(takes, parameters))
        elif token.kind == "close" and frames:
            frames.pop()
        elif token.kind == "name" and frames and before is not None and frames[-1].takes:
            frame = frames[-1]
            follows = tokens[at + 1].text if at + 1 < len(tokens) else ""
            starts = before.text in {"(", ","} or (frame.parameters and before.text in {"*", "**"})
            if starts and (follows == "=" or frame.parameters):
                if token.text in frame.names:
                    return frame.names[token.text], at
                frame.names[token.text] = at
    return None


def _argument_end(tokens: tuple[Token, ...], at: int) -> int:
    """The index after the argument that starts at `at`."""
    depth = tokens[at].depth
    end = at + 1
    while end < len(tokens) and not (
        (tokens[end].text == "," and tokens[end].depth == depth)
        or (tokens[end].kind == "close" and tokens[end].depth < depth)
    ):
        end += 1
    return end


def _texts(tokens: tuple[Token, ...], at: int) -> list[str]:
    return [token.text for token in tokens[at : _argument_end(tokens, at)]]
