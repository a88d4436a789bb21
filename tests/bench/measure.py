"""Measure whole commands on one folder in one go, in turn, and print ratios: machines are shared and noisy.

    python tests/bench/measure.py [FOLDER] [--rounds 5] [--fences 20000] [--peers]

Without a folder a book is generated. `--peers` also runs those of doccmd, rumdl, blacken-docs and ruff that are on the
path. Peak memory is the largest single process, as the kernel counts it.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from book import write_book

HERE = Path(__file__).parent
PEERS: Mapping[str, Sequence[str]] = {
    "ruff format --check": ("ruff", "format", "--check", "--preview", "."),
    "doccmd + ruff": ("doccmd", "--language=python", "--no-pad-file", "--command=ruff check", "."),
    "rumdl + ruff": ("rumdl", "check", "."),
    "blacken-docs": ("sh", "-c", "find . -name '*.md' -print0 | xargs -0 blacken-docs --check"),
}


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds of wall and CPU, and the largest process in MB."""

    wall: float
    cpu: float
    memory: float


def measure(command: Sequence[str], folder: Path) -> Cost:
    """Run a command once and take the kernel's own account of it."""
    started = time.perf_counter()
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = 0
    return Cost(time.perf_counter() - started, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def median(costs: Sequence[Cost]) -> Cost:
    return Cost(*(statistics.median(getattr(cost, name) for cost in costs) for name in Cost.__slots__))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path, nargs="?")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--fences", type=int, default=20_000)
    options.add_argument("--peers", action="store_true")
    options.add_argument(
        "--auditor", default=shutil.which("auditor", path=str(Path(sys.executable).parent)) or "auditor"
    )
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = chosen.folder
        if folder is None:
            folder = Path(scratch, "book")
            write_book(folder, chosen.fences, seed=1)
        auditor = [chosen.auditor, "audit", "--fail-level", "never", "--quiet", "."]
        commands: dict[str, Sequence[str]] = {
            "bare interpreter": (sys.executable, "-c", "pass"),
            "auditor --version": (chosen.auditor, "--version"),
            "floor": (sys.executable, str(HERE / "floor.py"), "."),
            "auditor, cold": [*auditor, "--no-cache"],
            "auditor, warm": auditor,
        }
        if chosen.peers:
            commands |= {name: words for name, words in PEERS.items() if shutil.which(words[0])}
        costs: dict[str, list[Cost]] = {name: [] for name in commands}
        for words in commands.values():
            measure(words, folder)
        for _ in range(chosen.rounds):
            for name, words in commands.items():
                costs[name].append(measure(words, folder))
    start = median(costs["bare interpreter"])
    floor = median(costs["floor"])
    print(f"{'':24}{'wall s':>9}{'CPU s':>9}{'MB':>7}{'CPU ÷ floor, start-up off':>28}")
    for name, found in costs.items():
        cost = median(found)
        ratio = (cost.cpu - start.cpu) / max(floor.cpu - start.cpu, 1e-6)
        print(f"{name:24}{cost.wall:9.3f}{cost.cpu:9.3f}{cost.memory:7.0f}{ratio:28.2f}")


if __name__ == "__main__":
    main()
