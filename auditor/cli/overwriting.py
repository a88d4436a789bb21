"""Which files reports and views may replace: those that this tool wrote, never a page of somebody's own."""

import os
import re
from collections.abc import Iterable
from pathlib import Path

from auditor.cli.exits import Failure
from auditor.discover import ENDINGS

# Bytes in which a file shows what it is.
_HEAD = 4096
_REPORT = re.compile(rb"# auditor\r?\n")


def demand_no_page(files: Iterable[Path]) -> None:
    """Raise `Failure` for a report that would replace a Markdown or Python file other than a report."""
    for file in files:
        if file.name.lower().endswith(ENDINGS):
            demand_own(file, _REPORT, "report")


def demand_own(file: Path, begins: re.Pattern[bytes], what: str) -> None:
    """Raise `Failure` where there is a file with content that does not begin as what is to replace it.

    A device or a pipe is written to, and so is an empty file.
    """
    if not os.path.isfile(file):
        return
    try:
        with open(file, "rb") as stream:
            head = stream.read(_HEAD)
    except OSError as error:
        raise Failure(f"{file}: cannot be read: {error.strerror}") from None
    if head and begins.match(head) is None:
        raise Failure(f"{file}: is there already and no {what} of this tool; name another file, or remove it first")
