"""Another Python, asked to compile texts and nothing else: isolated, in one batch, importing none of what it reads."""

import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from auditor.model import Adjustment

# Seconds for one batch; what takes longer hangs, and says nothing of the code.
_PATIENCE = 300.0
_SCOPES: frozenset[Adjustment] = frozenset({"async", "function", "loop"})
# `-I` reads no variable of the environment, no folder of the user's and not the one it stands in; `-S` no packages.
_WORDS = ("-I", "-S", "-X", "utf8", "-c")
_PROGRAM = r"""
import ast, json, sys, warnings
warnings.simplefilter("ignore")
FRAMES = {"loop": "while True: pass", "function": "def _(): pass", "async": "async def _(): pass"}

def placed(tree, scopes):
    ahead = [s for s in tree.body if isinstance(s, ast.ImportFrom)]
    body = [s for s in tree.body if not isinstance(s, ast.ImportFrom)]
    for scope in ("loop", "function", "async"):
        if scope in scopes and body:
            frame = ast.parse(FRAMES[scope]).body[0]
            frame.body = body
            body = [frame]
    tree.body = ahead + body
    return tree

def refusal(text, scopes):
    in_bytes = False
    try:
        tree = ast.parse(text, "<block>")
        in_bytes = True
        compile(placed(tree, scopes) if scopes else text, "<block>", "exec", dont_inherit=True)
    except SyntaxError as error:
        return [error.msg, error.lineno or 1, error.offset or 1, in_bytes]
    except (RecursionError, MemoryError):
        return None
    except Exception as error:
        return [str(error), 1, 1, in_bytes]
    return None

json.dump({
    "version": "%d.%d.%d" % sys.version_info[:3],
    "answers": [refusal(*question) for question in json.load(sys.stdin)],
}, sys.stdout)
"""


class InterpreterError(Exception):
    """The interpreter cannot be started or did not answer; the message says how."""


@dataclass(frozen=True, slots=True)
class Question:
    """A text, and in what it must be put to be judged: the adjustments of its compilation."""

    text: str
    adjustments: tuple[Adjustment, ...] = ()


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a text does not compile: the compiler's message and a 1-based line.

    `column` is 1-based, in code points or, where `in_bytes` says so, in UTF-8 bytes.
    """

    message: str
    line: int
    column: int
    in_bytes: bool


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A Python at a path that the user named on the command line; nothing that is audited may name one.

    `version` is its own, such as `3.13.0`.
    """

    program: str
    version: str

    @classmethod
    def at(cls, program: str) -> "Interpreter":
        """The interpreter, after it has said its version. Raises `InterpreterError`."""
        version, _ = _asked(program, ())
        return cls(program, version)

    def reads(self, needed: str) -> bool:
        """Whether it is at least the version that a text needs, such as `3.12`."""
        own = tuple(map(int, self.version.split(".")))
        return tuple(map(int, needed.split("."))) <= own[:2]

    def refusals(self, questions: Sequence[Question]) -> tuple[Refusal | None, ...]:
        """For each text why it does not compile, `None` where it does or nothing can be said. Raises the same."""
        return _asked(self.program, questions)[1] if questions else ()


def _asked(program: str, questions: Sequence[Question]) -> tuple[str, tuple[Refusal | None, ...]]:
    batch = [(question.text, [word for word in question.adjustments if word in _SCOPES]) for question in questions]
    try:
        done = subprocess.run(  # noqa: S603 - fixed words and the user's own path, no shell
            [program, *_WORDS, _PROGRAM],
            input=json.dumps(batch).encode(),  # ASCII: a lone surrogate arrives as it is
            capture_output=True,
            check=False,
            timeout=_PATIENCE,
        )
    except OSError as error:
        raise InterpreterError(f"{program}: cannot be started: {error.strerror}") from None
    except subprocess.TimeoutExpired:
        raise InterpreterError(f"{program}: no answer within {_PATIENCE:.0f} seconds") from None
    try:
        answer: dict[str, Any] = json.loads(done.stdout)
        refusals = tuple(None if told is None else Refusal(*told) for told in answer["answers"])
        version = str(answer["version"])
    except (ValueError, TypeError, KeyError):
        raise InterpreterError(f"{program}: is no Python that compiles (exit {done.returncode})") from None
    if len(refusals) != len(batch):
        raise InterpreterError(f"{program}: {len(refusals)} answers to {len(batch)} texts")
    return version, refusals
