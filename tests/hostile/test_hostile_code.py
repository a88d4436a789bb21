"""Code that kills, stalls or confuses parsers: a verdict within a bounded time, or a line that says why there is none.

The numbers are those of the forty inputs that the tool is held to.
"""

from dataclasses import dataclass

import pytest
from shelf import Shelf, fence

CASE_MAP = "match x:\n case " + "{1:" * 12 + "x" + "}" * 12 + ":0"
DEL_CALL = "del " + "(" * 26 + "f()" + ")" * 26
FINALLY = (
    "def f():\n"
    + "".join(f"{' ' * (depth + 1)}try: return a\n{' ' * (depth + 1)}finally:\n" for depth in range(14))
    + " " * 15
    + "pass\n"
)


@dataclass(frozen=True)
class Case:
    """A file and what must come of it: a verdict, the rules of its errors, or why the run is incomplete."""

    number: int
    name: str
    data: str | bytes
    verdict: str = "compiles"
    rules: tuple[str, ...] = ()
    unread: bool = False
    incomplete: str = ""
    seconds: float = 5.0


CASES = [
    Case(1, "case.md", fence(CASE_MAP), unread=True),
    Case(2, "del.py", f"{DEL_CALL}\n", "broken", ("invalid-target",), seconds=1),
    Case(3, "open.py", "(" * 1400, "broken", ("unclosed-bracket",)),
    Case(4, "and.py", "x = 1" + " and 1" * 8000 + "\n", unread=True),
    Case(5, "attributes.py", "a" + ".a" * 5000 + "\n", "skipped", incomplete="nested too deeply"),
    Case(6, "minus.py", "-" * 100_000 + "1\n", "skipped", incomplete="too complex"),
    Case(7, "finally.py", FINALLY, seconds=1),
    Case(8, "hexadecimal.py", "x=0x" + "f" * 5000 + "\n"),
    Case(9, "decimal.py", "x=" + "1" * 4301 + "\n", "broken", ("compiler-limit",)),
    Case(10, "nul.py", b"x=1\0\n", "broken", ("invisible-character",)),
    Case(10, "nul_in_comment.py", b"#\0\nx=1\n", "broken", ("invisible-character",)),
    Case(11, "form_feed.py", b"\fx=1\n"),
    Case(14, "cookie.py", b"# coding: nosuch\nx=1\n", "broken", ("unknown-encoding",)),
    Case(17, "annotation.py", "(x): int = 1\n", unread=True),
    Case(17, "bases.py", "class A(B, metaclass=C, *d): pass\n", unread=True),
    Case(17, "lambda.py", "() if 0 else(lambda:())\n", unread=True),
    Case(26, "large.py", "x=1\n" * 400_000, "skipped", incomplete="larger than the limit", seconds=3),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.number}-{case.name}")
def test_a_verdict_or_a_reason_and_every_other_file(shelf: Shelf, case: Case) -> None:
    shelf.add(case.name, case.data)
    run = shelf.audit()
    (block,) = run.blocks(case.name)
    assert block["verdict"] == case.verdict
    assert tuple(run.rules(case.name, "error")) == case.rules
    assert ("rules-not-applied" in run.rules(case.name)) is case.unread
    assert run.seconds < case.seconds
    if case.incomplete:
        assert run.code == 5
        assert run.document["complete"] is False
        assert any(line.startswith(case.name) and case.incomplete in line for line in run.document["incomplete"])
        assert case.incomplete in run.err
    else:
        assert run.code == (1 if case.verdict == "broken" else 0)
        assert run.document["complete"] is True


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.number}-{case.name}")
def test_the_ledger_is_whole_or_left_as_it_was(shelf: Shelf, case: Case) -> None:
    before = shelf.ledger()
    assert before is not None
    shelf.add(case.name, case.data)
    records = shelf.ledger()
    if case.incomplete:
        assert records is None
        return
    assert records is not None
    assert {record["path"] for record in records if record["record"] == "source"} == {
        "aaa.md", "mmm.py", "zzz.md", case.name,
    }  # fmt: skip
    (block,) = [record for record in records if record["record"] == "block" and record["path"] == case.name]
    assert block["verdict"] == case.verdict


