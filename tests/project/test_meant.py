"""What a page means otherwise than the definitions at hand: exercises, wishes, the past, tabs; and what it means so."""

from collections.abc import Iterator

import pytest

from auditor.audit import audit
from auditor.audited import AuditOptions
from auditor.extract import ExtractOptions
from auditor.extract.options import Flavour
from auditor.model import Finding, Source
from auditor.project.whole import ProjectOptions, judge
from auditor.rulebook import load

BOOK = load([])
KNOWN = frozenset(rule.id for rule in BOOK.rules)
JUDGED = (
    "call-does-not-fit",
    "attribute-nowhere",
    "import-nowhere",
    "undefined-name",
    "used-before-defined",
    "redefined-with-other-signature",
)


def findings(
    files: dict[str, str], flavour: Flavour = "commonmark", targets: tuple[str, ...] = ()
) -> Iterator[Finding]:
    options = AuditOptions(ExtractOptions(flavour=flavour))
    audits = tuple(audit(Source(path, text), BOOK, options) for path, text in sorted(files.items()))
    whole = judge(audits, BOOK, ProjectOptions(KNOWN, targets=targets))
    return (finding for finding in whole.findings if finding.rule in JUDGED)


def said(page: str, path: str = "page.md", flavour: Flavour = "commonmark", **files: str) -> list[tuple[int, str]]:
    sources = {path: page, **{f"{name.replace('0', '/')}.py": text for name, text in files.items()}}
    return [(finding.place.line, finding.rule) for finding in findings(sources, flavour)]


def fence(code: str) -> str:
    return f"```python\n{code}```\n\n"


AREA = fence("def area(width, height):\n    return width * height\n")  # six lines
CALL = fence("area(1)\n")
TANK = "class Tank:\n    def __init__(self, size):\n        self.size = size\n"


def test_a_call_below_a_plain_heading_is_judged() -> None:
    assert said("# Areas\n\n" + AREA + "## Their use\n\n" + CALL) == [(11, "call-does-not-fit")]


@pytest.mark.parametrize(
    "between",
    [
        "## Exercises\n\n### Level 2\n\n",
        "## 练习\n\n",
        "## Their use\n\nModify `area` so that the height may be left out. For example:\n\n",
        "## Their use\n\nWe would like to leave it out:\n\n",
        "## Their use\n\nThis will fail:\n\n",
    ],
)
def test_a_call_that_shows_what_is_wished(between: str) -> None:
    assert said("# Areas\n\n" + AREA + between + CALL) == []


def test_an_exercise_uses_what_it_defines_itself() -> None:
    assert said("# Exercise 4\n\n## (a)\n\n" + AREA + "Call it:\n\n" + CALL) == [(13, "call-does-not-fit")]
    assert said("# Exercise 4\n\n## (a)\n\n" + AREA + "## (b)\n\n" + CALL) == []
    assert said("# Exercise 4\n\n## (a)\n\n" + AREA + "## (b)\n\n" + AREA.replace("```\n\n", "area(1)\n```\n")) == [
        (15, "call-does-not-fit")
    ]


def test_the_names_that_an_exercise_asks_for() -> None:
    page = "## Exercises\n\nWrite a function called _volume_:\n\n" + fence("print(volume(2), np.pi)\n")
    assert said(page) == [(6, "undefined-name")]


def test_how_something_is_written() -> None:
    assert said(fence("# Syntax\nfor item in items:\n    code\n")) == []
    assert said(fence("# sintaxis\nfor item in items:\n    code\n")) == []
    assert said(fence("# Items\nprint(items)\n")) == [(3, "undefined-name")]


def test_a_definition_that_shows_an_error_is_not_in_force_later() -> None:
    good = fence("def area(width, height=1):\n    return width * height\n")
    bad = "## Without it\n\n" + AREA + "gives a `TypeError`.\n\n" + "Text.\n" * 100
    assert said(good + bad + CALL) == []
    assert said(bad + CALL) == []


@pytest.mark.parametrize("path", ["CHANGELOG.md", "docs/release-notes.md", "docs/migration.md"])
def test_changes_speak_of_files_as_they_were(path: str) -> None:
    use = fence("from tank import Tank, Barrel\n\nTank()\n")
    assert said(use, path, tank=TANK) == []
    assert said(use, "docs/use.md", tank=TANK) == [(2, "import-nowhere"), (4, "call-does-not-fit")]
    assert said(fence(TANK + "\n\nTank()\n"), path) == [(7, "call-does-not-fit")]


@pytest.mark.parametrize("comment", ["# Before", "# ❌ do not write", "# old", "# Bad:"])
def test_comments_that_disown_the_code_below(comment: str) -> None:
    assert said(fence(f"{comment}\nfrom tank import Barrel\n"), tank=TANK) == []
    assert said(fence(f"from tank import Tank\n\n{comment}\nTank()\n"), tank=TANK) == []
    assert said(fence(f"{comment}\nx = 1\n\nfrom tank import Barrel\n"), tank=TANK) == [(5, "import-nowhere")]


def test_a_comment_below_tells_of_the_error() -> None:
    assert said(fence("from tank import Tank\n\nTank()\n# an error will be raised\n"), tank=TANK) == []


