"""Interactive sessions: which lines are input, example by example, with the prompts of Python and of IPython."""

import re
from dataclasses import dataclass

_PROMPT = re.compile(r"[ \t]*(?:>>>|In[ ]?\[[ ]?\d*[ ]?\]:)(?:[ ]|(?=\n|\Z|[^\s>]))", re.ASCII)
_PYTHON = re.compile(r"[ \t]*>>>")
_CONTINUED = re.compile(r"[ \t]*\.\.\.(?:[ ]|(?=\n|\Z))")
_CONTINUED_CELL = re.compile(r"[ \t]*\.{3,}:(?:[ ]|(?=\n|\Z))")
# Words between dots stand for output that the author left out: `... look at the output ...`.
_LEFT_OUT = re.compile(r"[ \t]*\.\.\. +[^\W\d][^\n=(){}\[\]:]* ?\.\.\.[ \t]*\Z")
# The line that IDLE writes behind a prompt when it begins anew.
_RESTART = re.compile(r"={3,}[^=\n]*={3,}[ \t]*\Z")
_BLANK_OR_COMMENT = re.compile(r"[ \t]*(?:#[^\n]*)?(?:\n|\Z)")


@dataclass(frozen=True, slots=True)
class Example:
    """One input with the output that follows it, offsets in the text.

    `inputs` are the pieces after the prompts, line ends left out; `outputs` the lines up to the next prompt.
    """

    inputs: tuple[tuple[int, int], ...]
    outputs: tuple[tuple[int, int], ...]

    def source(self, text: str) -> str:
        """The input as a program of its own."""
        return "".join(f"{text[start:end]}\n" for start, end in self.inputs)


def opens_session(text: str, language: str) -> bool:
    """Whether the first line of code is a prompt; in a fence that says it is a session any prompt will do."""
    at = 0
    if language in {"pycon", "ipython"}:
        return any(_PROMPT.match(text, start) for start, _ in _lines(text))
    while at < len(text):
        if _PROMPT.match(text, at):
            return True
        found = _BLANK_OR_COMMENT.match(text, at)
        if not found or found.end() == at:
            return False
        at = found.end()
    return False


def _lines(text: str) -> list[tuple[int, int]]:
    """Start and end of each line, its end left out."""
    lines = []
    at = 0
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        lines.append((at, end))
        at = end + 1
    return lines


def read_examples(text: str) -> tuple[Example, ...]:
    """The examples in order. A continuation prompt counts only right below its input, as doctest has it."""
    examples: list[Example] = []
    inputs: list[tuple[int, int]] = []
    outputs: list[tuple[int, int]] = []
    continued = _CONTINUED
    in_input = False
    for start, end in _lines(text):
        prompt = _PROMPT.match(text, start, end)
        if prompt and _RESTART.match(text[prompt.end() : end]):
            in_input = False
            continue
        if prompt:
            if inputs:
                examples.append(Example(tuple(inputs), tuple(outputs)))
            inputs, outputs = [(prompt.end(), end)], []
            continued = _CONTINUED if _PYTHON.match(text, start) else _CONTINUED_CELL
            in_input = True
            continue
        more = continued.match(text, start, end) if in_input else None
        if more and _LEFT_OUT.match(text[start:end]):
            more = None
        if more:
            inputs.append((more.end(), end))
        elif inputs:
            in_input = False
            outputs.append((start, end))
    if inputs:
        examples.append(Example(tuple(inputs), tuple(outputs)))
    return tuple(examples)
