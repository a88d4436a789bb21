"""The interpreter that `--interpreter` names, ready to compile what only a newer Python can judge."""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager

from auditor.cli.exits import USAGE, Failure
from auditor.cli.session import Session
from auditor.compiling.interpreter import Interpreter, InterpreterError
from auditor.engine.second_look import SecondLook


@contextmanager
def second_look_of(session: Session, options: argparse.Namespace) -> Iterator[SecondLook | None]:
    """The second look, as long as the context stands; `None` where no interpreter is named.

    Only the command line names one: a configuration may come with a pull request. Raises `Failure` (2) where it cannot
    be started or does not answer, inside the context too.
    """
    if not options.interpreter:
        yield None
        return
    try:
        yield SecondLook(
            Interpreter.at(options.interpreter), session.rulebook, session.lang, session.configuration.severity
        )
    except InterpreterError as error:
        raise Failure(f"--interpreter: {error}", USAGE) from None
