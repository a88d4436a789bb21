"""Tabs of a page: which fences are parts of one choice."""

import re

import pytest

from auditor.structure.choices import choices
from auditor.structure.told import Choice

TABS = {
    "mkdocs": '=== "a"\n\n    @\n\n    @\n\n=== "b"\n\n    @\n\nText. @\n\n=== "c"\n\n    @\n',
    "hugging face": (
        '<hfoptions id="x">\n<hfoption id="a">\n\n@\n\n@\n\n</hfoption>\n<hfoption id="b">\n@\n</hfoption>\n'
        "</hfoptions>\n"
        '@\n<hfoptions id="y">\n<hfoption id="c">\n@\n</hfoption>\n</hfoptions>\n'
    ),
    "mdx": (
        '<Tabs>\n  <Tab title="a">\n  @\n\n  @\n  </Tab>\n  <Tab title="b">\n  @\n  </Tab>\n</Tabs>\n\n@\n\n'
        '<Tabs><TabItem value="c">\n@\n</TabItem></Tabs>\n'
    ),
    "myst": (
        "::::{tab-set}\n:::{tab-item} A\n@\n\n@\n:::\n:::{tab-item} B\n@\n:::\n::::\n@\n"
        "````{tab-set}\n```{tab-item} C\n@\n```\n````\n"
    ),
    "blocks": "/// tab | A\n@\n\n@\n///\n\n/// tab | B\n@\n///\n\n@\n\n/// tab | C\n@\n///\n",
    "quarto": "::: {.panel-tabset}\n## A\n@\n\n@\n## B\n@\n:::\n@\n::: {.panel-tabset}\n## C\n@\n:::\n",
    "liquid": (
        '{% tabs %}\n{% tab title="a" %}\n@\n\n@\n{% endtab %}\n{% tab title="b" %}\n@\n{% endtab %}\n{% endtabs %}\n'
        "@\n"
        '{% tabs %}\n{% tab title="c" %}\n@\n{% endtab %}\n{% endtabs %}\n'
    ),
}


def read(text: str) -> list[Choice]:
    return [choice for choice, _ in choices(text, [found.start() for found in re.finditer("@", text)])]


@pytest.mark.parametrize("text", TABS.values(), ids=TABS)
def test_two_parts_of_one_group_and_another_group(text: str) -> None:
    first, again, second, outside, third = read(text)
    ((group, part),) = first
    assert again == first
    ((other_group, other_part),) = second
    assert (group == other_group, part == other_part) == (True, False)
    assert outside == ()
    ((third_group, _),) = third
    assert third_group != group


def test_each_fence_of_a_group_of_code_is_a_part() -> None:
    text = "<CodeGroup>\n```python a\n1\n```\n```python b\n2\n```\n</CodeGroup>\n"
    starts = [found.start() for found in re.finditer("```python", text)]
    (((one, first),), _), (((two, second),), _) = choices(text, starts)
    assert (one == two, first == second) == (True, False)


def test_groups_within_groups() -> None:
    text = '=== "a"\n\n    === "b"\n\n        @\n\n    === "c"\n\n        @\n'
    (outer, inner), (outer_again, other) = read(text)
    assert outer == outer_again
    assert (inner[0] == other[0], inner[1] == other[1]) == (True, False)


@pytest.mark.parametrize(
    "text",
    [
        "Press `<Tab>` twice.\n\n@\n",
        '```text\n=== "a"\n```\n\n    @\n',
        "```md\n<Tabs>\n<Tab>\n```\n\n@\n",
        "===\n\n@\n",
        "::: note\n@\n:::\n",
    ],
)
def test_no_choice(text: str) -> None:
    assert read(text) == [()]


@pytest.mark.parametrize(
    "text",
    [
        '=== "a"\n' * 3000 + "@",
        "<Tab>\n" * 3000 + "@",
        ":::{tab-set}\n" * 3000 + "@",
        "```\n" * 3001 + "@",
        "</Tab>\n" * 9,
    ],
)
def test_any_text(text: str) -> None:
    read(text)
