"""The fifteen hard cases on which other tools fail, each from the command line to the JSON document."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from auditor.cli import main

Document = dict[str, Any]
Audit = Callable[..., Document]


@pytest.fixture
def audit(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Audit:
    """Writes files (text or bytes) and audits the folder; the exit code stands in the document as `exit`."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)

    def run(files: dict[str, str | bytes], *words: str) -> Document:
        for name, text in files.items():
            file = tmp_path / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text if isinstance(text, bytes) else text.encode())
        code = main(["audit", "--no-cache", "--format", "json", *words, "."])
        document: Document = json.loads(capsys.readouterr().out)
        return document | {"exit": code}

    return run


def verdicts(document: Document, path: str = "a.md") -> list[tuple[int, str, str | None]]:
    """Line, verdict and context of each block of a file."""
    return [
        (block["line"], block["verdict"], block["context"]) for block in document["blocks"] if block["path"] == path
    ]


def said(block: dict[str, Any]) -> list[tuple[str, int, int]]:
    return [(each["kind"], each["line"], each["column"]) for each in block["diagnoses"]]


def places(document: Document) -> list[tuple[str, str, int, int]]:
    return [(found["rule"], found["path"], found["line"], found["column"]) for found in document["findings"]]


def test_1_a_fence_on_a_list_marker_line(audit: Audit) -> None:
    document = audit({"a.md": "- ```py\n  a = 1\n  b = = 2\n  ```\n"})
    (block,) = document["blocks"]
    assert (block["line"], block["column"], block["end_line"]) == (1, 3, 4)
    assert block["container"] == ["list"]
    assert said(block) == [("syntax-error", 3, 7)]


def test_2_a_quote_inside_a_list(audit: Audit) -> None:
    page = "1. Text\n\n   > More\n   >\n   > ```python\n   > a = 1\n   > f(a=1, a=2)\n   > ```\n"
    (block,) = audit({"a.md": page})["blocks"]
    assert block["container"] == ["list", "quote"]
    (first,) = block["diagnoses"]
    assert first["kind"] == "repeated-argument"
    assert (first["line"], first["column"], first["end_line"]) == (7, 13, 7)
    assert first["column"] < first["end_column"] <= 16


ADMONITION = '!!! note\n\n    ```python\n    a = = 1\n    ```\n\n=== "Tab"\n\n    ```python\n    b = 2\n    ```\n'


def test_3_the_body_of_an_admonition_and_of_a_tab(audit: Audit) -> None:
    document = audit({"a.md": ADMONITION}, "--flavour", "mkdocs")
    assert verdicts(document) == [(3, "broken", None), (9, "compiles", "module")]
    assert [block["container"] for block in document["blocks"]] == [["admonition"], ["tab"]]
    assert said(document["blocks"][0]) == [("syntax-error", 4, 9)]


def test_3_is_indented_code_in_plain_commonmark(audit: Audit) -> None:
    document = audit({"a.md": ADMONITION}, "--flavour", "commonmark")
    assert document["blocks"] == []
    assert [(left["line"], left["kind"]) for left in document["not_audited"]] == [
        (3, "indented-code"),
        (9, "indented-code"),
    ]


def test_4_what_four_backticks_show(audit: Audit) -> None:
    page = "````markdown\n```python\na = = 1\n```\n````\n\n````python\ntext = '''\n```python\nb = = 2\n```\n'''\n````\n"
    document = audit({"a.md": page})
    assert verdicts(document) == [(7, "compiles", "module")]
    assert document["findings"] == []


def test_5_one_code_under_every_name(audit: Audit) -> None:
    names = [
        "Python", "py", "{.python}", "{python}", 'python title="x.py"', "python,ignore", "python{1,3}",
    ]  # fmt: skip
    for name in names:
        (block,) = audit({"a.md": f"# A\n\n```{name}\na = 1\nb = = 2\n```\n"})["blocks"]
        assert said(block) == [("syntax-error", 5, 5)], name
    page = "# A\n\n```{code-block} python\n:linenos:\n:caption: x\n\na = 1\nb = = 2\n```\n"
    (block,) = audit({"a.md": page})["blocks"]
    assert said(block) == [("syntax-error", 8, 5)]


