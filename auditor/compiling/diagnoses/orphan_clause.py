"""orphan-clause: an `else`, `elif`, `except`, `finally` or `case` that no statement above it can own."""

from auditor.compiling.diagnoses.reading import Found, Reading

KIND = "orphan-clause"
_OWNERS = {
    "elif": "`if`",
    "else": "`if`, `for`, `while` or `try`",
    "except": "`try`",
    "finally": "`try`",
}


def find_orphan_clause(reading: Reading) -> Found | None:
    """The clause at which the compiler stopped."""
    statement = reading.statement
    if statement is None or statement.head not in _OWNERS or reading.at != statement.start:
        return None
    arguments = {"clause": statement.head, "owner": _OWNERS[statement.head]}
    return reading.found(KIND, statement.start, statement.start + len(statement.head), arguments)
