"""A run whose audits and findings are packed says byte for byte what it says where they are not."""

import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from auditor.cli import main
from auditor.engine.packing import hold
from auditor.engine.running import audit_all
from auditor.engine.sorting import in_order
from auditor.report import FORMATS

OLD = '```python\nprint "old"\n```\n\n'
FILES = {
    "code/model.py": (
        "import torch\n\n\nclass Base(torch.nn.Module):\n    def forward(self, x):\n        return self.norm(x)\n\n\n"
        "class Layer(Base):\n    def __init__(self, size, *, bias=True):\n        super().__init__()\n"
        "        self.size = size\n\n    def scaled(self, x):\n        y = x * self.size\n        y = y + self.size\n"
        "        return y\n"
    ),
    "code/page.md": (
        "# The layer\n\n```python\nclass Layer(Base):\n    def __init__(self, size):\n        self.size = size\n```\n\n"
        "## Used\n\n```python\nlayer = Layer(3, 4)\nlayer.grow()\nprint(undefined_thing)\n```\n\n"
        "```python\ny = x * self.size\ny = y + self.size\nreturn y\n```\n\n"
        "<!-- auditor: ignore[syntax-error] on purpose -->\n```python\nx = (\n```\n\n"
        "<!-- auditor: ignore[printed-output] not so -->\n```python\nok = 1\n```\n"
    ),
    "plain.md": "# Plain\n\n    indented = 1\n\n```python\n  def f(self):\n      return 1\n```\n\n```pytho\nx\n```\n",
    "old.md": "# Old\n\n" + OLD * 4,
    "including.md": '# Including\n\n```python\n--8<-- "code/part.py"\n```\n\n```python\nlater = helper()\n```\n',
    "code/part.py": "def helper(:\n    return 1\n",
    "empty.md": "Nothing here.\n",
    "requirements.txt": "numpy\n",
    "auditor.toml": '[[paths]]\npath = "plain.md"\nseverity = {wrong-language = "warning"}\n',
}


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("AUDITOR_CACHE_DIR", str(tmp_path / "cache"))
    root = tmp_path / "book"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    monkeypatch.chdir(root)
    return root


def pack_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("auditor.cli.session.audit_all", partial(audit_all, room=0))
    monkeypatch.setattr("auditor.cli.gating.hold", partial(hold, room=0))
    monkeypatch.setattr("auditor.cli.judging.in_order", partial(in_order, room=0))


def git(root: Path, *words: str) -> None:
    who = ("-c", "user.name=a", "-c", "user.email=a@b.c")
    subprocess.run(["git", *who, *words], cwd=root, check=True, capture_output=True)


def told(book: Path, capsys: pytest.CaptureFixture[str], words: list[str], *outputs: str) -> Iterator[str]:
    """What a run says on both streams and in files, without its time."""
    code = main([*words, *(f"--output={name}={book.parent / name}" for name in outputs)])
    said = capsys.readouterr()
    yield from (str(code), said.out, said.err)
    for name in outputs:
        text = (book.parent / name).read_text()
        yield "\n".join(line for line in text.split("\n") if not line.startswith('  "seconds":'))


WAYS: dict[str, list[str]] = {
    "no cache": ["--no-cache"],
    "notes, in Chinese": ["--no-cache", "--notes", "--lang", "zh"],
    "workers": ["--no-cache", "--jobs", "2"],
    "against a base": ["--no-cache", "--since", "HEAD~1"],
    "under a baseline": ["--no-cache", "--baseline", "accepted.jsonl"],
    "every note fails": ["--no-cache", "--notes", "--fail-level", "note"],
}


@pytest.mark.parametrize("way", WAYS)
def test_every_format_is_the_same(
    book: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    if "--since" in WAYS[way]:
        git(book, "init", "-q")
        git(book, "add", ".")
        git(book, "commit", "-qm", "first")
        (book / "old.md").write_text("# Old\n\n" + OLD * 5)
        (book / "plain.md").rename(book / "code" / "plain.md")
        git(book, "add", ".")
        git(book, "commit", "-qm", "second")
    if "--baseline" in WAYS[way]:
        assert main(["baseline", "write", "--reason", "old", "--baseline", "accepted.jsonl", "."]) == 0
        (book / "old.md").write_text("# Old\n\n" + OLD * 5)
        capsys.readouterr()
    words = ["audit", *WAYS[way], "."]
    expected = list(told(book, capsys, words, *FORMATS))
    assert "plain.md" in "".join(expected)
    pack_all(monkeypatch)
    assert list(told(book, capsys, words, *FORMATS)) == expected


def test_out_of_the_cache_too(book: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["audit", "--stats", "."]  # which is never answered whole
    said = [list(told(book, capsys, words, *FORMATS))]
    pack_all(monkeypatch)
    said += [list(told(book, capsys, words, *FORMATS)) for _ in range(2)]
    for each in said:
        del each[2]  # where the time went
    assert said[1] == said[2] == said[0]


@pytest.mark.parametrize("change", [lambda _book: None, lambda book: (book / "old.md").write_text(OLD * 5)])
def test_the_ledger_and_its_views_are_the_same(
    book: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    change: Callable[[Path], object],
) -> None:
    words = ["ledger", ".", *(f"--{view}={book.parent / view}" for view in ("html", "csv", "markdown"))]
    written = []
    for packed in (False, True):
        if packed:
            pack_all(monkeypatch)
        ledger = book.parent / f"ledger-{packed}.jsonl"
        for _ in range(2):
            assert main([*words, "--ledger", str(ledger)]) == 0
            change(book)
        views = [(book.parent / view).read_bytes() for view in ("html", "csv", "markdown")]
        written.append([ledger.read_bytes(), *views])
        (book / "old.md").write_text(FILES["old.md"])
    assert written[0] == written[1]
    assert main(["ledger", ".", "--check", "--ledger", str(ledger)]) in {0, 4}
    capsys.readouterr()
