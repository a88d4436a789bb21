"""How many fences keep their id over a book's history: `python tests/bench/identity.py GIT_DIRECTORY [--pairs N]`.

For each pair of a commit and its parent the fences of the touched pages are carried from one to the other. The truth
comes from elsewhere: from git's own alignment of lines. A fence of now is the fence of before that most of its lines
come from, where that holds both ways. `--rewritten` also counts fences none of whose lines stayed, but whose opener and
closer did. Told apart: an id taken from a fence that lives on, and one taken from a fence that is gone although the
truth names another (fences that were joined or rewritten).
"""

import argparse
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from auditor.ledger.identity import carry, mint
from auditor.ledger.pairing import Trait
from auditor.ledger.sketch import read_sketch, sketch

_OPENER = re.compile(
    r"[ \t>]*(?:[-*+][ \t]+)?(`{3,}|~{3,})[ \t]*\{?[ \t]*\.?(?:python|py|ipython|pycon)\b", re.IGNORECASE
)
_FENCE = re.compile(r"[ \t>]*(?:[-*+][ \t]+)?(`{3,}|~{3,})")
_HEADING = re.compile(r"(#{1,6})[ \t]+(.*)")
_DEFINITION = re.compile(r"^(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)", re.MULTILINE)
_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


@dataclass(frozen=True, slots=True)
class Fence:
    """A fence in one version of a page: 1-based lines of opener and closer, and what identity sees."""

    first: int
    last: int
    lines: Sequence[str]
    trait: Trait


def fences(path: str, text: str) -> list[Fence]:
    """The Python fences of a page, by a scan of its lines."""
    found: list[Fence] = []
    headings: list[tuple[int, str]] = []
    lines = text.replace("\r\n", "\n").split("\n")
    at = 0
    while at < len(lines):
        heading = _HEADING.match(lines[at])
        if heading:
            headings = [item for item in headings if item[0] < len(heading[1])] + [
                (len(heading[1]), heading[2].strip())
            ]
        opener = _FENCE.match(lines[at])
        if opener:
            closer = re.compile(rf"[ \t>]*{re.escape(opener[1][0])}{{{len(opener[1])},}}[ \t]*$")
            end = next((row for row in range(at + 1, len(lines)) if closer.match(lines[row])), len(lines) - 1)
            if _OPENER.match(lines[at]):
                body = lines[at + 1 : end]
                found.append(Fence(at + 1, end + 1, body, _trait(path, headings, "\n".join(body))))
            at = end
        at += 1
    return found


def _trait(path: str, headings: Sequence[tuple[int, str]], body: str) -> Trait:
    digest = sha256(body.encode("utf-8", "surrogatepass")).hexdigest()
    marks = read_sketch(sketch(body))
    return Trait(path, "fence", tuple(text for _, text in headings), digest, marks, tuple(_DEFINITION.findall(body)))


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

    def aligned(self, old: str, new: str, before: str, after: str, length: int) -> dict[int, int]:
        """For each unchanged line of the page now, its line before."""
        diff = self.git("diff", "-U0", "-M", f"{old}:{before}", f"{new}:{after}")
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


def truth(before: Sequence[Fence], after: Sequence[Fence], lines: dict[int, int], *, rewritten: bool) -> dict[int, int]:
    """For each fence of now (index) the fence of before that it is, as the aligned lines tell it."""
    owner = {line: at for at, fence in enumerate(before) for line in range(fence.first + 1, fence.last)}
    votes: dict[tuple[int, int], int] = {}
    for at, fence in enumerate(after):
        for row, text in enumerate(fence.lines, start=fence.first + 1):
            old = owner.get(lines.get(row, 0))
            if old is not None and text.strip():
                votes[at, old] = votes.get((at, old), 0) + 1
    if rewritten:
        ends = {(fence.first, fence.last): at for at, fence in enumerate(before)}
        for at, fence in enumerate(after):
            old = ends.get((lines.get(fence.first, 0), lines.get(fence.last, 0)))
            if old is not None:
                votes.setdefault((at, old), 0)
    best: dict[int, int] = {}
    taken: set[int] = set()
    for (new, old), _ in sorted(votes.items(), key=lambda item: (-item[1], item[0])):
        if new not in best and old not in taken:
            best[new] = old
            taken.add(old)
    return best


