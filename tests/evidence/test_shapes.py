import numpy as np
import pytest

from auditor.evidence.shapes import batch_and_length, outcome


def test_unpacking_fewer_names_than_axes_fails() -> None:
    assert batch_and_length(np.zeros((2, 7))) == (2, 7)
    with pytest.raises(ValueError, match="too many values"):
        batch_and_length(np.zeros((2, 7, 1)))


def test_outcomes_are_said_in_words() -> None:
    assert outcome(2, 7) == "2×7"
    assert outcome(2, 7, 1) == "fails"
