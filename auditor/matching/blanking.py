"""The parts of a text that no rule at work can concern, blanked out, so that libcst need not read them.

Each leaves a `pass`, and all others stay where they are: what is found in the rest has its own offsets.
"""

import ast
import re
from collections import deque
from collections.abc import Collection, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from keyword import kwlist

from auditor.matching.needs import Needs, Words, trigger_of, words_in
from auditor.structure.reading import read

# Texts that are not worth the look.
_SMALL = 200
# What every function is kept for: it may bind names for others.
_FOR_OTHERS = re.compile(r"(?<!\w)(?:import|global)(?!\w)")
_STAR = re.compile(r"import[ \t(]*\*")
_HOLDERS = (ast.stmt, ast.ExceptHandler, ast.match_case)
_LEFT = "pass"
_KEYWORDS = frozenset(kwlist)

_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class _Part:
    """A statement with its lines, counted from 0, the end excluded; it cannot go where it `shares` one."""

    node: ast.stmt
    first: int
    end: int
    shares: bool


def blank_untouched(code: str, apart: Collection[Needs], together: Collection[Needs]) -> str | None:
    """The text, as long as before, without the parts that nothing touches; None where none is left out, "" where all.

    Parts are functions, methods, classes and the other statements of the module, of which one stays if it is touched,
    or binds a name that stands in what stays. What touches `together` may lie in several statements: where the
    module's own hold it, they all stay.
    """
    if len(code) < _SMALL or "\r" in code or _STAR.search(code):
        return None
    reading = read(code)
    return None if reading is None else _Blanking(code, reading.tree, apart, together).text()


class _Blanking:
    """One text on its way; `lines` are what is left of it."""

    def __init__(self, code: str, module: ast.Module, apart: Collection[Needs], together: Collection[Needs]) -> None:
        self._lines = code.split("\n")
        self._module = module
        self._apart = (tuple(apart), trigger_of(apart))
        self._together = (tuple(together), trigger_of(together))
        self._aliases = _aliases(module)
        self._gone: list[_Part] = []

    def text(self) -> str | None:
        kept: list[Words] = []
        waiting: list[_Part] = []
        own: list[_Part] = []
        for part in self._parts(self._module.body):
            if not isinstance(part.node, ast.ClassDef | _Function):
                own.append(part)
                continue
            text = self._text_of(part)
            words = self._words_of(text)
            if part.shares or self._touch(words):
                kept.append(words)
                if isinstance(part.node, ast.ClassDef):
                    self._blank_methods(part.node)
            else:
                (waiting if _FOR_OTHERS.search(text) else self._gone).append(part)
        stay = _is_touched(Words(map(self._text_of, own), self._aliases), self._together)
        for part in own:
            words = self._words_of(self._text_of(part))
            if stay or part.shares or _is_touched(words, self._apart):
                kept.append(words)
            else:
                waiting.append(part)
        if not kept:
            return ""
        if waiting:
            self._gone.extend(_unneeded(waiting, kept, self._lines))
        blanked = [self._blank(part) for part in self._gone]
        return "\n".join(self._lines) if any(blanked) else None

    def _text_of(self, part: _Part) -> str:
        return "\n".join(self._lines[part.first : part.end])

    def _words_of(self, text: str) -> Words:
        return Words((text,), self._aliases)

    def _blank_methods(self, outermost: ast.ClassDef) -> None:
        bodies = [outermost.body]
        while bodies:
            for part in self._parts(bodies.pop()):
                if isinstance(part.node, ast.ClassDef):
                    bodies.append(part.node.body)
                elif isinstance(part.node, _Function) and not part.shares:
                    text = self._text_of(part)
                    if not self._touch(self._words_of(text)) and not _FOR_OTHERS.search(text):
                        self._gone.append(part)

    def _touch(self, words: Words) -> bool:
        return _is_touched(words, self._apart) or _is_touched(words, self._together)

    def _parts(self, body: list[ast.stmt]) -> Iterator[_Part]:
        last = 0
        for index, node in enumerate(body):
            first = _first_line(node)
            end = node.end_lineno or node.lineno
            following = _first_line(body[index + 1]) if index + 1 < len(body) else end
            yield _Part(node, first, end, first < last or following < end or not self._begins(node, first))
            last = end

    def _begins(self, node: ast.stmt, first: int) -> bool:
        """Whether a statement's first line is its own from the margin on."""
        start = self._lines[first].lstrip()
        if isinstance(node, ast.ClassDef | _Function) and node.decorator_list:
            return start.startswith("@")
        return len(self._lines[first]) - len(start) == node.col_offset or not self._lines[first].isascii()

    def _blank(self, part: _Part) -> bool:
        """Whether there was a line long enough for the `pass` that stands for the part."""
        margin = len(self._lines[part.first]) - len(self._lines[part.first].lstrip())
        place = f"{' ' * margin}{_LEFT}"
        for at in range(part.first, part.end):
            if len(self._lines[at]) >= len(place):
                break
        else:
            return False
        for number in range(part.first, part.end):
            line = self._lines[number]
            self._lines[number] = place.ljust(len(line)) if number == at else " " * len(line)
        return True


def _first_line(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(each.lineno for each in decorators)]) - 1


def _is_touched(words: Words, touches: tuple[tuple[Needs, ...], frozenset[str] | None]) -> bool:
    needs, trigger = touches
    return bool(needs) and words.may(trigger) and any(need.met(words) for need in needs)


def _unneeded(waiting: list[_Part], kept: list[Words], lines: list[str]) -> Iterator[_Part]:
    """Those parts that bind no name that is spoken of in what is kept, in its turn for such a name, too."""
    binding: dict[str, list[_Part]] = {}
    for part in waiting:
        for name in _bound(part, lines):
            binding.setdefault(name, []).append(part)
    needed: set[int] = set()
    unseen = deque(words.words & binding.keys() for words in kept)
    while unseen:
        for name in unseen.popleft():
            for part in binding.pop(name, ()):
                if part.first not in needed:
                    needed.add(part.first)
                    unseen.append(words_in("\n".join(lines[part.first : part.end])) & binding.keys())
    return (part for part in waiting if part.first not in needed)


def _bound(part: _Part, lines: list[str]) -> AbstractSet[str]:
    """The names that a statement may bind or change, rather one too many than one too few."""
    node = part.node
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {alias.asname or alias.name.partition(".")[0] for alias in node.names}
    text = "\n".join(lines[part.first : part.end])
    if isinstance(node, ast.Expr) and ":=" not in text:
        return set()
    if isinstance(node, ast.Assign) and ":=" not in text:
        return {each.id for target in node.targets for each in ast.walk(target) if isinstance(each, ast.Name)}
    return words_in(text) - _KEYWORDS


def _aliases(module: ast.Module) -> dict[str, set[str]]:
    """By word, the names under which an import brings something that has the word in its dotted name."""
    found: dict[str, set[str]] = {}
    statements: list[ast.AST] = list(module.body)
    while statements:
        node = statements.pop()
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            origin = (getattr(node, "module", None) or "").split(".")
            for name in node.names:
                alias = name.asname or name.name.split(".", 1)[0]
                for word in (*origin, *name.name.split(".")):
                    found.setdefault(word, set()).add(alias)
        elif isinstance(node, ast.stmt) and not isinstance(node, ast.Expr):
            statements.extend(child for child in ast.iter_child_nodes(node) if isinstance(child, _HOLDERS))
    return found
