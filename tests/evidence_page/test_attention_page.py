"""The offline page, opened in headless Chromium and held to the NumPy reference."""

import base64
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import numpy as np
import pytest
from page_browser import Browser, find_browser

from auditor.evidence.attention import Array, Attended, attend, causal_mask

PAGE = Path(__file__).resolve().parents[2] / "docs" / "evidence" / "attention.html"
EXACT = 1e-12
STEPS = ("scores", "scaled", "masked", "weights", "output")


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    program = find_browser()
    if program is None:
        pytest.skip("left out: there is no Chromium on this machine")
    with Browser(program, tmp_path_factory.mktemp("profile")) as found:
        found.size(1280, 900)
        yield found


def address(**state: object) -> str:
    return f"{PAGE.as_uri()}#{urlencode(state)}" if state else PAGE.as_uri()


def written(matrix: Array) -> str:
    return "\n".join(" ".join(repr(float(number)) for number in row) for row in matrix)


def table(browser: Browser, selector: str) -> Array:
    """Every number that a table's body holds, at full length."""
    rows = browser.run(
        f"[...document.querySelectorAll('{selector} tbody tr')]"
        ".map((row) => [...row.querySelectorAll('[data-value]')].map((cell) => cell.dataset.value))"
    )
    return np.array([[float(text) for text in row] for row in rows])


def agree(browser: Browser, wanted: Attended) -> None:
    for name in STEPS:
        found = table(browser, f"#{name}")
        if name == "weights":
            np.testing.assert_allclose(found[:, -1], 1.0, rtol=0, atol=EXACT)
            found = found[:, :-1]
        np.testing.assert_allclose(found, getattr(wanted, name), rtol=EXACT, atol=EXACT, err_msg=name)


@pytest.mark.parametrize("scale", [True, False])
@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize(
    ("queries", "keys", "depth", "width"), [(1, 1, 1, 1), (2, 3, 2, 4), (4, 4, 4, 4), (3, 2, 4, 1), (2, 4, 1, 3)]
)
def test_every_step_agrees_with_the_reference(
    browser: Browser, queries: int, keys: int, depth: int, width: int, causal: bool, scale: bool
) -> None:
    draw = np.random.RandomState(queries * 1000 + keys * 100 + depth * 10 + width)
    query, key, value = draw.randn(queries, depth), draw.randn(keys, depth), draw.uniform(-100, 100, (keys, width))
    browser.open(
        address(
            q=written(query), k=written(key), v=written(value), causal=int(causal), scale=int(scale), follow=queries
        )
    )
    wanted = attend(query, key, value, causal_mask(queries, keys) if causal else None, scale=scale)
    agree(browser, wanted)
    followed = queries - 1
    row = table(browser, "#row")
    np.testing.assert_allclose(row[:, 4], wanted.weights[followed], rtol=0, atol=EXACT)
    np.testing.assert_allclose(row[:, 5:], wanted.weights[followed][:, None] * value, rtol=EXACT, atol=EXACT)
    np.testing.assert_allclose(
        row[:, 3], np.exp(wanted.masked[followed] - wanted.masked[followed].max()), rtol=EXACT, atol=EXACT
    )


def test_scores_at_the_limits_do_not_overflow(browser: Browser) -> None:
    query, key = np.array([[100.0, 100.0]]), np.array([[100.0, 100.0], [100.0, 99.0], [-100.0, -100.0]])
    browser.open(address(q=written(query), k=written(key), v="1\n2\n3", scale=0))
    agree(browser, attend(query, key, np.array([[1.0], [2.0], [3.0]]), scale=False))


def test_the_two_examples_stand_there_without_scripts(browser: Browser) -> None:
    browser.open(address(), scripts=False)
    hand = attend(np.array([[1.0, 0.0]]), np.eye(2), np.array([[10.0], [20.0]]))
    rows = table(browser, "#worked-hand")
    np.testing.assert_allclose(rows[:, 0], hand.scores[0], rtol=0, atol=EXACT)
    np.testing.assert_allclose(rows[:, 1], hand.scaled[0], rtol=0, atol=EXACT)
    np.testing.assert_allclose(rows[:, 2], hand.weights[0], rtol=0, atol=EXACT)
    np.testing.assert_allclose(rows[:, 4], rows[:, 2] * rows[:, 3], rtol=0, atol=EXACT)
    total = float(browser.run("document.querySelector('#worked-hand tfoot [data-value]').dataset.value"))
    assert abs(total - hand.output[0, 0]) < EXACT
    causal = attend(np.zeros((3, 2)), np.zeros((3, 2)), np.eye(3), causal_mask(3, 3))
    np.testing.assert_allclose(table(browser, "#worked-causal"), causal.weights, rtol=0, atol=EXACT)
    text = browser.run("document.body.innerText")
    for figure in ("0.6698", "0.3302", "13.3024", "½", "⅓"):
        assert figure in text
    assert "Your own numbers need JavaScript" in text
    assert "Your numbers" not in text


