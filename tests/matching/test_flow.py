"""What reaches a read, small program by small program: each read is a call `use(name)`, each definition a line."""

from collections.abc import Callable

import libcst as cst
import libcst.metadata
import pytest

from auditor.matching.flow import Flow, analyse
from auditor.matching.flow_definitions import Definition, unpack
from auditor.matching.flow_paths import MOST_LEVELS


class _Uses(cst.CSTVisitor):
    METADATA_DEPENDENCIES = (libcst.metadata.PositionProvider,)

    def __init__(self) -> None:
        self.lines: dict[int, int] = {}
        self.uses: list[cst.BaseExpression] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        position = self.get_metadata(libcst.metadata.PositionProvider, node, None)
        if position is not None:
            self.lines[id(node)] = position.start.line
        if isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and node.func.value == "use":
            self.uses.append(node.args[0].value)
        return True


def read(code: str, at: int = 0) -> tuple[Flow, list[cst.BaseExpression], dict[int, int]]:
    """The flow of the statement numbered `at`, the arguments of its `use(…)` calls, and the lines of all nodes."""
    wrapper = cst.MetadataWrapper(cst.parse_module(code), unsafe_skip_copy=True)
    uses = _Uses()
    wrapper.visit(uses)
    return analyse(wrapper.module.body[at]), uses.uses, uses.lines


def lines_reaching(code: str) -> list[list[int]]:
    """For each `use(name)` the lines of the definitions that reach it."""
    flow, uses, lines = read(code)
    return [sorted(lines[id(definition.node)] for definition in flow.definitions_of(name)) for name in uses]


