"""Rules matched on code: patterns and formulas, flow inside one function, taint, and the edits of a fix.

What is offered here is fetched when it is asked for: rules can be read, listed and worded without libcst.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from auditor.matching.explanation import Clause, Explanation, explain
    from auditor.matching.lowering import Misread
    from auditor.matching.program import parse
    from auditor.matching.selection import Bound, Match, Matches, Program, find, prepare

__all__ = [
    "Bound",
    "Clause",
    "Explanation",
    "Match",
    "Matches",
    "Misread",
    "Program",
    "explain",
    "find",
    "parse",
    "prepare",
]

_HOMES = {
    "Bound": "selection", "Clause": "explanation", "Explanation": "explanation", "Match": "selection",
    "Matches": "selection", "Misread": "lowering", "Program": "selection", "explain": "explanation",
    "find": "selection", "parse": "program", "prepare": "selection",
}  # fmt: skip


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = found
    return found