def test_both_languages_without_scripts(browser: Browser) -> None:
    browser.open(address(), scripts=False)
    assert "两个例子" not in browser.run("document.body.innerText")
    browser.run("document.getElementById('lang-zh').checked = true")
    text = browser.run("document.body.innerText")
    assert "两个例子，算好的" in text
    assert "worked out" not in text


def write(browser: Browser, name: str, text: str) -> None:
    browser.run(f"document.getElementById('{name}').focus(); document.getElementById('{name}').select()")
    browser.type(text)


def message(browser: Browser, name: str) -> str:
    return str(browser.run(f"document.getElementById('{name}-message').textContent"))


def test_what_is_typed_is_computed(browser: Browser) -> None:
    browser.open(address(lang="en"))
    write(browser, "q", "3, 4\n\n  -1,2")
    write(browser, "k", "1\t0，\n0 1")
    agree(browser, attend(np.array([[3.0, 4.0], [-1.0, 2.0]]), np.eye(2), np.array([[10.0], [20.0]])))
    assert message(browser, "q") == message(browser, "k") == message(browser, "v") == ""


@pytest.mark.parametrize(
    ("name", "text", "en", "zh"),
    [
        ("q", " \n", "Q is empty", "Q 是空的"),
        ("q", "1 x2", "Q, line 1: “x2” is not a number", "Q 第 1 行：“x2”不是数"),
        ("q", "1 Infinity", "“Infinity” is not a number", "“Infinity”不是数"),
        ("q", "1 0x10", "“0x10” is not a number", "“0x10”不是数"),
        ("k", "1 0\n0 100.5", "K, line 2: 100.5 is outside −100 … 100", "K 第 2 行：100.5 超出了"),
        ("k", "1 0\n0 -1e3", "K, line 2: -1e3 is outside", "K 第 2 行：-1e3 超出了"),
        ("k", "1 0\n0", "K, line 2 has 1 numbers and line 1 has 2", "K 第 2 行有 1 个数，第 1 行有 2 个"),
        ("k", "1 2 3\n4 5 6", "A query has 2 numbers and a key 3", "查询有 2 个数，键有 3 个"),
        ("v", "1\n2\n3\n4\n5", "V has 5 lines; at most 4", "V 有 5 行"),
        ("v", "1 2 3 4 5\n1 2 3 4 5", "V, line 1 has 5 numbers; at most 4", "V 第 1 行有 5 个数"),
        ("v", "1", "There are 2 keys and 1 values", "有 2 个键、1 个值"),
    ],
)
def test_a_mistake_is_said_at_its_field(browser: Browser, name: str, text: str, en: str, zh: str) -> None:
    browser.open(address(lang="en"))
    write(browser, name, text)
    assert en in message(browser, name)
    assert browser.run(f"document.getElementById('{name}').getAttribute('aria-invalid')") == "true"
    browser.run("document.getElementById('lang-zh').click()")
    assert zh in message(browser, name)
    browser.run("document.getElementById('example-hand').click()")
    assert message(browser, name) == ""
    assert browser.run(f"document.getElementById('{name}').getAttribute('aria-invalid')") == "false"


def test_text_is_never_read_as_markup(browser: Browser) -> None:
    browser.open(address(q="<img/src=x/onerror=document.title='gone'>", lang="en"))
    assert "is not a number" in message(browser, "q")
    assert browser.run("document.querySelectorAll('img').length") == 0


@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("follow", [0, 1])
def test_what_changes_when_only_the_future_changes(browser: Browser, follow: int, causal: bool) -> None:
    draw = np.random.RandomState(9)
    query, key, value = draw.randn(3, 2), draw.randn(3, 2), draw.randn(3, 2)
    browser.open(
        address(
            q=written(query),
            k=written(key),
            v=written(value),
            causal=int(causal),
            scale=1,
            follow=follow + 1,
            lang="en",
        )
    )
    browser.run("document.getElementById('future').click()")
    later = (np.arange(3) > follow)[:, None] * 1.0
    mask = causal_mask(3, 3) if causal else None
    before, after = attend(query, key, value, mask).output, attend(query, key + later, value + later, mask).output
    moves = np.abs(after - before).max(axis=1)
    np.testing.assert_allclose(table(browser, "#moved")[:, 0], moves, rtol=0, atol=EXACT)
    said = browser.run("document.getElementById('future-said').textContent")
    if causal:
        assert table(browser, "#moved")[follow, 0] == 0.0
        assert "did not move" in said
    else:
        assert moves[follow] > 0.01
        assert "although only its future changed" in said


