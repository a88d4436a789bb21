"""What CPython sees at run time is always among what the analysis gives: random programs written here, run here."""

import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, Self

import libcst as cst
import pytest

from auditor.matching.flow import Flow, analyse
from auditor.matching.flow_expressions import walk
from auditor.matching.flow_paths import Paths

PROGRAMS = 60
RUNS = 4
NAMES = ("a", "b", "c")


class Tagged:
    """A value that says which definition made it."""

    def __init__(self, tag: int) -> None:
        self.tag = tag

    def __iadd__(self, other: Any) -> Any:
        return other

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return None


class InjectedError(Exception):
    """Raised at random inside the program."""


class OutOfFuelError(BaseException):
    """Ends a program that runs on."""


class Writer:
    """Writes one random program; every definition and every read has a number of its own."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311 - nothing secret
        self.number = 0
        self.functions: list[str] = []

    def fresh(self) -> int:
        self.number += 1
        return self.number

    def name(self) -> str:
        return self.random.choice(NAMES)

    def value(self) -> str:
        kind = self.random.random()
        if kind < 0.6:
            return f"d({self.fresh()})"
        if kind < 0.75:
            return f"(({self.name()} := d({self.fresh()})) if q() else d({self.fresh()}))"
        if kind < 0.85:
            return f"(q() and ({self.name()} := d({self.fresh()})), d({self.fresh()}))[1]"
        return f"(u({self.fresh()}, {self.name()}), d({self.fresh()}))[1]"

    def read(self) -> str:
        kind = self.random.random()
        if kind < 0.7:
            return f"u({self.fresh()}, {self.name()})"
        if kind < 0.8:
            bound = self.name()
            return f"[(u({self.fresh()}, {self.name()}), {self.other(bound)}) for {bound} in it({self.fresh()})]"
        if kind < 0.9:
            return f"list(u({self.fresh()}, {self.name()}) for z in it({self.fresh()}))"
        return f"(lambda: u({self.fresh()}, {self.name()}))()"

    def other(self, bound: str) -> str:
        name = self.random.choice([name for name in NAMES if name != bound])
        return f"({name} := d({self.fresh()}))"

    def block(self, depth: int, loops: int, indent: str, *, nested: bool = False) -> list[str]:
        lines: list[str] = []
        for _ in range(self.random.randint(1, 4)):
            lines += self.statement(depth, loops, indent, nested=nested)
        return lines

    def statement(self, depth: int, loops: int, indent: str, *, nested: bool) -> list[str]:
        kinds = ["assign", "assign", "read", "read", "read", "augment", "pair", "del", "jump"]
        if depth > 0:
            kinds += ["if", "for", "while", "try", "try", "with", "suppress", "match", "class"]
            kinds += [] if nested else ["def", "late"]
        kind = self.random.choice(kinds)
        return [indent + line if line else line for line in getattr(self, f"write_{kind}")(depth - 1, loops)]

    def write_assign(self, _depth: int, _loops: int) -> list[str]:
        return [f"{self.name()} = {self.value()}"]

    def write_read(self, _depth: int, _loops: int) -> list[str]:
        return [self.read()]

    def write_augment(self, _depth: int, _loops: int) -> list[str]:
        return [f"{self.name()} += d({self.fresh()})"]

    def write_pair(self, _depth: int, _loops: int) -> list[str]:
        one, two = self.random.sample(NAMES, 2)
        return [f"{one}, *{two} = d({self.fresh()}), d({self.fresh()})", f"{two} = d({self.fresh()})"]

    def write_del(self, _depth: int, _loops: int) -> list[str]:
        return [f"del {self.name()}"] if self.random.random() < 0.3 else [self.read()]

    def write_jump(self, _depth: int, loops: int) -> list[str]:
        jump = self.random.choice(["break", "continue"] if loops else ["return", "raise InjectedError"])
        return [f"if q(): {jump}"]

    def write_if(self, depth: int, loops: int) -> list[str]:
        lines = ["if q():", *self.block(depth, loops, "    ")]
        if self.random.random() < 0.4:
            lines += ["elif q():", *self.block(depth, loops, "    ")]
        return lines + (["else:", *self.block(depth, loops, "    ")] if self.random.random() < 0.5 else [])

    def write_for(self, depth: int, loops: int) -> list[str]:
        lines = [f"for {self.name()} in it({self.fresh()}):", *self.block(depth, loops + 1, "    ")]
        return lines + (["else:", *self.block(depth, loops, "    ")] if self.random.random() < 0.3 else [])

    def write_while(self, depth: int, loops: int) -> list[str]:
        test = "True" if self.random.random() < 0.2 else f"(({self.name()} := d({self.fresh()})), q())[1]"
        return [f"while {test}:", *self.block(depth, loops + 1, "    ")]

    def write_try(self, depth: int, loops: int) -> list[str]:
        lines = ["try:", *self.block(depth, loops, "    ")]
        kind = self.random.random()
        if kind < 0.7:
            caught = (
                "except InjectedError as z:" if self.random.random() < 0.5 else "except (InjectedError, NameError):"
            )
            lines += [caught, *self.block(depth, loops, "    ")]
            lines += ["else:", *self.block(depth, loops, "    ")] if self.random.random() < 0.3 else []
        if kind > 0.4:
            lines += ["finally:", *self.block(depth, loops, "    ")]
        return lines

    def write_with(self, depth: int, loops: int) -> list[str]:
        return [f"with m({self.fresh()}) as {self.name()}:", *self.block(depth, loops, "    ")]

    def write_suppress(self, depth: int, loops: int) -> list[str]:
        return ["with suppress(InjectedError, NameError):", *self.block(depth, loops, "    ")]

    def write_match(self, depth: int, loops: int) -> list[str]:
        head = [f"match d({self.fresh()}):", f"    case {self.name()} if q():", *self.block(depth, loops, "        ")]
        return [*head, "    case _:", *self.block(depth, loops, "        ")]

    def write_class(self, depth: int, _loops: int) -> list[str]:
        return [f"class K{self.fresh()}:", *self.block(min(depth, 1), 0, "    ", nested=True)]

    def write_def(self, depth: int, _loops: int) -> list[str]:
        name = f"f{self.fresh()}"
        owned = (
            f"    nonlocal {self.name()}" if self.random.random() < 0.7 else f"    {self.name()} = d({self.fresh()})"
        )
        self.functions.append(name)
        return [f"def {name}():", owned, *self.block(min(depth, 1), 0, "    ", nested=True), f"if q(): {name}()"]

    def write_late(self, _depth: int, _loops: int) -> list[str]:
        if not self.functions:
            return [self.read()]
        return [f"with suppress(NameError): {self.random.choice(self.functions)}()"]

    def program(self) -> str:
        start = [f"    {name} = d({self.fresh()})" for name in NAMES if self.random.random() < 0.8]
        bound = ["    if False: a = b = c = None"]
        return "\n".join(["def run():", *bound, *start, *self.block(3, 0, "    "), *self.block(2, 0, "    "), ""])


def observed(code: str, seed: int) -> set[tuple[int, int]]:
    """The pairs of a read and the definition that it saw in one run."""
    chance = random.Random(seed)  # noqa: S311 - nothing secret
    risk = chance.choice([0.0, 0.02, 0.1])
    pairs: set[tuple[int, int]] = set()
    fuel = [400]

    def step() -> None:
        fuel[0] -= 1
        if fuel[0] < 0:
            raise OutOfFuelError
        if chance.random() < risk:
            raise InjectedError

    def made(tag: int) -> Tagged:
        step()
        return Tagged(tag)

    def used(read: int, value: object) -> None:
        step()
        if isinstance(value, Tagged):
            pairs.add((read, value.tag))

    def several(tag: int) -> Iterator[Tagged]:
        for _ in range(chance.randint(0, 3)):
            step()
            yield Tagged(tag)

    def asked() -> bool:
        step()
        return chance.random() < 0.5

    world: dict[str, Any] = {
        "d": made, "u": used, "it": several, "m": made, "q": asked,
        "suppress": suppress, "InjectedError": InjectedError,
    }  # fmt: skip
    exec(code, world)  # noqa: S102 - a program that this test wrote
    with suppress(InjectedError, OutOfFuelError, NameError, TypeError):
        world["run"]()
    return pairs


class _Calls(cst.CSTVisitor):
    def __init__(self) -> None:
        self.reads: list[tuple[int, cst.BaseExpression]] = []

    def visit_Call(self, node: cst.Call) -> None:  # noqa: N802 - libcst's name
        if isinstance(node.func, cst.Name) and node.func.value == "u":
            number = node.args[0].value
            assert isinstance(number, cst.Integer)
            self.reads.append((int(number.value), node.args[1].value))


def tag_of(value: cst.CSTNode | None) -> set[int]:
    """The numbers of the definitions that an expression may be the value of."""
    return {
        int(node.args[0].value.value)
        for node in (walk(value) if value is not None else ())
        if isinstance(node, cst.Call)
        and isinstance(node.func, cst.Name)
        and node.func.value in {"d", "it", "m"}
        and isinstance(node.args[0].value, cst.Integer)
    }


def given(code: str, analysis: Callable[[cst.CSTNode], Flow]) -> dict[int, set[int]]:
    """For each read the definitions that the analysis gives."""
    function = cst.parse_module(code).body[0]
    flow = analysis(function)
    calls = _Calls()
    function.visit(calls)
    return {
        number: {tag for definition in flow.definitions_of(name) for tag in tag_of(definition.value)}
        for number, name in calls.reads
    }


def without_order(function: cst.CSTNode) -> Flow:
    """The way of reading that is left where paths would cost too much."""
    paths = Paths(0)
    paths.run(function)
    return Flow(function, paths)


@pytest.mark.parametrize("analysis", [analyse, without_order])
def test_nothing_seen_at_run_time_is_missed(analysis: Callable[[cst.CSTNode], Flow]) -> None:
    count = reads = 0
    for seed in range(PROGRAMS):
        code = Writer(seed).program()
        try:
            compile(code, "program", "exec")
        except SyntaxError:  # a nonlocal after an assignment, a walrus over a comprehension's own name
            continue
        count += 1
        known = given(code, analysis)
        for run in range(RUNS):
            for read, tag in observed(code, seed * 100 + run):
                reads += 1
                assert tag in known[read], f"read {read} saw definition {tag}:\n{code}"
    assert count > PROGRAMS / 4, "the programs must be worth running"
    assert reads > count, "the programs must read something"
