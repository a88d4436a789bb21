"""What a command loads: counted, since time is noisy. No parser for a question that needs none."""

import gc
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from auditor.cli import main

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
PARSERS = {"libcst", "markdown_it", "yaml", "regex"}
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
    assert "markdown_it" in cold
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
    assert "markdown_it" in changed
    other_format = loaded("audit", ".", "--format", "json", cache=tmp_path / "cache", cwd=book)
    assert not other_format & {"libcst", "yaml"}


def page(folder: Path, *codes: str) -> Path:
    """A book of one page with a fence for each code."""
    folder.mkdir()
    (folder / "page.md").write_text("\n".join(f"```python\n{code}\n```\n" for code in codes))
    return folder


def compiling(modules: set[str]) -> set[str]:
    """The modules of the room that compiles, without its name."""
    return {name.removeprefix("auditor.compiling.") for name in modules if name.startswith("auditor.compiling.")}


def test_sound_code_loads_nothing_that_only_other_code_needs(tmp_path: Path) -> None:
    modules = loaded("audit", "--no-cache", cwd=page(tmp_path / "book", "x = load()\nprint(x)"))
    assert not modules & {"libcst", "regex", "yaml", "tomllib", "tempfile", "shlex", "subprocess"} | modules & PROCESSES
    assert not compiling(modules) & {
        "contexts", "elisions", "fragments", "magics", "placeholders", "sessions", "transcripts", "scanner",
        "tokens", "syntax", "newer", "diagnoses",
    }  # fmt: skip
    assert "auditor.extract.marks" not in modules


def test_a_note_on_code_loads_no_diagnosis(tmp_path: Path) -> None:
    modules = loaded("audit", "--no-cache", cwd=page(tmp_path / "book", "f(a=1, ...)"))
    assert {"contexts", "elisions"} <= compiling(modules)
    assert not {name for name in compiling(modules) if name.startswith("diagnoses")}


def test_what_no_code_looks_like_waits_until_no_defect_explains_a_text(tmp_path: Path) -> None:
    mended = compiling(loaded("audit", "--no-cache", cwd=page(tmp_path / "mended", "x = f(1")))
    assert "diagnoses.diagnose" in mended
    assert not mended & {"diagnoses.others", "diagnoses.languages", "diagnoses.held_code"}
    shell = compiling(loaded("audit", "--no-cache", cwd=page(tmp_path / "shell", "$ pip install book")))
    assert {"diagnoses.others", "diagnoses.held_code"} <= shell


def test_a_rule_without_conditions_on_values_loads_no_flow(tmp_path: Path) -> None:
    code = 'from transformers import AutoModel\n\nAutoModel.from_pretrained("x")'
    modules = loaded("audit", "--no-cache", cwd=page(tmp_path / "book", code))
    assert "auditor.matching.program" in modules
    assert not modules & {f"auditor.matching.{name}" for name in ("flow", "flow_paths", "comparison", "generic_text")}


def test_the_collector_of_a_process_that_calls_a_command_stays_as_it_was(capsys: pytest.CaptureFixture[str]) -> None:
    before = gc.get_threshold(), gc.get_freeze_count()
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capsys.readouterr().out.startswith("auditor ")
    assert (gc.get_threshold(), gc.get_freeze_count()) == before