def test_a_sketch_is_not_called_as_it_stands() -> None:
    sketch = "class Tank:\n    def __init__(self):\n        ...\n    def fill(self):\n        ...\n"
    assert said(fence(sketch) + fence("tank = Tank(1, 2)\ntank.fill(3)\n")) == []


TAB = '=== "{name}"\n\n    ```python\n{code}    ```\n\n'


def tab(name: str, code: str) -> str:
    return TAB.format(name=name, code="".join(f"    {line}\n" for line in code.splitlines()))


def test_tabs_are_alternatives() -> None:
    one, two = "def area(a):\n    return a\n", "def area(a, b):\n    return a\n"
    assert said(tab("one", one) + tab("two", two), flavour="mkdocs") == []
    assert said(tab("one", one) + tab("two", "area(1, 2)\n"), flavour="mkdocs") == []
    assert said(tab("one", one) + "Text.\n\n" + fence("area(1, 2)\n"), flavour="mkdocs") == []
    assert said(tab("one", one + "\narea(1, 2)\n") + tab("two", two), flavour="mkdocs") == [(7, "call-does-not-fit")]
    assert said(tab("one", "print(area)\n") + tab("two", "area = 1\n"), flavour="mkdocs") == []
    assert said(tab("one", "area = 1\n") + "Text.\n\n" + fence("print(area)\n"), flavour="mkdocs") == []


def test_other_alternatives() -> None:
    one, two = fence("def area(a):\n    return a\n"), fence("def area(a, b):\n    return a\n\n\narea(1, 2)\n")
    assert said(f"<hfoption id='x'>\n\n{one}</hfoption>\n<hfoption id='y'>\n\n{two}</hfoption>\n") == []
    assert (
        said(f"<Tabs>\n<Tab title='x'>\n\n{one}</Tab>\n<Tab title='y'>\n\n{two}</Tab>\n</Tabs>\n", flavour="mdx") == []
    )
    assert (
        said(f"::::{{tab-set}}\n:::{{tab-item}} x\n{one}:::\n:::{{tab-item}} y\n{two}:::\n::::\n", flavour="myst") == []
    )


def test_a_class_shown_in_part() -> None:
    run = "\n    def run(self):\n        self.open()\n"
    assert said(fence(TANK + run)) == [(7, "attribute-nowhere")]
    assert said(fence(TANK + run + "        self.close()\n")) == []


def test_a_private_name_from_outside() -> None:
    tank = TANK.replace("self.size", "self.__size")
    assert said(fence(tank + "\n\nTank(1)._Tank__size\ntank = Tank(1)\ntank._Tank__size\n")) == []


def test_a_module_inside_a_package_is_no_module_of_its_own() -> None:
    page = fence("import pump\n\npump.start()\n")
    assert said(page, "plant/parts/page.md", plant0parts0pump="x = 1\n") == [(4, "attribute-nowhere")]
    assert said(page, "plant/parts/page.md", plant0parts0pump="x = 1\n", plant0parts0__init__="") == []


def test_a_package_binds_a_name_before_its_module_does() -> None:
    page = fence("from plant import pump\n\npump.start()\n")
    assert said(page, plant0pump="x = 1\n", plant0__init__="y = 1\n") == [(4, "attribute-nowhere")]
    assert said(page, plant0pump="x = 1\n", plant0__init__="from plant.pump import x as pump\n") == []


def test_attributes_through_the_dictionary() -> None:
    use = "tank = Tank(1)\ntank.__dict__['lid'] = 2\ntank.lid\n"
    assert said(fence(TANK + "\n\n" + use)) == []


@pytest.mark.parametrize(
    ("targets", "names"),
    [((), []), (("3.11",), []), (("3.10",), ["ExceptionGroup"]), (("3.9", "3.12"), ["ExceptionGroup", "anext"])],
)
def test_builtins_of_the_target(targets: tuple[str, ...], names: list[str]) -> None:
    page = {"page.md": fence("raise ExceptionGroup('two', [anext, len])\n")}
    found = list(findings(page, targets=targets))
    assert [finding.metavariables["name"] for finding in found] == names
    assert all("3.1" in finding.message for finding in found)


def test_a_builtin_asked_for_by_version() -> None:
    code = "import sys\n\nif sys.version_info >= (3, 11):\n    group = ExceptionGroup\n"
    assert list(findings({"page.md": fence(code)}, targets=("3.9",))) == []


def test_names_that_comments_define() -> None:
    assert said(fence("# class Tank:\n#     size = 1\nprint(Tank)\n")) == []
    assert said(fence("# from plant import Tank, Pump\nprint(Pump)\n")) == []
    assert said(fence("# a Tank is needed\nprint(Tank)\n")) == [(3, "undefined-name")]


def test_a_page_that_takes_in_code_may_have_any_name() -> None:
    assert said("{* ./code/tank.py *}\n\n" + fence("print(Tank)\n")) == []


def test_a_call_of_names_that_nothing_defines_is_a_scheme() -> None:
    defined = "def area(width):\n    return width\n"
    names = [(7, "undefined-name"), (7, "undefined-name")]
    assert said(fence(defined) + fence("area(some, parameters)\n")) == names
    assert said(fence(defined) + fence("area(some, 2)\n")) == [(7, "call-does-not-fit"), names[0]]
    assert said(fence(defined) + fence("area(some, area)\n")) == [(7, "call-does-not-fit"), names[0]]
