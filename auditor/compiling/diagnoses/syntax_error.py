"""syntax-error: what no other kind explains; the compiler's own place and words."""

from auditor.compiling.diagnoses.reading import Found, Reading

KIND = "syntax-error"


def find_syntax_error(reading: Reading) -> Found:
    """The compiler's place."""
    start = reading.at
    end = max(reading.until, start)
    return reading.found(KIND, start, end)