def compare(repository: Repository, old: str, new: str, *, rewritten: bool, verbose: bool) -> Counter[str]:
    """One pair of commits: how many fences were the same, how many kept their id, how many took another's."""
    count: Counter[str] = Counter()
    before: list[Fence] = []
    after: list[Fence] = []
    same: dict[int, int] = {}
    for old_path, new_path in repository.touched(old, new):
        olds = fences(old_path, repository.text(old, old_path)) if old_path else []
        news_text = repository.text(new, new_path) if new_path else ""
        news = fences(new_path, news_text) if new_path else []
        if old_path and new_path and olds and news:
            lines = repository.aligned(old, new, old_path, new_path, news_text.count("\n") + 1)
            told = truth(olds, news, lines, rewritten=rewritten)
            same.update((len(after) + now, len(before) + then) for now, then in told.items())
        before.extend(olds)
        after.extend(news)
    taken: set[str] = set()
    known: list[Trait] = []
    for fence in before:
        given = mint(fence.trait, taken)
        taken.add(given)
        known.append(replace(fence.trait, id=given))
    identities = carry(known, [fence.trait for fence in after])
    owners = {before_id.id: at for at, before_id in enumerate(known)}
    claimed = {then: now for now, then in same.items()}
    for at, identity in enumerate(identities):
        origin = owners.get(identity.id)
        count["fences"] += 1
        if at in same:
            count["same"] += 1
            edited = known[same[at]].body_sha256 != after[at].trait.body_sha256
            moved = before[same[at]].first != after[at].first
            count["edited"] += edited
            count["path and line"] += not moved
            count["kept"] += origin == same[at]
            count["edited kept"] += edited and origin == same[at]
        wrong = origin is not None and claimed.get(origin, at) != at
        count["another"] += wrong
        count["joined"] += origin is not None and origin not in claimed and at in same
        count["twin"] += wrong and origin is not None and known[origin].body_sha256 == after[at].trait.body_sha256
        if verbose and (wrong or (at in same and origin != same[at])):
            print(
                f"{'ANOTHER' if wrong else 'lost'} {new[:10]} {after[at].trait.path}:{after[at].first}",
                file=sys.stderr,
            )
            print("   now   ", repr("\n".join(after[at].lines))[:300], file=sys.stderr)
            if at in same:
                print("   truth ", repr("\n".join(before[same[at]].lines))[:300], file=sys.stderr)
            if origin is not None:
                print("   given ", repr("\n".join(before[origin].lines))[:300], file=sys.stderr)
    return count


def main() -> None:
    """Reads the arguments, walks the pairs, prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory")
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--distance", type=int, default=1, help="commits between the two sides of a pair")
    parser.add_argument("--pages", nargs="*", default=["*.md"])
    parser.add_argument("--rewritten", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    repository = Repository(options.directory, options.pages)
    total: Counter[str] = Counter()
    pairs = 0
    for old, new in repository.pairs(options.pairs, options.distance):
        try:
            count = compare(repository, old, new, rewritten=options.rewritten, verbose=options.verbose)
        except subprocess.CalledProcessError:
            continue
        if count["same"]:
            pairs += 1
            total += count
    same, edited = max(total["same"], 1), max(total["edited"], 1)
    print(f"{pairs} pairs with fences, {total['fences']} fences in touched pages, {total['same']} known from before")
    print(
        f"kept their id      {total['kept']} ({total['kept'] / same:.2%});"
        f" path and line alone {total['path and line'] / same:.2%}"
    )
    print(f"edited fences      {total['edited']}, kept {total['edited kept']} ({total['edited kept'] / edited:.2%})")
    print(f"took another's id  {total['another']} (of these {total['twin']} of an equal body)")
    print(f"took a gone one's  {total['joined']}")


if __name__ == "__main__":
    main()
