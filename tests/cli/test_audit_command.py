"""`auditor audit` as its users call it: what it prints, and the exit code of the design's table."""

import json
import os
from pathlib import Path

import pytest

from auditor.cli import main
from auditor.report import FORMATS

GOOD = "# Page\n\n```python\nx = 1\n```\n"
BROKEN = "# Page\n\n```python\nx = = 1\n```\n"


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    (tmp_path / "good.md").write_text(GOOD)
    return tmp_path


def audit(*words: str) -> int:
    return main(["audit", "--no-cache", *words])


def test_clean(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert audit() == 0
    printed = capsys.readouterr()
    assert printed.out == "1 block of Python in 1 file: 1 compiles\nfound 0 errors, 0 warnings, 0 notes\n"
    assert printed.err == ""


@pytest.mark.parametrize("name", FORMATS)
def test_findings_fail_in_every_format(book: Path, name: str) -> None:
    (book / "bad.md").write_text(BROKEN)
    assert audit("--format", name) == 1
    assert audit("--format", name, "--fail-level", "never") == 0


@pytest.mark.parametrize("name", FORMATS)
def test_what_cannot_be_read_is_never_clean_in_any_format(book: Path, name: str) -> None:
    (book / "bad.md").write_bytes(b"caf\xe9")
    assert audit("--format", name) == 5


def test_the_rest_of_the_run_goes_on(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (book / "latin.md").write_bytes(b"caf\xe9")
    (book / "z.md").write_text(BROKEN)
    assert audit("--format", "json") == 5
    document = json.loads(capsys.readouterr().out)
    assert document["complete"] is False
    assert document["incomplete"] == ["latin.md: not valid utf-8 at byte 3"]
    assert [block["verdict"] for block in document["blocks"]] == ["compiles", "broken"]


def test_a_missing_path(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert audit("nowhere") == 2
    assert capsys.readouterr().err == f"auditor: {book / 'nowhere'}: no such file or folder\n"


def test_nothing_to_audit_under_a_folder(book: Path) -> None:
    (book / "empty").mkdir()
    assert audit("empty") == 3
    assert audit("good.md") == 0


def test_a_broken_configuration(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (book / "auditor.toml").write_text("\nfalvour = 'mkdocs'\n")
    assert audit() == 2
    assert "auditor.toml:2: falvour: unknown key; did you mean 'flavour'?" in capsys.readouterr().err


def test_a_broken_rule_is_named_and_the_others_still_run(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (book / "bad.md").write_text(BROKEN)
    rules = book / "rules.yaml"
    rules.write_text(
        "rules:\n  - id: one\n    languages: [python]\n    severity: note\n    message: m\n    patern: x\n"
        "  - id: two\n    languages: [python]\n    severity: note\n    message: m\n    pattern: $X = 1\n"
    )
    assert audit("--rules", "rules.yaml", "--format", "json") == 2
    printed = capsys.readouterr()
    assert "rules.yaml:6:5: patern: unknown key; did you mean 'pattern'?" in printed.err
    assert {finding["rule"] for finding in json.loads(printed.out)["findings"]} >= {"two"}
    assert audit("--rules", "rules.yaml", "--skip-bad-rules") == 1


def test_an_unknown_rule_name(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert audit("--select", "residual-overwrit") == 2
    assert "did you mean 'residual-overwrite'?" in capsys.readouterr().err


@pytest.mark.parametrize(
    "table", ['[severity]\nexternal-resorce = "error"\n', '[[paths]]\npath = "a"\nignore = ["external-resorce"]\n']
)
def test_an_unknown_rule_in_the_configuration(book: Path, table: str, capsys: pytest.CaptureFixture[str]) -> None:
    (book / "auditor.toml").write_text(table)
    assert audit() == 2
    assert "no rule is called 'external-resorce'; did you mean 'external-resource'?" in capsys.readouterr().err


def test_a_pattern_that_matches_nothing_is_said(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (book / "old").mkdir()
    (book / "old" / "old.md").write_text(GOOD)
    (book / "pictures").mkdir()
    (book / "auditor.toml").write_text(
        """exclude = ["old", "pictures", "oldd", "*.mdx"]
        [[paths]]
        path = "good.md"
        [[paths]]
        path = "old/**"
        [[books]]
        pages = ["*.md", "ch\\u001b/*"]
        files = ["code/**"]
        """
    )
    assert audit() == 0
    said = [line.partition("auditor.toml:")[2] for line in capsys.readouterr().err.splitlines()]
    assert said == [
        "1: exclude: 'oldd' matches no Markdown or Python file",
        "1: exclude: '*.mdx' matches no Markdown or Python file",
        "5: paths.path: 'old/**' matches no Markdown or Python file",
        r"7: books.pages: 'ch\x1b/*' matches no Markdown or Python file",
        "8: books.files: 'code/**' matches no Markdown or Python file",
    ]
    assert audit("good.md") == 0
    assert capsys.readouterr().err == ""


def test_rules_outside_the_configurations_folder_are_refused(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (book / "auditor.toml").write_text('rules = ["../secret.yaml"]\n')
    (book.parent / "secret.yaml").write_text("token: abc\n")
    assert audit() == 2
    assert "abc" not in capsys.readouterr().err


def test_many_formats_in_one_run(book: Path) -> None:
    (book / "bad.md").write_text(BROKEN)
    assert audit("--output", "sarif=out/a.sarif", "--output", "junit=out/j.xml") == 1
    assert json.loads((book / "out" / "a.sarif").read_text())["version"] == "2.1.0"
    assert (book / "out" / "j.xml").read_text().startswith("<?xml")


def test_in_a_workflow_annotations_are_the_default(
    book: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (book / "bad.md").write_text(BROKEN)
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    assert audit() == 1
    assert capsys.readouterr().out.startswith("::error file=bad.md,line=4,")


def test_severity_by_rule(book: Path) -> None:
    (book / "page.md").write_text('```python\ntok = T.from_pretrained("a/b")\n```\n')
    assert audit() == 0
    (book / "auditor.toml").write_text('[severity]\nexternal-resource = "error"\n')
    assert audit() == 1


def test_a_baseline_holds_no_notes_unless_they_fail(book: Path) -> None:
    (book / "page.md").write_text("```python\nf(a=1, ...)\n```\n")
    assert main(["baseline", "write", "--baseline", "base.jsonl"]) == 0
    assert (book / "base.jsonl").read_text() == ""
    (book / "auditor.toml").write_text('fail-level = "note"\n')
    assert main(["baseline", "write", "--baseline", "base.jsonl"]) == 0
    assert '"rule": "elision"' in (book / "base.jsonl").read_text()


@pytest.mark.parametrize("level", ["error", "note"])
def test_nothing_is_new_under_a_fresh_baseline(book: Path, level: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Notes and suppressed findings too: of what the baseline does not hold it cannot say that it is new."""
    mark = "<!-- auditor: ignore[syntax-error] shown on purpose -->\n"
    (book / "page.md").write_text(f"```python\nf(a=1, ...)\n```\n\n{mark}{BROKEN.partition(chr(10) * 2)[2]}\n{BROKEN}")
    assert main(["baseline", "write", "--baseline", "base.jsonl", "--fail-level", level, "--quiet"]) == 0
    words = ["--baseline", "base.jsonl", "--fail-level", level]
    assert audit(*words) == 0
    printed = capsys.readouterr().out
    assert "0 of them are new" in printed
    assert "1 finding is suppressed" in printed
    assert "by this change" not in printed
    assert audit(*words, "--format", "json") == 0
    found = json.loads(capsys.readouterr().out)["findings"]
    assert "new" not in {each.get("status") for each in found}
    (book / "more.md").write_text("```python\ng(b=2, ...)\n```\n")
    assert audit(*words) == (level == "note")


def test_a_baseline_of_a_part_keeps_the_rest(book: Path) -> None:
    for name in ("a.md", "b.md"):
        (book / name).write_text(BROKEN)
    words = ["--baseline", "base.jsonl"]
    assert main(["baseline", "write", *words, "--reason", "first"]) == 0
    (book / "a.md").write_text(BROKEN + "\n" + BROKEN.replace("Page", "More"))
    assert main(["baseline", "write", *words, "--reason", "second", "a.md"]) == 0
    entries = [json.loads(line) for line in (book / "base.jsonl").read_text().splitlines()]
    assert sorted((entry["path"], entry["reason"]) for entry in entries) == [
        ("a.md", "first"),
        ("a.md", "second"),
        ("b.md", "first"),
    ]
    assert audit(*words, "--strict-baseline") == 0


def test_a_renamed_page_keeps_its_baseline(book: Path) -> None:
    (book / "a.md").write_text(BROKEN)
    words = ["--baseline", "base.jsonl"]
    assert main(["baseline", "write", *words]) == 0
    (book / "a.md").rename(book / "z.md")
    assert audit(*words, "--strict-baseline") == 0


def test_a_baseline_that_git_left_in_conflict_is_named(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (book / "base.jsonl").write_text("<<<<<<< HEAD\n=======\n>>>>>>> topic\n")
    assert audit("--baseline", "base.jsonl") == 2
    assert "line 1: a conflict that git left" in capsys.readouterr().err


def test_what_only_the_whole_set_shows_is_not_said_of_a_part(book: Path) -> None:
    (book / "page.md").write_text("```python\nprint(helper(1))\n```\n")
    (book / "parts.py").write_text("def helper(x):\n    return x\n")
    (book / "auditor.toml").write_text('[severity]\nundefined-name = "error"\n')
    assert audit() == 0
    assert audit("page.md") == 0
    (book / "parts.py").unlink()
    assert audit() == 1
    assert audit("page.md") == 0


def test_a_lost_output_is_never_a_success(book: Path) -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full here")
    assert audit("--output", "json=/dev/full/x") == 5


def test_a_baseline_from_writing_to_pruning(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (book / "bad.md").write_text(BROKEN)
    assert main(["baseline", "write", "--baseline", "base.jsonl", "--reason", "before the audit"]) == 0
    assert audit("--baseline", "base.jsonl") == 0
    (book / "worse.md").write_text(BROKEN)
    assert audit("--baseline", "base.jsonl") == 1
    (book / "worse.md").unlink()
    (book / "bad.md").write_text(GOOD)
    assert audit("--baseline", "base.jsonl") == 0
    assert audit("--baseline", "base.jsonl", "--strict-baseline") == 1
    assert main(["baseline", "check", "--baseline", "base.jsonl"]) == 4
    assert main(["baseline", "prune", "--baseline", "base.jsonl"]) == 0
    assert (book / "base.jsonl").read_text() == ""
    assert main(["baseline", "check", "--baseline", "base.jsonl"]) == 0
    capsys.readouterr()


@pytest.mark.parametrize("name", ["README.md", "setup.py"])
def test_a_report_replaces_no_page(book: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    (book / name).write_text("# The book\n")
    for _ in range(2):  # said for a run that is kept, too
        assert main(["audit", "--output", f"markdown={name}"]) == 2
        assert f"{name}: is there already and no report of this tool" in capsys.readouterr().err
    assert (book / name).read_text() == "# The book\n"
    for _ in range(2):
        assert main(["audit", "--output", "markdown=report.md", "--fail-level", "never"]) == 0
