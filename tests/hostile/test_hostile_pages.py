"""Pages and bytes that hide, split or misplace fences: found at their own lines and columns, or said to be hidden.

The numbers are those of the forty inputs that the tool is held to.
"""

import pytest
from shelf import Shelf, fence

BAD = "bad("


def test_12_three_line_ends_in_one_file(shelf: Shelf) -> None:
    shelf.add("mixed.py", b"x=1\r\ny=2\rz = = 3\n")
    (found,) = [one for one in shelf.audit().document["findings"] if one["path"] == "mixed.py"]
    assert found["line"] == 3
    shelf.add("mixed.py", "a = f(1，2)\r\ny=2\rz=3\n")
    assert shelf.run("fix", "--quiet").code == 0
    assert (shelf.root / "mixed.py").read_bytes() == b"a = f(1,2)\r\ny=2\rz=3\n"


def test_13_carriage_returns_alone(shelf: Shelf) -> None:
    shelf.add("cr.md", f"a\r```py\rx=1\r{BAD}\r```\r")
    run = shelf.audit()
    (block,) = run.blocks("cr.md")
    assert (block["line"], block["end_line"]) == (2, 5)
    assert [one["line"] for one in run.document["findings"] if one["path"] == "cr.md"] == [4]


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("utf7.py", b"# coding: utf-7\nx=+AG8APg-\n", "utf-7"),
        ("latin.py", b"x=1 < \x80\n", "byte 6"),
        ("latin.md", b"caf\xe9\n\n```py\nx=1\n```\n", "byte 3"),
        ("bom.md", b"\xef\xbb\xbfcaf\xe9\n", "byte 6"),
    ],
)
def test_14_and_15_bytes_that_are_no_text(shelf: Shelf, name: str, data: bytes, reason: str) -> None:
    assert shelf.ledger() is not None
    shelf.add(name, data)
    run = shelf.audit()
    assert run.code == 5
    assert run.status(name)[0] == "unreadable"
    assert reason in (run.status(name)[1] or "")
    assert f"{name}: " in run.err
    assert run.blocks(name) == []
    assert shelf.ledger() is None


@pytest.mark.parametrize(
    ("cookie", "verdict"),
    [("utf-8", "compiles"), ("UTF_8-unix", "compiles"), ("utf8", "broken"), ("latin-1", "broken"), ("no", "broken")],
)
def test_14_a_cookie_beside_a_byte_order_mark(shelf: Shelf, cookie: str, verdict: str) -> None:
    data = b"\xef\xbb\xbf# coding: " + cookie.encode() + b"\nx = '\xc3\xa9'\n"
    shelf.add("both.py", data)
    try:
        compile(data, "both.py", "exec")
    except SyntaxError:
        assert verdict == "broken"
    else:
        assert verdict == "compiles"
    (block,) = shelf.audit().blocks("both.py")
    assert block["verdict"] == verdict


@pytest.mark.parametrize("cookie", ["utf-8-unix", "latin-1-dos", "ISO_8859_1", "cp1252", "utf8"])
def test_14_a_cookie_as_editors_write_it(shelf: Shelf, cookie: str) -> None:
    shelf.add("cookie.py", f"# -*- coding: {cookie} -*-\nx = 1\n")
    (block,) = shelf.audit().blocks("cookie.py")
    assert block["verdict"] == "compiles"


@pytest.mark.parametrize("name", ["bom.md", "bom.py"])
def test_16_a_byte_order_mark_hides_nothing(shelf: Shelf, name: str) -> None:
    shelf.add(name, b"\xef\xbb\xbf" + (b"```py\nx=1\n```\n" if name.endswith("md") else b"x=1\n"))
    (block,) = shelf.audit().blocks(name)
    assert (block["verdict"], block["line"], block["column"]) == ("compiles", 1, 1)


@pytest.mark.parametrize(
    ("page", "line", "column"),
    [
        (f"{'> ' * 20}```py\n{'> ' * 20}{BAD}\n{'> ' * 20}```\n", 2, 44),
        (
            "".join(f"{'  ' * depth}- a\n" for depth in range(10)) + f"{'  ' * 10}```py\n{'  ' * 10}{BAD}\n"
            f"{'  ' * 10}```\n",
            12,
            24,
        ),
        (f"-\t```py\n\tif 1:\n\t\t{BAD}\n\t```\n", 3, 6),
    ],
    ids=["18-twenty-quotes", "19-ten-lists", "25-tabs"],
)
def test_deep_containers_and_tabs(shelf: Shelf, page: str, line: int, column: int) -> None:
    shelf.add("deep.md", page)
    run = shelf.audit()
    assert run.code == 1
    (found,) = [one for one in run.document["findings"] if one["path"] == "deep.md"]
    assert (found["rule"], found["line"], found["column"]) == ("unclosed-bracket", line, column)


def test_20_an_unclosed_fence_is_audited_and_said(shelf: Shelf) -> None:
    shelf.add("open.md", f"words\n\n```py\nx=1\n{BAD}\n")
    run = shelf.audit()
    assert run.code == 1
    assert {(one["rule"], one["line"]) for one in run.document["findings"] if one["path"] == "open.md"} == {
        ("unclosed-fence", 3),
        ("unclosed-bracket", 5),
    }


def test_21_a_fence_that_html_hides(shelf: Shelf) -> None:
    shelf.add("html.md", "<div>\n```py\nx=1\n```\n</div>\n")
    run = shelf.audit()
    assert run.blocks("html.md") == []
    (left,) = run.document["not_audited"]
    assert (left["path"], left["line"]) == ("html.md", 2)
    assert "HTML" in left["reason"]


def test_22_control_characters_in_the_info_string(shelf: Shelf) -> None:
    shelf.add("info.md", fence("x=1", "py\x1b[2J\x07"))
    run = shelf.audit()
    assert len(run.blocks("info.md")) == 1
    assert "\x1b" not in run.out + run.err
    assert "\x07" not in run.out + run.err


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e"])
def test_23_marks_that_end_no_line(shelf: Shelf, mark: str) -> None:
    shelf.add("marks.md", f"a{mark}b{mark}c\n```py\nx = '{mark}' = {BAD}\n```\n")
    (found, *_) = [one for one in shelf.audit().document["findings"] if one["path"] == "marks.md"]
    assert found["line"] == 3


def test_24_ten_thousand_fence_lines_are_all_counted(shelf: Shelf) -> None:
    shelf.add("many.md", "```py\n" * 10_001)
    run = shelf.audit()
    assert run.seconds < 10
    (block,) = run.blocks("many.md")  # an opener with an info string closes nothing
    assert block["end_line"] == 10_001
    shelf.add("many.md", "```py\n```\n" * 5_000)
    run = shelf.audit()
    assert run.seconds < 20
    assert len(run.blocks("many.md")) == 5_000
