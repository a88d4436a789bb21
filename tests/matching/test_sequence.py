"""Sequences and their predicates, each on the smallest code that tells it apart from its neighbour."""

from collections.abc import Mapping

import pytest

from auditor.matching.formula import Evaluation
from auditor.matching.program import engine, parse
from auditor.matching.rule import Leaf, Sequence, Step, Where
from auditor.matching.sequence import MOST_COMBINATIONS, check
from auditor.matching.where import PREDICATES, read_predicate


def sequence(steps: Mapping[str, str], *where: tuple[str, Mapping[str, str]], at: str | None = None) -> Sequence:
    """A sequence of patterns under labels."""
    return Sequence(
        tuple(Step(label, Leaf(pattern)) for label, pattern in steps.items()),
        tuple(Where(name, arguments) for name, arguments in where),
        at=at,
    )


def lines(clause: Sequence, code: str) -> list[list[int]]:
    """For each combination that is found the lines of its steps."""
    evaluation = Evaluation(engine(parse(code), ()))
    return sorted(
        [code.count("\n", 0, hit.labels[step.label].start) + 1 for step in clause.steps]
        for hit in evaluation.hits(clause)
    )


ORDER = {
    "one after the other": ("a()\nb()\n", [[1, 2]]),
    "the wrong way round": ("b()\na()\n", []),
    "around a loop": ("for i in x:\n    b()\n    a()\n", [[3, 2]]),
    "out of a block": ("if c:\n    a()\nb()\n", [[2, 3]]),
    "into a block": ("a()\nwhile c:\n    if d:\n        b()\n", [[1, 4]]),
    "two branches of one if": ("if c:\n    a()\nelse:\n    b()\n", []),
    "past a return": ("def f():\n    if c:\n        a()\n        return\n    b()\n", []),
    "into a handler": ("try:\n    a()\nexcept E:\n    b()\n", [[2, 4]]),
    "inside one statement": ("b(a())\n", [[1, 1]]),
    "from left to right": ("f(a(), b())\n", [[1, 1]]),
    "from right to left": ("f(b(), a())\n", []),
    "two functions": ("def f():\n    a()\ndef g():\n    b()\n", []),
    "a method and the class around it": ("class K:\n    a()\n    def g(self):\n        b()\n", []),
    "a lambda belongs to what is around it": ("a()\nf = lambda: b()\n", [[1, 2]]),
}


@pytest.mark.parametrize("name", ORDER)
def test_steps_follow_control(name: str) -> None:
    code, expected = ORDER[name]
    assert lines(sequence({"A": "a(...)", "B": "b(...)"}), code) == expected


