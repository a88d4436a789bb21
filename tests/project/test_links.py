"""Ties between fences and definitions, on small books written for each case."""

from collections.abc import Mapping

from auditor.audit import audit
from auditor.audited import AuditOptions, SourceAudit
from auditor.configuration import Book
from auditor.model import Source
from auditor.project.books import lookup, shelve
from auditor.project.excerpts import Bodies, Body
from auditor.project.links import Link, link
from auditor.rulebook import Rulebook

STACK = """\
class Stack:
    '''Last in, first out.'''

    def __init__(self, limit):
        self.items = []
        self.limit = limit

    def push(self, item):
        if len(self.items) >= self.limit:
            raise OverflowError(self.limit)
        self.items.append(item)
        self.count = len(self.items)

    def pop(self):
        return self.items.pop()


def drain(stack):
    while stack.items:
        yield stack.pop()
"""


def fence(code: str, before: str = "") -> str:
    return f"# Part\n\n{before}```python\n{code}```\n"


def audited(files: Mapping[str, str]) -> tuple[SourceAudit, ...]:
    book, options = Rulebook((), "0"), AuditOptions()
    return tuple(audit(Source(path, text), book, options) for path, text in sorted(files.items()))


def ties(page: str, *books: Book, file: str = STACK, **more: str) -> list[Link]:
    files = {
        "book/page.md": page,
        "book/code/stack.py": file,
        **{f"book/{name}.py": text for name, text in more.items()},
    }
    return list(link(audited(files), books).links)


def only(page: str, *books: Book, **files: str) -> Link:
    found = ties(page, *books, **files)
    assert len(found) == 1, found
    return found[0]


def class_of(text: str) -> str:
    return text[: text.index("\n\ndef drain")].rstrip("\n") + "\n"


def test_the_same_code_covers() -> None:
    found = only(fence(class_of(STACK)))
    assert (found.definition, found.state) == ("book/code/stack.py::Stack", "covers")
    assert (found.evidence, found.difference, found.operations) == ("qualname", "identical", ())


def test_other_blanks_and_comments_still_cover() -> None:
    formatted = only(fence("def drain( stack ):\n  while (stack.items):\n    yield stack.pop( )\n"))
    assert (formatted.state, formatted.difference) == ("covers", "formatting")
    commented = only(
        fence("def drain(stack):\n    # until it is empty\n    while stack.items:\n        yield stack.pop()\n")
    )
    assert (commented.state, commented.difference) == ("covers", "comments")


def test_what_a_fence_leaves_out_is_told_apart_from_what_it_marks() -> None:
    pop = "    def pop(self):\n        return self.items.pop()\n"
    whole = only(fence(f"class Stack:\n{pop}"))
    assert (whole.state, whole.difference) == ("covers", "subset")
    for mark in ("    # ...\n", "    ...\n", "    # … as before\n"):
        assert only(fence(f"class Stack:\n{mark}{pop}")).difference == "elided"
    apart = only(fence(f"class Stack:\n    def __init__(self, limit):\n        self.items = []\n...\n{pop}"))
    assert (apart.state, apart.difference) == ("covers", "elided")


def test_operations_are_placed_where_the_file_has_them() -> None:
    push = STACK[STACK.index("    def push") : STACK.index("    def pop")].replace(">=", ">")
    found = only(fence(push))
    assert (found.definition, found.state) == ("book/code/stack.py::Stack.push", "outdated")
    assert {each.path for each in found.operations} == {"Stack.push"}


def test_another_condition_is_told() -> None:
    found = only(fence(class_of(STACK).replace(">= self.limit", "> self.limit")))
    assert (found.state, found.difference) == ("outdated", "diverged")
    assert any(">" in (each.after or "") and each.path.endswith("push") for each in found.operations)


def test_a_fence_that_does_not_compile_is_tied_as_far_as_it_can_be_read() -> None:
    found = only(fence(class_of(STACK).replace("    '''Last", "  '''Last")))
    assert found.recovered
    assert (found.definition, found.state) == ("book/code/stack.py::Stack", "covers")


def test_statements_of_a_method_are_placed_in_it() -> None:
    found = only(fence("self.items.append(item)\nself.count = len(self.items)\n"))
    assert (found.definition, found.evidence) == ("book/code/stack.py::Stack.push", "structure")
    assert (found.state, found.difference) == ("covers", "subset")


def test_statements_that_differ_in_one_are_placed_and_told() -> None:
    found = only(fence("self.items.append((item, 0))\nself.count = len(self.items)\n"))
    assert (found.definition, found.state) == ("book/code/stack.py::Stack.push", "outdated")
    assert [each.path for each in found.operations if each.after] == ["Stack.push"] * len(found.operations)


def test_statements_that_stand_everywhere_or_nowhere_are_placed_nowhere() -> None:
    assert ties(fence("return x\n")) == []
    assert ties(fence("self.table = build(self.items, key=name)\nself.rows = self.table.rows()\n")) == []
    assert ties(fence("drain(Stack(3))\n")) == []


