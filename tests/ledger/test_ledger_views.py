"""What readers see of a ledger: nothing audited acts, everything that is said can be read."""

import base64
import csv as csv_format
import hashlib
import io
import re
from html.parser import HTMLParser

import pytest

from auditor import ledger
from auditor.audit import audit
from auditor.audited import AuditOptions, SourceAudit
from auditor.ledger.entries import Header, Ledger
from auditor.ledger.views import Detail, csv, detail_of, html, markdown
from auditor.ledger.views.markup import text
from auditor.ledger.views.sides import Side, side_by_side
from auditor.ledger.views.words import WORDS, Lang, counted
from auditor.model import Finding, Place, Source, Suppressed
from auditor.project.links import Links, link
from auditor.rulebook import Rulebook

EVIL = "</script><img src=x onerror=alert(1)>\"'`|\x1b[31m\u202e=1+1&amp;"
FILE = """\
class Box:
    '''A box.'''

    def open(self, key):
        return self.lock.turn(key)


def lost():
    return "<b>lost</b>"
"""
PAGE = f"""\
# Boxes {EVIL}

```python {EVIL.replace("`", "")}
class Box:
    def open(self, key):
        return self.lock.turn(key, "{EVIL.replace('"', "")}")
```

## =cmd

```python
print("]]>", '{EVIL.replace("'", "")}'
```
"""


def made(page: str = PAGE, file: str = FILE) -> tuple[Ledger, Detail]:
    book, options = Rulebook((), "0"), AuditOptions()
    files = {"b/=page <i>.md": page, "b/box.py": file}
    audits: tuple[SourceAudit, ...] = tuple(
        audit(Source(path, body), book, options) for path, body in sorted(files.items())
    )
    links: Links = link(audits)
    place = Place("b/=page <i>.md", 0, 1, 5, 1, 5, 2)
    findings = [
        Finding("evil-rule", "error", place, f"said {EVIL}", 0, fingerprint="f"),
        Finding("meant-rule", "note", place, "meant", 1, fingerprint="g", suppressed=Suppressed(EVIL, "comment")),
    ]
    maker = ledger.Maker(f"auditor {EVIL}", "r", "c", 1, ("3.12",), ledger.Provenance(EVIL, "c0ffee", EVIL))
    found = ledger.build(audits, links, maker=maker, findings=findings)
    review = ledger.review_of(found, found.blocks[0].id, EVIL, EVIL)
    return found, detail_of(found, audits, links, findings, [review])


