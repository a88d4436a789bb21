"""From small books to their ledger: what an edit moves, what a check and a comparison say, what a sync writes."""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from auditor import ledger
from auditor.audit import audit
from auditor.audited import AuditOptions, SourceAudit
from auditor.configuration import Book
from auditor.extract import ExtractOptions
from auditor.ledger.entries import BlockEntry, Ledger
from auditor.ledger.store import json_schema, records
from auditor.ledger.sync import sync
from auditor.model import Argument, Finding, Place, Source, Span, Suppressed
from auditor.project.links import Links, link
from auditor.rulebook import Rulebook

MAKER = ledger.Maker(
    "auditor 1", "rules", "settings", 3, ("3.12",), ledger.Provenance("a book", "c0ffee", "MIT"), ("req.txt",)
)
FILE = """\
class Queue:
    def __init__(self):
        self.items = []

    def put(self, item):
        self.items.append(item)
        return len(self.items)

    def get(self):
        return self.items.pop(0)


def fill(queue, count):
    for number in range(count):
        queue.put(number)


def unused():
    return None
"""
QUEUE = FILE[: FILE.index("\n\ndef fill")]
FILL = FILE[FILE.index("def fill") : FILE.index("\n\ndef unused")]
PAGE = f"""\
# A queue

## The class

```python
{QUEUE}```

## Filling it

Some words.

```python
{FILL}```

```python
queue = Queue()
fill(queue, limit)
print(queue.get( )
```
"""


def audited(files: Mapping[str, str]) -> tuple[SourceAudit, ...]:
    book, options = Rulebook((), "0"), AuditOptions(ExtractOptions())
    return tuple(audit(Source(path, text), book, options) for path, text in sorted(files.items()))


def built(files: Mapping[str, str], previous: Ledger | None = None, *books: Book) -> Ledger:
    audits = audited(files)
    return ledger.build(audits, link(audits, books), previous, maker=MAKER)


def lines(found: Ledger) -> list[str]:
    return ledger.dump(found).decode("utf-8").splitlines()


BOOK = {"book/page.md": PAGE, "book/queue.py": FILE}


def by_heading(found: Ledger, heading: str) -> list[BlockEntry]:
    return [entry for entry in found.blocks if entry.heading and entry.heading[-1] == heading]


def test_every_record_of_a_book_fits_the_schema() -> None:
    validator = jsonschema.Draft202012Validator(json_schema())
    for record in records(built(BOOK)):
        validator.validate(record)


def test_a_ledger_says_what_there_is() -> None:
    found = built(BOOK)
    shown = by_heading(found, "The class")[0]
    assert (shown.kind, shown.verdict, shown.context, shown.defines) == ("fence", "compiles", "module", ("Queue",))
    assert [(each.definition, each.state, each.difference) for each in shown.links] == [
        ("book/queue.py::Queue", "covers", "identical")
    ]
    coverage = {entry.symbol: entry.coverage for entry in found.definitions}
    assert coverage.pop("unused") == "none"
    assert coverage == dict.fromkeys(("Queue", "Queue.__init__", "Queue.put", "Queue.get", "fill"), "full")
    broken = by_heading(found, "Filling it")[1]
    assert (broken.verdict, broken.context) == ("broken", None)
    assert broken.diagnoses[0].rel_line >= 1
    claims = {(claim.claim, claim.why) for claim in found.header.scope.not_verified}
    assert {("executed", "never-run"), ("requirements", "recorded-only")} <= claims


def test_needs_are_told_with_what_gives_them() -> None:
    page = "\n".join(
        f"```python\n{code}\n```\n"
        for code in (
            "import numpy as np\nsize = 3",
            "x = np.zeros(size)\ny = twice(x) + fill(z, len(x))",
            "def twice(x): return 2 * x",
        )
    )
    found = built({"b/page.md": page, "b/queue.py": FILE})
    entry = [entry for entry in found.blocks if entry.kind == "fence"][1]
    assert {need.name: need.resolved_by for need in entry.needs} == {
        "np": "import", "size": "earlier", "twice": "later", "fill": "file", "z": None,
    }  # fmt: skip


def test_writing_again_changes_nothing() -> None:
    first = built(BOOK)
    assert ledger.dump(built(BOOK, first)) == ledger.dump(first)
    edited = built({**BOOK, "book/page.md": PAGE.replace("count):\n", "count):\n    # in turn\n", 1)}, first)
    assert ledger.dump(
        built({**BOOK, "book/page.md": PAGE.replace("count):\n", "count):\n    # in turn\n", 1)}, edited)
    ) == ledger.dump(edited)


