"""Git's own account of the lines of two versions of a page, and of how far that account is the only one."""

import re
import subprocess
from collections.abc import Iterator, Sequence

_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
# Git's other ways to align the lines of two texts, beside its default; a fence may have been indented whole.
READINGS = ("--diff-algorithm=minimal", "--diff-algorithm=patience", "--diff-algorithm=histogram", "--ignore-all-space")
_BLAMED = re.compile(r"([0-9a-f]{40}) (\d+) (\d+)")


class Repository:
    """A git directory, read through git itself."""

    def __init__(self, directory: str, pages: Sequence[str]) -> None:
        self.directory = directory
        self.pages = pages

    def git(self, *arguments: str) -> str:
        run = subprocess.run(
            ["git", "-C", self.directory, "-c", "core.quotePath=false", *arguments], check=True, capture_output=True
        )
        return run.stdout.decode("utf-8", "replace")

    def pairs(self, count: int, distance: int) -> Iterator[tuple[str, str]]:
        """Commits that touch pages with their ancestors, spread evenly over the history."""
        commits = self.git("log", "--no-merges", "--format=%H", "--", *self.pages).split()
        step = max(len(commits) // count, 1)
        for at in range(0, len(commits) - distance, step):
            yield (f"{commits[at]}~1" if distance == 1 else commits[at + distance]), commits[at]

    def text(self, commit: str, path: str) -> str:
        return self.git("show", f"{commit}:{path}")

    def touched(self, old: str, new: str) -> list[tuple[str | None, str | None]]:
        """The pages that differ, with their paths on both sides."""
        pages: list[tuple[str | None, str | None]] = []
        rows = self.git("diff", "--name-status", "-M", old, new, "--", *self.pages).splitlines()
        for row in rows:
            status, *paths = row.split("\t")
            kind = status[0]
            if kind == "R":
                pages.append((paths[0], paths[1]))
            elif kind in "MT":
                pages.append((paths[0], paths[0]))
            elif kind in "AD":
                pages.append((None, paths[0]) if kind == "A" else (paths[0], None))
        return pages

    def aligned(
        self, old: str, new: str, before: str, after: str, length: int, reading: str = "--diff-algorithm=default"
    ) -> dict[int, int]:
        """For each line of the page now that a diff leaves unchanged, its line before."""
        diff = self.git("diff", "-U0", "-M", reading, f"{old}:{before}", f"{new}:{after}")
        lines: dict[int, int] = {}
        at, shift = 1, 0
        for found in _HUNK.finditer(diff):
            old_start, old_count = int(found[1]), int(found[2] or 1)
            new_start, new_count = int(found[3]), int(found[4] or 1)
            first = new_start + (new_count == 0)
            lines.update((line, line + shift) for line in range(at, first))
            at = first + new_count
            shift = (old_start + (old_count == 0) + old_count) - at
        lines.update((line, line + shift) for line in range(at, length + 1))
        return lines

    def followed(self, old: str, new: str, after: str) -> dict[int, tuple[str, int]]:
        """For lines of the page now their page and line before, moves included, which no diff can show.

        It is `git blame` that follows them, in pieces of ten letters and more, for fences are short.
        """
        base = self.git("rev-parse", old).strip()
        blamed = self.git("blame", "-w", "-M10", "-C10", "--line-porcelain", f"{base}..{new}", "--", after)
        lines: dict[int, tuple[str, int]] = {}
        row, origin = 0, 0
        for line in blamed.split("\n"):
            found = _BLAMED.match(line)
            if found is not None:
                row, origin = int(found[3]), int(found[2]) if found[1] == base else 0
            elif origin and line.startswith("filename "):
                lines[row] = line.removeprefix("filename "), origin
        return lines


def kept(before: Sequence[str], after: Sequence[str]) -> int:
    """How many lines a shortest diff keeps: the longest common subsequence, a row of bits for each line of one side.

    The method is that of Crochemore, Iliopoulos, Pinzon and Reid (2001), with Hyyrö's form of the step (2004).
    """
    places: dict[str, int] = {}
    for row, line in enumerate(before):
        places[line] = places.get(line, 0) | 1 << row
    everything = (1 << len(before)) - 1
    rows = everything
    for line in after:
        hits = rows & places.get(line, 0)
        rows = ((rows + hits) | (rows - hits)) & everything
    return len(before) - rows.bit_count()