def test_6_methods_and_a_bare_return(audit: Audit) -> None:
    page = (
        "```python\n    def area(self):\n        return self.x\n```\n\n"
        "```python\ndef area(self):\n    return self.x\n```\n\n"
        "```python\nreturn self.x\n```\n"
    )
    document = audit({"a.md": page})
    assert verdicts(document) == [
        (1, "compiles-in-context", "class-body"),
        (6, "compiles", "class-body"),
        (11, "compiles-in-context", "method"),
    ]
    assert document["findings"] == []


def test_7_top_level_await_beside_an_elision(audit: Audit) -> None:
    page = "```python\nclass A:\n    ...\n\nx = await f(a=1, ...)\n```\n"
    (block,) = audit({"a.md": page})["blocks"]
    assert (block["verdict"], block["context"]) == ("compiles-elided", "async")
    assert block["adjustments"] == ["async", "elision"]
    assert said(block) == [("elision", 5, 18)]


def test_8_newer_syntax_than_the_target(audit: Audit) -> None:
    page = "```python\ntype X = int\n\nclass A[T]:\n    pass\n```\n"
    (block,) = audit({"a.md": page}, "--target-python", "3.12")["blocks"]
    assert (block["verdict"], block["needs_python"]) == ("compiles", "3.12")
    document = audit({"a.md": page}, "--target-python", "3.10")
    (block,) = document["blocks"]
    assert (block["verdict"], said(block)) == ("newer-python", [("needs-newer-python", 2, 1)])
    assert [(found["rule"], found["severity"]) for found in document["findings"]] == [("needs-newer-python", "error")]
    (block,) = audit({"a.md": page}, "--target-python", "3.10", "--target-python", "3.13")["blocks"]
    assert block["by_target"] == {"3.10": "newer-python", "3.13": "compiles"}


def test_9_a_session_with_a_traceback(audit: Audit) -> None:
    page = (
        "```python\n>>> a = 1\n>>> a / 0\nTraceback (most recent call last):\n"
        '  File "<stdin>", line 1, in <module>\nZeroDivisionError: division by zero\n'
        ">>> b = = 2\n>>> a\n1\n```\n"
    )
    (block,) = audit({"a.md": page})["blocks"]
    assert (block["verdict"], block["context"]) == ("broken", "session")
    assert said(block) == [("syntax-error", 7, 9)]


def test_10_notebook_words(audit: Audit) -> None:
    page = (
        "```python\n!pip install a\n%matplotlib inline\nobj?\n```\n\n"
        "```python\n%%bash\nls -l | wc\n```\n\n"
        "```python\nx = 3\ny = (10\n     % x)\n```\n"
    )
    document = audit({"a.md": page})
    assert verdicts(document) == [
        (1, "compiles-in-context", "notebook"),
        (7, "skipped", None),
        (12, "compiles", "module"),
    ]
    assert document["blocks"][0]["adjustments"] == ["magics"]
    assert "bash" in document["blocks"][1]["reason"]
    assert document["blocks"][2]["adjustments"] == []
    assert document["findings"] == []


def test_11_names_across_fences(audit: Audit) -> None:
    page = (
        "<!--\n```python\nsetup = 1\n```\n-->\n\n"
        "```python\nimport math\n```\n\n```python\nb = 1\n```\n\n"
        "```python\na = math.pi * setup\n```\n\n```python\nimport math\na = 2\n```\n"
    )
    document = audit({"a.md": page})
    assert document["findings"] == []
    assert len(document["blocks"]) == 4
    assert [(left["line"], left["kind"]) for left in document["not_audited"]] == [(2, "html-comment")]
    document = audit({"a.md": page.replace("<!--\n", "<!-- auditor: hidden\n")})
    assert len(document["blocks"]) == 5