# Name of the predicate, steps, arguments; then code for which it holds and its nearest neighbour for which it does not.
ASKED: dict[str, tuple[dict[str, str], dict[str, str], list[str], list[str]]] = {
    "binding": (
        {"A": "$X = a()", "B": "b($X)"},
        {"of": "$X", "from": "A", "to": "B"},
        [
            "def f():\n    x = a()\n    b(x)\n",
            "def f(x):\n    if c:\n        x = a()\n    b(x)\n",
            "def f():\n    y, x = 1, a()\n    b(x)\n",
            "def f():\n    x = a()\n    x.part = 1\n    b(x)\n",
        ],
        ["def f():\n    x = a()\n    x = 1\n    b(x)\n", "def f(x):\n    y = a()\n    b(x)\n"],
    ),
    "carries": (
        {"A": "$X = a()", "B": "b($Y)"},
        {"from": "A.$X", "to": "B.$Y"},
        [
            "def f():\n    x = a()\n    b(x)\n",
            "def f():\n    x = a()\n    y = x\n    x = 1\n    z = y\n    b(z)\n",
        ],
        [
            "def f():\n    x = a()\n    y = x + 1\n    b(y)\n",
            "def f(x):\n    y = x\n    x = a()\n    b(y)\n",
            "def f():\n    x = a()\n    b(g(x))\n",
        ],
    ),
    "stands-for": (
        {"A": "a($S)", "B": "b($X)"},
        {"of": "B.$X", "from": "A"},
        ["b(a(s))\n", "def f(s):\n    t = a(s)\n    u = t\n    b(u)\n"],
        ["def f(s):\n    t = s\n    if c:\n        t = a(s)\n    b(t)\n", "b(a(s) + 1)\n"],
    ),
    "flow": (
        {"A": "$X = a()", "B": "b($Y)"},
        {"from": "A.$X", "to": "B.$Y", "not-through": ".*norm"},
        [
            "def f():\n    x = a()\n    b(x + 1)\n",
            "def f():\n    x = a()\n    t = g(x)\n    t += 1\n    b([t, 0])\n",
            "def f():\n    x = a()\n    b(g(x) + self.norm(z))\n",
        ],
        [
            "def f():\n    x = a()\n    b(1)\n",
            "def f():\n    x = a()\n    b(self.norms[0](x))\n",
            "def f():\n    x = a()\n    t = norm(x)\n    b(t)\n",
            "def f():\n    x = a()\n    b(x.norm)\n",
        ],
    ),
    "not-flow": (
        {"A": "a($X)", "B": "b($Y)"},
        {"from": "A.$X", "to": "B.$Y"},
        ["def f(self, q, k):\n    a(q)\n    b(self.to_k(k))\n", "a(q)\nb(F.relu(k))\n"],
        [
            "def f(self, q, k):\n    a(q)\n    b(self.mix(q, k))\n",
            "def f(self, q, k):\n    a(q)\n    t = k if c else q\n    b(t)\n",
            "def f(self, q):\n    a(q)\n    b(self.table)\n",
        ],
    ),
    "roots": (
        {"A": "a($X)"},
        {"of": "A.$X", "regex": "k(ey)?$"},
        ["def f(self, key):\n    t = self.to_k(key)\n    a(t)\n", "a(k)\n"],
        ["def f(self, q, k):\n    a(self.k(q))\n", "a(keys)\n"],
    ),
    "comment": (
        {"A": "$X = a($Y)"},
        {"at": "A", "regex": "^# takes $Y\\b"},
        [
            "# takes y.z\nx = a(y.z)\n",
            "x = a(y)  # takes y\n",
            "# takes y\nt = 1\nx = a(y)\n",
            "def f(y):\n    # takes y\n    if c:\n        pass\n    x = a(y)\n",
        ],
        [
            "# takes z\nx = a(y)\n",
            "# takes y\n\nx = a(y)\n",
            "# takes y\nt = 1\n\nx = a(y)\n",
            "x = a(y)\n# takes y\n",
            "s = '# takes y'\nx = a(y)\n",
        ],
    ),
    "incoming": (
        {"A": "$X = a($X)"},
        {"of": "$X", "at": "A"},
        [
            "def f(x):\n    x = a(x)\n",
            "def f(x):\n    y = x\n    y = a(y)\n",
            "def f(pair):\n    x, m = pair\n    x = a(x)\n",
            "x = a(x)\n",
        ],
        ["def f(ids):\n    x = g(ids)\n    x = a(x)\n", "def f(self):\n    self = g(1)\n    self = a(self)\n"],
    ),
    "same": (
        {"A": "a($X)", "B": "b($Y)"},
        {"of": "A.$X", "and": "B.$Y"},
        ["def f(x):\n    a(x)\n    b(x)\n", "a(x.y)\nb(x . y)\n", "def f(x):\n    y, z = x, x\n    a(y)\n    b(z)\n"],
        [
            "def f(x, y):\n    a(x)\n    x = y\n    b(x)\n",
            "a(x)\nb(y)\n",
            "def f(x):\n    a(x)\n    x[0] = 1\n    b(x)\n",
        ],
    ),
    "distinct": (
        {"A": "a($X)", "B": "b($Y)"},
        {"of": "A.$X", "and": "B.$Y"},
        ["a(x)\nb(y)\n", "a(x.n)\nb(y.n)\n"],
        ["a(x)\nb(x)\n", "a(x.n)\nb(n)\n"],
    ),
}


