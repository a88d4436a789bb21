"""What `auditor explain` prints of a rule's examples."""

import pytest

from auditor.cli import main


def test_an_example_without_a_name_has_a_title_without_a_colon(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "broken-continuation"]) == 0
    titles = [line for line in capsys.readouterr().out.split("\n") if line.startswith(("It ", "Its "))]
    assert "Its fix" in titles
    assert "It reports: blanks behind it" in titles
