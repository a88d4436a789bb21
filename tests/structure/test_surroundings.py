"""What the text around a fence tells of it."""

import pytest

from auditor.structure.surroundings import Surroundings
from auditor.structure.told import Told

FENCE = "```python\nf(1)\n```\n"


def told(before: str, after: str = "", *headings: str, path: str = "page.md", needs: tuple[str, ...] = ()) -> Told:
    text = before + FENCE + after
    start = len(before)
    return Surroundings(path, text, [start]).told(start, start + len(FENCE) - 1, headings, needs)


def test_nothing_is_told_of_plain_text() -> None:
    assert told("First we call it:\n\n", "\nThen we go on.\n") == Told()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "\nThis is a `TypeError`.\n"),
        ("A `NameError` is what we get:\n\n", ""),
        ("This will fail:\n\n", ""),
        ("", "\nThat does not work, since it takes two.\n"),
        ("", "\n这样会报错。\n"),
    ],
)
def test_it_fails(before: str, after: str) -> None:
    assert told(before, after).fails


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("one\n" * 300 + "TypeError\n" + "two\n" * 100, ""),
        ("my_type_error and ValueError\n\n", ""),
        ("```python\ntry:\n    g()\nexcept (TypeError, ValueError):\n    pass\n```\n\nText.\n\n", ""),
        ("```python\ndef g():\n    raise TypeError\n```\n\nText.\n\n", ""),
        ("", "\n这样就不报错了。\n"),
        ("", "\nNow another one:\n\n```python\ng()\n```\n\nThis will fail.\n"),
        ("This will fail:\n\n```python\ng()\n```\n\nThis is fine:\n\n", ""),
    ],
)
def test_it_does_not_fail(before: str, after: str) -> None:
    assert not told(before, after).fails


@pytest.mark.parametrize(
    "heading",
    [
        "Exercises: Day 11",
        "Challenge",
        "Your turn!",
        "2.3 练习",
        "课后作业",
        "Exercícios",
        "💻 تمرین‌ها",
        "Mashqlar",
        "Übungen",
    ],
)
def test_exercises_by_their_heading(heading: str) -> None:
    assert told("Text.\n\n", "", "Chapter", heading).exercise
    assert not told("Text.\n\n", "", "Chapter", "How to call it").exercise


def test_exercises_by_their_box() -> None:
    assert told("::::: challenge\n\n## Two\n\n").exercise
    assert told(":::{exercise}\n:label: two\n\n").exercise
    assert not told("::::: challenge\n\n:::::\n\n").exercise


@pytest.mark.parametrize(
    "before",
    [
        "Modify the `f()` function so that it takes a delimiter. For example:\n\n",
        "1. Extend `f` by a cache.\n\n",
        "Now add a second parameter to it:\n\n",
        "It would be nice to write this:\n\n",
        "修改 f 函数，使其接受两个参数：\n\n",
        "给它增加一个参数：\n\n",
    ],
)
def test_wishes(before: str) -> None:
    assert told(before).wished


def test_what_stands_above_another_fence_is_about_that_one() -> None:
    assert not told("Modify `f` so that it works:\n\n```python\nf()\n```\n\nThe other one:\n\n").wished


def test_what_an_exercise_asks_a_reader_to_write() -> None:
    before = "Write a function called _area_ and use `volume`.\n\n"
    assert told(before, "", "Exercises", needs=("area", "volume", "np")).asked == {"area", "volume"}
    assert told(before, "", "Areas", needs=("area", "volume", "np")).asked == frozenset()


@pytest.mark.parametrize(
    ("path", "heading", "before"),
    [
        ("CHANGELOG.md", "", ""),
        ("docs/release_notes.md", "", ""),
        ("docs/migration/to-2.md", "", ""),
        ("page.md", "0.8.1", ""),
        ("page.md", "v2.0 - 2024-01-03", ""),
        ("page.md", "Breaking changes", ""),
        ("page.md", "Before", ""),
        ("page.md", "", "**Before:**\n\n"),
        ("page.md", "", "Instead of\n\n"),
        ("page.md", "", "旧版的写法：\n\n"),
    ],
)
def test_the_past(path: str, heading: str, before: str) -> None:
    assert told(before, "", heading, path=path).past


@pytest.mark.parametrize(
    ("path", "heading"),
    [("docs/chat_history.md", "Chat history"), ("page.md", "Before you begin"), ("page.md", "3.1.2 Tanks")],
)
def test_no_past(path: str, heading: str) -> None:
    assert not told("", "", heading, path=path).past
