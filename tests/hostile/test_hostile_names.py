"""Names and texts that would speak for the tool in a log, a page, a table or another tool's reader.

The numbers are those of the forty inputs that the tool is held to.
"""

import csv
import io
import json
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from markdown_it import MarkdownIt
from shelf import Shelf, fence

NAMES = {
    b"33\n::error file=x::pwn.md": fence("bad("),
    b"34\x1b[31m.md": fence("bad("),
    "34<\u2215script><img src=x onerror=alert(1)>.md".encode(): fence('s = "</script><!--<script>"; bad('),
    b"34=HYPERLINK(1)|`x`.md": fence("bad("),
    b"34 sound.md": f"# =1+1 `x` </script> | a\n\n{fence('def f(): return 1')}",
}
NOT_UTF8 = b"35\xff\xfe.md"


@pytest.fixture
def named(shelf: Shelf) -> Shelf:
    for name, text in NAMES.items():
        shelf.add(name, text)
    return shelf


def test_33_one_finding_is_one_annotation(named: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    run = named.run("audit", "--no-cache")
    assert run.code == 1
    commands = [line for line in run.out.split("\n") if line.lstrip().startswith("::")]
    assert len([line for line in commands if line.startswith("::error")]) == 4
    assert not any(line.startswith("::error file=x") for line in commands)
    assert "%0A" in run.out


@pytest.mark.parametrize("name", ["json", "jsonl", "sarif", "gitlab", "rdjsonl", "junit"])
def test_34_what_machines_read_is_read_again(named: Shelf, name: str) -> None:
    named.add(NOT_UTF8, fence("bad("))
    run = named.run("audit", "--no-cache", "--format", name)
    assert run.code == 1
    assert "\x1b" not in run.out
    if name == "junit":
        assert len(ElementTree.fromstring(run.out).findall(".//failure")) == 5
        return
    lines = run.out.split("\n") if name.endswith("jsonl") else [run.out]
    read = [json.loads(line) for line in lines if line]
    assert len(read) == (5 if name.endswith("jsonl") else 1)
    if name == "sarif":
        uris = re.findall(r'"uri": ?"([^"]*)"', run.out)
        assert any("%FF%FE" in uri for uri in uris)
        assert all(re.fullmatch(r"[A-Za-z0-9%._~/:!$&'()*+,;=@#-]*", uri) for uri in uris)


class Tags(HTMLParser):
    """Collects the tags of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        assert not any(name.startswith("on") for name, _ in attrs)


def test_34_the_views_of_the_ledger_are_inert(named: Shelf) -> None:
    named.add(NOT_UTF8, fence("bad("))
    run = named.run("ledger", "--no-cache", "--html", "l.html", "--csv", "l.csv", "--markdown", "reports/ledger.md")
    assert run.code == 0, run.err
    page = (named.root / "l.html").read_text("utf-8", "surrogateescape")
    table = (named.root / "l.csv").read_text("utf-8-sig", "surrogateescape")
    summary = (named.root / "reports/ledger.md").read_text("utf-8", "surrogateescape")
    for text in (page, table, summary):
        assert "\x1b" not in text
    tags = Tags()
    tags.feed(page)
    assert "img" not in tags.tags
    assert page.count("</script>") == tags.tags.count("script")
    rows = list(csv.reader(io.StringIO(table)))
    assert len({len(row) for row in rows}) == 1
    assert not any(cell[:1] in set("=+-@\t\r") for row in rows for cell in row)
    rendered = Tags()
    rendered.feed(MarkdownIt("commonmark").enable("table").render(summary))
    assert not {"img", "script"} & set(rendered.tags)


def test_35_a_name_that_is_no_utf8(shelf: Shelf) -> None:
    shelf.add(NOT_UTF8, fence("bad("))
    run = shelf.audit()
    assert run.code == 1
    assert run.rules("35\udcff\udcfe.md") == ["unclosed-bracket"]
    assert shelf.ledger() is not None
