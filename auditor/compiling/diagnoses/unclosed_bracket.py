"""unclosed-bracket: an opening bracket that nothing closes."""

from collections.abc import Iterator

from auditor.compiling.diagnoses.lines import CLOSER
from auditor.compiling.diagnoses.reading import Arguments, Found, Reading
from auditor.model import Edit

KIND = "unclosed-bracket"
# Ends of lines at which the closer is tried.
MOST_PLACES = 8


def find_unclosed_bracket(reading: Reading) -> Found | None:
    """The opener; the repair closes it at the end of the first line where that is proven right."""
    scan = reading.scan
    if not scan.unclosed:
        return None
    index = scan.unclosed[0]
    opener = scan.tokens[index]
    if opener.start > reading.at and opener.start > reading.until:
        return None
    home = next(statement for statement in scan.statements if statement.first <= index < statement.last)
    together = [scan.tokens[other] for other in scan.unclosed if home.first <= other < home.last]
    closers = "".join(CLOSER[token.text] for token in reversed(together))
    arguments: Arguments = {
        "opener": opener.text,
        "closer": closers,
        "opener_line": reading.line_argument(scan.line_of(opener.start)),
    }
    span = (opener.start, opener.end)
    for place in _places(reading, together[-1].start, home.last):
        # Closed too early, the compiler stops at what was cut off: it must get past all that the bracket swallowed.
        proven = reading.proven(KIND, span, arguments, [Edit(place, place, closers)], past=home.end)
        if proven is not None:
            return proven
    return reading.found(KIND, *span, arguments)


def _places(reading: Reading, start: int, last: int) -> Iterator[int]:
    """Ends of lines from the innermost opener on: before a header's colon, behind the last token."""
    scan = reading.scan
    tokens = [token for token in scan.tokens[:last] if token.start >= start]
    lines = [scan.line_of(token.start) for token in tokens]
    count = 0
    for at, token in enumerate(tokens):
        if at + 1 < len(tokens) and lines[at + 1] == lines[at]:
            continue
        if token.text == ":" and at:
            yield tokens[at - 1].end
        yield token.end
        count += 1
        if count == MOST_PLACES:
            break
    if tokens:
        yield tokens[-1].end
