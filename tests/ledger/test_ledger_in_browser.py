"""The ledger's page in headless Chromium: filters in the address, keys, no script, a narrow screen, hostile text."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from page_browser import Browser, find_browser

from auditor.ledger.entries import BlockEntry, DefinitionEntry, Header, Ledger, LinkEntry, SourceEntry
from auditor.ledger.sketch import sketch
from auditor.ledger.views import Detail, html
from auditor.ledger.views.detail import BlockDetail, Passage

CODE = {
    "one": "def greet(name):\n    return f'hello {name}'\n",
    "two": "\n\nx = greet('<img src=x onerror=\"window.hit = 1\">')\n",
    "three": "class Box(:\n    pass\n",
    "four": "</pre></article><script>window.hit = 1</script>\n",
}


def entry(name: str, path: str, **facts: object) -> BlockEntry:
    made = BlockEntry(
        "fence", name, "minted", path, ("Part",), "python", "python", (), name, sketch(CODE[name]), "compiles", "module"
    )
    return replace(made, **facts)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    link = LinkEntry("a.py::greet", "outdated", "qualname", difference="diverged")
    ledger = Ledger(
        Header("auditor", "r", "c"),
        (SourceEntry("a.md", "1"), SourceEntry("b.md", "2")),
        (
            entry("one", "a.md", defines=("greet",), links=(link,)),
            entry("two", "a.md"),
            entry("three", "b.md", verdict="broken", context=None),
            entry("four", "b.md", verdict="not-python", context=None),
        ),
        (DefinitionEntry("function", "a.py::greet", "greet", "1", "2", ("one",), "partial"),),
    )
    blocks = {
        name: BlockDetail(Passage("a.md", 10 * at + 1, code), 10 * at)
        for at, (name, code) in enumerate(CODE.items(), 1)
    }
    detail = Detail(blocks, {"a.py::greet": Passage("a.py", 7, "def greet(who):\n    return f'hello {who}'\n")})
    file = tmp_path_factory.mktemp("page") / "ledger.html"
    file.write_text(html(ledger, detail), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    program = find_browser()
    if program is None:
        pytest.skip("left out: there is no Chromium on this machine")
    with Browser(program, tmp_path_factory.mktemp("profile")) as found:
        found.size(1280, 900)
        yield found


def shown(browser: Browser) -> list[str]:
    found: list[str] = browser.run("[...document.querySelectorAll('.fence:not([hidden])')].map((card) => card.id)")
    return found


def state(browser: Browser) -> str:
    return str(browser.run("location.hash"))


def test_filters_live_in_the_address(browser: Browser, page: Path) -> None:
    browser.open(f"{page.as_uri()}#v=broken,not-python")
    assert shown(browser) == ["three", "four"]
    assert browser.run("document.querySelector('.shown').textContent") == "2"
    assert browser.run("document.querySelector('#_p1').hidden")
    browser.run("document.querySelector('[data-o=\"broken\"]').click()")
    assert shown(browser) == ["four"]
    assert state(browser) == "#v=not-python"
    browser.run("document.querySelector('button[type=reset]').click()")
    assert shown(browser) == list(CODE)
    browser.open(f"{page.as_uri()}#l=outdated")
    assert shown(browser) == ["one"]


def test_search_finds_code_and_a_link_to_a_hidden_fence_shows_it(browser: Browser, page: Path) -> None:
    browser.open(f"{page.as_uri()}#q=Box%20class")
    assert shown(browser) == ["three"]
    browser.run("location.hash = '#two'")
    browser.wait(lambda: shown(browser) == list(CODE))


def test_keys_lead_through_fences_and_pages(browser: Browser, page: Path) -> None:
    browser.open(page.as_uri())
    for key, code, at in (
        ("j", 74, "one"),
        ("j", 74, "two"),
        ("j", 74, "three"),
        ("k", 75, "two"),
        ("]", 221, "_p2"),
        ("[", 219, "_p1"),
    ):
        browser.press(key, code, key)
        assert browser.run("document.activeElement.id") == at
    browser.press("?", 191, "?")
    assert browser.run("document.querySelector('dialog').open")
    browser.press("Escape", 27)
    browser.press("/", 191, "/")
    browser.type("hello")
    browser.wait(lambda: shown(browser) == ["one"])
    browser.press("Escape", 27)
    assert shown(browser) == list(CODE)


def test_nothing_audited_runs_and_everything_is_text(browser: Browser, page: Path) -> None:
    browser.open(page.as_uri())
    assert browser.run("window.hit === undefined")
    assert browser.run("document.querySelectorAll('img').length") == 0
    assert browser.run("document.querySelectorAll('article').length") == len(CODE)
    texts = browser.run("[...document.querySelectorAll('pre[data-n]')].map((block) => block.textContent)")
    assert [text.rstrip("\n") for text in texts] == [code.rstrip("\n") for code in CODE.values()]


def test_lines_are_numbered_as_in_the_file(browser: Browser, page: Path) -> None:
    browser.open(page.as_uri())
    browser.wait(lambda: browser.run("document.querySelector('#two .n') !== null"))
    assert browser.run("document.querySelector('#two .n').textContent") == "21\n22\n23"


def test_it_reads_without_script_and_on_a_phone(browser: Browser, page: Path) -> None:
    browser.size(390, 800)
    browser.open(page.as_uri(), scripts=False)
    assert shown(browser) == list(CODE)
    assert browser.run("getComputedStyle(document.querySelector('.filters')).display") == "none"
    assert browser.run("document.documentElement.scrollWidth <= innerWidth")
    browser.open(page.as_uri())
    assert browser.run("document.documentElement.scrollWidth <= innerWidth")
    browser.size(1280, 900)
