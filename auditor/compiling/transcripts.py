"""The examples of a session, each judged alone, and their inputs put together as one program."""

import __future__

import re
from collections.abc import Sequence
from dataclasses import dataclass

from auditor.compiling.candidates import Candidate, Fit, Foreign, Misfit, settle
from auditor.compiling.compiler import compile_text
from auditor.compiling.contexts import EXAMPLE
from auditor.compiling.excerpts import joined
from auditor.compiling.sessions import Example
from auditor.model import Diagnosis, Edit, MappedText, Span

# An input that asks for more, where a shell without continuation prompts takes the lines below it.
_ASKS_FOR_MORE = ("was never closed", "unexpected EOF", "expected an indented block", "unterminated triple-quoted")
_MOST_LINES = 60
# PEP 401: of all future features the one that changes what the parser of later inputs takes.
_FLUFL = __future__.barry_as_FLUFL.compiler_flag
_ERROR = re.compile(r"[ \t]*(SyntaxError|IndentationError|TabError)\b")


@dataclass(frozen=True, slots=True)
class Transcript:
    """All good inputs as one candidate, and the bad ones."""

    candidate: Candidate
    misfits: tuple[Misfit, ...]


def judge_session(code: MappedText, examples: Sequence[Example]) -> Transcript | None:
    """Judge each input on its own; `None` where no prompt has an input, which is no session."""
    good: list[MappedText] = []
    misfits: list[Misfit] = []
    whole = Candidate(code, ("prompt",), "session")
    asked = [example for example in examples if example.source(code.text).strip()]
    if not asked:
        return None
    flufl = False
    for example in asked:
        outcome = _judge(code, example)
        if isinstance(outcome, Misfit) and flufl and _reads_flufl(outcome.candidate.code.text):
            outcome = Fit(outcome.candidate, "session")
        flufl = flufl or "barry_as_FLUFL" in example.source(code.text)
        if isinstance(outcome, Misfit):
            shown = _shown_error(code.text, example)
            if shown is None:
                misfits.append(outcome)
            else:
                span = Span(*example.inputs[0])
                whole = whole.saying([Diagnosis("shown-error", span, {"error": shown})])
            continue
        said = (*whole.diagnoses, *outcome.candidate.diagnoses)
        whole = Candidate(code, whole.adjustments, "session", said).adjusted(code, *outcome.candidate.adjustments)
        good.append(outcome.candidate.code)
    return Transcript(whole.adjusted(joined(good)), tuple(misfits))


def _reads_flufl(text: str) -> bool:
    """Whether a shell reads the text after `from __future__ import barry_as_FLUFL`, which holds for all its inputs."""
    if "<>" not in text:
        return False
    try:
        compile(text, "<block>", "exec", flags=_FLUFL, dont_inherit=True, optimize=0)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _judge(code: MappedText, example: Example) -> Fit | Misfit:
    start = Candidate(_input(code, example.inputs))
    failure = compile_text(start.code.text)
    if failure is None:
        return Fit(start, "session")
    if any(sign in failure.message for sign in _ASKS_FOR_MORE):
        extended = _extend(code, example)
        if extended is not None:
            return Fit(Candidate(extended), "session")
    outcome = settle(start, EXAMPLE)
    if isinstance(outcome, Fit):
        if {"function", "loop"} & set(outcome.candidate.adjustments):
            return Misfit(start, failure)
        return outcome
    if isinstance(outcome, Foreign):
        return Misfit(start, failure)
    return outcome[0]


def _shown_error(text: str, example: Example) -> str | None:
    """The error of the compiler that the session itself prints below the input: such an input is bad on purpose."""
    for start, end in example.outputs[:_MOST_LINES]:
        found = _ERROR.match(text, start, end)
        if found:
            return found[1]
    return None


def _input(code: MappedText, pieces: Sequence[tuple[int, int]]) -> MappedText:
    """The pieces alone, each with a line end: between two of them goes all but the first line end."""
    edits = []
    at = 0
    for start, end in pieces:
        if at < start:
            edits.append(Edit(at, start, ""))
        at = min(end + 1, len(code.text))
    if at < len(code.text):
        edits.append(Edit(at, len(code.text), ""))
    return code.edit(edits)


def _extend(code: MappedText, example: Example) -> MappedText | None:
    """The input with the lines below it that complete it, as shells show them that print no continuation prompt."""
    pieces = [*example.inputs]
    complete: MappedText | None = None
    for line in example.outputs[:_MOST_LINES]:
        if complete is not None and not code.text[line[0] : line[0] + 1].isspace():
            break
        pieces.append(line)
        longer = _input(code, pieces)
        failure = compile_text(longer.text)
        if failure is None:
            complete = longer
        elif not any(sign in failure.message for sign in _ASKS_FOR_MORE):
            break
    return complete