CASES = {
    "a parameter, then rebound": ("def f(x):\n    use(x)\n    x = 1\n    use(x)\n", [[1], [3]]),
    "one branch binds": ("def f(x):\n    if c:\n        x = 1\n    use(x)\n", [[1, 3]]),
    "both branches bind": ("def f(x):\n    if c:\n        x = 1\n    else:\n        x = 2\n    use(x)\n", [[3, 5]]),
    "a branch that returns": ("def f(x):\n    if c:\n        x = 1\n        return\n    use(x)\n", [[1]]),
    "around a loop": ("def f(x):\n    for i in y:\n        use(x)\n        x = 1\n", [[1, 4]]),
    "break keeps what it left with": (
        "def f(x):\n    while True:\n        x = 1\n        if c:\n            break\n        x = 2\n    use(x)\n",
        [[3]],
    ),
    "any prefix of a try reaches its handler": (
        "def f(x):\n    try:\n        x = 1\n        x = 2\n    except E:\n        use(x)\n",
        [[1, 3, 4]],
    ),
    "finally sees every way in": (
        "def f(x):\n    try:\n        x = 1\n        return\n    finally:\n        use(x)\n",
        [[1, 3]],
    ),
    "what went through finally goes on": (
        "def f(x):\n    for i in y:\n        try: x = 1; break\n        finally: z = 1\n    use(x)\n",
        [[1, 3]],
    ),
    "with lets exceptions through": ("def f(x):\n    with m():\n        x = 1\n        x = 2\n    use(x)\n", [[4]]),
    "suppress does not": ("def f(x):\n    with suppress(E):\n        x = 1\n        x = 2\n    use(x)\n", [[1, 3, 4]]),
    "a walrus under and": ("def f(x):\n    c and (x := 1)\n    use(x)\n", [[1, 2]]),
    "a walrus leaks out of a comprehension": ("def f(x):\n    [(x := i) for i in y]\n    use(x)\n", [[1, 2]]),
    "a comprehension has names of its own": ("def f(x):\n    [x for x in y]\n    use(x)\n", [[1]]),
    "a store to an item is a weak definition": ("def f(x):\n    x[0] = 1\n    use(x)\n", [[1, 2]]),
    "a store to an attribute too": ("def f(x):\n    x.a.b = 1\n    use(x)\n", [[1, 2]]),
    "augmented": ("def f(x):\n    x += 1\n    use(x)\n", [[2]]),
    "deleted": ("def f(x):\n    del x\n    use(x)\n", [[]]),
    "the name of an exception ends with its clause": (
        "def f(e):\n    try:\n        g()\n    except E as e:\n        use(e)\n    use(e)\n",
        [[4], [1]],
    ),
    "a closure sees what is bound later": ("def f():\n    x = 1\n    g = lambda: use(x)\n    x = 2\n", [[2, 4]]),
    "a sibling's nonlocal is seen everywhere": (
        "def f():\n    x = 1\n    def g():\n        nonlocal x\n        x = 2\n    use(x)\n",
        [[2, 5]],
    ),
    "a pattern's capture stays when its guard fails": (
        "def f(x):\n    match y:\n        case x if c:\n            pass\n        case _:\n            use(x)\n",
        [[1, 3]],
    ),
    "a class body reads around itself": ("def f(x):\n    class K:\n        use(x)\n        x = 1\n", [[1]]),
    "a name from outside": ("def f():\n    use(x)\n", [[]]),
    "unreached": ("def f(x):\n    return\n    use(x)\n", [[]]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_definitions_that_reach(name: str) -> None:
    code, expected = CASES[name]
    assert lines_reaching(code) == expected


def parts(target: str, value: str) -> list[tuple[str, str, tuple[int | None, ...]]]:
    module = cst.Module([])
    statement = cst.parse_statement(f"{target} = {value}")
    assert isinstance(statement, cst.SimpleStatementLine)
    assign = statement.body[0]
    assert isinstance(assign, cst.Assign)
    return [
        (part.name.value, module.code_for_node(part.value) if part.value is not None else "", part.axis)
        for part in unpack(assign.targets[0].target, assign.value)
    ]


def test_unpacking_is_elementwise() -> None:
    assert parts("a, b", "f(q), g(k)") == [("a", "f(q)", ()), ("b", "g(k)", ())]
    assert parts("a, (b, c)", "p, (q, r)") == [("a", "p", ()), ("b", "q", ()), ("c", "r", ())]
    assert parts("n, t, _", "x.shape") == [("n", "x.shape", (0,)), ("t", "x.shape", (1,)), ("_", "x.shape", (2,))]
    assert parts("a, *b, c", "p, q, r, s") == [("a", "p", ()), ("b", "p, q, r, s", (None,)), ("c", "s", ())]
    assert parts("n, *rest, d", "x.shape")[2] == ("d", "x.shape", (-1,))
    assert parts("a, b", "p, *qs") == [("a", "p", ()), ("b", "p, *qs", (1,))]
    assert parts("*a, b, c", "p,") == [("a", "p,", (None,)), ("b", "p,", (-2,)), ("c", "p,", (-1,))]


def roots(flow: Flow, expression: cst.CSTNode, skip: Callable[[cst.CSTNode], bool] | None = None) -> set[str]:
    """The parameters that an expression is computed from."""
    sources = flow.sources(expression, skip)
    return {source.name for source in sources if isinstance(source, Definition) and source.kind == "param"}


def test_derivation_goes_through_locals_and_stops_where_told() -> None:
    flow, (use,), _ = read("def f(x, m):\n    y = norm(x)\n    z = g(y, 1)\n    z += m\n    use(z)\n")
    assert roots(flow, use) == {"x", "m"}
    (definition,) = flow.definitions_of(use)
    assert definition.kind == "augment"
    assert definition in flow.sources(use)

    def is_norm(node: cst.CSTNode) -> bool:
        return isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and node.func.value == "norm"

    assert roots(flow, use, is_norm) == {"m"}


def test_only_value_wants_exactly_one_assignment() -> None:
    code = "def f(s, c):\n    t = s.float()\n    use(t)\n    if c:\n        t = s\n    use(t)\n"
    flow, (first, second), _ = read(code)
    assert isinstance(flow.only_value(first), cst.Call)
    assert flow.only_value(second) is None


def test_copies_lead_to_the_parameter() -> None:
    flow, (use,), _ = read("def f(x):\n    y = x\n    z = y\n    use(z)\n")
    assert [(origin.kind, origin.name) for origin in flow.origins(use)] == [("param", "x")]


def test_order_along_control_flow() -> None:
    code = "def f(c):\n    if c:\n        a = 1\n        return a\n    else:\n        b = 1\n"
    code += "    for i in c:\n        d = 1\n        e = 1\n"
    function = cst.parse_module(code).body[0]
    assert isinstance(function, cst.FunctionDef)
    flow = analyse(function)
    branch, loop = function.body.body
    assert isinstance(branch, cst.If)
    assert isinstance(loop, cst.For)
    assert isinstance(branch.orelse, cst.Else)
    first = branch.body.body[0].body[0]  # type: ignore[union-attr]
    other = branch.orelse.body.body[0].body[0]  # type: ignore[union-attr]
    one, two = (line.body[0] for line in loop.body.body)  # type: ignore[union-attr]
    assert not flow.precedes(first, other)
    assert not flow.precedes(first, loop), "the branch has returned"
    assert flow.precedes(other, loop)
    assert flow.precedes(one, two)
    assert flow.precedes(two, one), "around the loop"


def test_deep_and_wide_code_is_read_without_recursion() -> None:
    node: cst.BaseExpression = cst.Name("x")
    for _ in range(20_000):
        node = cst.BinaryOperation(node, cst.Add(), cst.Name("x"))
    function = cst.FunctionDef(
        cst.Name("f"),
        cst.Parameters([cst.Param(cst.Name("x"))]),
        cst.IndentedBlock([cst.SimpleStatementLine([cst.Return(node)])]),
    )
    flow = analyse(function)
    assert roots(flow, node) == {"x"}
    branches = "def f(x):\n    if x == 0:\n        y = 0\n" + "".join(
        f"    elif x == {n}:\n        y = {n}\n" for n in range(1, 200)
    )
    assert len(lines_reaching(branches + "    use(y)\n")[0]) == 200


def test_what_asks_for_too_much_is_read_without_order() -> None:
    code = "def f(x):\n    y = 0\n" + "".join(f"    if x[{n}]:\n        y = {n}\n" for n in range(600)) + "    use(y)\n"
    flow, (use,), _ = read(code)
    assert len(flow.definitions_of(use)) == 601
    other = "def g(y):\n    y = 1\n    use(y)\n"
    wrapped = "class K:\n" + "".join(f"    {line}\n" for line in (code + other).splitlines())
    flow, (_, exact), _ = read(wrapped)
    assert len(flow.definitions_of(exact)) == 1, "one function beyond its budget does not blur another"


def test_levels_beyond_what_compiles_give_an_empty_flow() -> None:
    name = cst.Name("x")
    body: cst.BaseSuite = cst.IndentedBlock([cst.SimpleStatementLine([cst.Expr(name)])])
    for _ in range(MOST_LEVELS + 1):
        body = cst.IndentedBlock([cst.If(cst.Name("x"), body)])
    function = cst.FunctionDef(cst.Name("f"), cst.Parameters([cst.Param(cst.Name("x"))]), body)
    flow = analyse(function)
    assert not flow.definitions_of(name)