def test_a_paragraph_at_the_top_moves_one_line() -> None:
    before = built(BOOK)
    after = built({**BOOK, "book/page.md": f"A new paragraph.\n\nAnd another.\n\n{PAGE}"}, before)
    changed = [new for old, new in zip(lines(before), lines(after), strict=True) if old != new]
    assert [json.loads(line)["record"] for line in changed] == ["source"]


def test_line_ends_of_a_checkout_change_nothing() -> None:
    crlf = {path: text.replace("\n", "\r\n") for path, text in BOOK.items()}
    assert lines(built(crlf)) == lines(built(BOOK))


def test_an_argument_that_is_a_place_is_told_from_the_opener() -> None:
    page = "words\n\n```python\nx = 1\ny = 2\n```\n"
    for text in (page, page.replace("\n", "\r\n")):
        audits = audited({"page.md": text})
        offset = text.index("y =")
        place = Place("page.md", offset, offset + 1, 5, 1, 5, 2)
        bound: dict[str, Argument] = {
            "there": Span(offset, offset + 1),
            "opener": Span(text.index("```"), 0),
            "long": "x" * 500,
        }
        finding = Finding(
            "rule", "note", place, "said", 0, metavariables=bound, suppressed=Suppressed("meant", "comment")
        )
        found = ledger.build(audits, link(audits), maker=MAKER, findings=[finding])
        (entry,) = found.blocks[0].findings
        assert entry.arguments["there"] == {"rel_line": 2}
        assert entry.arguments["opener"] == {"rel_line": 0}
        assert len(str(entry.arguments["long"])) == 160
        assert entry.suppressed is not None


def test_hash_seeds_change_nothing() -> None:
    program = (
        f"import hashlib, sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "from test_ledger_book import BOOK, built\n"
        "from auditor import ledger\n"
        "print(hashlib.sha256(ledger.dump(built(BOOK))).hexdigest())"
    )
    digests = {
        subprocess.check_output([sys.executable, "-c", program], env={**os.environ, "PYTHONHASHSEED": seed})
        for seed in ("0", "7")
    }
    assert digests == {f"{hashlib.sha256(ledger.dump(built(BOOK))).hexdigest()}\n".encode()}


def test_a_definition_that_is_gone_orphans_the_fences_that_show_it() -> None:
    before = built(BOOK)
    gone = {**BOOK, "book/queue.py": FILE.replace(FILL, "")}
    after = built(gone, before)
    fill = by_heading(after, "Filling it")[0]
    assert [(each.definition, each.state) for each in fill.links] == [("book/queue.py::fill", "orphaned")]
    assert ledger.dump(built(gone, after)) == ledger.dump(after)
    assert by_heading(built(gone), "Filling it")[0].links == ()


def test_definitions_of_files_that_no_page_mentions_are_exempt_below_the_top() -> None:
    files = {
        "README.md": "```python\nprint(1)\n```\n",
        "src/a.py": "def f():\n    pass\n",
        "top.py": "def g():\n    pass\n",
    }
    coverage = {entry.symbol: (entry.coverage, entry.reason) for entry in built(files).definitions}
    assert coverage == {"f": ("exempt", "not-shown"), "g": ("none", None)}
    declared = built(files, None, Book(("README.md",), files=("src/*.py",)))
    assert {entry.symbol: (entry.coverage, entry.reason) for entry in declared.definitions} == {
        "f": ("none", None),
        "g": ("exempt", "no-page"),
    }


def test_definitions_that_belong_with_no_page_are_exempt() -> None:
    files = {
        "docs/a.md": "```python\nprint(1)\n```\n",
        "src/a.py": "def f():\n    pass\n\n\nclass C:\n    def m(self):\n        pass\n",
        "docs/b.py": "def g():\n    pass\n",
    }
    found = {entry.symbol: (entry.coverage, entry.reason) for entry in built(files).definitions}
    assert found == {"g": ("none", None), "f": ("exempt", "no-page"), "C": ("exempt", "no-page")}
    tied = built(files, None, Book(("docs/*.md",), files=("src/*.py",)))
    assert {entry.symbol: entry.coverage for entry in tied.definitions if entry.coverage != "exempt"} == {
        "f": "none",
        "C": "none",
        "C.m": "none",
    }


