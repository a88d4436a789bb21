from pathlib import Path

import pytest

from auditor.cli.titles import title_of


@pytest.mark.parametrize(
    ("page", "title"),
    [
        ("# A *small* book\n\n# Another\n", "A small book"),
        ("```python\n# no heading\n```\n\n# 一本书 #\n", "一本书"),
        ("~~~~\n~~~\n# no\n~~~~\n# [Linked](x.md) `name`\n", "Linked name"),
        ("## Only a section\n#\n#tag\n", ""),
        ("\ufeff# First\r\n", "First"),
    ],
)
def test_a_book_is_called_by_the_first_heading_of_its_opening_page(tmp_path: Path, page: str, title: str) -> None:
    (tmp_path / "README.md").write_bytes(page.encode())
    assert title_of(tmp_path, ["README.md", "other.md"]) == title


def test_a_page_that_the_ledger_does_not_hold_gives_no_name(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("# Not mine\n")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("# Mine\n")
    assert title_of(tmp_path, ["docs/index.md"]) == "Mine"
    assert title_of(tmp_path, []) == ""
    assert title_of(tmp_path, ["README.md", "index.md"]) == "Not mine"


@pytest.mark.parametrize("line", ["#" + " " * 100_000, "# " + "![" * 50_000, "# " + "a " * 50_000 + "#" * 50_000])
def test_a_line_that_is_no_name_costs_nothing(tmp_path: Path, line: str) -> None:
    (tmp_path / "README.md").write_text(f"{line}\n\n# The name #\n")
    assert title_of(tmp_path, ["README.md"]) == "The name"
