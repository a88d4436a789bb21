"""What is audited apart: whatever may die, and whatever may take longer than a file is given."""

import pytest

from auditor.engine.hazards import is_hazardous
from auditor.model import Source

SOUND = "x = f(1)\n"


@pytest.mark.parametrize(
    ("text", "seconds", "apart"),
    [
        (SOUND, 30, False),
        (SOUND * 5_000, 30, False),
        (SOUND * 20_000, 30, True),  # half a gigabyte of tree
        (SOUND * 20_000, 3_600, True),
        (SOUND * 5_000, 1, True),  # perhaps more than a second
        (SOUND * 500, 1, False),
        ("(" * 39, 30, False),
        ("(" * 40, 30, True),
        ("[ [\n" * 20, 30, False),  # three in a row are looked for first
        ("match x:\n case " + "{1:" * 12 + "x" + "}" * 12 + ":0", 30, False),  # refused by the parsers' own budgets
    ],
    ids=range(10),
)
def test_what_is_audited_apart(text: str, seconds: float, apart: bool) -> None:
    assert is_hazardous(Source("a.py", text), seconds) is apart