def test_every_predicate_is_asked() -> None:
    assert set(ASKED) == set(PREDICATES)


@pytest.mark.parametrize("name", ASKED)
def test_predicates_hold_and_do_not(name: str) -> None:
    steps, arguments, yes, no = ASKED[name]
    clause = sequence(steps, (name, arguments))
    for code in yes:
        assert len(lines(clause, code)) == 1, code
    for code in no:
        assert not lines(clause, code), code


def test_incoming_speaks_of_the_whole_function() -> None:
    code = "def f(x):\n    x = a(x)\n    x = x + g(x)\n    x = a(x)\n    y = 1\n    y = a(y)\n"
    assert lines(sequence({"A": "$X = a($X)"}, ("incoming", {"of": "$X", "at": "A"})), code) == [[2], [4]]


def test_a_step_that_may_stand_anywhere() -> None:
    clause = Sequence(
        (Step("A", Leaf("a($C.$X)")), Step("B", Leaf("b($C.$Y)"), anywhere=True)),
        (Where("distinct", {"of": "A.$X", "and": "B.$Y"}),),
    )
    assert lines(clause, "def f(c):\n    a(c.x)\ndef g(c):\n    b(c.y)\n    b(c.z)\n") == [[2, 4]]
    assert lines(clause, "def g(c):\n    b(c.y)\ndef f(c):\n    a(c.x)\n    a(c.z)\n") == [[4, 2], [5, 2]]
    assert not lines(clause, "def f(c):\n    a(c.x)\ndef g(c):\n    b(c.x)\n")
    assert not lines(clause, "def f(c):\n    a(c.x)\ndef g(d):\n    b(d.y)\n")
    with pytest.raises(ValueError, match="stand in a function"):
        check(Sequence((Step("A", Leaf("a()"), anywhere=True),)))


def test_every_step_that_has_a_part_is_given() -> None:
    assert lines(sequence({"A": "a()", "B": "b()"}), "a()\na()\nb()\nb()\n") == [[1, 3], [1, 4], [2, 3]]


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("bindings", {}, "no predicate"),
        ("binding", {"of": "$X", "from": "A"}, "needs `to`"),
        ("binding", {"of": "X", "from": "A", "to": "B"}, "metavariable"),
        ("binding", {"of": "$X", "from": "A", "to": "C"}, "no step"),
        ("flow", {"from": "A.x", "to": "B"}, "metavariable"),
        ("flow", {"from": "C.$X", "to": "B"}, "no step"),
        ("flow", {"from": "A", "to": "B", "not-through": "("}, "no regex"),
        ("same", {"of": "A", "and": "B", "but": "A"}, "has no `but`"),
    ],
)
def test_mistakes_are_said(name: str, arguments: dict[str, str], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        read_predicate(name, arguments, ["A", "B"])


def test_labels_are_checked() -> None:
    assert check(sequence({"A": "a()"}, at="A")) == []
    with pytest.raises(ValueError, match="no step"):
        check(sequence({"A": "a()"}, at="B"))
    twice = Sequence((Step("A", Leaf("a()")), Step("A", Leaf("b()"))))
    with pytest.raises(ValueError, match="same label"):
        check(twice)


def test_many_candidates_end() -> None:
    code = "def f(x):\n" + "    a(x)\n" * 300 + "    b(x)\n" * 300
    assert MOST_COMBINATIONS < 300 * 300
    asked = ("flow", {"from": "A", "to": "B"})
    assert lines(sequence({"A": "a($X)", "B": "b($X)"}, asked), code) == []
