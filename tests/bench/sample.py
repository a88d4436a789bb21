"""A seeded sample of what runs called no sound Python: the fences for a reader, and apart from them what was said.

python tests/bench/sample.py RUN.json=FOLDER... [--seed 1] [--count 100] [--verdict broken --verdict not-python]
    [--kind fence] [--diagnosis KIND] [--skip KEY]... [--key FILE]

RUN.json is the document that `auditor audit --format json` printed in FOLDER. COUNT blocks are drawn from all blocks
with one of the verdicts, texts that stand in several places counted once. Standard output holds numbered fences and
not a word of what the tool thinks of them; FILE gets a line of JSON a fence with the verdict, so that a reader can
judge first and compare then. With --skip the fences of an earlier key are not drawn again. The same documents and the
same seed give the same sample.
"""

import argparse
import json
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from auditor.discover import Candidate, read
from auditor.model import Source

VERDICTS = ("broken", "not-python")
# A reader of more of one block learns nothing; where the fault lies would tell.
MOST_LINES = 200
_LIMIT = 50_000_000


@dataclass(frozen=True, slots=True)
class Drawn:
    """A block of one run, with its lines as they stand in the file, opener and closer included."""

    folder: str
    block: dict[str, Any]
    lines: tuple[str, ...]

    @property
    def place(self) -> str:
        """Where it stands: the folder's name, the path and the opener's line."""
        return f"{self.folder}/{self.block['path']}:{self.block['line']}"


def blocks(document: Path, folder: Path, wanted: argparse.Namespace) -> Iterator[Drawn]:
    """The blocks of one run that the options name, in the document's order."""
    audited = json.loads(document.read_text(encoding="utf-8"))
    texts: dict[str, Source | None] = {}
    for block in audited["blocks"]:
        kinds = {said["kind"] for said in block["diagnoses"]}
        if block["verdict"] not in wanted.verdict or block["kind"] not in wanted.kind:
            continue
        if wanted.diagnosis and not kinds & set(wanted.diagnosis):
            continue
        path = block["path"]
        if path not in texts:
            found = read(Candidate(path, folder / path), _LIMIT)
            texts[path] = found if isinstance(found, Source) else None
        source = texts[path]
        if source is not None:
            lines = tuple(source.line_text(line) for line in range(block["line"], block["end_line"] + 1))
            yield Drawn(folder.name, block, lines)


def draw(found: list[Drawn], count: int, seed: int) -> list[Drawn]:
    """COUNT blocks at random, of each text the first alone."""
    first: dict[str, Drawn] = {}
    for drawn in found:
        first.setdefault("\n".join(line.strip() for line in drawn.lines[1:]), drawn)
    pool = sorted(first.values(), key=lambda drawn: drawn.place)
    return random.Random(seed).sample(pool, min(count, len(pool)))


def show(number: int, drawn: Drawn) -> None:
    """Print a fence with the numbers of its lines."""
    print(f"#{number} {drawn.place}")
    for at, text in enumerate(drawn.lines[:MOST_LINES], start=drawn.block["line"]):
        print(f"{at:6} {text}")
    if len(drawn.lines) > MOST_LINES:
        print(f"       [{len(drawn.lines) - MOST_LINES} lines more]")
    print()


def answer(number: int, drawn: Drawn) -> str:
    """What the tool said of a fence, as one line of JSON."""
    block = drawn.block
    said = [[each["kind"], each["line"], each["column"], each["message"]] for each in block["diagnoses"]]
    facts = {"number": number, "place": drawn.place, "diagnoses": said}
    for name in ("verdict", "context", "adjustments", "reason", "needs_python"):
        facts[name] = block.get(name)
    return json.dumps(facts, ensure_ascii=False)


def main() -> int:
    """Draw, show, and write the key."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+", metavar="RUN.json=FOLDER")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--verdict", action="append", default=[])
    parser.add_argument("--kind", action="append", default=[])
    parser.add_argument("--diagnosis", action="append", default=[], help="only blocks of which this was said, too")
    parser.add_argument("--skip", action="append", type=Path, default=[], help="an earlier key")
    parser.add_argument("--key", type=Path, help="where the verdicts go")
    wanted = parser.parse_args()
    wanted.verdict = wanted.verdict or list(VERDICTS)
    wanted.kind = wanted.kind or ["fence"]
    seen = {json.loads(line)["place"] for file in wanted.skip for line in file.read_text("utf-8").splitlines()}
    found: list[Drawn] = []
    for run in wanted.runs:
        document, _, folder = run.partition("=")
        found.extend(drawn for drawn in blocks(Path(document), Path(folder), wanted) if drawn.place not in seen)
    sample = draw(found, wanted.count, wanted.seed)
    for number, drawn in enumerate(sample, start=1):
        show(number, drawn)
    if wanted.key:
        lines = [answer(number, drawn) for number, drawn in enumerate(sample, start=1)]
        wanted.key.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(sample)} of {len(found)} blocks", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
