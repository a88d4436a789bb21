import pytest

from auditor.report.counting import counted


@pytest.mark.parametrize(
    ("words", "number", "told"),
    [
        ("{0} file|{0} files", 1, "1 file"),
        ("{0} file|{0} files", 0, "0 files"),
        ("{0} file|{0} files", 21, "21 files"),
        ("{0} needs it|{0} need it", 1, "1 needs it"),
        ("{0} 个文件", 1, "1 个文件"),
    ],
)
def test_one_thing_has_a_form_of_its_own_in_english(words: str, number: int, told: str) -> None:
    assert counted(words, number) == told
