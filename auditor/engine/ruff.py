"""Ruff, asked about the fences of all pages at once, with the project's own configuration."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from auditor.reading import MOST_CONFIGURATION, read_regular

# Codes about a whole file: a fence is none. Documentation and names of modules, packages, line ends at the end.
_ABOUT_FILES = frozenset({
    "D100", "D104", "INP001", "N999", "CPY001", "W292", "W391", "I002",
    "EXE001", "EXE002", "EXE003", "EXE004", "EXE005",
})  # fmt: skip
# What a list of files, a line each, cannot hold.
_LINE_END = re.compile(r"[\r\n\0]")
_WORDS = ("check", "--no-cache", "--no-fix", "--exit-zero", "--quiet", "--output-format=json")
_CONFIGURATIONS = (".ruff.toml", "ruff.toml", "pyproject.toml")


class LinterError(Exception):
    """Ruff is missing or cannot be used; the message says why and what to do."""


# A page's path and a snippet's code: what ruff says depends on these alone.
Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Snippet:
    """A fence's code and where it stands: its page, relative to the root, and its index there."""

    path: str
    index: int
    code: str


@dataclass(frozen=True, slots=True)
class Remark:
    """What ruff says of a snippet: `start` and `end` are offsets in its code."""

    code: str
    message: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Ruff:
    """The ruff found on the path, and the folder whose configuration files hold: the root, or the base's copy of it."""

    program: str
    root: Path
    settings: Path

    @classmethod
    def found(cls, root: Path, settings: Path) -> "Ruff":
        """Raises `LinterError` where no ruff is on the path."""
        program = shutil.which("ruff")
        if program is None:
            raise LinterError("no ruff is on the path; install it beside auditor (pip install ruff)")
        return cls(os.path.abspath(program), root, settings)

    def check(self, snippets: Iterable[Snippet]) -> dict[Key, tuple[Remark, ...]]:
        """The remarks of each snippet, by its path and code: one run of ruff for each configuration that holds.

        Raises `LinterError` with ruff's own last line where it fails.
        """
        groups: dict[Path | None, list[Snippet]] = defaultdict(list)
        nearest: dict[PurePosixPath, Path | None] = {}
        for snippet in snippets:
            folder = PurePosixPath(snippet.path).parent
            if folder not in nearest:
                nearest[folder] = self._configuration(folder)
            groups[nearest[folder]].append(snippet)
        found: dict[Key, tuple[Remark, ...]] = {}
        for configuration, group in groups.items():
            found |= self._run(configuration, group)
        return found

    def _configuration(self, folder: PurePosixPath) -> Path | None:
        """The nearest configuration of ruff from a page's folder up to the root, as ruff itself would look for it."""
        if folder.is_absolute():
            return None
        for above in (folder, *folder.parents):
            for name in _CONFIGURATIONS:
                file = self.settings / above / name
                if file.is_file() and (name != "pyproject.toml" or "ruff" in _table(file).get("tool", {})):
                    return file
        return None

    def _run(self, configuration: Path | None, snippets: Sequence[Snippet]) -> dict[Key, tuple[Remark, ...]]:
        with tempfile.TemporaryDirectory(prefix="auditor-ruff-") as scratch:
            top = Path(scratch)
            placed = _laid_out(snippets, top)
            files = top / "files"
            files.write_text("".join(f"{file}\n" for file in placed), encoding="utf-8")
            base = top
            words = ["--isolated"]
            if configuration is not None:
                base /= configuration.parent.relative_to(self.settings)
                words = ["--config", str(configuration), "--config", self._sources(configuration)]
            command = [self.program, *_WORDS, *words, f"@{files}"]
            environment = {name: value for name, value in os.environ.items() if not name.startswith("RUFF_")}
            done = subprocess.run(  # noqa: S603 - fixed words, no shell
                command, cwd=base, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=False
            )
        if done.returncode != 0:
            raise LinterError(f"ruff failed: {_last_line(done.stderr)}")
        try:
            records = json.loads(done.stdout)
        except ValueError:
            raise LinterError("ruff's output is no JSON; a newer ruff is needed") from None
        remarks: dict[Key, list[Remark]] = {(snippet.path, snippet.code): [] for snippet in snippets}
        for record in records:
            snippet = placed[record["filename"]]
            remark = _remark(record, snippet.code)
            if remark.code not in _ABOUT_FILES:
                remarks[snippet.path, snippet.code].append(remark)
        return {key: tuple(dict.fromkeys(found)) for key, found in remarks.items()}

    def _sources(self, configuration: Path) -> str:
        """Where the project's own modules lie, seen from the scratch folder: else they would count as foreign."""
        table = _table(configuration)
        if configuration.name == "pyproject.toml":
            table = table.get("tool", {}).get("ruff", {})
        named = table.get("src")
        folders = named if isinstance(named, list) and all(isinstance(name, str) for name in named) else [".", "src"]
        own = self.root / configuration.parent.relative_to(self.settings)
        return f"src = {json.dumps([os.path.abspath(own / name) for name in folders])}"


def _laid_out(snippets: Sequence[Snippet], top: Path) -> dict[str, Snippet]:
    """The snippets written under a folder, by the names of their files.

    A page is a folder of its fences, so that patterns of the configuration find it by its name.
    """
    placed = {}
    for number, snippet in enumerate(snippets):
        page = _LINE_END.sub("_", snippet.path.lstrip("/")).encode("utf-8", "replace").decode()
        file = Path(os.path.realpath(top)) / page / f"{number:06}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(snippet.code, encoding="utf-8", errors="replace", newline="")
        placed[str(file)] = snippet
    return placed


def _table(file: Path) -> Mapping[str, Any]:
    try:
        return tomllib.loads(read_regular(file, MOST_CONFIGURATION).decode("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}  # ruff itself says what is wrong with it


def _last_line(data: bytes) -> str:
    lines = [line.strip() for line in data.decode("utf-8", "replace").split("\n") if line.strip()]
    return lines[-1] if lines else "it said nothing"


def _remark(record: Mapping[str, Any], code: str) -> Remark:
    start, end = (_offset(record[key], code) for key in ("location", "end_location"))
    return Remark(record["code"] or "invalid-syntax", record["message"], start, max(start, end))


def _offset(place: Mapping[str, int], code: str) -> int:
    """The offset of a row and column, both 1-based, the column in code points."""
    at = 0
    for _ in range(place["row"] - 1):
        following = code.find("\n", at)
        if following < 0:
            return len(code)
        at = following + 1
    return min(at + place["column"] - 1, len(code))
