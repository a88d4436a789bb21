"""Calls, attributes and imports of a page against what the page and its files define."""

from collections.abc import Iterator

import pytest

from auditor.audit import audit
from auditor.audited import AuditOptions
from auditor.model import Finding, Source
from auditor.project.fitting import Misfit, misfit
from auditor.project.whole import ProjectOptions, judge
from auditor.rulebook import load
from auditor.structure.shape import Arguments, Signature

BOOK = load([])
RULES = ("call-does-not-fit", "attribute-nowhere", "import-nowhere")


def findings(page: str, **files: str) -> Iterator[Finding]:
    sources = {"page.md": page, **{f"{name.replace('__', '/')}.py": text for name, text in files.items()}}
    audits = tuple(audit(Source(path, text), BOOK, AuditOptions()) for path, text in sorted(sources.items()))
    whole = judge(audits, BOOK, ProjectOptions(frozenset(rule.id for rule in BOOK.rules)))
    return (finding for finding in whole.findings if finding.rule in RULES)


def said(page: str, **files: str) -> list[tuple[int, str]]:
    return [(finding.place.line, finding.rule.partition("-")[0]) for finding in findings(page, **files)]


def fences(*codes: str) -> str:
    return "\n".join(f"```python\n{code}```\n" for code in codes)


AREA = "def area(width, height=1, *, unit='m'):\n    return width * height\n"
TANK = """\
class Tank:
    kind = "tank"

    def __init__(self, size):
        self.size = size

    def fill(self, level):
        self.level = level

    @staticmethod
    def of(size):
        return Tank(size)

    @classmethod
    def empty(cls):
        return cls(0)

    @property
    def full(self):
        return self.level == self.size
"""


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        (Arguments(1), None),
        (Arguments(2), None),
        (Arguments(0), Misfit("missing", ("width",))),
        (Arguments(3), Misfit("too-many", given=3, fit=2)),
        (Arguments(0, ("width", "unit")), None),
        (Arguments(1, ("width",)), Misfit("twice", ("width",))),
        (Arguments(1, ("colour",)), Misfit("unknown", ("colour",))),
        (Arguments(0, starred=True), None),
        (Arguments(0, spread=True), None),
        (Arguments(0, ("colour",), spread=True), Misfit("unknown", ("colour",))),
        (Arguments(3, starred=True), Misfit("too-many", given=3, fit=2)),
    ],
)
def test_fit(given: Arguments, fault: Misfit | None) -> None:
    assert misfit(given, Signature(("width", "height"), 0, 1, named=("unit",))) == fault


def test_positional_only_and_required_by_name() -> None:
    signature = Signature(("a", "b"), 1, 2, named=("key",), named_required=("key",))
    assert misfit(Arguments(2, ("key",)), signature) is None
    assert misfit(Arguments(2), signature) == Misfit("missing", ("key",))
    assert misfit(Arguments(1, ("a", "key")), signature) == Misfit("unknown", ("a",))
    assert misfit(Arguments(0, ("a", "b")), Signature(("a", "b"), 1, 2, any_named=True)) == Misfit("missing", ("a",))
    assert misfit(Arguments(1), Signature(("self", "a"), 0, 2), bound=1) is None
    assert misfit(Arguments(5), Signature((), rest=True), bound=1) is None


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("area()\n", [7]),
        ("print(area(1, 2, 3))\n", [7]),
        ("area(1, colour=2)\n", [7]),
        ("def f():\n    return area()\n", [8]),
        ("area(1)\narea(1, 2, unit='km')\narea(*sides)\narea(**sides)\narea(...)\n", []),
        ("area = other\narea()\n", []),
        ("def f(area):\n    return area()\n", []),
        ("from other import area\narea()\n", []),
        ("[area() for area in areas]\n", []),
        ("try:\n    area()\nexcept TypeError:\n    pass\n", []),
        ("with pytest.raises(TypeError):\n    area()\n", []),
        ("area()  # raises an error\n", []),
        ("area()\n# TypeError: area() missing 1 required positional argument\n", []),
    ],
)
def test_functions(code: str, lines: list[int]) -> None:
    assert said(fences(AREA, code)) == [(line, "call") for line in lines]


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("Tank()\n", [(1, "call")]),
        ("tank = Tank(1)\ntank.fill()\n", [(2, "call")]),
        (
            "tank = Tank(1)\ntank.fill(2)\nTank.fill(tank, 2)\nTank.of(1)\nTank.empty()\nprint(tank.full, tank.kind)\n",
            [],
        ),
        ("Tank.of()\nTank.empty(1)\n", [(1, "call"), (2, "call")]),
        ("tank = Tank(1)\ntank.fil(2)\n", [(2, "attribute")]),
        ("Tank(1)\ntank = make()\ntank.fil(2)\n", []),
        ("tank = Tank(1)\nif hasattr(tank, 'lid'):\n    tank.lid\n", []),
        ("tank = Tank(1)\ntank.lid = 1\ntank.lid\n", []),
        ("register(Tank)\ntank = Tank(1)\ntank.lid\n", []),
        ("tank = Tank(1)\ntank.__doc__\nTank.mro()\nTank.lid\n", [(4, "attribute")]),
        ("class Big(Tank):\n    pass\n\n\nbig = Big()\nbig.fil(1)\n", [(5, "call"), (6, "attribute")]),
        ("class Big(Tank, Lid):\n    pass\n\n\nbig = Big()\nbig.fil(1)\n", []),
        ("@dataclass\nclass Big(Tank):\n    depth: int\n\n\nBig()\n", []),
    ],
)
def test_classes(code: str, found: list[tuple[int, str]]) -> None:
    above = TANK.count("\n") + 4  # two openers, a closer, a blank line
    assert [(line - above, rule) for line, rule in said(fences(TANK, code))] == found


