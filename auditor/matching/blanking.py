"""The parts of a text that no rule at work can concern, blanked out, so that libcst need not read them.

They leave a `pass`, and all others stay where they are: what is found in the rest has its own offsets.
"""

import ast
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from auditor.matching.bound import FOR_OTHERS, Function, aliases_in, bound_by
from auditor.matching.names import imports_of, named
from auditor.matching.needs import STAR, Needs, Words, any_met, words_in
from auditor.matching.selection import Ready
from auditor.structure.bodies import bodies_of
from auditor.structure.reading import Reading, read

# Texts that are not worth the look.
_SMALL = 200
_LEFT = "pass"


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """A statement with its lines, counted from 0, the end excluded; it cannot go where it `shares` one."""

    node: ast.stmt
    first: int
    end: int
    shares: bool


@dataclass(frozen=True, slots=True)
class Blanked:
    """A text without the parts that nothing touches, and the rules that something in it may concern.

    `text` is as long as the whole, `short` holds the same statements and nothing between them. `imports` are those of
    the module that were left out: dotted name, the name it is bound to, offset.
    """

    rules: tuple[Ready, ...]
    text: str = ""
    short: str = ""
    imports: tuple[tuple[str, str, int], ...] = ()


def blank_untouched(code: str, rules: Sequence[Ready], before: Sequence[str] = ()) -> Blanked | None:
    """The text without the parts that nothing touches; None where nothing is left out.

    Parts are functions, methods, classes and the other statements of the module, of which one stays if it is touched,
    or binds a name that stands in what stays. What a rule finds may lie in several statements, unless they are parts
    by themselves for it: where the module's own hold what it needs, they all stay. `before` are earlier texts, whose
    imports count for rules that join a document.
    """
    if len(code) < _SMALL or "\r" in code or STAR.search(code) or any(map(_needs_all, rules)):
        return None
    joined = any(ready.rule.scope.join != "none" for ready in rules)
    earlier = [named for text in before for named in imports_of(text)] if joined else []
    if any(alias is None for _, alias in earlier):
        return None  # a star may bring any name
    reading = read(code)
    return None if reading is None else _Blanking(reading, earlier).blanked(rules)


def _needs_all(ready: Ready) -> bool:
    """Whether a rule looks at a whole text: one that adds imports asks which there are."""
    return ready.touches is None or bool(ready.rule.ensure_import)


