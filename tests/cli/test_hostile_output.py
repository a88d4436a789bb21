"""Names, texts and messages out of a hostile repository command no runner, no terminal and no page."""

import os
import re
from pathlib import Path

import pytest

from auditor.cli import main
from auditor.report import FORMATS

NAMES = [
    b"a\n::error file=x::pwned.md",
    b"##[command]rm.md",
    b"\x1b[31mred\x1b]0;title\x07.md",
    b"bad\xff.md",
    "ev\u202elied.md".encode(),
    b"<img src=x onerror=alert(1)>.md",
    b"%0A::set-output name=x::y.md",
    b"--output=x.md",
    b"@file.md",
    "甲 乙.md".encode(),
]
TEXT = """# ##[group]Title ::error::x

::error file=x::pwned

```python
  ::error::pwned = = 1
```

```python title="::warning::x" ##[error]y
"##[command]" = = "\x1b[31m</script>"
```

```python
# auditor: ignore[##[x], ::error::y]
x = 1
```
"""


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    for name in NAMES:
        try:
            Path(os.fsdecode(name)).write_text(TEXT)
        except OSError:
            continue  # a file system that holds only UTF-8
    return tmp_path


@pytest.mark.parametrize("name", FORMATS)
def test_nothing_commands_the_runner_or_the_terminal(book: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    assert main(["audit", "--no-cache", "--notes", "--format", name]) in {1, 5}
    printed = capsys.readouterr()
    for stream in (printed.out, printed.err):
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]", stream)
        assert "##[" not in stream
        assert "##vso" not in stream
        for line in stream.split("\n"):
            if re.match(r"\s*::", line):
                assert name == "github"
                assert re.match(r"::(?:error|warning|notice) (?:file=[^:,]+,line=\d+,col=\d+,)?title=[^:,]+::", line)
    if name == "markdown":
        assert "<img" not in printed.out
        assert "`" not in printed.out


@pytest.mark.parametrize("words", [["fix", "--diff", "--unsafe"], ["baseline", "check", "--baseline", "base.jsonl"]])
def test_other_commands_say_nothing_raw_either(
    book: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    stale = '{"rule": "syntax-error", "path": "\\n::error::x\\u001b[31m", "fingerprint": "0"}\n'
    (book / "base.jsonl").write_text(stale)
    main(words)
    printed = capsys.readouterr()
    for stream in (printed.out, printed.err):
        assert "\x1b" not in stream
        assert not re.search(r"^\s*::", stream, re.MULTILINE)
        assert "##[" not in stream


def test_a_file_named_like_an_option_is_a_file(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "--no-cache", "--format", "concise", "--", "--output=x.md"]) == 1
    assert capsys.readouterr().out.startswith("--output=x.md:")
