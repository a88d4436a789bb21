"""What a kind of diagnosis looks at: a text that does not compile, read once, and a judge with a counted budget."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from auditor.compiling.compiler import Failure, Neighbourhood, parse, silent, try_compile
from auditor.compiling.diagnoses.indentation import Fault, first_fault
from auditor.compiling.diagnoses.lines import Scan, Statement, Token
from auditor.compiling.nesting import MAX_BRACKETS
from auditor.model import Argument, Diagnosis, Edit, Span, apply_edits

# Characters handed to the compiler, or read anew, for one block: a hundred attempts at a usual one, a few at 100 kB.
BUDGET = 300_000
FLOOR = 2_000
# To scan a text and ask every kind about it costs as much as to compile it so many times.
READ_AGAIN = 2

# Said of code that stands in the wrong scope and is sound otherwise: the block may be a body of something.
_CONTEXTUAL = re.compile(
    r"outside (?:async )?function|outside loop|not properly in loop|outside of an asynchronous|at module level"
)

# The tokenizer reads the whole text before the parser's own complaint is believed, so that what it stops at may stand
# behind an earlier fault.
_LEXICAL = re.compile(
    r"invalid (?:character|non-printable|\w+ literal)|unexpected character after|unterminated|unmatched"
    r"|was never closed|closing parenthesis|unindent does not match|leading zeros"
    r"|inconsistent use of tabs|too many nested"
)

Proof = Literal["whole", "moved", "shown"]
Arguments = Mapping[str, Argument]


class Found(NamedTuple):
    """A diagnosis and what speaks for it.

    `whole`: with the repair the text compiles. `moved`: with it the compiler gets past the place and fails further on.
    `shown`: the text itself shows it, without an edit that proves it.
    """

    diagnosis: Diagnosis
    proof: Proof


class Judge:
    """Asks the compiler while the budget lasts; remembers nothing else, so that a verdict depends on counts alone."""

    def __init__(self, size: int) -> None:
        self._left = BUDGET + 2 * size

    def allows_reading(self, text: str) -> bool:
        """Whether the budget lets a text be read anew; takes its cost."""
        self._left -= READ_AGAIN * len(text)
        return self._left > 0

    def failure(self, text: str, *, anywhere: bool = True) -> Failure | None:
        """Why the text does not compile in any scope (not `anywhere`: as a module), or `None`.

        When the budget is spent it is a failure that gave up.
        """
        self._left -= len(text) + FLOOR
        if self._left < 0:
            return Failure("too many attempts", 1, 1, 1, 1, gave_up=True)
        failure = try_compile(text)
        return None if anywhere and failure is not None and _CONTEXTUAL.search(failure.message) else failure

    def parses(self, text: str) -> bool:
        """Whether the text has a tree, whatever code generation then says of it."""
        self._left -= len(text) + FLOOR
        return self._left >= 0 and not isinstance(_parsed(text), Failure)

    def accepts(self, text: str) -> bool:
        """Whether the text compiles in some scope."""
        return self.failure(text) is None


def _parsed(text: str) -> object:
    with silent():
        return parse(text)


@dataclass(frozen=True, slots=True)
class Reading:
    """A text, what the scanner and the compiler say of it, and what stands around it.

    `fault` is where the indentation goes wrong, if that is where the compiler failed.
    """

    text: str
    scan: Scan
    failure: Failure
    around: Neighbourhood
    judge: Judge = field(repr=False, compare=False)
    fault: Fault | None = None

    @property
    def at(self) -> int:
        """Offset of the compiler's place."""
        return self.scan.offset(self.failure.line, self.failure.column)

    @property
    def until(self) -> int:
        """Offset of the end of the compiler's place."""
        return max(self.scan.offset(self.failure.end_line, self.failure.end_column), self.at)

    @property
    def index(self) -> int | None:
        """The statement in which the compiler failed."""
        return self.scan.statement_at(self.failure.line - 1)

    @property
    def statement(self) -> Statement | None:
        """The statement in which the compiler failed."""
        index = self.index
        return None if index is None else self.scan.statements[index]

    @property
    def tokens(self) -> tuple[Token, ...]:
        """The tokens of the statement in which the compiler failed."""
        statement = self.statement
        return () if statement is None else self.scan.tokens_of(statement)

    @property
    def is_lexical(self) -> bool:
        """Whether the tokenizer stopped and not the parser."""
        return _LEXICAL.search(self.failure.message) is not None

    @property
    def provable(self) -> bool:
        """Whether the compiler can be asked at all: bracket towers are not for it."""
        return self.scan.deepest <= MAX_BRACKETS

    def proof(self, edits: Sequence[Edit], past: int | None = None) -> Literal["whole", "moved"] | None:
        """What the edits prove: see `Found`. The failure must move beyond `past`, by default the last edit.

        Edits of characters that are never code say so by giving their first as `past`: once they are gone the compiler
        may stop before them at another fault.
        """
        if not self.provable:
            return None
        text = apply_edits(self.text, edits)
        failure = self.judge.failure(text)
        if failure is None:
            return "whole"
        if failure.gave_up:
            return None
        if _may_have_margin(text, failure):
            return "whole" if self.judge.accepts(_without_margin(text)) else None
        stood = max(self.at, edits[-1].end if past is None else past)
        if past == edits[0].start and self.is_lexical and past <= self.at and _offset(text, failure) < past:
            return "moved"
        grown = sum(len(edit.replacement) - (edit.end - edit.start) for edit in edits if edit.start <= stood)
        offset = _offset(text, failure)
        if offset > stood + grown:
            return "moved"
        # What parses now fails in a later pass, which begins again at the top.
        is_later_pass = offset < self.at and not self.judge.parses(self.text) and self.judge.parses(text)
        return "moved" if is_later_pass else None

    def found(
        self,
        kind: str,
        start: int,
        end: int,
        arguments: Arguments | None = None,
        *,
        repair: Sequence[Edit] | None = None,
        proof: Proof = "shown",
    ) -> Found:
        """A diagnosis with the compiler's message as its detail."""
        return Found(
            Diagnosis(kind, Span(start, end), arguments or {}, self.failure.message, tuple(repair) if repair else None),
            proof,
        )

    def proven(
        self,
        kind: str,
        span: tuple[int, int],
        arguments: Arguments,
        edits: Sequence[Edit],
        past: int | None = None,
    ) -> Found | None:
        """The diagnosis if the edits prove it."""
        proof = self.proof(edits, past) if edits else None
        return None if proof is None else self.found(kind, *span, arguments, repair=edits, proof=proof)

    def line_argument(self, line: int) -> Span:
        """A 0-based line as an argument of a message, which shows it as a line of the user's file."""
        start, end = self.scan.line_span(line)
        text = self.text[start:end]
        return Span(start + len(text) - len(text.lstrip()), max(end, start))


def read(scanned: Scan, failure: Failure, around: Neighbourhood, judge: Judge) -> Reading:
    """A scanned text with its failure, ready to be asked about."""
    fault = first_fault(scanned)
    if fault is not None and scanned.statements[fault.index].line != failure.line - 1:
        fault = None
    return Reading(scanned.text, scanned, failure, around, judge, fault)


def _may_have_margin(text: str, failure: Failure) -> bool:
    """Whether the compiler stopped at the first line's indent, which may be the margin of the whole."""
    return failure.message == "unexpected indent" and not text[: max(_offset(text, failure), 0)].strip()


def _without_margin(text: str) -> str:
    lines = text.split("\n")
    first = next((line for line in lines if line.strip()), "")
    margin = first[: len(first) - len(first.lstrip(" \t"))]
    if not all(line.startswith(margin) or not line.strip() for line in lines):
        return text
    return "\n".join(line[len(margin) :] if line.strip() else "" for line in lines)


def _offset(text: str, failure: Failure) -> int:
    """The offset of a failure's place in the text that failed."""
    at = 0
    for _ in range(failure.line - 1):
        at = text.find("\n", at) + 1
        if at == 0:
            return len(text)
    return at + failure.column - 1
