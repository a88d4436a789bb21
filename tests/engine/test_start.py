"""What a command loads: counted, since time is noisy. No parser for a question that needs none."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
SCRIPT = """\
import json, sys
before = set(sys.modules)
from auditor.cli import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
print(json.dumps(sorted(set(sys.modules) - before)), file=sys.stderr)
"""
PARSERS = {"libcst", "yaml", "regex"}
PROCESSES = {"multiprocessing", "pebble", "concurrent", "asyncio"}
NETWORK = {"urllib.request", "http", "socket", "ssl", "email"}


@pytest.fixture(scope="module", autouse=True)
def tool(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A copy of the tool, so that an edit of the checkout while the tests run does not outdate the cache."""
    folder = tmp_path_factory.mktemp("tool")
    for name in ("auditor", "rules"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(folder))
        yield folder


def loaded(*words: str, cache: Path | None = None, cwd: Path | None = None) -> set[str]:
    """The modules that a command loads beyond those of a bare interpreter."""
    environment = {**os.environ, **({"AUDITOR_CACHE_DIR": str(cache)} if cache else {})}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *words], capture_output=True, text=True, check=True, env=environment, cwd=cwd
    )
    modules: list[str] = json.loads(done.stderr.splitlines()[-1])
    return set(modules)


@pytest.mark.parametrize("words", [["--version"], ["--help"], ["audit", "--help"], ["ledger", "--help"]])
def test_help_loads_no_room_of_the_house(words: list[str]) -> None:
    modules = loaded(*words)
    assert {name for name in modules if name.startswith("auditor")} <= {
        "auditor",
        "auditor.cli",
        "auditor.cli.arguments",
        "auditor.cli.exits",
    }
    assert not modules & (PARSERS | PROCESSES | NETWORK | {"sqlite3", "dataclasses", "inspect"})
    assert len(modules) < 45


@pytest.fixture
def book(tmp_path: Path) -> Path:
    root = tmp_path / "book"
    root.mkdir()
    for number in range(3):
        (root / f"{number}.md").write_text(f"```python\nmodel_{number} = load()\n```\n\n```python\ndef broken(:\n```\n")
    time.sleep(2.1)  # until then a file may change without a new time
    return root


def test_a_warm_run_loads_no_parser_and_no_rule(book: Path, tmp_path: Path) -> None:
    cold = loaded("audit", ".", cache=tmp_path / "cache", cwd=book)
    assert "auditor.extract.parser" in cold
    assert not cold & {"libcst", "yaml"}  # no fence here is one that a rule looks into
    warm = loaded("audit", ".", cache=tmp_path / "cache", cwd=book)
    assert not warm & (PARSERS | PROCESSES | NETWORK)
    rooms = {name.split(".")[1] for name in warm if name.startswith("auditor.")}
    assert rooms == {"cli", "configuration", "discover", "engine", "reading"}
    assert not warm & {"subprocess", "tempfile", "tomllib", "difflib", "secrets"}
    assert len(warm) < 100


def test_a_changed_file_alone_is_parsed(book: Path, tmp_path: Path) -> None:
    loaded("audit", ".", cache=tmp_path / "cache", cwd=book)
    (book / "1.md").write_text("No code at all.\n")
    changed = loaded("audit", ".", cache=tmp_path / "cache", cwd=book)
    assert not changed & {"libcst", "yaml"}
    assert "auditor.extract.parser" in changed
    other_format = loaded("audit", ".", "--format", "json", cache=tmp_path / "cache", cwd=book)
    assert not other_format & {"libcst", "yaml"}
