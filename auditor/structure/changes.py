"""What was done to a piece of code, one operation at a time: from the tree of one text to the tree of another."""

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from auditor.structure.alignment import align, likeness, one_for_one
from auditor.structure.definitions import DEFINING, Defining, header_newer
from auditor.structure.normal import body_of, form
from auditor.structure.operation import Operation, OperationKind
from auditor.structure.parts import (
    differing_calls,
    head_of,
    head_text,
    is_dots,
    keys_of,
    newer_in,
    parameters_of,
    text_of,
)
from auditor.structure.reading import Reading
from auditor.structure.renaming import name_pairs


@dataclass(frozen=True, slots=True)
class Change:
    """An operation, and where it was done: in a definition's header, or by leaving something out."""

    operation: Operation
    header: bool = False


# Suites in each other beyond which two are compared as a whole; a chain of `elif` counts with each one.
_MAX_DEPTH = 40


class Changes:
    """Compares trees of two texts; `elided` is set where the second says that it leaves something out."""

    def __init__(self, before: Reading, after: Reading) -> None:
        self.before = before
        self.after = after
        self.elided = False
        self.depth = 0

    def statements(self, before: Sequence[ast.stmt], after: Sequence[ast.stmt], path: str) -> Iterator[Change]:
        """From one list of statements to another."""
        kept = [node for node in after if not is_dots(node)]
        if len(kept) < len(after) and not any(is_dots(node) for node in before):
            self.elided = True
            after = kept
        elif (
            len(after) == 1
            and isinstance(after[0], ast.Pass)
            and not any(isinstance(node, ast.Pass) for node in before)
        ):
            self.elided = True
            after = []
        if self.depth > _MAX_DEPTH:
            if keys_of(before) != keys_of(after):
                yield Change(Operation("statement-changed", path))
            return
        self.depth += 1
        named = {node.name: node for node in after if isinstance(node, DEFINING)}
        paired: dict[int, Defining] = {}
        for node in before:
            if isinstance(node, DEFINING) and type(named.get(node.name)) is type(node):
                paired[id(node)] = named.pop(node.name)
        taken = {id(node) for node in paired.values()}
        for node in before:
            if id(node) in paired:
                yield from self._definition(node, paired[id(node)], path)  # type: ignore[arg-type]  # put in above
        yield from self._aligned(
            [node for node in before if id(node) not in paired], [node for node in after if id(node) not in taken], path
        )
        self.depth -= 1

    def _aligned(self, before: Sequence[ast.stmt], after: Sequence[ast.stmt], path: str) -> Iterator[Change]:
        left, right = [form([node]) for node in before], [form([node]) for node in after]
        bags = [Counter(pieces) for pieces in left], [Counter(pieces) for pieces in right]

        def alike(row: int, column: int) -> float:
            same = type(before[row]) is type(after[column])
            return likeness(bags[0][row], bags[1][column]) if same else 0.0

        keys = (
            ["".join([*pieces, *newer_in(self.before, node)]) for pieces, node in zip(left, before, strict=True)],
            ["".join([*pieces, *newer_in(self.after, node)]) for pieces, node in zip(right, after, strict=True)],
        )
        pairs = one_for_one(list(align(*keys, alike)), lambda row, column: type(before[row]) is type(after[column]))
        for row, column in pairs:
            if column is None and row is not None:
                yield Change(Operation("statement-removed", path, before=text_of(self.before, before[row])))
            elif row is None and column is not None:
                yield Change(Operation("statement-added", path, after=text_of(self.after, after[column])))
            elif row is not None and column is not None and keys[0][row] != keys[1][column]:
                yield from self._statement(before[row], after[column], path)

    def _statement(self, before: ast.stmt, after: ast.stmt, path: str) -> Iterator[Change]:
        """From one statement to another of the same kind."""
        if isinstance(before, DEFINING) and isinstance(after, DEFINING):
            yield from self._definition(before, after, path)
        elif isinstance(before, ast.If | ast.While) and isinstance(after, ast.If | ast.While):
            yield from self._part("condition-changed", before.test, after.test, path)
            yield from self._suites(before, after, path)
        elif hasattr(before, "body"):
            yield from self._compound(before, after, path)
        else:
            yield from self._simple(before, after, path)

    def _part(self, kind: OperationKind, before: ast.AST, after: ast.AST, path: str) -> Iterator[Change]:
        if form([before]) != form([after]):
            texts = text_of(self.before, before), text_of(self.after, after)
            yield Change(Operation(kind, path, *texts))

    def _suites(self, before: ast.stmt, after: ast.stmt, path: str) -> Iterator[Change]:
        for name in ("body", "orelse", "finalbody"):
            if hasattr(before, name):
                yield from self.statements(getattr(before, name), getattr(after, name), path)

    def _compound(self, before: ast.stmt, after: ast.stmt, path: str) -> Iterator[Change]:
        """`for`, `with`, `try`, `match`: their heads as one, their suites one by one."""
        clauses = "handlers" if hasattr(before, "handlers") else "cases" if hasattr(before, "cases") else None
        if head_of(before) != head_of(after):
            if clauses:
                yield from self._whole(before, after, path)
                return
            heads = head_text(self.before, before), head_text(self.after, after)
            yield Change(Operation("statement-changed", path, *heads))
        yield from self._suites(before, after, path)
        if clauses:
            for left, right in zip(getattr(before, clauses), getattr(after, clauses), strict=True):
                yield from self.statements(left.body, right.body, path)

    def _whole(self, before: ast.AST, after: ast.AST, path: str) -> Iterator[Change]:
        texts = text_of(self.before, before), text_of(self.after, after)
        yield Change(Operation("statement-changed", path, *texts))

    def _simple(self, before: ast.stmt, after: ast.stmt, path: str) -> Iterator[Change]:
        pairs = name_pairs(before, after)
        if newer_in(self.before, before) != newer_in(self.after, after):
            yield from self._whole(before, after, path)
            return
        if pairs is not None:
            yield from self._replaced(pairs, path)
            return
        if (
            isinstance(before, ast.Assign)
            and isinstance(after, ast.Assign)
            and len(before.targets) == len(after.targets)
        ):
            targets = name_pairs(ast.Tuple(before.targets), ast.Tuple(after.targets))
            if targets is not None:
                calls = differing_calls(before.value, after.value)
                if calls:
                    yield from self._replaced(targets, path)
                    yield from self._arguments(*calls, path)
                    return
        calls = differing_calls(before, after)
        if calls:
            yield from self._arguments(*calls, path)
        else:
            yield from self._whole(before, after, path)

    def _replaced(self, pairs: Sequence[tuple[str, str]], path: str) -> Iterator[Change]:
        for old, new in dict.fromkeys(pairs):
            if old != new:
                yield Change(Operation("name-replaced", path, old, new))

    def _arguments(self, before: ast.Call, after: ast.Call, path: str) -> Iterator[Change]:
        """From one call of a function to another: by position, then by name."""
        keys = keys_of(before.args), keys_of(after.args)
        same = len(before.args) == len(after.args)
        for row, column in align(*keys, lambda row, column: float(same and row == column)):
            yield from self._argument(
                before.args[row] if row is not None else None, after.args[column] if column is not None else None, path
            )
        named = {each.arg: each for each in before.keywords}, {each.arg: each for each in after.keywords}
        for name in dict.fromkeys([*named[0], *named[1]]):
            yield from self._argument(named[0].get(name), named[1].get(name), path)

    def _argument(
        self, before: ast.AST | None, after: ast.AST | None, path: str, *, header: bool = False
    ) -> Iterator[Change]:
        old = text_of(self.before, before) if before is not None else None
        new = text_of(self.after, after) if after is not None else None
        if before is None:
            yield Change(Operation("argument-added", path, after=new), header)
        elif after is None:
            yield Change(Operation("argument-removed", path, before=old), header)
        elif form([before]) != form([after]):
            yield Change(Operation("argument-changed", path, old, new), header)

    def _definition(self, before: Defining, after: Defining, path: str) -> Iterator[Change]:
        path = f"{path}.{before.name}" if path else before.name
        if before.name != after.name:
            yield Change(Operation("name-replaced", path, before.name, after.name))
        old, new = header_newer(self.before, before), header_newer(self.after, after)
        if old != new:
            yield Change(Operation("argument-changed", path, " ".join(old) or None, " ".join(new) or None), header=True)
        yield from self._listed("decorator-changed", before.decorator_list, after.decorator_list, path)
        if isinstance(before, ast.ClassDef) and isinstance(after, ast.ClassDef):
            yield from self._listed(
                "base-changed", [*before.bases, *before.keywords], [*after.bases, *after.keywords], path
            )
        elif not isinstance(before, ast.ClassDef) and not isinstance(after, ast.ClassDef):
            yield from self._parameters(before.args, after.args, path)
            yield from self._annotation(before.returns, after.returns, "-> ", path)
        yield from self.statements(body_of(before), body_of(after), path)

    def _listed(
        self, kind: OperationKind, before: Sequence[ast.AST], after: Sequence[ast.AST], path: str
    ) -> Iterator[Change]:
        for row, column in align(keys_of(before), keys_of(after), lambda _row, _column: 1.0):
            old = text_of(self.before, before[row]) if row is not None else None
            new = text_of(self.after, after[column]) if column is not None else None
            if row is None or column is None or form([before[row]]) != form([after[column]]):
                yield Change(Operation(kind, path, old, new), header=True)

    def _annotation(self, before: ast.expr | None, after: ast.expr | None, mark: str, path: str) -> Iterator[Change]:
        if (before and form([before])) != (after and form([after])):
            old = mark + text_of(self.before, before) if before else None
            new = mark + text_of(self.after, after) if after else None
            yield Change(Operation("annotation-changed", path, old, new), header=True)

    def _parameters(self, before: ast.arguments, after: ast.arguments, path: str) -> Iterator[Change]:
        left, right = parameters_of(before), parameters_of(after)
        names = [name for name, _, _ in left], [name for name, _, _ in right]

        def alike(row: int, column: int) -> float:
            # Another name in the same place, where neither side has both.
            same = len(left) == len(right) and row == column
            return float(same and names[0][row] not in names[1] and names[1][column] not in names[0])

        for row, column in align(*names, alike):
            if row is None or column is None:
                yield from self._argument(
                    left[row][1] if row is not None else None, right[column][1] if column is not None else None, path,
                    header=True,
                )  # fmt: skip
                continue
            name, old, old_default = left[row]
            other, new, new_default = right[column]
            if name != other:
                yield Change(Operation("argument-changed", path, name, other), header=True)
            yield from self._annotation(old.annotation, new.annotation, f"{other}: ", path)
            if (old_default and form([old_default])) != (new_default and form([new_default])):
                texts = [
                    f"{name}={text_of(side, default)}" if default else name
                    for side, default in ((self.before, old_default), (self.after, new_default))
                ]
                yield Change(Operation("default-changed", path, *texts), header=True)
