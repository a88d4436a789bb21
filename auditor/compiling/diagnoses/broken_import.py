"""broken-import: an import that lacks the word `import`, or ends in a comma, or names two things as one."""

from itertools import pairwise

from auditor.compiling.diagnoses.lines import Token
from auditor.compiling.diagnoses.reading import Found, Reading
from auditor.model import Edit

KIND = "broken-import"


def find_broken_import(reading: Reading) -> Found | None:
    """The place in the import at which the compiler stopped; a repair for a lost word and for a last comma."""
    statement, tokens = reading.statement, reading.tokens
    if statement is None or statement.head not in {"from", "import"} or len(tokens) < 2:
        return None
    if not statement.start < reading.at <= statement.end:
        return None
    for place, edit in _repairs(statement.head, tokens):
        proven = reading.proven(KIND, place, {"head": statement.head}, [edit])
        if proven is not None:
            return proven
    return reading.found(KIND, reading.at, max(reading.until, reading.at), {"head": statement.head})


def _repairs(head: str, tokens: tuple[Token, ...]) -> list[tuple[tuple[int, int], Edit]]:
    repairs = []
    last = tokens[-1]
    if last.text == ",":
        repairs.append(((last.start, last.end), Edit(last.start, last.end, "")))
    words = {token.text for token in tokens}
    if head == "from" and "import" not in words:
        for left, right in pairwise(tokens[1:]):
            if left.kind == right.kind == "name":
                repairs.append(((right.start, right.end), Edit(right.start, right.start, "import ")))
                break
    return repairs