def test_definitions_of_one_name_are_told_apart() -> None:
    text = "if x:\n    def f():\n        return 1\nelse:\n    def f():\n        return 2\n"
    found = built({"b/p.md": "```python\nprint(1)\n```\n", "b/a.py": text})
    assert [entry.id for entry in found.definitions] == ["b/a.py::f", "b/a.py::f#2"]
    assert ledger.load(ledger.dump(found)) == found


def test_a_getter_and_its_setter_are_covered_together() -> None:
    getter = "    @property\n    def x(self):\n        return 1\n\n"
    text = f"class A:\n{getter}    @x.setter\n    def x(self, value):\n        pass\n"
    found = built({"b/p.md": f"```python\n{text}```\n", "b/a.py": text})
    assert {entry.id: entry.coverage for entry in found.definitions} == {
        "b/a.py::A": "full",
        "b/a.py::A.x": "full",
        "b/a.py::A.x#2": "full",
    }


# Check and reviews


def causes(committed: Ledger, fresh: Ledger, *reviews: ledger.Review) -> set[tuple[str, str]]:
    return {(stale.cause, stale.subject) for stale in ledger.check(committed, fresh, reviews)}


def test_a_true_ledger_passes() -> None:
    committed = built(BOOK)
    assert causes(committed, built(BOOK, committed)) == set()


def test_an_edited_page_is_content_out_of_date() -> None:
    committed = built(BOOK)
    fresh = built({**BOOK, "book/page.md": PAGE.replace("Queue()", "Queue(1)")}, committed)
    found = causes(committed, fresh)
    assert {cause for cause, _ in found} == {"content"}
    assert ("content", "book/page.md") in found


def test_another_tool_is_told_apart_from_edits() -> None:
    committed = built(BOOK)
    other = replace(built(BOOK, committed), header=replace(committed.header, tool="auditor 2"))
    judged = replace(other, blocks=tuple(replace(entry, verdict="skipped") for entry in other.blocks))
    assert {cause for cause, _ in causes(committed, judged)} == {"tool"}
    edited = replace(judged, sources=(replace(judged.sources[0], sha256="1"), *judged.sources[1:]))
    found = causes(committed, edited)
    assert ("content", committed.sources[0].path) in found
    assert ("tool", "tool") in found


def test_a_review_expires_with_its_block_and_with_its_definition() -> None:
    committed = built(BOOK)
    fill = by_heading(committed, "Filling it")[0]
    review = ledger.review_of(committed, fill.id, "Ada", "as in the file", "2026-02-01")
    assert review.definitions.keys() == {"book/queue.py::fill"}
    assert causes(committed, built(BOOK, committed), review) == set()
    moved = built({**BOOK, "book/page.md": f"New words.\n\n{PAGE}"}, committed)
    assert ledger.holds(review, moved)
    page = built({**BOOK, "book/page.md": PAGE.replace("queue.put(number)", "queue.put( number)")}, committed)
    assert ("review", fill.id) in causes(committed, page, review)
    file = built({**BOOK, "book/queue.py": FILE.replace("queue.put(number)", "queue.put(-number)")}, committed)
    assert ("review", fill.id) in causes(committed, file, review)
    assert ("review", fill.id) not in causes(committed, file, review, ledger.review_of(file, fill.id, "Bo", "seen"))
    with pytest.raises(KeyError):
        ledger.review_of(committed, "unknown", "Ada", "")


# Comparison


def changes(old: Ledger, new: Ledger) -> dict[str, str]:
    return {item.subject: item.change for item in ledger.compare(old, new)}


def test_a_comparison_names_what_happened() -> None:
    old = built(BOOK)
    mended = built({**BOOK, "book/page.md": PAGE.replace("print(queue.get( )", "print(queue.get())")}, old)
    assert set(changes(old, mended).values()) == {"mended"}
    assert set(changes(mended, built(BOOK, mended)).values()) == {"broke"}
    more = built({**BOOK, "book/page.md": PAGE + "\n```python\nnew = made_up(1, 2, 3)\n```\n"}, old)
    assert set(changes(old, more).values()) == {"appeared"}
    assert set(changes(more, built(BOOK, more)).values()) == {"went"}
    elsewhere = built({"other/page.md": PAGE, "other/queue.py": FILE}, old)
    assert set(changes(old, elsewhere).values()) == {"moved"}


def test_a_comparison_tells_drift_and_coverage() -> None:
    old = built(BOOK)
    drifted = built({**BOOK, "book/queue.py": FILE.replace("range(count)", "range(1, count)")}, old)
    assert changes(old, drifted) == {by_heading(old, "Filling it")[0].id: "drifted"}
    assert set(changes(drifted, built(BOOK, drifted)).values()) == {"settled"}
    shown = built({**BOOK, "book/page.md": PAGE + "\n```python\ndef unused():\n    return None\n```\n"}, old)
    assert changes(old, shown)["book/queue.py::unused"] == "covered"
    assert changes(shown, built(BOOK, shown))["book/queue.py::unused"] == "uncovered"