class _Blanking:
    """One text on its way; `lines` are what is left of it."""

    def __init__(self, reading: Reading, earlier: Sequence[tuple[str, str | None]]) -> None:
        self._reading = reading
        self._lines = reading.code.split("\n")
        self._aliases = aliases_in(reading, earlier)
        self._gone: list[_Part] = []
        self._parts = list(self._parts_of(reading.tree.body))
        self._words = [self._words_of(part) for part in self._parts]
        self._own = [at for at, part in enumerate(self._parts) if not isinstance(part.node, ast.ClassDef | Function)]
        self._together = Words((self._text_of(self._parts[at]) for at in self._own), self._aliases)
        # The last part of a body says where it ends, and so what is found around it.
        self._last = {id(self._parts[-1].node)} if self._parts else set()

    @cached_property
    def _bound(self) -> Mapping[_Part, AbstractSet[str]]:
        return {part: bound_by(part.node, self._text_of(part)) for part in self._parts}

    @cached_property
    def _again(self) -> frozenset[str]:
        """The names that several parts bind: what one of them makes of it depends on the others."""
        counts = Counter(chain.from_iterable(self._bound.values()))
        return frozenset(name for name, count in counts.items() if count > 1)

    def blanked(self, rules: Sequence[Ready]) -> Blanked | None:
        touched: set[int] = set()
        concerned: list[Ready] = []
        for ready in rules:
            touches = ready.touches
            found = self._touched(touches.where, ready.triggers[0], apart=ready.apart) if touches is not None else None
            if found:
                concerned.append(ready)
                touched |= found
        if not concerned:
            return Blanked(())
        for ready in concerned:
            if ready.touches is not None and ready.touches.around:
                touched |= self._touched(ready.touches.around, ready.triggers[1], apart=ready.apart)
        bare = all(ready.bare for ready in concerned)
        waiting: list[_Part] = []
        kept: list[Words] = []
        for at, part in enumerate(self._parts):
            if at in touched or part.shares:
                kept.append(self._words[at])
                if not part.shares:
                    self._blank_inside(part.node, concerned, bare=bare)
            else:
                waits = self._is_binding(part) and (not bare or FOR_OTHERS.search(self._text_of(part)))
                (waiting if waits else self._gone).append(part)
        needed = self._needed(waiting, kept) if waiting else set()
        imports = list(self._imports(waiting, needed))
        self._gone.extend(part for part in waiting if part.first not in needed)
        if not self._gone:
            return None
        short = self._blank()
        return Blanked(tuple(concerned), "\n".join(self._lines), "\n".join(short), tuple(imports))

    def _is_binding(self, part: _Part) -> bool:
        """Whether what a part binds may be what a name in another one stands for; a definition alone is no value."""
        node = part.node
        bound = self._bound[part]
        if isinstance(node, ast.ClassDef | Function):
            return bound != {node.name} or node.name in self._again
        if isinstance(node, ast.Import):  # a module under its own name needs no resolving
            return any(alias.asname for alias in node.names) or not bound.isdisjoint(self._again)
        return True

    def _touched(self, needs: Sequence[Needs], trigger: frozenset[str] | None, *, apart: bool) -> set[int]:
        """The parts that hold one of some needs; the module's own statements together, where they are not `apart`."""
        found = {at for at, words in enumerate(self._words) if _is_touched(words, needs, trigger)}
        if not apart and _is_touched(self._together, needs, trigger):
            found.update(self._own)
        return found

    def _needed(self, waiting: list[_Part], kept: list[Words]) -> set[int]:
        """The first lines of those parts that bind a name spoken of in what is kept, themselves included."""
        binding: dict[str, list[_Part]] = {}
        for part in waiting:
            for name in self._bound[part]:
                binding.setdefault(name, []).append(part)
        needed: set[int] = set()
        unseen = deque(words.words & binding.keys() for words in kept)
        while unseen:
            for name in unseen.popleft():
                for part in binding.pop(name, ()):
                    if part.first not in needed:
                        needed.add(part.first)
                        unseen.append(words_in(self._text_of(part)) & binding.keys())
        return needed

    def _imports(self, waiting: list[_Part], needed: set[int]) -> Iterator[tuple[str, str, int]]:
        """What imports say that nothing else needs, and which so need not stand there; they are no longer needed."""
        for part in waiting:
            node = part.node
            if part.first not in needed or not isinstance(node, ast.ImportFrom):
                continue
            if self._again.isdisjoint(self._bound[part]):
                needed.discard(part.first)
                for dotted, alias in named(node):
                    yield dotted, alias, self._reading.start(node)

    def _text_of(self, part: _Part) -> str:
        return "\n".join(self._lines[part.first : part.end])

    def _words_of(self, part: _Part) -> Words:
        return Words((self._text_of(part),), self._aliases)

    def _blank_inside(self, node: ast.stmt, concerned: Sequence[Ready], *, bare: bool) -> None:
        """Leave out of a part what no rule touches: statements where all rules are bare, as none asks for values."""
        if bare:
            self._blank_statements(node, concerned)
        elif isinstance(node, ast.ClassDef):
            self._blank_methods(node, concerned)

    def _blank_methods(self, outermost: ast.ClassDef, concerned: Sequence[Ready]) -> None:
        bodies = [outermost.body]
        while bodies:
            body = bodies.pop()
            self._last.add(id(body[-1]))
            for part in self._parts_of(body):
                if isinstance(part.node, ast.ClassDef):
                    bodies.append(part.node.body)
                elif isinstance(part.node, Function) and not part.shares:
                    words = self._words_of(part)
                    touched = any(_concerns(ready, words) for ready in concerned)
                    if not touched and not FOR_OTHERS.search(self._text_of(part)):
                        self._gone.append(part)

    def _blank_statements(self, outermost: ast.stmt, concerned: Sequence[Ready]) -> None:
        """What is left are headers, and statements that hold what a rule needs."""
        bodies = [*bodies_of(outermost)]
        while bodies:
            body = bodies.pop()
            self._last.add(id(body[-1]))
            for part in self._parts_of(body):
                if part.shares or self._may_concern(part, concerned):
                    bodies.extend(bodies_of(part.node))
                else:
                    self._gone.append(part)

    def _may_concern(self, part: _Part, concerned: Sequence[Ready]) -> bool:
        """Whether a bare rule may find something in a statement, or in others by what it imports."""
        if isinstance(part.node, ast.Expr) and isinstance(part.node.value, ast.Constant):
            return False
        words = self._words_of(part)
        return any(_concerns(ready, words) for ready in concerned) or bool(FOR_OTHERS.search(self._text_of(part)))

    def _parts_of(self, body: list[ast.stmt]) -> Iterator[_Part]:
        last = 0
        for index, node in enumerate(body):
            first = _first_line(node)
            end = node.end_lineno or node.lineno
            following = _first_line(body[index + 1]) if index + 1 < len(body) else end
            yield _Part(node, first, end, first < last or following < end or not self._begins(node, first))
            last = end

    def _begins(self, node: ast.stmt, first: int) -> bool:
        """Whether a statement's first line is its own from the margin on."""
        line = self._lines[first]
        start = line.lstrip()
        if isinstance(node, ast.ClassDef | Function) and node.decorator_list:
            return start.startswith("@")
        return len(line[: len(line) - len(start)].encode()) == node.col_offset

    def _blank(self) -> list[str]:
        """Blank out what is gone; the lines that are left, without those between the parts."""
        lines = self._lines
        gone = {part.first: part for part in self._gone}
        short: list[str] = []
        before = False
        at = 0
        for part in self._parts:
            if part.first in gone:
                before = self._stands_for(part, before=before, short=short)
                continue
            before = within = False
            at = max(at, part.first)  # two statements may stand in one line
            while at < part.end:
                inner = gone.get(at)
                if inner is None:
                    short.append(lines[at])
                    within = within and not lines[at].strip()
                    at += 1
                else:
                    within = self._stands_for(inner, before=within, short=short)
                    at = inner.end
        return short

    def _stands_for(self, part: _Part, *, before: bool, short: list[str]) -> bool:
        """Put a `pass` in the place of a part, but for one `before` it; a part that is too short for it stays.

        That of the last part ends where the part does.
        """
        lines = self._lines
        last = id(part.node) in self._last
        margin = len(lines[part.first]) - len(lines[part.first].lstrip())
        if last:
            end = part.node.end_col_offset or 0
            at = part.end - 1 if end >= len(_LEFT) and lines[part.end - 1].isascii() else None
            column = end - len(_LEFT)
        else:
            column = margin
            at = next((at for at in range(part.first, part.end) if len(lines[at]) >= margin + len(_LEFT)), None)
        if at is None and (last or not before):
            short.extend(lines[part.first : part.end])
            return False
        for number in range(part.first, part.end):
            lines[number] = " " * len(lines[number])
        if at is not None and (last or not before):
            lines[at] = f"{' ' * column}{_LEFT}".ljust(len(lines[at]))
            short.append(" " * margin + _LEFT)
        return True


def _first_line(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return (decorators[0].lineno if decorators else node.lineno) - 1


def _concerns(ready: Ready, words: Words) -> bool:
    """Whether a rule may find something in a part, or asks what is there around something."""
    touches = ready.touches
    if touches is None:
        return False
    where, around = ready.triggers
    return _is_touched(words, touches.where, where) or _is_touched(words, touches.around, around)


def _is_touched(words: Words, needs: Sequence[Needs], trigger: frozenset[str] | None) -> bool:
    return words.may(trigger) and any_met(needs, words)
