"""Valid texts that libcst cannot read are said whichever rules are asked for, and the sound majority is not tried."""

import pytest

from auditor.matching import find, prepare
from auditor.matching.guard import refused
from auditor.matching.rule import Leaf, Rule
from auditor.matching.unreadable import may_be_unreadable

NO_RULES = prepare([])
FOREIGN = prepare([Rule("foreign", "error", {"en": "m"}, match=Leaf("nowhere_used($X)"))])

UNREADABLE = [
    "import " + ".".join(["a"] * 1000) + " as load\n",
    "x = 1 if y else(  # or\n    # else\n    lambda: 0)\n",
    "(size): int = 1\n",
    "x = 1; (size): int\n",
    "if x: (size): int\n",
    "((size.x)): int = 1\n",
    "(\n  # which\n  size\n): int = 1\n",
    "(size[-1]): int = 1\n",
    "(size[a + b]): int\n",
    "(size['#)']): int\n",
    "\f(size): int\n",
    "class Plan(Base, metaclass=Meta, *more): pass\n",
    "class Plan(key=x[1:2], *more): pass\n",
    "class Plan(key={1: 2}, *more): pass\n",
    "class Plan(key=lambda: 0, *more): pass\n",
    "class\fPlan(key=1, *more): pass\n",
    "def f():\n    class Plan(\n        key=1,  # first\n        *more,\n    ): pass\n",
    "x = () if 0 else(lambda: ())\n",
    "x = not(  # why\n  lambda: 0)\n",
    "x = a or((lambda: 0))\n",
    "if(lambda: 0): pass\n",
    "x = 1 if.5 else 2\n",
    "def f(): return.5\n",
    "async def f():\n    return [await g(x)for x in y]\n",
    "async def f():\n    x = await(g)or 1\n",
    "x = " + "(" * 95 + "1" + ")" * 95 + "\n",
    "x = " + "- " * 700 + "1\n",
    "match x:\n    case [[[[[[[y]]]]]]]: pass\n",
    "x = (\n" + '    "text"\n' * 3100 + ")\n",
    "x = 1\n" * 60_001,
]
READ = [
    "f(1)  # a (remark)\nx = g(\n    lambda: '#')\n",
    '"""see (\n' + "- a + b\n" * 300 + '"""\nx = 1\n',
    "def f(x): return (x)\n",
    "(size.x, y) = 1, 2\n",
    "x = {\n    (1, 2): 3,\n    (4): 5,\n}\n",
    "class Plan(Base, *more, metaclass=Meta): pass\n",
    "class Plan(Base, metaclass=Meta): x = f(1, *y)\n",
    "x = sorted(y, key=(lambda z: z))\nx = f(lambda: 0)\n",
    "# see fig.5 or sect.3\nx = 'v.1'\n",
    "async def f():\n    return [await g(x) for x in y]\n",
    "del (a), b[(c)]\n",
    "x = [\n" + "    -1.5,\n" * 3000 + "]\n",
    "x = {\n" + "    'a': b.c(d.e),\n" * 1000 + "}\n",
]


@pytest.mark.parametrize("code", UNREADABLE)
def test_it_is_said_without_a_rule_that_concerns_the_text(code: str) -> None:
    compile(code, "<test>", "exec")
    reason = find(NO_RULES, code).not_applied
    assert reason is not None
    assert find(FOREIGN, code).not_applied == reason


@pytest.mark.parametrize("code", READ)
def test_what_only_looks_alike_is_read(code: str) -> None:
    compile(code, "<test>", "exec")
    assert find(NO_RULES, code).not_applied is None
    assert refused(code) is None


@pytest.mark.parametrize("code", READ[:10])
def test_usual_code_is_not_even_tried(code: str) -> None:
    assert not may_be_unreadable(code)


def test_a_part_that_no_rule_looks_at_changes_nothing() -> None:
    wanted = prepare([Rule("wanted", "error", {"en": "m"}, match=Leaf("wanted($X)"))])
    code = "wanted(1)\n" + "x = 1\n" * 800 + "def f():\n    (size): int = 1\n"
    assert find(wanted, code).not_applied is not None
