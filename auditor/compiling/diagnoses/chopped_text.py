"""chopped-text: the first letters of a line were lost in copying (`mport torch`, `ef f():`)."""

from auditor.compiling.diagnoses.reading import Found, Reading
from auditor.model import Edit

KIND = "chopped-text"
MOST_LOST = 2
_WORDS = (
    "import", "from", "def", "class", "return", "for", "while", "with", "if", "elif", "else", "try", "except",
    "finally", "async", "await", "assert", "raise", "yield", "del", "global", "nonlocal",
)  # fmt: skip


def find_chopped_text(reading: Reading) -> Found | None:
    """The word that lost its beginning, where giving it back is proven right."""
    index = reading.index
    if index is None:
        return None
    for at in (index, index - 1):
        if at < 0:
            continue
        statement = reading.scan.statements[at]
        rest = reading.scan.tokens[statement.first]
        if rest.kind != "name":
            continue
        for word in _WORDS:
            lost = len(word) - len(rest.text)
            if not (0 < lost <= MOST_LOST and word.endswith(rest.text)):
                continue
            arguments = {"found": rest.text, "word": word, "lost": word[:lost]}
            edits = [Edit(rest.start, rest.start, word[:lost])]
            proven = reading.proven(KIND, (rest.start, rest.end), arguments, edits, past=statement.end)
            if proven is not None:
                return proven
    return None
