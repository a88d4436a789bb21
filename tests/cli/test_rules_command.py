"""`auditor rules`: the list, the schema, and the tests of rules, ours and in Semgrep's layout."""

import json
from pathlib import Path

import pytest

from auditor.cli import main

RULE = """rules:
  - id: no-eval
    languages: [python]
    severity: WARNING
    message: m
    pattern: eval(...)
"""


def test_the_list_is_json_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "list", "--format", "json"]) == 0
    assert {rule["id"] for rule in json.loads(capsys.readouterr().out)} >= {"residual-overwrite", "syntax-error"}


def test_the_schema_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "schema"]) == 0
    assert json.loads(capsys.readouterr().out)["type"] == "object"


def test_annotated_targets_are_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "rule.yaml").write_text(RULE)
    (tmp_path / "rule.py").write_text("# ruleid: no-eval\neval(x)\n# ok: no-eval\nprint(x)\n")
    assert main(["rules", "test", str(tmp_path)]) == 0
    assert capsys.readouterr().out.endswith("1 passed, 0 failed\n")
    (tmp_path / "rule.py").write_text("# ruleid: no-eval\nprint(x)\neval(x)\n")
    assert main(["rules", "test", str(tmp_path)]) == 1
    assert "found lines 3, expected lines 2" in capsys.readouterr().out
    assert main(["rules", "test", str(tmp_path), "--format", "junit"]) == 1
    assert 'failures="1"' in capsys.readouterr().out


def test_a_missing_path_and_a_broken_rule(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "test", str(tmp_path / "nowhere")]) == 2
    (tmp_path / "rule.yaml").write_text(RULE.replace("pattern:", "patern:"))
    assert main(["rules", "test", str(tmp_path)]) == 2
    assert "rule.yaml:6:5: patern: unknown key; did you mean 'pattern'?" in capsys.readouterr().err


def test_nothing_to_test_is_not_passed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "test", str(tmp_path)]) == 3
    (tmp_path / "rule.yaml").write_text(RULE)
    assert main(["rules", "test", str(tmp_path)]) == 3
    assert "nothing to test" in capsys.readouterr().err


def test_a_target_that_cannot_be_read_is_not_passed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("bytes", "folder", "sound"):
        (tmp_path / f"{name}.yaml").write_text(RULE.replace("no-eval", f"no-{name}"))
    (tmp_path / "bytes.py").write_bytes(b"# \xff\n")
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "sound.py").write_text("# ruleid: no-sound\neval(x)\n")
    assert main(["rules", "test", str(tmp_path)]) == 5
    printed = capsys.readouterr()
    assert printed.out == "1 passed, 0 failed\n"
    assert "bytes.py:1:1: cannot be read: not UTF-8 at byte 2\n" in printed.err
    assert "folder.py:1:1: cannot be read: " in printed.err


OWN = """rules:
  - id: no-eval
    languages: [python]
    severity: WARNING
    message: mine
    pattern: eval(...)
    examples:
      finding:
        - code: eval(x)
          lines: [1]
"""


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A book whose configuration names a folder of rules; the working directory lies inside of it."""
    (tmp_path / "my-rules").mkdir()
    (tmp_path / "my-rules/own.yaml").write_text(OWN)
    (tmp_path / "auditor.toml").write_text('rules = ["my-rules"]\n')
    (tmp_path / "docs").mkdir()
    monkeypatch.chdir(tmp_path / "docs")
    return tmp_path


@pytest.mark.usefixtures("book")
def test_the_rules_of_the_configuration_are_listed_explained_and_tested(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "list", "--format", "json"]) == 0
    assert {rule["id"] for rule in json.loads(capsys.readouterr().out)} > {"residual-overwrite", "no-eval"}
    assert main(["explain", "no-eval"]) == 0
    assert "mine" in capsys.readouterr().out
    assert main(["rules", "test", "--format", "junit"]) == 0
    assert 'classname="no-eval"' in capsys.readouterr().out


def test_paths_are_looked_at_alone(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (book / "other.yaml").write_text(RULE.replace("no-eval", "no-exec"))
    assert main(["rules", "list", str(book / "other.yaml"), "--format", "json"]) == 0
    assert [rule["id"] for rule in json.loads(capsys.readouterr().out)] == ["no-exec"]


@pytest.mark.parametrize("command", [["rules", "list"], ["rules", "test"], ["explain", "no-eval"]])
def test_mistakes_of_the_configuration_are_said_as_audit_says_them(
    book: Path, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    (book / "auditor.toml").write_text('rules = ["nowhere"]\n')
    assert main(command) == 2
    assert "auditor.toml:1: rules: there is no rule file or folder 'nowhere'" in capsys.readouterr().err
    elsewhere = book / "else.toml"
    elsewhere.write_text('rules = ["my-rules"]\n')
    assert main([*command, "--config", str(elsewhere)]) == 0


@pytest.mark.usefixtures("book")
@pytest.mark.parametrize(
    ("command", "code"), [(["rules", "list"], 0), (["rules", "test"], 0), (["explain", "no-eval"], 0), (["audit"], 0)]
)
def test_a_message_that_names_nothing_is_said_every_time(
    book: Path, command: list[str], code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    (book / "docs/page.md").write_text("```python\nx = 1\n```\n")
    (book / "my-rules/own.yaml").write_text(OWN.replace("message: mine", "message: $Y is nowhere"))
    for _ in range(2):
        assert main(command) == code
        assert "own.yaml:2:1: message: $Y is bound by no clause" in capsys.readouterr().err
    assert main(["audit", "--ignore", "no-eval"]) == 0
    assert capsys.readouterr().err == "", "a rule that does not run says nothing"


@pytest.mark.parametrize("command", [["rules", "test"], ["audit"]])
def test_a_fix_that_names_nothing_is_a_mistake(
    book: Path, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    (book / "docs/page.md").write_text("```python\nx = 1\n```\n")
    (book / "my-rules/own.yaml").write_text(OWN.replace("    examples:", "    fix: safe($Z)\n    examples:"))
    assert main(command) == 2
    assert "own.yaml:7:10: fix: $Z is bound by no clause" in capsys.readouterr().err
