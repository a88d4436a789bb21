"""Where a handful of statements comes from: the function whose body holds them in their order, or nearly."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from auditor.compiling.tokens import Token

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
# A statement all of whose names stand in more functions than this is not looked for.
_COMMON = 100
_NAME = re.compile(r"[^\W\d]\w*")
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
    from auditor.compiling.tokens import Token, tokens_of  # noqa: PLC0415 - few books show parts of functions

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


def _spelled(token: "Token") -> str:
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
        found = statements(self.code)[1:]
        return found if len(found) <= _MOST else ()

    @cached_property
    def spellings(self) -> frozenset[tuple[str, ...]]:
        """What its statements say."""
        return frozenset(item.tokens for item in self.statements)


@dataclass(frozen=True, slots=True)
class Placement:
    """A function that a fence shows a part of.

    `shown` is that part as the function has it, at the fence's own depth; `score` is 1 for word by word.
    """

    definition: str
    score: float
    shown: str


class Bodies:
    """The functions of a book's files, found by the words of their statements; only likely ones are taken apart."""

    def __init__(self, bodies: Sequence[Body]) -> None:
        self._bodies = bodies
        self._words: dict[str, list[int]] | None = None

    def place(self, code: str, *, meant: bool = False) -> tuple[Placement, ...]:
        """The functions that hold a fence's statements best: one, or the few between which nothing decides.

        Where an author says that one of these functions is `meant`, it needs less proof.
        """
        if not self._bodies:
            return ()
        fence = statements(code)
        if not fence or len(fence) > _MOST:
            return ()
        size = sum(len(item.tokens) for item in fence)
        proof = Counter[int]()
        for tokens in dict.fromkeys(item.tokens for item in fence):
            if meant or len(tokens) >= _TELLING:
                holders = self._holders(tokens)
                # What stands in many functions proves nothing of one.
                if meant or len(holders) <= _MANY:
                    proof.update(dict.fromkeys(holders, len(tokens)))
        least = 1 if meant else max(_PROOF, size * _PART)
        placements = [
            found
            for at in sorted(proof)
            if proof[at] >= least and (found := _placed(fence, self._bodies[at])) is not None
        ]
        best = max((found.score for found in placements), default=0.0)
        leading = tuple(found for found in placements if found.score == best)
        return leading if len(leading) <= _MANY else ()

    def _holders(self, tokens: tuple[str, ...]) -> list[int]:
        """The functions that hold a statement word by word, by index."""
        if self._words is None:
            self._words = {}
            for at, body in enumerate(self._bodies):
                for word in dict.fromkeys(_NAME.findall(body.code)):
                    self._words.setdefault(word, []).append(at)
        names = {token for token in tokens if _NAME.fullmatch(token)}
        found = sorted((self._words.get(name, []) for name in names), key=len)
        if not found or len(found[0]) > _COMMON:
            return []
        likely = set(found[0]).intersection(*found[1:4])
        return [at for at in sorted(likely) if tokens in self._bodies[at].spellings]


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