def test_a_megabyte_is_not_even_parsed(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf.add("large.py", "x=1\n" * 400_000)

    def parsed(*_: object, **__: object) -> None:
        raise AssertionError("parsed")

    monkeypatch.setattr("auditor.matching.program.cst.parse_module", parsed)
    assert shelf.audit().code == 5


def test_what_the_limits_say_is_what_holds(shelf: Shelf) -> None:
    shelf.add("auditor.toml", "[limits]\nblock-bytes = 100\nfile-bytes = 1000\n")
    shelf.add("block.py", "x=1\n" * 30)
    shelf.add("file.py", "x=1\n" * 300)
    run = shelf.audit()
    assert run.code == 5
    assert run.document["incomplete"] == [
        "file.py: larger than the limit (1,200 of 1,000 bytes)",
        "block.py:1: larger than the limit (120 of 100 characters, limits.block-bytes)",
    ]


def test_a_leading_form_feed_keeps_its_place_and_its_fix_the_rest(shelf: Shelf) -> None:
    shelf.add("page.md", fence("\fx = f(1，2)\ny = 1"))
    run = shelf.audit()
    (found,) = [one for one in run.document["findings"] if one["path"] == "page.md"]
    assert (found["rule"], found["line"], found["column"]) == ("fullwidth-punctuation", 4, 9)
    assert shelf.run("fix", "--quiet").code == 0
    assert (shelf.root / "page.md").read_text() == fence("\fx = f(1,2)\ny = 1")


def test_long_runs_of_blanks_cost_no_square_of_them(shelf: Shelf) -> None:
    # Where one does, these take many minutes.
    blanks = " " * 60_000
    shelf.add(
        "page.md", fence(f"x ={blanks}y z") + fence(f"#{blanks}x\ny z") + fence(f"x = [1,{blanks}\n2 3]{blanks}z")
    )
    run = shelf.audit()
    assert len(run.blocks("page.md")) == 3
    assert {block["verdict"] for block in run.blocks("page.md")} <= {"broken", "not-python"}
    assert run.seconds < 60


def test_a_line_that_is_too_long_is_said(shelf: Shelf) -> None:
    shelf.add("auditor.toml", "[limits]\nline-length = 50\n")
    shelf.add("page.md", fence("x = 1\n" * 20) + "\n" + fence(f"x = '{'a' * 50}'"))
    run = shelf.audit()
    assert run.code == 5
    assert run.document["incomplete"] == [
        "page.md:29: a line longer than the limit (56 of 50 characters, limits.line-length)"
    ]


def test_code_that_nests_deeper_than_a_setting_is_said(shelf: Shelf) -> None:
    shelf.add("auditor.toml", "[limits]\nnesting = 12\n")
    shelf.add("page.md", fence(f"x = {'[' * 7}1{']' * 7}") + "\n" + fence(f"x = {'[' * 20}1{']' * 20}"))
    run = shelf.audit()
    assert run.code == 5
    assert [block["verdict"] for block in run.blocks("page.md")] == ["compiles", "skipped"]
    assert run.document["incomplete"] == ["page.md:9: nested too deeply or too complex"]


def test_more_findings_than_the_limit_are_said(shelf: Shelf) -> None:
    shelf.add("auditor.toml", "[limits]\nfindings-per-file = 3\n")
    shelf.add("page.md", "".join(fence(f"bad({number}") for number in range(5)))
    run = shelf.audit()
    assert run.code == 5
    assert [one["line"] for one in run.document["findings"] if one["path"] == "page.md"] == [4, 9, 14]
    assert run.document["incomplete"] == ["page.md: more findings than the limit, 2 are left out"]


def test_a_long_line_full_of_findings_costs_no_square_of_it(shelf: Shelf) -> None:
    shelf.add("mine.yaml", "rules:\n  - {id: mine, languages: [python], severity: note, message: $X, pattern: f($X)}\n")
    shelf.add("page.py", "f(x);" * 15_000 + "\n")
    for name in ("json", "text", "junit", "sarif"):
        run = shelf.run("audit", "--no-cache", "--rules", "mine.yaml", "--notes", "--format", name)
        assert run.code == 0
        assert run.seconds < 30
        assert len(run.out) < 20_000_000


def test_many_definitions_full_of_findings_cost_no_square_of_them(shelf: Shelf) -> None:
    shelf.add("page.md", fence("def f():\n" * 4000))
    run = shelf.audit()
    assert run.seconds < 10
    assert len(run.blocks("page.md")) == 1
