"""What a book imports against what it lists."""

import pytest

from auditor.audit import audit
from auditor.audited import AuditOptions
from auditor.configuration import Book
from auditor.model import Source
from auditor.project.distributions import listed, provides
from auditor.project.whole import ProjectOptions, Whole, judge
from auditor.rulebook import load

BOOK = load([])
PAGE = "```python\nimport json\nimport numpy as np\nimport torch.nn as nn\nimport tank\n```\n"


def look(lists: dict[str, str], *books: Book, page: str = PAGE) -> Whole:
    sources = {"docs/page.md": page, "docs/code/tank.py": "import yaml\n"}
    audits = tuple(audit(Source(path, text), BOOK, AuditOptions()) for path, text in sorted(sources.items()))
    known = frozenset(rule.id for rule in BOOK.rules)
    return judge(audits, BOOK, ProjectOptions(known, books, requirements=lists))


def said(whole: Whole) -> list[tuple[int, str]]:
    return [
        (each.place.line, str(each.metavariables["module"]))
        for each in whole.findings
        if each.rule == "unlisted-requirement"
    ]


@pytest.mark.parametrize(
    ("text", "names", "more"),
    [
        ("numpy\nSciPy>=1.0  # x\nscikit_learn[all]==1.*\n# torch\n", {"numpy", "scipy", "scikit-learn"}, False),
        ("-r base.txt\nnumpy\n", {"numpy"}, True),
        ("--index-url https://example.org\nnumpy ; python_version < '3.12'\n", {"numpy"}, False),
        ("plant @ git+https://example.org/plant.git\n", {"plant"}, False),
        ("git+https://example.org/plant.git#egg=Plant_Kit\n", {"plant-kit"}, False),
        ("\ufeff\r\nnumpy\r\n", {"numpy"}, False),
    ],
)
def test_lists(text: str, names: set[str], *, more: bool) -> None:
    found = listed("requirements.txt", text)
    assert found is not None
    assert (set(found.names), found.more) == (names, more)


def test_projects() -> None:
    found = listed(
        "pyproject.toml", '[project]\nname = "Own"\ndependencies = ["a_b>=1"]\n[dependency-groups]\nd = ["c"]\n'
    )
    assert found is not None
    assert found.names == {"own", "a-b", "c"}
    poetry = listed("pyproject.toml", '[tool.poetry.dependencies]\npython = "^3.11"\nnumpy = "*"\n')
    assert poetry is not None
    assert poetry.names == {"numpy"}
    assert listed("pyproject.toml", "[tool.other]\nx = 1\n") is None
    assert listed("pyproject.toml", "not toml [") is None
    assert listed("requirements.txt", "\n# nothing\n") is None


def test_names_that_differ() -> None:
    assert provides("pillow", "PIL")
    assert provides("google-cloud-storage", "google")
    assert provides("pytorch-lightning", "pytorch_lightning")
    assert not provides("numpy", "num")


def test_missing_and_unused() -> None:
    whole = look({"docs/code/requirements.txt": "torch\nscipy\n"})
    assert said(whole) == [(3, "numpy")]
    (recorded,) = whole.requirements
    assert recorded.path == "docs/code/requirements.txt"
    assert recorded.missing == ("numpy", "yaml")
    assert recorded.unused == ("scipy",)


def test_which_list_is_a_pages_own() -> None:
    lists = {"requirements.txt": "numpy\ntorch\npyyaml\n", "docs/requirements.txt": "torch\n", "other.txt": "numpy\n"}
    assert said(look(lists)) == [(3, "numpy")]
    assert said(look(lists, Book(("docs/**",), requirements="other.txt"))) == [(4, "torch")]
    assert said(look({"elsewhere/requirements.txt": "torch\n"})) == []
    assert said(look({"requirements.txt": "-r more.txt\n"})) == []


def test_each_module_once_a_page() -> None:
    assert said(look({"requirements.txt": "torch\n"}, page=PAGE + "\n" + PAGE)) == [(3, "numpy")]
