"""Measure whole commands on one folder in one go, in turn, and print ratios: machines are shared and noisy.

    python tests/bench/measure.py [FOLDER] [--rounds 5] [--fences 20000] [--peers] [--like] [--path DIR]
    python tests/bench/measure.py --growth [--fences 200000]

Without a folder a book is generated (seeded). `--peers` also runs those of doccmd, rumdl, blacken-docs and ruff that
are found, `--like` five like rules on the folder's Python files with this tool, Semgrep and ast-grep; `--path` adds a
folder in which they are looked for. The folder is copied, the cache is its own. Peak memory is the largest single
process, as the kernel counts it; CPU includes children.

`--growth` audits generated books of a hundredth, a tenth and all of the fences, once each, in one process: cold, then
out of the cache, then with the whole answer kept. The ratios are those to the book before, of a tenth of the size.
"""

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from book import write_book
from floor import blocks

HERE = Path(__file__).parent
LIKE = HERE / "like"
PEERS: Mapping[str, Sequence[str]] = {
    "ruff format --check": ("ruff", "format", "--check", "--no-cache", "."),
    "doccmd + ruff check": (
        "doccmd", "--language=python", "--no-pad-file", "--continue-on-error", "--command=ruff check", ".",
    ),
    "rumdl + ruff check": (
        "rumdl", "check", "--no-cache", "--only-code-block-tools", "--config",
        'code-block-tools = {enabled = true, languages = {python = {lint = ["ruff:check"]}}}', ".",
    ),
    "blacken-docs": ("sh", "-c", "find . -name '*.md' -print0 | xargs -0 blacken-docs --check"),
}  # fmt: skip
LIKE_PEERS: Mapping[str, Sequence[str]] = {
    "ast-grep": ("ast-grep", "scan", "--config", str(LIKE / "sgconfig.yml"), "--json=compact", "."),
    "semgrep": (
        "semgrep", "scan", "--config", str(LIKE / "semgrep.yaml"), "--metrics=off", "--disable-version-check",
        "--no-git-ignore", "--json", "--quiet", ".",
    ),
}  # fmt: skip
# A page that needs every part of the tool: sound code, code that does not compile, and code that a rule looks into.
SMALL = """# Small

```python
import torch
y = torch.softmax(x.float(), dim=-1)
```

```python
if y
    print(y)
```
"""
START = "auditor, one small page"
# A file that was written a moment ago is not trusted by its time.
SETTLED = 2.2


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds of wall and CPU, and the largest process in MB."""

    wall: float
    cpu: float
    memory: float


@dataclass(frozen=True, slots=True)
class Command:
    """What is measured, and what is done before, unmeasured."""

    words: Sequence[str]
    before: Callable[[], object] = lambda: None


def measure(words: Sequence[str], folder: Path) -> Cost:
    """Run a command once and take the kernel's own account of it and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    process = subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    process.returncode = 0
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(wall, cpu, usage.ru_maxrss / 1024)


def median(costs: Sequence[Cost]) -> Cost:
    return Cost(*(statistics.median(getattr(cost, name) for cost in costs) for name in Cost.__slots__))


def commands(auditor: str, folder: Path, *, peers: bool, like: bool) -> dict[str, Command]:
    """Everything that is measured on a folder, by name."""
    small = folder.with_name("small")
    small.mkdir()
    (small / "small.md").write_text(SMALL, encoding="utf-8")
    audit = [auditor, "audit", "--fail-level", "never", "--quiet", "."]
    if like:
        audit[2:2] = ["--no-builtin-rules", "--rules", str(LIKE / "semgrep.yaml")]
    edited = max(folder.rglob("*.md"), default=None, key=lambda file: file.stat().st_size) or next(folder.rglob("*.py"))

    def settle() -> None:
        measure(audit, folder)
        time.sleep(SETTLED)
        measure(audit, folder)

    def edit() -> None:
        settle()
        with edited.open("a", encoding="utf-8") as stream:
            stream.write("\n")

    found = {
        "bare interpreter": Command((sys.executable, "-c", "pass")),
        "auditor --version": Command((auditor, "--version")),
        "floor": Command((sys.executable, str(HERE / "floor.py"), ".")),
        START: Command([*audit[:-1], "--no-cache", str(small)]),
        "auditor, cold": Command([*audit, "--no-cache"]),
        "auditor, cold, --jobs 1": Command([*audit, "--no-cache", "--jobs", "1"]),
        "auditor, one file changed": Command(audit, edit),
        "auditor, warm": Command(audit, settle),
    }
    wanted = {**(PEERS if peers else {}), **(LIKE_PEERS if like else {})}
    found |= {name: Command(words) for name, words in wanted.items() if shutil.which(words[0])}
    return found


