"""A small sound book around one hostile file, and what must hold of a run over it whatever the file is."""

import json
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from auditor.cli import main

PAGE = "# A page\n\n```python\nx = 1\n```\n"
SOUND = {"aaa.md": PAGE, "mmm.py": "y = 2\n", "zzz.md": PAGE}


@dataclass(frozen=True, slots=True)
class Run:
    """One run of the command line: exit code, the JSON of standard output where it is some, the rest, CPU seconds."""

    code: int
    out: str
    err: str
    seconds: float

    @property
    def document(self) -> Mapping[str, Any]:
        """The run's JSON."""
        document: Mapping[str, Any] = json.loads(self.out)
        return document

    def blocks(self, path: str) -> list[Mapping[str, Any]]:
        """The blocks of one source."""
        return [block for block in self.document["blocks"] if block["path"] == path]

    def rules(self, path: str, severity: str = "") -> list[str]:
        """The rules that found something in one source, in order; those of one severity where it is named."""
        return [
            found["rule"]
            for found in self.document["findings"]
            if found["path"] == path and severity in {"", found["severity"]}
        ]

    def status(self, path: str) -> tuple[str, str | None]:
        """What became of one source, and why."""
        source = next(source for source in self.document["sources"] if source["path"] == path)
        return source["status"], source.get("reason")


@dataclass(slots=True)
class Shelf:
    """A folder with a sound book in it."""

    root: Path
    capsys: pytest.CaptureFixture[str]

    def add(self, name: str | bytes, data: str | bytes) -> None:
        """Put a file beside the sound ones."""
        file = os.path.join(os.fsencode(self.root), os.fsencode(name))
        os.makedirs(os.path.dirname(file), exist_ok=True)
        with open(file, "wb") as stream:
            stream.write(data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data)

    def run(self, *words: str) -> Run:
        """Call the command line in this process."""
        self.capsys.readouterr()
        started = time.process_time()
        code = main(words)
        seconds = time.process_time() - started
        printed = self.capsys.readouterr()
        return Run(code, printed.out, printed.err, seconds)

    def audit(self, *words: str) -> Run:
        """`audit` as JSON; every other file of the book was audited whatever this one is."""
        run = self.run("audit", "--no-cache", "--format", "json", *words)
        for name in SOUND:
            assert run.status(name) == ("read", None)
            assert [block["verdict"] for block in run.blocks(name)] == ["compiles"]
        return run

    def ledger(self) -> list[Mapping[str, Any]] | None:
        """The records of the ledger that a run writes; `None` where the run is incomplete and leaves the old one."""
        file = self.root / "reports" / "ledger.jsonl"
        before = file.read_bytes() if file.exists() else None
        run = self.run("ledger", "--no-cache", "--quiet")
        if run.code == 5:
            assert (file.read_bytes() if file.exists() else None) == before
            return None
        assert run.code == 0, run.err
        data = file.read_bytes()
        assert data.endswith(b"\n")
        assert self.run("ledger", "--no-cache", "--quiet", "--check").code == 0
        header, *records = (json.loads(line) for line in data.decode("utf-8", "surrogatepass").split("\n") if line)
        assert header["schema"].startswith("auditor.ledger/")
        return records


def fence(body: str, info: str = "python") -> str:
    """A page with one fence; the body begins at line 4."""
    return f"# t\n\n```{info}\n{body}\n```\n"
