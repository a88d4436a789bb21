"""The linters that a run also asks: found on the path, told the project's own configuration."""

import argparse
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from auditor.cli.base import check_out
from auditor.cli.exits import INCOMPLETE, USAGE, Failure
from auditor.cli.session import Session, selection
from auditor.discover import PYTHON, Candidate, discover, read
from auditor.discover.revisions import RevisionError
from auditor.engine.linting import Linter
from auditor.engine.reading import reader
from auditor.engine.ruff import LinterError, Ruff
from auditor.model import Source


@contextmanager
def linter_of(session: Session, options: argparse.Namespace) -> Iterator[Linter | None]:
    """The linter that `--with` names, ready as long as the context stands; `None` where it names none.

    Raises `Failure` (2) where it is missing or fails, inside the context too.
    """
    if not options.linters:
        yield None
        return
    with tempfile.TemporaryDirectory() as scratch:
        settings = session.root
        if session.trusts_base and session.top is not None and session.base is not None:
            try:
                check_out(session.top, session.base, Path(scratch))
            except RevisionError as error:
                raise Failure(f"the base cannot be analysed: {error}", INCOMPLETE) from None
            settings = Path(scratch) / os.path.relpath(session.root, session.top)
        others = _others(session) if session.named_only else {}
        limit = session.configuration.limits.file_bytes

        def text_of(path: str) -> str | None:
            found = read(others[path], limit)
            return found.text if isinstance(found, Source) else None

        try:
            yield Linter(
                Ruff.found(session.root, settings),
                session.configuration.books,
                session.configuration.severity,
                selection(options, session.configuration),
                tuple(others),
                text_of,
            )
        except LinterError as error:
            raise Failure(f"--with ruff: {error}", USAGE) from None


def _others(session: Session) -> dict[str, Candidate]:
    """The Python files of the root that were not named: what they define is no undefined name on a page that was."""
    named = {candidate.path for candidate in session.discovery.candidates}
    found = discover((session.root,), session.root, session.excludes)
    return {
        candidate.path: candidate
        for candidate in found.candidates
        if candidate.path.lower().endswith(PYTHON) and candidate.path not in named
    }


def source_reader(session: Session) -> Callable[[str], Source | None]:
    """Reads the sources of the work tree again, by their paths."""
    candidates = {candidate.path: candidate for candidate in session.discovery.candidates}
    whole = reader(session.discovery, session.configuration.limits.file_bytes)

    def source_of(path: str) -> Source | None:
        candidate = candidates.get(path)
        found = whole(candidate) if candidate is not None else None
        return found if isinstance(found, Source) else None

    return source_of
