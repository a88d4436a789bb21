import pytest

from auditor.evidence.resources import digest, number_words


def test_a_name_can_bring_another_vocabulary() -> None:
    monday, tuesday = ("a", "b", "c"), ("new", "a", "b", "c")
    assert number_words(("c", "a"), monday) == (2, 0)
    assert number_words(("c", "a"), tuesday) == (3, 1)
    assert digest(monday) != digest(tuesday)
    assert digest(monday) == digest(list(monday))


def test_an_unknown_word_is_refused() -> None:
    with pytest.raises(ValueError, match="not in"):
        number_words(("d",), ("a", "b"))
