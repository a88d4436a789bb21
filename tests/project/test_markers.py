"""What is said of the authors' ids and markers where they do not do what is meant."""

from auditor.audit import audit
from auditor.audited import AuditOptions
from auditor.model import Source
from auditor.project.whole import ProjectOptions, Whole, judge
from auditor.rulebook import load

BOOK = load([])
KNOWN = frozenset(rule.id for rule in BOOK.rules)
FENCE = "```python\ndef area(w, h):\n    return w * h\n```\n"
CODE = "def area(w, h):\n    return w * h\n"


def marked(words: str, fence: str = FENCE) -> str:
    return f"<!-- auditor: {words} -->\n{fence}"


def judged(files: dict[str, str], *, whole: bool = True) -> Whole:
    audits = [audit(Source(path, text), BOOK, AuditOptions()) for path, text in sorted(files.items())]
    return judge(audits, BOOK, ProjectOptions(KNOWN, whole=whole))


def said(files: dict[str, str], *, whole: bool = True) -> list[tuple[str, str]]:
    return [(f.rule, f"{f.place.path}:{f.place.line}") for f in judged(files, whole=whole).findings]


def test_an_id_is_given_once_in_the_whole_book() -> None:
    pages = {"a.md": marked("id=area"), "b.md": marked("id=area"), "c.md": marked("id=Area")}
    assert said(pages) == [("duplicate-id", "b.md:2")]
    (found,) = judged(pages).findings
    assert "a.md:2" in found.message
    assert found.metavariables == {"id": "area", "path": "a.md"}, "no line: it would change the ledger"


def test_only_what_the_run_read_can_be_missed() -> None:
    page = {"a.md": marked("implements=code/shapes.py::aera")}
    assert said(page) == [("orphaned-marker", "a.md:2")]
    assert said(page, whole=False) == [], "the file may lie outside of the paths that were named"
    assert said({**page, "code/shapes.py": CODE}, whole=False) == [("orphaned-marker", "a.md:2")]
    assert said({"a.md": marked("implements=aera"), "shapes.py": CODE}, whole=False) == []


def test_each_of_several_markers_counts() -> None:
    page = marked("implements=shapes.py::area,shapes.py::aera,shapes.py::width")
    found = judged({"a.md": page, "shapes.py": CODE}).findings
    assert [each.metavariables["reference"] for each in found] == ["shapes.py::aera", "shapes.py::width"]


def test_a_name_in_several_files_is_ambiguous_not_orphaned() -> None:
    whole = judged({"a.md": marked("implements=area"), "one.py": CODE, "two.py": CODE})
    assert [(link.definition, link.state) for link in whole.links.links] == [
        ("one.py::area", "ambiguous"),
        ("two.py::area", "ambiguous"),
    ]
    (found,) = whole.findings
    assert (found.rule, found.metavariables["definitions"]) == ("ambiguous-marker", "`one.py::area`, `two.py::area`")


def test_the_side_that_is_right_does_not_settle_a_difference_but_a_note_does() -> None:
    other = CODE.replace("*", "+")
    for words, found in (("", 1), ("authority=file", 1), ("authority=fence", 1), ("note=2.1", 0)):
        files = {"a.md": marked(f"implements=shapes.py::area {words}".strip()), "shapes.py": other}
        assert said(files) == [("marked-fence-diverges", "a.md:2")] * found


def test_a_broken_fence_is_said_to_be_broken_and_not_to_diverge() -> None:
    fence = "```python\ndef area(w, h:\n    return w + h\n```\n"
    rules = {rule for rule, _ in said({"a.md": marked("implements=shapes.py::area", fence), "shapes.py": CODE})}
    assert rules
    assert "marked-fence-diverges" not in rules


def test_an_authority_that_is_none_is_an_unknown_mark() -> None:
    files = {"a.md": marked("implements=shapes.py::area authority=book"), "shapes.py": CODE}
    assert said(files) == [("unknown-mark", "a.md:2")]


def test_a_finding_about_a_marker_can_be_suppressed() -> None:
    page = "<!-- auditor: ignore[orphaned-marker] the file comes with the next chapter -->\n"
    (found,) = judged({"a.md": page + marked("implements=next.py::area")}).findings
    assert found.suppressed is not None
