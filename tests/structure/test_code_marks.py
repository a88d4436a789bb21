"""Comments in code to the auditor that it does not understand."""

import pytest

from auditor.model import MappedText
from auditor.structure.marks import ignore_comments, unknown_comments


def unknown(code: str) -> list[tuple[object, str]]:
    """For each such comment its word and its text."""
    found = unknown_comments(MappedText.verbatim(code))
    return [(fault.arguments["word"], code[fault.span.start : fault.span.end]) for fault in found]


@pytest.mark.parametrize(
    ("comment", "word"),
    [
        ("# auditor: ignroe[a] why", "ignroe"),
        ("#auditor: frobnicate", "frobnicate"),
        ("# auditor: ignore[a why", "ignore[a"),
        ("# auditor: ignore", "ignore"),
        ("# auditor: ignore-start[a] why", "ignore-start"),
        ("# auditor:", "auditor:"),
    ],
)
def test_what_is_not_understood_in_a_comment(comment: str, word: str) -> None:
    assert unknown(f"x = 1  {comment}\ny = 2\n") == [(word, comment)]
    assert list(ignore_comments(MappedText.verbatim(f"x = 1  {comment}\ny = 2\n"))) == []


@pytest.mark.parametrize(
    "code",
    [
        "x = 1  # auditor: ignore[a] why\n",
        "x = 1  # noqa: E501 # auditor: ignore[a] why\n",
        'x = "# auditor: ignroe[a]"\n',
        '"""\n# auditor: ignroe[a]\n"""\n',
        "x = 1  # the form is `# auditor: ignroe[a]`\n",
        "auditor: str = f()\n",
        "x = 1  # the auditor: a tool\n",
    ],
)
def test_what_is_understood_or_no_mark(code: str) -> None:
    assert unknown(code) == []


def test_behind_another_tools_comment() -> None:
    assert unknown("x = 1  # noqa: E501 # auditor: ignroe[a]\n") == [("ignroe", "# auditor: ignroe[a]")]
