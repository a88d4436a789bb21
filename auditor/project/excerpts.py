"""Where a handful of statements comes from: the function whose body holds them in their order, or nearly."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from auditor.compiling.tokens import Token, tokens_of

# Statements of fewer tokens (`return x`, `x = 1`) stand in every second function and prove nothing by themselves.
_TELLING = 5
# So many tokens of a fence, and such a part of them, must stand in a function word by word.
_PROOF, _PART = 10, 1 / 3
# Below this two statements have only words in common.
_NEAR = 0.6
# What the statements of a fence must add up to, of all there are.
_ENOUGH = 0.6
# Of this many equally good places none is the one meant.
_MANY = 3
# A fence or body of more statements is no excerpt worth placing; it also bounds the comparison.
_MOST = 400
# Beyond this many pairs of statements only equal ones are found.
_COMPARED = 20_000


@dataclass(frozen=True, slots=True)
class Statement:
    """One logical line: its tokens without comments, its text, and the blanks before it."""

    tokens: tuple[str, ...]
    text: str
    indent: str


def statements(code: str) -> tuple[Statement, ...]:
    """The logical lines of a code, headers of compound statements among them; texts that only document are left out."""
    found: list[Statement] = []
    line: list[Token] = []
    for token in (*tokens_of(code), Token("newline", "", len(code), len(code))):
        if token.kind == "comment":
            continue
        if token.kind != "newline":
            line.append(token)
            continue
        if line and not all(part.kind == "string" for part in line):
            start = line[0].start
            before = code[max(code.rfind("\n", 0, start), code.rfind("\r", 0, start)) + 1 : start]
            found.append(
                Statement(
                    tuple(_spelled(part) for part in line),
                    code[start : line[-1].end],
                    before if before.isspace() else "",
                )
            )
        line = []
    return tuple(found)


def _spelled(token: Token) -> str:
    """A token as it is compared: the quotes of a string do not count."""
    text = token.text
    return text.replace('"', "'") if token.kind in {"string", "fstart", "fend"} else text


@dataclass(frozen=True)
class Body:
    """A function that fences may show a part of: its id (`path::qualname`) and code, its header included."""

    definition: str
    code: str

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """The statements after the header."""
        return statements(self.code)[1:]


@dataclass(frozen=True, slots=True)
class Placement:
    """A function that a fence shows a part of.

    `shown` is that part as the function has it, at the fence's own depth; `score` is 1 for word by word.
    """

    definition: str
    score: float
    shown: str


class Bodies:
    """The functions of a book's files, with what is common to many of them counted."""

    def __init__(self, bodies: Sequence[Body]) -> None:
        self.bodies = [body for body in bodies if 0 < len(body.statements) <= _MOST]
        self._holders = Counter(tokens for body in self.bodies for tokens in {item.tokens for item in body.statements})
        self._by_statement: dict[tuple[str, ...], list[int]] = {}
        for at, body in enumerate(self.bodies):
            for tokens in {item.tokens for item in body.statements}:
                self._by_statement.setdefault(tokens, []).append(at)

    def place(self, code: str, *, meant: bool = False) -> tuple[Placement, ...]:
        """The functions that hold a fence's statements best: one, or the few between which nothing decides.

        Where an author says that one of these functions is `meant`, it needs less proof.
        """
        fence = statements(code)
        if not fence or len(fence) > _MOST:
            return ()
        size = sum(len(item.tokens) for item in fence)
        proof = Counter[int]()
        for item in fence:
            if meant or self._tells(item):
                proof.update(dict.fromkeys(self._by_statement.get(item.tokens, ()), len(item.tokens)))
        least = 1 if meant else max(_PROOF, size * _PART)
        placements = [
            found
            for at in sorted(proof)
            if proof[at] >= least and (found := _placed(fence, self.bodies[at])) is not None
        ]
        best = max((found.score for found in placements), default=0.0)
        leading = tuple(found for found in placements if found.score == best)
        return leading if len(leading) <= _MANY else ()

    def _tells(self, item: Statement) -> bool:
        """Whether a statement stands in a function word by word, in few of them, and says something."""
        return len(item.tokens) >= _TELLING and 0 < self._holders[item.tokens] <= _MANY


def _placed(fence: Sequence[Statement], body: Body) -> Placement | None:
    """The best way to find the fence's statements in the body in order, if it finds enough of them."""
    rows, columns = fence, body.statements
    nearly = len(rows) * len(columns) <= _COMPARED
    likeness: Mapping[tuple[int, int], float] = {
        (row, column): alike
        for row, left in enumerate(rows)
        for column, right in enumerate(columns)
        if (alike := _alike(left.tokens, right.tokens, nearly=nearly)) >= _NEAR
    }
    best = [[0.0] * (len(columns) + 1) for _ in range(len(rows) + 1)]
    for row in range(len(rows) - 1, -1, -1):
        for column in range(len(columns) - 1, -1, -1):
            skip = max(best[row + 1][column], best[row][column + 1])
            gain = likeness.get((row, column), -1.0)
            best[row][column] = max(skip, gain + best[row + 1][column + 1])
    score = best[0][0] / len(rows)
    if score < _ENOUGH:
        return None
    shown: list[str] = []
    row = column = 0
    while row < len(rows) and column < len(columns):
        gain = likeness.get((row, column), -1.0)
        if best[row][column] == gain + best[row + 1][column + 1]:
            shown.append(rows[row].indent + columns[column].text)
            row, column = row + 1, column + 1
        elif best[row][column] == best[row + 1][column]:
            row += 1
        else:
            column += 1
    return Placement(body.definition, round(score, 6), "\n".join(shown) + "\n")


def _alike(left: tuple[str, ...], right: tuple[str, ...], *, nearly: bool) -> float:
    """Twice the tokens that two statements share over the tokens of both; 1 only for the same tokens in order."""
    if left == right:
        return 1.0
    if not nearly or min(len(left), len(right)) * 2 < _NEAR * (len(left) + len(right)):
        return 0.0
    shared = sum((Counter(left) & Counter(right)).values())
    return min(2 * shared / (len(left) + len(right)), 0.99)
