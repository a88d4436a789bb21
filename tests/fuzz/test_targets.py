"""The fuzzers' targets on what Hypothesis makes up: a short run of each in every test run."""

import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parent))
from targets import TARGETS

PIECES = st.lists(st.integers(0, 255), max_size=40).map(lambda numbers: bytes([128, *numbers]))
TEXTS = st.text(max_size=80).map(lambda text: b"\0" + text.encode("utf-8", "replace"))


@pytest.mark.parametrize("name", TARGETS)
@settings(max_examples=60, deadline=None)
@given(data=PIECES | TEXTS)
def test_no_input_breaks_a_promise(name: str, data: bytes) -> None:
    TARGETS[name](data)