# Sync


def synced(page: str, file: str = FILE, newline: str = "\n", *books: Book) -> tuple[str, list[str | None]]:
    text = page.replace("\n", newline)
    audits = audited({"b/page.md": text, "b/queue.py": file})
    links: Links = link(audits, books)
    page_audit = next(each for each in audits if each.path == "b/page.md")
    results = sync(Source("b/page.md", text), page_audit, audits, links)
    edits = sorted((edit for each in results for edit in each.edits), key=lambda edit: edit.start, reverse=True)
    for edit in edits:
        text = text[: edit.start] + edit.replacement + text[edit.end :]
    return text, [each.reason for each in results]


MARK = "<!-- auditor: implements=queue.py::fill -->\n"


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_marked_fence_is_written_from_its_file(newline: str) -> None:
    old = FILL.replace("queue.put(number)", "queue.push(number)")
    page = f"# T\n\nwords  \n\n{MARK}```python title=x\nimport os\n\n{old}\nfill(q, 3)\n```\n\ntail"
    text, reasons = synced(page, newline=newline)
    assert text == page.replace(old, FILL).replace("\n", newline)
    assert reasons == [None]
    assert synced(text.replace("\r\n", "\n"), newline=newline)[0] == text


def test_a_fence_in_a_list_and_a_quote_keeps_its_margin() -> None:
    old = FILL.replace("in range", "in  range").replace("count)", "total)")
    body = "".join(f"> {line}\n" for line in f"{MARK}```python\n{old}```".split("\n"))
    text, _ = synced(f"words\n\n{body}\ntail\n")
    assert text == f"words\n\n{body}\ntail\n".replace("in  range", "in range").replace("total)", "count)")
    listed = "- point\n\n" + "".join(f"  {line}\n" for line in f"{MARK}```python\n{old}```".split("\n"))
    assert "  def fill(queue, count):\n      for number in range(count):\n" in synced(listed)[0]


def test_elisions_stay() -> None:
    head = "<!-- auditor: implements=queue.py::Queue -->\n```python\nclass Queue:\n"
    first = "    def __init__(self):\n        ...\n\n"
    last = "    def get(self):\n        return self.items.pop()\n```\n"
    put = "    def put(self, item):\n        self.items.append(item)\n        return len(self.items)\n\n"
    fixed = last.replace("pop()", "pop(0)")
    assert synced(head + first + last)[0] == head + first + put + fixed
    assert synced(f"{head}    # ...\n\n{last}")[0] == f"{head}    # ...\n\n{fixed}"


def test_a_method_of_a_shown_class_can_be_marked_alone_or_with_it() -> None:
    shown = QUEUE.replace("pop(0)", "pop()").replace("len(self.items)", "0")
    for names, wanted in (("Queue.get", shown.replace("pop()", "pop(0)")), ("Queue,queue.py::Queue.get", QUEUE)):
        mark = f"<!-- auditor: implements=queue.py::{names} -->\n"
        text, reasons = synced(f"{mark}```python\n{shown}```\n")
        assert text == f"{mark}```python\n{wanted}```\n"
        assert set(reasons) == {None}


def test_what_cannot_be_synced_says_why() -> None:
    lost = f"{MARK.replace('fill', 'gone')}```python\nx = 1\n```\n"
    assert synced(lost) == (lost, ["orphaned"])
    right = f"{MARK}```python\n{FILL.replace('range', 'reversed')}```\n"
    assert synced(right, FILE, "\n", Book(("**/*.md",), authority={"fill": "fence"})) == (right, ["fence-is-right"])
    elsewhere = f"{MARK}```python\nprint(anything.at.all())\n```\n"
    assert synced(elsewhere) == (elsewhere, ["not-found"])


def test_a_name_that_two_files_define_is_synced_from_neither() -> None:
    page = f"{MARK.replace('queue.py::', '')}```python\n{FILL.replace('range', 'reversed')}```\n"
    audits = audited({"b/page.md": page, "b/one.py": FILE, "b/two.py": FILE})
    results = sync(
        Source("b/page.md", page), next(each for each in audits if each.path == "b/page.md"), audits, link(audits)
    )
    assert {(each.reason, each.edits) for each in results} == {("ambiguous", ())}
