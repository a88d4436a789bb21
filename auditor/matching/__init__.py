"""Rules matched on code: patterns and formulas, flow inside one function, taint, and the edits of a fix."""

from auditor.matching.explanation import Clause, Explanation, explain
from auditor.matching.lowering import Misread
from auditor.matching.program import Bound, Match, Matches, Program, find, parse, prepare

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
