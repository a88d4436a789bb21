"""What gives the names of a page, and what is said of those that nothing gives."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from auditor.audit import audit
from auditor.audited import AuditOptions
from auditor.configuration import Book
from auditor.extract import ExtractOptions
from auditor.model import Finding, Source
from auditor.project.whole import ProjectOptions, Whole, judge
from auditor.rulebook import load

BOOK = load([])
OURS = {"undefined-name", "used-before-defined", "redefined-with-other-signature", "copied-without-its-class"}


def look(files: Mapping[str, str], *books: Book, **options: object) -> Whole:
    audits = tuple(audit(Source(path, text), BOOK, AuditOptions()) for path, text in sorted(files.items()))
    known = frozenset(rule.id for rule in BOOK.rules)
    return judge(audits, BOOK, ProjectOptions(known, books, **options))  # type: ignore[arg-type]  # as given


def said(page: str, *books: Book, **files: str) -> list[tuple[int, str, str]]:
    whole = look({"page.md": page, **{f"{name}.py": text for name, text in files.items()}}, *books)
    return [
        (finding.place.line, finding.rule, str(finding.metavariables["name"]))
        for finding in whole.findings
        if finding.rule in OURS
    ]


def fences(*codes: str) -> str:
    return "\n".join(f"```python\n{code}```\n" for code in codes)


def test_what_gives_each_name() -> None:
    page = fences(
        "import math\nradius = 2\n",
        "print(math.pi, radius, area, late, told, gone)\n",
        "late = 1\n",
    )
    whole = look({"page.md": page, "code.py": "def area(): ...\n"}, Book(("*.md",), ("code.py",), names=("told",)))
    assert {each.name: each.by for each in whole.needs["page.md", 1]} == {
        "math": "import",
        "radius": "earlier",
        "area": "file",
        "late": "later",
        "told": "setup",
        "gone": None,
    }


def test_each_fence_that_needs_it_says_so() -> None:
    assert said(fences("a = price\n", "b = price\n")) == [
        (2, "undefined-name", "price"),
        (6, "undefined-name", "price"),
    ]


def test_the_near_miss_is_named() -> None:
    page = fences("def attention(q):\n    return q\n", "atention(1)\n")
    (finding,) = (each for each in look({"p.md": page}).findings if each.rule == "undefined-name")
    assert finding.metavariables["near"] == "attention"
    assert "attention" in finding.message
    assert (finding.place.line, finding.place.column, finding.place.end_column) == (7, 1, 9)


def test_another_number_is_no_near_miss() -> None:
    page = fences("table_1 = 1\n", "print(table_2)\n")
    (finding,) = (each for each in look({"p.md": page}).findings if each.rule == "undefined-name")
    assert finding.metavariables["near"] == ""


@pytest.mark.parametrize(
    "page",
    [
        fences("from shop import *\n", "print(price)\n"),
        fences("exec(text)\n", "text = 1\nprint(price)\n"),
        fences("globals()['price'] = 1\n", "print(price)\n"),
        fences("...\nprint(price)\n"),
        fences("# ... as before\nprint(price)\n"),
        fences("if ready:\n    price = 1\nready = 1\n", "print(price)\n"),
        fences("def f(price):\n    return price\n", "print(price)\n"),
        fences("print(price)\n") + "\nThis is a `NameError`.\n",
        fences("return price\n"),
        fences("self.price = price\n"),
        "```\nprice = 3\n```\n\n" + fences("print(price)\n"),
        "With `price = 3` the rest works.\n\n" + fences("print(price)\n"),
        fences("price = = 3\n", "print(price)\n"),
        "```ipython\n%run setup.py\nprint(price)\n```\n",
    ],
    ids=lambda page: page[:40],
)
def test_silent_where_something_could_define_it(page: str) -> None:
    assert ("undefined-name", "price") not in [(rule, name) for _, rule, name in said(page)]


def test_a_files_names_count_and_its_locals_keep_silent() -> None:
    page = fences("print(tank, level)\n")
    assert said(page) == [(2, "undefined-name", "tank"), (2, "undefined-name", "level")]
    assert said(page, code="tank = 1\ndef fill(level):\n    return level\n") == []


def test_a_books_set_up_is_code() -> None:
    page = fences("print(np.pi, torch)\n")
    assert said(page, Book(("*.md",), setup="import numpy as np\nimport torch\n")) == []


def test_a_class_body_alone_gives_self() -> None:
    assert said(fences("def fill(self):\n    return self.level\n")) == []


def test_severity_by_configuration() -> None:
    def severities(findings: Sequence[Finding]) -> list[str]:
        return [each.severity for each in findings if each.rule == "undefined-name"]

    page = {"p.md": fences("print(price)\n")}
    assert severities(look(page).findings) == ["note"]
    assert severities(look(page, severities={"undefined-name": "error"}).findings) == ["error"]


def test_suppressed_like_any_other() -> None:
    page = "<!-- auditor: ignore[undefined-name] told in class -->\n" + fences("print(price)\n")
    (finding,) = (each for each in look({"p.md": page}).findings if each.rule == "undefined-name")
    assert finding.suppressed is not None
    assert "unused-suppression" not in {each.rule for each in look({"p.md": page}).findings}


def test_in_chinese() -> None:
    page = {"p.md": fences("print(price)\n")}
    (finding,) = (each for each in look(page, lang="zh").findings if each.rule == "undefined-name")
    assert "没有定义" in finding.message


def test_used_before_its_fence() -> None:
    page = fences("print(area(2))\n", "def area(r):\n    return r\n")
    assert said(page) == [(2, "used-before-defined", "area")]
    assert said(fences("def show():\n    print(area(2))\n", "def area(r):\n    return r\n")) == []
    assert said(page, code="def area(r):\n    return r\n") == []


def test_a_redefinition_by_tabs_is_a_choice() -> None:
    page = (
        '=== "one"\n\n    ```python\n    def f(a):\n        return a\n    ```\n\n'
        '=== "two"\n\n    ```python\n    def f(a, b):\n        return a\n    ```\n'
    )
    options = AuditOptions(ExtractOptions(flavour="mkdocs"))
    audits = (audit(Source("p.md", page), BOOK, options),)
    assert len(audits[0].blocks) == 2
    assert [each for each in judge(audits, BOOK, ProjectOptions(frozenset())).findings if each.rule in OURS] == []
    assert said(fences("def f(a):\n    return a\n", "def f(a, b):\n    return a\n")) == [
        (7, "redefined-with-other-signature", "f")
    ]
    assert said(fences("@route\ndef f(a):\n    return a\n", "@route\ndef f(a, b):\n    return a\n")) == [
        (2, "undefined-name", "route"),
        (8, "undefined-name", "route"),
    ]


def test_a_name_defined_twice_in_one_fence_is_told_of_once() -> None:
    again = "def f(x, y):\n    return y\n\n\ndef f(x, y, z):\n    return z\n"
    assert said(fences("def f(x):\n    return x\n", again)) == [(11, "redefined-with-other-signature", "f")]
    back = "def f(x, y):\n    return y\n\n\ndef f(x):\n    return x\n"
    assert said(fences("def f(x):\n    return x\n", back)) == [], "what goes on is as it was"


def test_a_container_without_its_part() -> None:
    file = "class Layer:\n    pass\n\n\nclass Stack:\n    def __init__(self):\n        self.layers = [Layer()]\n"
    stack = "class Stack:\n    def __init__(self):\n        self.layers = [Layer()]\n"
    assert said(fences(stack), code=file) == [(4, "copied-without-its-class", "Layer")]
    assert said(fences(stack, "class Layer:\n    pass\n"), code=file) == []
    # An annotation is no need, and neither is a class that a broken fence shows.
    assert said(fences("class Stack:\n    def add(self, layer: Layer):\n        return layer\n"), code=file) == []
    assert said(fences(stack, "class Layer:\n  '''One.'''\n    def f(self):\n        return 1\n"), code=file) == []


SCRIPT = "import argparse\n\n\ndef main(args):\n    step = args.step\n    return step\n"


@pytest.mark.parametrize(
    "link",
    [
        "[the script](../scripts/train.py)",
        "[from line 5 on](../scripts/train.py#L5)",
        "[the script](https://github.com/them/book/blob/main/scripts/train.py#L5-L7)",
        "<https://raw.githubusercontent.com/them/book/main/scripts/train.py>",
        "[the script](https://github.com/them/all/blob/v1.2/part/scripts/train.py)",
        '<a href="https://gitlab.com/them/book/-/blob/main/scripts/train.py">script</a>',
        "[script]: ../scripts/train.py 'the script'",
    ],
)
def test_a_linked_file_belongs_with_the_page(link: str) -> None:
    page = f"See {link}.\n\n".replace("See [script]:", "[script]:") + fences("argparse.x\nprint(step, stop)\n")
    whole = look({"docs/page.md": page, "scripts/train.py": SCRIPT})
    found = [each.metavariables["name"] for each in whole.findings if each.rule == "undefined-name"]
    assert found == ["stop"]
    assert {each.name: each.by for each in whole.needs["docs/page.md", 0]} == {
        "argparse": "file",
        "step": None,  # it could give it: a local of the script
        "stop": None,
    }


@pytest.mark.parametrize(
    "text",
    [
        "See `scripts/train.py`.",
        "See [the script](scripts/train.pyi).",
        "See [the script](scripts/train.ipynb) and scripts/train.py.",
    ],
)
def test_what_is_only_named_is_no_link(text: str) -> None:
    assert said(f"{text}\n\n" + fences("print(step)\n")) == [(4, "undefined-name", "step")]


def test_of_a_linked_file_that_is_not_there_only_slips_are_told() -> None:
    link = "See [the script](https://github.com/others/code/blob/main/train.py).\n\n"
    page = link + fences("print(step)\n", "weights = 1\n", "print(wieghts)\n", "print(weight)\n")
    assert said(page) == [(12, "undefined-name", "wieghts")]
    # With its own imports a fence is no excerpt of the file.
    assert said(link + fences("import math\nprint(step)\n")) == [(5, "undefined-name", "step")]


def test_an_address_that_several_files_could_be_means_none() -> None:
    page = "See <https://github.com/them/book/blob/main/train.py>.\n\n" + fences("print(step)\n")
    files = {"docs/page.md": page, "a/train.py": SCRIPT, "b/train.py": "x = 1\n"}
    assert [each.rule for each in look(files).findings if each.rule == "undefined-name"] == []


@pytest.mark.parametrize("read", [True, False])
def test_lines_of_a_file_lean_on_the_rest_of_it(read: bool) -> None:
    script = "import math\n\nSIZE = 2\n\n\ndef area():\n    return math.pi * SIZE\n"
    page = Source("page.md", "{* code.py ln[6:7] *}\n\n" + fences("print(area(), gone)\n"))
    page = replace(page, includes={"code.py": Source("code.py", script)})
    sources = [page, Source("code.py", script)] if read else [page]
    audits = tuple(audit(each, BOOK, AuditOptions()) for each in sources)
    whole = judge(audits, BOOK, ProjectOptions(frozenset(rule.id for rule in BOOK.rules), ()))
    found = [each.metavariables["name"] for each in whole.findings if each.rule == "undefined-name"]
    assert found == (["gone"] if read else [])