class Page(HTMLParser):
    """A page as a list of its elements, with the text that is shown."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.shown: list[str] = []
        self.inside: list[str] = []
        self.raw = {"style": "", "script": ""}
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self.inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        while self.inside and self.inside.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self.inside and self.inside[-1] in self.raw:
            self.raw[self.inside[-1]] += data
        else:
            self.shown.append(data)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_no_audited_text_becomes_markup(lang: Lang) -> None:
    found, detail = made()
    source = html(found, detail, lang)
    page = Page(source)
    tags = {tag for tag, _ in page.elements}
    assert not tags & {"img", "iframe", "object", "link", "base", "embed"}
    assert sum(tag == "script" for tag, _ in page.elements) == 1
    for tag, attributes in page.elements:
        assert not any(name.startswith("on") for name in attributes), (tag, attributes)
        assert "style" not in attributes
        assert (attributes.get("href") or "#").startswith("#")
    shown = "".join(page.shown)
    assert "onerror=alert(1)>" in shown
    assert "<b>lost</b>" in shown
    assert "\x1b" not in source
    assert "\u202e" not in source
    assert "⟨U+202E⟩" in shown


def test_the_policy_names_exactly_what_the_page_holds() -> None:
    page = Page(html(*made()))
    policy = next(a["content"] for tag, a in page.elements if tag == "meta" and a.get("http-equiv"))
    assert policy is not None
    for name in ("style", "script"):
        digest = base64.b64encode(hashlib.sha256(page.raw[name].encode()).digest()).decode()
        assert f"{name}-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_every_id_is_one_of_a_kind_and_every_link_leads_somewhere() -> None:
    page = Page(html(*made()))
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    links = {(attributes["href"] or "")[1:] for tag, attributes in page.elements if tag == "a"}
    assert links <= set(ids)


def test_the_page_says_all_the_same_without_texts() -> None:
    found, _ = made()
    shown = "".join(Page(html(found)).shown)
    assert "evil-rule" in shown
    assert "Box" in shown


def test_a_page_is_the_same_every_time_and_knows_no_time() -> None:
    assert html(*made()) == html(*made())


def test_code_that_begins_with_an_empty_line_keeps_it() -> None:
    found, detail = made("# A\n\n```python\n\n\nx = 1\n```\n")
    assert re.search(r"<pre data-n=\d+>\n\n\nx = 1</pre>", html(found, detail))


def test_a_fence_and_its_file_stand_side_by_side() -> None:
    left = Side("fence", 10, ["def f(x):", "    y = norm(x)", "    return x + y"])
    right = Side("file", 3, ["def f(x):", "    x = norm(x)", "    return x + y"])
    shown = side_by_side(left, right, "en")
    assert shown.count("<tr class=eq>") == 2
    assert "<td>11<td>    <mark>y</mark> = norm(x)<td>4<td>    <mark>x</mark> = norm(x)" in shown


def test_lines_alike_meet_although_others_stand_between() -> None:
    left = Side("", 1, ["mask = full((1, n, n))"])
    right = Side("", 1, ["def f(self):", "    one = two(three)", "    mask = full((1, 1, n, n))", "    return mask"])
    shown = side_by_side(left, right, "en")
    assert "<tr class=ch><td>1<td>mask" in shown
    assert shown.count("<tr class=ro>") == 3


def test_long_runs_are_folded_and_huge_texts_not_compared() -> None:
    same = [f"line_{at}" for at in range(50)]
    assert "46 equal lines" in side_by_side(Side("", 1, same), Side("", 1, same), "en")
    assert side_by_side(Side("", 1, same * 100), Side("", 1, same), "en") == ""


def test_no_cell_of_the_csv_begins_a_formula() -> None:
    rows = list(csv_format.reader(io.StringIO(csv(*made()))))
    assert len({len(row) for row in rows}) == 1
    assert len(rows) == 4
    assert not [cell for row in rows for cell in row if cell.lstrip()[:1] in set("=+-@") and cell]
    assert "\x1b" not in "".join(cell for row in rows for cell in row)


def test_the_summary_is_text_and_not_markup() -> None:
    found, detail = made()
    summary = markdown(found, detail)
    assert "<img" not in re.sub(r"`[^`\n]*`", "", summary)
    table = [line for line in summary.split("\n") if line.startswith("| ")]
    assert table
    assert all(line.replace("\\|", "").count("|") in {6, 7} for line in table)
    assert "lost" in summary
    assert "\x1b" not in summary


def test_every_word_is_there_in_both_languages() -> None:
    assert all(english and chinese for english, chinese in WORDS.values())
    assert not [key for key, (_, chinese) in WORDS.items() if re.search(r"[,:;]", chinese)]


def test_hidden_characters_are_named() -> None:
    assert text("a\x00b\ud800<") == "a⟨U+0000⟩b⟨U+D800⟩&lt;"


def test_a_page_bears_the_books_name_as_text_and_counts_one_as_one() -> None:
    made = Ledger(Header("auditor 0", "", ""), (), ())
    named = Detail(book="Cats & <b>dogs</b>")
    for lang, words in (("en", "Coverage ledger"), ("zh", "代码覆盖台账")):
        page = html(made, named, lang)  # type: ignore[arg-type]
        assert f"<title>Cats &amp; &lt;b&gt;dogs&lt;/b&gt; · {words}</title>" in page
        assert f"<h1>Cats &amp; &lt;b&gt;dogs&lt;/b&gt; · {words}</h1>" in page
    assert markdown(made, Detail(book="Cats")).startswith("# `Cats` · Coverage ledger\n")
    assert markdown(made).startswith("# Coverage ledger\n")
    assert [counted(number, "fences", "en") for number in (0, 1, 2)] == ["fences", "fence", "fences"]
    assert counted(1, "fences", "zh") == "代码块"
    assert [counted(number, "compiles", "en") for number in (1, 2)] == ["compiles", "compile"]
