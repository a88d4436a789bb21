"""Kill runs at random and look at what is left: `python tests/bench/kills.py [TIMES] [FOLDER] [SEED]`.

A small book is ledgered and fixed over and over. Each time the run, or one of its workers, is killed after a random
while (SIGKILL, SIGTERM, SIGINT), or its disk is full. The ledger must be the one before or the one that an undisturbed
run writes, to the byte, and each source as it was or wholly fixed. FOLDER may be a small tmpfs, which is then filled to
its end; without one no disk is full. Prints what happened, and what was lost; exits with 1 where something was.
"""

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

_MAIN = "import sys; from auditor.cli import main; sys.exit(main())"
PAGES = 24
FAULTY = "# Page {0}\n\n```python\ndef f{0}(x):\n    return f（x, {0}）\n```\n\n```python\nx = {{'a': [{0}]}}\n```\n"
FIXED = FAULTY.replace("（", "(").replace("）", ")")
LEDGER = Path("reports/ledger.jsonl")
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)


def command(*words: str) -> list[str]:
    """The command line for a run."""
    return [sys.executable, "-P", "-c", _MAIN, *words]


def run(root: Path, *words: str) -> int:
    """A run that nothing disturbs."""
    return subprocess.run(command(*words), cwd=root, capture_output=True, check=False).returncode


def lay(root: Path) -> None:
    """Put the book back as it was before any fix."""
    for number in range(PAGES):
        (root / f"p{number:02}.md").write_text(FAULTY.format(number))


def children(process: int) -> list[int]:
    """The processes below one, however far below."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        with suppress(OSError, ValueError, IndexError):
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            parents.setdefault(parent, []).append(int(entry.name))
    found = list(parents.get(process, ()))
    for child in found:
        found += parents.get(child, ())
    return found


def disturbed(root: Path, chance: random.Random, longest: float, *words: str) -> str:
    """A run that something happens to; what it was."""
    process = subprocess.Popen(
        command(*words), cwd=root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    time.sleep(chance.uniform(0, longest))
    workers = children(process.pid)
    number = chance.choice(SIGNALS)
    if workers and chance.random() < 0.5:
        with suppress(ProcessLookupError):
            os.kill(chance.choice(workers), signal.SIGKILL)
        what = "worker"
    else:
        process.send_signal(number)
        what = number.name
    process.wait()
    return f"{words[0]} {what}"


def ledger_of(root: Path) -> bytes:
    """The ledger as it stands."""
    file = root / LEDGER
    return file.read_bytes() if file.exists() else b""


def lost(root: Path, before: bytes) -> list[str]:
    """What is neither the old state nor the new one."""
    wrong = []
    after = ledger_of(root)
    if after != before and (run(root, "ledger", "--no-cache", "--quiet") or ledger_of(root) != after):
        wrong.append("the ledger")
    for number in range(PAGES):
        text = (root / f"p{number:02}.md").read_text()
        if text not in {FAULTY.format(number), FIXED.format(number)}:
            wrong.append(f"p{number:02}.md")
    return wrong


def lay_all(root: Path) -> float:
    """Lay the book, with a page that has a process of its own; how long a run takes."""
    lay(root)
    (root / "deep.md").write_text(f"```python\nx = {'(' * 40}1{')' * 40}\n```\n")
    started = time.monotonic()
    if run(root, "ledger", "--no-cache", "--quiet"):
        sys.exit("no ledger can be written there")
    return time.monotonic() - started


def fill(folder: Path, leave: int) -> None:
    """Fill a file system but for so many bytes."""
    filler = folder / "filler"
    filler.unlink(missing_ok=True)
    free = os.statvfs(folder)
    with suppress(OSError):
        filler.write_bytes(bytes(max(free.f_bavail * free.f_frsize - leave, 0)))


def main() -> None:
    """Disturb runs, and say what was lost."""
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    small = Path(sys.argv[2]) if len(sys.argv) > 2 else None
    chance = random.Random(sys.argv[3] if len(sys.argv) > 3 else "9")
    happened: Counter[str] = Counter()
    wrong: list[str] = []
    root = Path(tempfile.mkdtemp(dir=small))
    longest = lay_all(root)
    for number in range(times):
        if chance.random() < 0.3:
            lay(root)
        before = ledger_of(root)
        words = chance.choice([("ledger", "--no-cache", "--quiet", "--jobs", "2"), ("fix", "--no-cache", "--quiet")])
        if small is not None and chance.random() < 0.5:
            fill(small, chance.choice([0, 4_096, 8_192, 20_000]))
            code = run(root, *words)
            what = f"{words[0]} full disk: exit {code}"
            (small / "filler").unlink(missing_ok=True)
        else:
            what = disturbed(root, chance, longest * 1.2, *words)
        happened[what] += 1
        found = [f"{number}: {what}: {one}" for one in lost(root, before)]
        wrong += found
        print("\n".join([f"{number} {what}", *(f"LOST {line}" for line in found)]), flush=True)
    if run(root, "fix", "--no-cache", "--quiet") or any(
        (root / f"p{at:02}.md").read_text() != FIXED.format(at) for at in range(PAGES)
    ):
        wrong.append("")
        print("LOST the last run did not fix everything")
    for what, count in sorted(happened.items()):
        print(f"{count:4} {what}")
    print(f"{len(wrong)} lost")
    shutil.rmtree(root, ignore_errors=True)
    sys.exit(min(len(wrong), 1))


if __name__ == "__main__":
    main()
