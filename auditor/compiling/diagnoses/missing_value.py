"""missing-value: nothing stands where a value belongs, behind `=` or a bracket or between two commas."""

from auditor.compiling.diagnoses.reading import Found, Reading
from auditor.model import Edit

KIND = "missing-value"
MOST_PLACES = 4


def find_missing_value(reading: Reading) -> Found | None:
    """The gap, where some value in it is proven right; no repair, since which is the author's to say."""
    tokens = reading.tokens
    at = len(reading.text[: reading.at].rstrip(" \t"))  # of a line that ends in blanks the compiler names the end
    gaps = []
    for left, right in zip(tokens, [*tokens[1:], None], strict=False):
        after = right.text if right is not None else ""
        behind_sign = left.kind == "operator" and left.text == "=" and (right is None or after in {",", ")", "]", "}"})
        before_comma = (left.kind == "open" or left.text == ",") and after == ","
        end = right.end if right is not None else left.end
        if (behind_sign or before_comma) and end >= at:
            gaps.append(left)
    for left in gaps[:MOST_PLACES]:
        proof = reading.proof([Edit(left.end, left.end, " _")])
        if proof is not None:
            start, end = left.start, left.end
            return reading.found(KIND, start, end, {"sign": left.text}, proof=proof)
    return None