def test_a_method_without_its_class_is_found_by_what_it_does() -> None:
    found = only(fence("def pop(self):\n    return self.items.pop()\n"))
    assert (found.definition, found.evidence, found.difference) == (
        "book/code/stack.py::Stack.pop",
        "structure",
        "identical",
    )
    assert ties(fence("def pop(self):\n    heapq.heapify(self.heap)\n    return heapq.heappop(self.heap)\n")) == []


def test_a_marker_names_the_definition_from_the_root_or_from_the_page() -> None:
    code = "def empty(stack):\n    while stack.items:\n        yield stack.pop()\n"
    for path in ("book/code/stack.py", "code/stack.py", "./code/stack.py"):
        found = only(fence(code, f"<!-- auditor: implements={path}::drain -->\n"))
        assert (found.definition, found.evidence) == ("book/code/stack.py::drain", "marker")
        assert found.difference == "renamed" or found.state == "outdated"


def test_a_marker_that_leads_nowhere_is_orphaned() -> None:
    found = only(fence("x = 1\n", "<!-- auditor: implements=code/stack.py::Queue -->\n"))
    assert (found.definition, found.state) == ("code/stack.py::Queue", "orphaned")


def test_a_marked_excerpt_is_compared_with_its_part() -> None:
    page = fence("self.items.append(item)\n", "<!-- auditor: implements=code/stack.py::Stack.push -->\n")
    assert (only(page).state, only(page).difference) == ("covers", "subset")


def test_an_alias_ties_what_names_do_not() -> None:
    page = fence("class Pile:\n" + class_of(STACK).split("\n", 1)[1])
    assert ties(page) == []
    found = only(page, Book(("**/*.md",), aliases={"Pile": "Stack"}))
    assert (found.definition, found.evidence, found.shown) == ("book/code/stack.py::Stack", "alias", "Pile")
    assert found.state in {"covers", "outdated"}


def test_an_alias_may_lead_to_another_form() -> None:
    page = fence("def stack(items, limit):\n    return list(items)[:limit]\n")
    found = only(page, Book(("**/*.md",), aliases={"stack": "Stack"}))
    assert (found.state, found.difference, found.operations) == ("covers", "diverged", ())


def test_equal_definitions_in_two_files_are_ambiguous_and_a_better_one_is_not() -> None:
    drain = STACK[STACK.index("def drain") :]
    assert {each.state for each in ties(fence(drain), other=drain)} == {"ambiguous"}
    found = only(fence(drain), other=drain.replace("stack.pop()", "stack.get()"))
    assert (found.definition, found.state) == ("book/code/stack.py::drain", "covers")


def test_the_configuration_says_which_side_is_right_and_where_it_is_explained() -> None:
    page = fence(class_of(STACK).replace(">=", ">"))
    book = Book(("**/*.md",), authority={"Stack": "fence"}, notes={"book/code/stack.py::Stack": "2.1"})
    found = only(page, book)
    assert (found.authority, found.note) == ("fence", "2.1")


def test_a_session_and_a_page_without_files_have_no_ties() -> None:
    assert list(link(audited({"page.md": fence(STACK)})).links) == []


def test_a_file_belongs_with_the_nearest_pages_above_it() -> None:
    pages = ["README.md", "one/a.md", "one/b.md", "two/deep/c.md"]
    files = ["setup.py", "one/code/x.py", "two/y.py", "two/deep/z.py"]
    homes = shelve(pages, files).homes
    assert homes["one/a.md"].files == homes["one/b.md"].files == ("one/code/x.py",)
    assert homes["two/deep/c.md"].files == ("two/deep/z.py",)
    assert homes["README.md"].files == ("setup.py", "two/y.py")


def test_a_book_names_its_files() -> None:
    books = [Book(("one/*.md",), files=("lib/**/*.py",)), Book(("one/a.md",), aliases={"A": "B"})]
    shelf = shelve(["one/a.md", "one/b.md"], ["lib/x.py", "lib/sub/y.py", "one/z.py"], books)
    assert shelf.homes["one/a.md"].files == ("lib/x.py", "lib/sub/y.py")
    assert shelf.homes["one/a.md"].aliases == {"A": "B"}
    assert shelf.homes["one/b.md"].aliases == {}
    assert shelf.declared == {"lib/x.py", "lib/sub/y.py"}
    assert lookup({"A": "x", "f.py::A": "y"}, "f.py::A") == "y"
    assert lookup({"A": "x"}, "f.py::A") == "x"


def test_an_excerpt_keeps_its_order_and_takes_the_depth_of_the_fence() -> None:
    body = Body(
        "f.py::f", "def f(a):\n    if a:\n        first = start(a, 1)\n        second = go(first, 2)\n    return a\n"
    )
    (placed,) = Bodies([body]).place("first = start(a, 1)\nsecond = go(first, 2)\n")
    assert placed.score == 1
    assert placed.shown == "first = start(a, 1)\nsecond = go(first, 2)\n"
    (turned,) = Bodies([body]).place("second = go(first, 2)\nfirst = start(a, 1)\n") or (None,)
    assert turned is None or turned.score < 1