def test_12_includes(audit: Audit, tmp_path: Path) -> None:
    secret = tmp_path.parent / f"{tmp_path.name}-outside.py"
    secret.write_text("secret = = 1\n")
    page = (
        '# A\n\n```python\n--8<-- "code/part.py"\n```\n\n```python\n--8<-- "code/lost.py"\n```\n\n'
        f'```python\n--8<-- "../{secret.name}"\n```\n'
    )
    files: dict[str, str | bytes] = {"mkdocs.yml": "site_name: x\n", "a.md": page, "code/part.py": "ok = 1\nb = = 2\n"}
    document = audit(files, "a.md")
    found = places(document)
    assert ("syntax-error", "code/part.py", 2, 5) in found
    assert ("include-missing", "a.md", 8, 1) in found
    assert ("include-outside-root", "a.md", 12, 1) in found
    assert "secret" not in json.dumps(document).replace(secret.name, "")


def test_13_line_ends_marks_and_encodings(audit: Audit) -> None:
    page = "# Kapitel\u00e9\n\n```python\na = 1\nb = = 2\n```\n"
    files: dict[str, str | bytes] = {
        "crlf.md": page.replace("\n", "\r\n").encode(),
        "bom.md": b"\xef\xbb\xbf" + page.encode(),
        "mixed.md": page.replace("\n\n", "\r\n\r").encode(),
        "no_end.md": page.removesuffix("\n").encode(),
        "latin.md": page.encode("latin-1"),
    }
    document = audit(files)
    assert document["exit"] == 5
    assert not document["complete"]
    (unreadable,) = [source for source in document["sources"] if source["status"] == "unreadable"]
    assert unreadable["path"] == "latin.md"
    assert "utf-8" in unreadable["reason"].lower()
    assert sorted(places(document)) == [
        ("syntax-error", name, 5, 5) for name in ("bom.md", "crlf.md", "mixed.md", "no_end.md")
    ]


def test_13_a_fix_is_identical_outside_its_edit(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    before = "\ufeff# A\r\n\r\n```python\r\nf(\r\n    a=1\r\n    b=2,\r\n)\r\n```\r\nno end".encode()
    (tmp_path / "a.md").write_bytes(before)
    assert main(["fix", "--no-cache", "--unsafe", "a.md"]) == 0
    capsys.readouterr()
    assert (tmp_path / "a.md").read_bytes() == before.replace(b"a=1\r\n", b"a=1,\r\n")


def test_14_every_error_at_its_own_line(audit: Audit) -> None:
    page = (
        "```python\n\n\n\n\n\na = f(1 2)\nb = 3\nc = g(x=1, x=2)\nwhile a\n    b += 1\n```\n\nText\n\n"
        "```python\nd = = 1\n```\n"
    )
    document = audit({"a.md": page})
    assert places(document) == [
        ("missing-comma", "a.md", 7, 8),
        ("repeated-argument", "a.md", 9, 12),
        ("missing-colon", "a.md", 10, 8),
        ("syntax-error", "a.md", 17, 5),
    ]


def test_15_unclosed_empty_and_none(audit: Audit) -> None:
    files: dict[str, str | bytes] = {
        "a.md": "```python\na = 1\n\nText behind it.\n",
        "b.md": "# No Python\n\nText.\n",
        "c.md": "```python\n```\n\n```python\n# only a comment\n```\n",
    }
    document = audit(files)
    assert ("unclosed-fence", "a.md", 1, 1) in places(document)
    assert [source["path"] for source in document["sources"]] == ["a.md", "b.md", "c.md"]
    assert verdicts(document, "c.md") == [(1, "compiles", "module"), (4, "compiles", "module")]
    assert document["summary"]["sources"] == 3