@pytest.mark.parametrize(
    "more",
    [
        "    def __getattr__(self, name):\n        return name\n",
        "    def put(self, name):\n        setattr(self, name, 1)\n",
        "    def put(self, more):\n        self.__dict__.update(more)\n",
        "    ...\n",
        "    # ...\n",
    ],
)
def test_open_classes(more: str) -> None:
    assert said(fences(TANK + "\n" + more, "tank = Tank(1)\ntank.fil(2)\n")) == []


def test_through_a_part_and_a_method_without_its_class() -> None:
    parts = TANK + "\n\nclass Plant:\n    def __init__(self):\n        self.tank = Tank(1)\n"
    run = "    def run(self):\n        return self.tank.fill()\n"
    assert said(fences(parts + "\n" + run)) == [(29, "call")]
    assert said(fences(parts, "level = self.tank.fill()\n")) == [(30, "call")]
    assert said(fences(parts, "def run(self):\n    return self.tank.fill()\n")) == [(31, "call")]
    # Two classes have a tank, and one of them has another kind.
    other = "class Other:\n    def __init__(self):\n        self.tank = Barrel()\n"
    assert said(fences(parts, other, "level = self.tank.fill()\n")) == []


def test_a_module_that_is_called() -> None:
    layer = "class Layer(nn.Module):\n    def forward(self, x, mask):\n        return x\n"
    use = "layer = Layer()\nlayer(1)\nlayer.forward(1)\nlayer.train()\nlayer(1, 2)\nlayer.dropp\n"
    assert said(fences("import torch.nn as nn\n" + layer, use)) == [(10, "call"), (11, "call"), (14, "attribute")]
    # Another library's modules are not known.
    assert said(fences("from flax import linen as nn\n" + layer, use)) == [(11, "call")]
    assert said(fences("import flax.linen as nn\n", layer, "layer = Layer()\nlayer.init(1)\nlayer.dropp\n")) == []


def test_a_page_may_show_a_class_in_two_forms() -> None:
    old, new = (f"class Pump:\n    def __init__(self, {name}):\n        self.{name} = 1\n" for name in ("a", "b, c"))
    assert said(fences(old, new, "Pump(1)\nPump(1, 2)\n")) == []
    assert said(fences(old, new, "Pump(1, 2, 3)\n")) == [(14, "call")]


def test_which_definition_is_in_force() -> None:
    old, new = "def f(a):\n    return a\n", "def f(a, b):\n    return a\n"
    assert said(fences(old, "f(1)\n", new, "f(1, 2)\n")) == []
    assert said(fences(old, new, "f(1)\n")) == [(12, "call")]
    assert said(fences(old, new + "\nf(1)\n")) == [(10, "call")]
    # In another section a page may speak of the older form again.
    assert said("# One\n\n" + fences(old, new) + "\n# Two\n\n" + fences("f(1)\n")) == []
    assert said(fences(old, "if new:\n    def f(a, b):\n        return a\n", "f(1)\n")) == []
    assert said(fences(old, "#@tab other\n" + new, "f(1)\n")) == []
    assert said(fences(old, "%%tab other\n" + new, "%%tab one\nf(1)\n").replace("python", "ipython")) == []


def test_a_cell_for_a_framework_calls_what_the_cells_for_it_define() -> None:
    plain, other = "def f(a):\n    return a\n", "#@tab other, third\ndef f(a, b):\n    return a\n"
    assert said(fences(plain, other, "#@tab third\nf(1, 2)\n", "f(1)\n")) == []
    assert said(fences(plain, other, "#@tab third\nf(1)\n", "f(1, 2)\n")) == [(14, "call"), (18, "call")]
    assert said(fences("#@tab all\n" + plain, "#@tab other\nf(1, 2)\n")) == [(9, "call")]


