"""split-name: a blank stands inside the name that a value is given to."""

import keyword

from auditor.compiling.diagnoses.reading import Found, Reading
from auditor.model import Edit

KIND = "split-name"
# Words by which a shell sets a variable: `export KEY="…"` is no name of two parts.
_SETS = frozenset({"alias", "declare", "env", "export", "local", "readonly", "set", "setenv", "setx", "unset"})


def find_split_name(reading: Reading) -> Found | None:
    """The two parts, where joining them is proven right."""
    tokens = reading.tokens
    for at in range(len(tokens) - 2):
        left, right, equals = tokens[at : at + 3]
        if equals.text != "=" or left.kind != "name" or right.kind != "name" or right.end <= reading.at:
            continue
        starts = at == 0 or tokens[at - 1].text in {",", "(", ";"}
        if not starts or keyword.iskeyword(left.text) or "\n" in reading.text[left.end : right.start]:
            continue
        if left.text in _SETS and right.end == equals.start:
            continue
        arguments = {"left": left.text, "right": right.text}
        return reading.proven(KIND, (left.start, right.end), arguments, [Edit(left.end, right.start, "")])
    return None