def test_no_future_after_the_last_key(browser: Browser) -> None:
    browser.open(address(q="1 0\n0 1", k="1 0\n0 1", v="1\n2", follow=2, lang="en"))
    assert browser.run("document.getElementById('future').disabled")
    assert "No key stands after place 2" in browser.run("document.getElementById('future-what').textContent")


def focused(browser: Browser) -> str:
    return str(
        browser.run("document.activeElement.id || document.activeElement.name || document.activeElement.tagName")
    )


def test_everything_is_reached_and_done_by_keyboard(browser: Browser) -> None:
    browser.open(address(q="0 0\n0 0", k="0 0\n0 0", v="1\n2", lang="en"))
    order: list[str] = []
    while len(order) < 40:
        browser.press("Tab", 9)
        name = focused(browser)
        if name == "BODY":
            break
        order.append(name)
        if name == "causal":
            browser.press(" ", 32, " ")
        if name == "follow":
            browser.press("ArrowDown", 40)
            browser.press("ArrowUp", 38)
        if name == "future":
            browser.press("Enter", 13, "\r")
    reached = [
        "lang-en",
        "q",
        "k",
        "v",
        "scale",
        "causal",
        "follow",
        "example-hand",
        "example-causal",
        "scores",
        "future",
    ]
    assert [name for name in order if name in reached] == reached
    assert browser.run("document.getElementById('causal').checked")
    assert "q₁ did not move" in browser.run("document.getElementById('future-said').textContent")
    assert browser.run("document.querySelector('#moved').getAttribute('tabindex')") == "0"


def test_the_address_keeps_what_was_put_in(browser: Browser) -> None:
    browser.open(address(lang="en"))
    write(browser, "v", "7\n9")
    browser.run("document.getElementById('causal').click()")
    kept = browser.run("location.href")
    browser.open(kept)
    assert browser.run("document.getElementById('v').value") == "7\n9"
    agree(browser, attend(np.array([[1.0, 0.0]]), np.eye(2), np.array([[7.0], [9.0]]), causal_mask(1, 2)))


def test_a_damaged_address_does_no_harm(browser: Browser) -> None:
    browser.open(f"{PAGE.as_uri()}#q=1+0&follow=9&causal=maybe&lang=constructor&%E0%A4%A")
    agree(browser, attend(np.array([[1.0, 0.0]]), np.eye(2), np.array([[10.0], [20.0]])))


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("width", [320, 390, 1280])
def test_nothing_sticks_out(browser: Browser, width: int, lang: str) -> None:
    browser.size(width, 844)
    browser.prefer("dark" if lang == "zh" else "light")
    numbers = "-99.12345 98.7654 -97.1 96.2\n" * 4
    browser.open(address(q=numbers, k=numbers, v=numbers, causal=1, lang=lang))
    browser.run("document.getElementById('future').click()")
    assert browser.run("document.documentElement.scrollWidth") <= width
    low = browser.run(
        "Math.min(...[...document.querySelectorAll('button')].map((b) => b.getBoundingClientRect().height))"
    )
    assert low >= 40
    browser.size(1280, 900)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_one_language_at_a_time(browser: Browser, lang: str) -> None:
    browser.open(address(causal=1, lang=lang))
    text = browser.run("document.body.innerText").replace("中文", "").replace("English", "")
    assert bool(re.search(r"[一-鿿]", text)) is (lang == "zh")
    assert ("Follow query" in text) is (lang == "en")
    assert browser.run("document.documentElement.lang") == {"en": "en", "zh": "zh-CN"}[lang]


def test_the_page_stands_alone_under_a_strict_policy() -> None:
    text = PAGE.read_text(encoding="utf-8")
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', text)
    assert policy is not None
    assert policy[1].startswith("default-src 'none';")
    assert "unsafe" not in policy[1]
    for tag in ("style", "script"):
        bodies = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        assert len(bodies) == 1
        digest = base64.b64encode(hashlib.sha256(bodies[0].encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy[1], f"{tag}-src must be 'sha256-{digest}'"
    assert not re.search(r"https?://|\bstyle=|\son[a-z]+=|<link[^>]+stylesheet|innerHTML", text)
