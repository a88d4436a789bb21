"""Ruff's findings stand in the Markdown, under the project's own configuration and the same gate as all others."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from auditor.cli import main
from auditor.report import FORMATS

PAGE = """# Page

> ```python
> import json
>
> def load(text):
>     return json.loads(é + text)
> ```

Then:

```python
value = load("1")
print(nowhere)
```
"""


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin")
    if shutil.which("ruff") is None:
        pytest.skip("no ruff on the path")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    (tmp_path / "ruff.toml").write_text('lint.select = ["F", "E", "W", "I", "B", "D1", "INP", "PL"]\n')
    return tmp_path


def linted(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    main(["audit", "--no-cache", "--with", "ruff", "--format", "json", *words])
    printed = capsys.readouterr()
    assert printed.out, printed.err
    return [
        f"{found['path']}:{found['line']}:{found['column']}-{found['end_column']} {found['rule']}"
        for found in json.loads(printed.out)["findings"]
        if found["rule"].startswith("ruff:") and "suppressed" not in found
    ]


def page(*fences: str) -> str:
    return "# Page\n\n" + "\n".join(f"```python\n{fence}```\n" for fence in fences)


def test_findings_stand_at_their_place_in_the_markdown(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (book / "a.md").write_text(PAGE)
    assert linted(capsys, "--select", "ruff:F*") == ["a.md:7:25-26 ruff:F821", "a.md:14:7-14 ruff:F821"]


def test_line_ends_and_a_mark_move_nothing(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (book / "a.md").write_bytes(b"\xef\xbb\xbf" + PAGE.replace("\n", "\r\n").encode())
    assert linted(capsys, "--select", "ruff:F*") == ["a.md:7:25-26 ruff:F821", "a.md:14:7-14 ruff:F821"]


def test_names_of_the_pages_files_are_known(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (book / "a.md").write_text(page("print(helper(LIMIT), absent)\n"))
    (book / "code").mkdir()
    (book / "code/parts.py").write_text("LIMIT = 3\n\n\ndef helper(x):\n    return x\n")
    assert [found.split()[0] for found in linted(capsys, "--select", "ruff:F821")] == ["a.md:4:22-28"]


def test_names_of_files_that_were_not_named_are_known(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (book / "a.md").write_text(page("print(helper(LIMIT), absent)\n"))
    (book / "code").mkdir()
    (book / "code/parts.py").write_text("LIMIT = 3\n\n\ndef helper(x):\n    return x\n")
    assert [found.split()[0] for found in linted(capsys, "--select", "ruff:F821", "a.md")] == ["a.md:4:22-28"]


def test_names_of_a_fence_that_nothing_reads_are_known(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (book / "a.md").write_text(page("def helper(x:\n    )) = 1\n", "print(helper(1))\n"))
    assert linted(capsys, "--select", "ruff:F821") == []


def test_a_star_import_may_define_anything(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (book / "a.md").write_text(page("from turtle import *\n", "forward(1)\n"))
    assert linted(capsys, "--select", "ruff:F821") == []


def test_an_import_that_a_later_fence_uses_is_used(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (book / "a.md").write_text(page("import os\nimport os.path as way\nimport sys\n", "print(os.name, way.sep)\n"))
    assert linted(capsys, "--select", "ruff:F401") == ["a.md:6:8-11 ruff:F401"]


@pytest.mark.parametrize(
    "fence",
    [
        "await go()\n",
        "return 1\n",
        "yield 1\n",
        "break\n",
        "    x = 1\n",
        ">>> 1 + 1\n2\n",
        "def f(self):\n    return self.x\n",
    ],
)
def test_what_a_fence_was_written_for_is_no_fault(book: Path, capsys: pytest.CaptureFixture[str], fence: str) -> None:
    (book / "a.md").write_text(page("go = 1\n", fence))
    assert linted(capsys, "--ignore", "ruff:D*") == []


def test_a_name_of_what_was_left_out_is_not_undefined(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (book / "a.md").write_text(page("hidden = scale * x\nreturn hidden\n"))
    assert linted(capsys, "--select", "ruff:F821") == []


def test_what_stands_for_an_elision_is_not_the_authors(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (book / "a.md").write_text(page("def f(x):\n"))
    assert linted(capsys, "--select", "ruff:P*,ruff:B*,ruff:E*") == []


def test_broken_fences_and_files_are_left_to_others(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (book / "a.md").write_text(page("x = = 1\n"))
    (book / "b.py").write_text("import os\n")
    assert linted(capsys) == []


def test_the_nearest_configuration_holds(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (book / "ruff.toml").write_text('lint.select = ["F"]\n[lint.per-file-ignores]\n"*quiet.md/*" = ["F821"]\n')
    (book / "docs").mkdir()
    (book / "docs/pyproject.toml").write_text('[tool.ruff.lint]\nselect = ["T20"]\n')
    for name in ("loud.md", "quiet.md", "docs/a.md"):
        (book / name).write_text(page("print(nowhere)\n"))
    assert linted(capsys) == ["docs/a.md:4:1-6 ruff:T201", "loud.md:4:7-14 ruff:F821"]


def test_the_projects_own_modules_are_no_foreign_ones(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (book / "src/mine").mkdir(parents=True)
    (book / "src/mine/__init__.py").write_text("")
    (book / "a.md").write_text(page("import numpy\n\nimport mine\n\nprint(numpy, mine)\n"))
    assert linted(capsys, "--select", "ruff:I001") == []


def test_severity_suppression_and_the_gate(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fence = "print(nowhere)\n"
    mark = "<!-- auditor: ignore[ruff:F821] comes from the reader's session -->\n"
    (book / "a.md").write_text(page(fence).replace("```python", mark + "```python"))
    (book / "b.md").write_text(page("print(nowhere)  # auditor: ignore[ruff:F821] the same\n"))
    assert main(["audit", "--no-cache", "--with", "ruff", "--select", "ruff:F821"]) == 0
    (book / "c.md").write_text(page(fence))
    assert main(["audit", "--no-cache", "--with", "ruff", "--select", "ruff:F821"]) == 1
    (book / "auditor.toml").write_text('[severity]\n"ruff:F821" = "note"\n')
    assert main(["audit", "--no-cache", "--with", "ruff", "--select", "ruff:F821"]) == 0
    capsys.readouterr()
    # Where ruff does not run, nothing is known of its marks; where it does, an idle one is found.
    (book / "a.md").write_text(page("print(1)\n").replace("```python", mark + "```python"))
    assert main(["audit", "--no-cache", "--notes", "a.md"]) == 0
    assert "unused-suppression" not in capsys.readouterr().out
    assert main(["audit", "--no-cache", "--notes", "--with", "ruff", "a.md"]) == 0
    assert "unused-suppression" in capsys.readouterr().out


def test_a_baseline_holds_its_findings(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (book / "a.md").write_text(page("print(nowhere)\n"))
    words = ["--with", "ruff", "--select", "ruff:F821", "--baseline", "base.jsonl"]
    assert main(["baseline", "write", *words]) == 0
    assert main(["audit", "--no-cache", *words]) == 0
    (book / "b.md").write_text(page("print(nowhere)\n"))
    assert main(["audit", "--no-cache", *words]) == 1
    (book / "b.md").unlink()
    (book / "a.md").write_text(page("print(1)\n"))
    # Only where ruff runs is it known that an entry is stale.
    assert main(["baseline", "check", "--baseline", "base.jsonl"]) == 0
    assert main(["baseline", "check", *words]) == 4
    capsys.readouterr()


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_shows_them(book: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    (book / "a.md").write_text(page("print(nowhere)\n"))
    assert main(["audit", "--no-cache", "--with", "ruff", "--format", name]) == 1
    printed = capsys.readouterr().out
    assert "F821" in printed
    assert "nowhere" in printed


def test_a_definition_renamed_in_the_pages_file_is_new(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def git(*words: str) -> None:
        identity = ["-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", "-C", str(book), *identity, *words], check=True, capture_output=True)

    (book / "a.md").write_text(page("import json\n", "print(helper(1), old, json)\n"))
    (book / "parts.py").write_text("def helper(x):\n    return x\n")
    git("init", "-q", "-b", "main")
    git("add", "-A")
    git("commit", "-qm", "base")
    words = ["audit", "--no-cache", "--with", "ruff", "--since", "main", "--select", "ruff:F*", "--format", "concise"]
    assert main(words) == 0
    (book / "parts.py").write_text("def assist(x):\n    return x\n")
    assert main(words) == 1
    assert "Undefined name `helper`" in capsys.readouterr().out
    (book / "parts.py").write_text("def helper(x):\n    return x\n")
    (book / "a.md").write_text(page("x = 1\n", "print(helper(1), old, json)\n"))
    assert main(words) == 1
    assert "Undefined name `json`" in capsys.readouterr().out


def test_without_ruff(book: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    (book / "a.md").write_text(page("x = 1\n"))
    monkeypatch.setenv("PATH", str(book))
    assert main(["audit", "--no-cache", "--with", "ruff"]) == 2
    assert "no ruff is on the path; install it beside auditor" in capsys.readouterr().err


def test_a_broken_configuration_of_ruff(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (book / "a.md").write_text(page("x = 1\n"))
    (book / "ruff.toml").write_text("lint.select = 3\n")
    assert main(["audit", "--no-cache", "--with", "ruff"]) == 2
    assert "--with ruff: ruff failed:" in capsys.readouterr().err


def test_names_that_no_list_of_files_holds(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (book / "a\nb.md").write_text(page("print(nowhere)\n"))
    (book / "@x -y.md").write_text(page("print(nowhere)\n"))
    assert [found.split()[-1] for found in linted(capsys, "--select", "ruff:F821")] == ["ruff:F821"] * 2