CONFIG = """\
@dataclass(frozen=True)
class Config:
    width: int
    height: int = 1
    tags: list[str] = field(default_factory=list)
    KINDS: ClassVar[int] = 3
"""


@pytest.mark.parametrize(
    ("config", "use", "found"),
    [
        (CONFIG, "Config()", True),
        (CONFIG, "Config(1, 2, [], 3)", True),
        (CONFIG, "Config(1, kinds=3)", True),
        (CONFIG, "Config(1)", False),
        (CONFIG, "Config(width=1, tags=[])", False),
        (CONFIG.replace("frozen=True", "kw_only=True"), "Config(1)", True),
        (CONFIG.replace("frozen=True", "kw_only=True"), "Config(width=1)", False),
        (CONFIG.replace("frozen=True", "init=False"), "Config()", False),
        (CONFIG.replace("Config:", "Config(Base):"), "Config()", False),
        (CONFIG.replace("    KINDS", "    _: KW_ONLY\n    KINDS"), "Config()", False),
        (CONFIG.replace("@dataclass(frozen=True)", "@attrs.define"), "Config()", False),
        (CONFIG + "    # ...\n", "Config()", False),
    ],
)
def test_dataclasses(config: str, use: str, *, found: bool) -> None:
    rules = [rule for _, rule in said(fences("from dataclasses import *\n" + config, use + "\n"))]
    assert rules == (["call"] if found else [])


def test_a_decorator_may_give_a_class_more() -> None:
    patch = "@add_to_class(Tank)\ndef lid(self):\n    return 1\n"
    assert said(fences(TANK, patch, "tank = Tank(1)\ntank.lid()\ntank.fill()\n")) == []


def test_through_a_file() -> None:
    use = "from tank import Tank\n\nTank()\ntank = Tank(1)\ntank.fil(1)\n"
    assert said(fences(use), code__tank=TANK) == [(4, "call"), (6, "attribute")]
    (call, attribute) = findings(fences(use), code__tank=TANK)
    assert "code/tank.py:4" in call.message
    assert call.metavariables["definition"] == "code/tank.py::Tank.__init__"
    assert attribute.metavariables == {"name": "tank.fil", "attribute": "fil", "owner": "Tank"}
    module = "import tank as t\n\nt.Tank()\nt.Barrel()\n"
    assert said(fences(module), tank=TANK) == [(4, "call"), (5, "attribute")]


def test_a_bare_name_of_one_file() -> None:
    assert said(fences("Tank()\n"), code__tank=TANK) == [(2, "call")]
    assert said(fences("Tank()\n"), code__tank=TANK, code__other="class Tank:\n    pass\n") == []


@pytest.mark.parametrize(
    ("code", "file", "found"),
    [
        ("from tank import Barrel\n", TANK, True),
        ("from tank import Tank\n", TANK, False),
        ("from tank import Barrel\n", TANK + "\nfrom barrels import *\n", False),
        ("from tank import Barrel\n", TANK + "\ndef __getattr__(name):\n    return name\n", False),
        ("from tank import Barrel\n", TANK + "\nglobals()['Barrel'] = Tank\n", False),
        ("try:\n    from tank import Barrel\nexcept ImportError:\n    pass\n", TANK, False),
        ("from .tank import Barrel\n", TANK, False),
        ("from json import Barrel\n", TANK, False),
    ],
)
def test_imports(code: str, file: str, *, found: bool) -> None:
    assert said(fences(code), tank=file, json="") == ([(2, "import")] if found else [])


def test_a_fence_that_the_reader_saves_as_the_module() -> None:
    assert said(fences("class Barrel:\n    pass\n", "from tank import Barrel\n"), tank=TANK) == []


def test_nothing_is_said_of_broken_or_elided_fences() -> None:
    assert said(fences(AREA, "area()\nx = = 1\n")) == []
    assert said(fences(AREA, "area(\n    ...,\n    colour=<COLOUR>,\n)\n")) == []


def test_cycles_end() -> None:
    page = fences(
        "a = b()\nb = a()\na.x\n", "class A(B):\n    pass\n\n\nclass B(A):\n    pass\n\n\nA(1).x\nx = A(1)\nx.y\n"
    )
    assert {rule for _, rule in said(page)} <= {"attribute"}
    assert said(fences("from one import f\nf(1)\n"), one="from two import f\n", two="from one import f\n") == []