def seen(folder: Path) -> str:
    """How many files and fences there are, by the floor's own scan."""
    pages = [*folder.rglob("*.md")]
    number = sum(len(blocks(page.read_text(encoding="utf-8", errors="replace"))) for page in pages)
    python = [*folder.rglob("*.py")]
    size = sum(file.stat().st_size for file in (*pages, *python))
    return f"{len(pages)} pages with {number} Python fences, {len(python)} Python files, {size / 1e6:.1f} MB"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path, nargs="?")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--fences", type=int)
    options.add_argument("--peers", action="store_true")
    options.add_argument("--like", action="store_true")
    options.add_argument("--growth", action="store_true")
    options.add_argument("--path", type=Path, action="append", default=[])
    options.add_argument(
        "--auditor", default=shutil.which("auditor", path=str(Path(sys.executable).parent)) or "auditor"
    )
    chosen = options.parse_args()
    os.environ["PATH"] = os.pathsep.join([*map(str, chosen.path), os.environ["PATH"]])
    with tempfile.TemporaryDirectory() as scratch:
        if chosen.growth:
            grow(chosen.auditor, Path(scratch), chosen.fences or 200_000)
            return
        os.environ["AUDITOR_CACHE_DIR"] = str(Path(scratch, "cache"))
        folder = Path(scratch, "book")
        if chosen.folder is None:
            write_book(folder, chosen.fences or 20_000, seed=1)
        else:
            shutil.copytree(chosen.folder, folder, symlinks=True)
        print(seen(folder), flush=True)
        everything = commands(chosen.auditor, folder, peers=chosen.peers, like=chosen.like)
        costs: dict[str, list[Cost]] = {name: [] for name in everything}
        for command in everything.values():
            measure(command.words, folder)
        for _ in range(chosen.rounds):
            for name, command in everything.items():
                command.before()
                costs[name].append(measure(command.words, folder))
    show({name: median(found) for name, found in costs.items()})


def grow(auditor: str, scratch: Path, most: int) -> None:
    """Measure books of three sizes, each ten times the one before, and print the ratios."""
    print(f"{'':28}{'fences':>9}{'wall s':>9}{'CPU s':>9}{'MB':>7}{'CPU ÷ before':>14}")
    before: dict[str, Cost] = {}
    for fences in (most // 100, most // 10, most):
        folder = scratch / f"book{fences}"
        write_book(folder, fences, seed=1)
        os.environ["AUDITOR_CACHE_DIR"] = str(scratch / f"cache{fences}")
        time.sleep(SETTLED)
        audit = [auditor, "audit", "--fail-level", "never", "--jobs", "1", "."]
        ways = {"cold": audit, "out of the cache": [*audit, "--stats"], "warm": audit}
        for name, words in ways.items():
            cost = measure(words, folder)
            ratio = f"{cost.cpu / before[name].cpu:14.2f}" if name in before else ""
            print(f"{name:28}{fences:9}{cost.wall:9.2f}{cost.cpu:9.2f}{cost.memory:7.0f}{ratio}", flush=True)
            before[name] = cost
        shutil.rmtree(folder)


def show(costs: Mapping[str, Cost]) -> None:
    """The table, with ratios to the floor and to this tool's cold wall.

    Start-up is taken off both sides of `CPU ÷ floor`: a bare interpreter's, and for audits that of one small page.
    """
    bare, floor, cold, small = (costs[name] for name in ("bare interpreter", "floor", "auditor, cold", START))
    print(f"{'':28}{'wall s':>9}{'CPU s':>9}{'MB':>7}{'CPU ÷ floor':>13}{'wall ÷ cold':>13}")
    for name, cost in costs.items():
        start = small if "cold" in name else bare
        ratio = (cost.cpu - start.cpu) / max(floor.cpu - bare.cpu, 1e-6)
        print(f"{name:28}{cost.wall:9.3f}{cost.cpu:9.3f}{cost.memory:7.0f}{ratio:13.2f}{cost.wall / cold.wall:13.2f}")


if __name__ == "__main__":
    main()
