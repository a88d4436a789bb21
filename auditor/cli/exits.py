"""Exit codes, the same for every command and format, and the failure that carries one to the user."""

CLEAN, FINDINGS, USAGE, NOTHING, OUT_OF_DATE, INCOMPLETE = range(6)
# As shells tell of a process that a signal ended.
INTERRUPTED, TERMINATED = 130, 143


class Failure(Exception):  # noqa: N818 - it ends a command; the words are for the user
    """Ends a command with a message on standard error and an exit code (default: usage)."""

    def __init__(self, message: str, code: int = USAGE) -> None:
        super().__init__(message)
        self.code = code
