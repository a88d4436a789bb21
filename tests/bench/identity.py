"""How many fences keep their id over a book's history: `python tests/bench/identity.py GIT_DIRECTORY [--pairs N]`.

For each pair of a commit and its parent the fences of the touched pages are carried from one to the other. The truth
comes from elsewhere: from git's own alignment of lines. A fence of now is the fence of before that most of its lines
come from, where that holds both ways. `--rewritten` also counts fences none of whose lines stayed, but whose opener and
closer did. Told apart: an id taken from a fence that lives on, and one taken from a fence that is gone although the
truth names another (fences that were joined or rewritten). Counted by themselves are the fences of which git says two
things, so that its word against the carrier is none (see `dispute`).
"""

import argparse
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from alignment import READINGS, Repository, kept

from auditor.ledger.identity import carry, mint
from auditor.ledger.pairing import Trait
from auditor.ledger.sketch import read_sketch, sketch

_OPENER = re.compile(
    r"[ \t>]*(?:[-*+][ \t]+)?(`{3,}|~{3,})[ \t]*\{?[ \t]*\.?(?:python|py|ipython|pycon)\b", re.IGNORECASE
)
_FENCE = re.compile(r"[ \t>]*(?:[-*+][ \t]+)?(`{3,}|~{3,})")
_HEADING = re.compile(r"(#{1,6})[ \t]+(.*)")
_DEFINITION = re.compile(r"^(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)", re.MULTILINE)


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


@dataclass(frozen=True, slots=True)
class Page:
    """Two versions of a page; `line` gives for lines of now, 1-based, those before that a diff leaves unchanged."""

    old_path: str
    path: str
    before: Sequence[str]
    after: Sequence[str]
    olds: Sequence[Fence]
    news: Sequence[Fence]
    line: Mapping[int, int]


def read_page(repository: Repository, old: str, new: str, before: str | None, after: str | None) -> Page:
    """A page as it stood in two commits; a side that has no path is empty."""
    was = repository.text(old, before).replace("\r\n", "\n") if before else ""
    now = repository.text(new, after).replace("\r\n", "\n") if after else ""
    olds, news = fences(before or "", was) if was else [], fences(after or "", now) if now else []
    lines: dict[int, int] = {}
    if before and after and olds and news:
        lines = repository.aligned(old, new, before, after, now.count("\n") + 1)
    return Page(before or "", after or before or "", was.split("\n"), now.split("\n"), olds, news, lines)


def shared(page: Page, lines: Mapping[int, int]) -> dict[tuple[int, int], int]:
    """How many lines, blank ones apart, each fence of now (index) has from each fence before."""
    owner = {line: at for at, fence in enumerate(page.olds) for line in range(fence.first + 1, fence.last)}
    votes: dict[tuple[int, int], int] = {}
    for at, fence in enumerate(page.news):
        for row, text in enumerate(fence.lines, start=fence.first + 1):
            old = owner.get(lines.get(row, 0))
            if old is not None and text.strip():
                votes[at, old] = votes.get((at, old), 0) + 1
    return votes


def truth(page: Page, votes: Mapping[tuple[int, int], int], *, rewritten: bool) -> dict[int, int]:
    """For each fence of now (index) the fence of before that it is, as the aligned lines tell it."""
    votes = dict(votes)
    if rewritten:
        ends = {(fence.first, fence.last): at for at, fence in enumerate(page.olds)}
        for at, fence in enumerate(page.news):
            old = ends.get((page.line.get(fence.first, 0), page.line.get(fence.last, 0)))
            if old is not None:
                votes.setdefault((at, old), 0)
    best: dict[int, int] = {}
    taken: set[int] = set()
    for (new, old), _ in sorted(votes.items(), key=lambda item: (-item[1], item[0])):
        if new not in best and old not in taken:
            best[new] = old
            taken.add(old)
    return best


def as_short(page: Page, new: int, old: int, least: int) -> bool:
    """Whether a diff that keeps as many lines of the page as git's finds at least so many of the old fence's in `new`.

    Where a copy of a fence was inserted beside it, or where one was parted, which of the two is the old one can be the
    diff's choice. Tried are the alignments of the new fence with the old one, with its beginnings and with its ends.
    """
    was, now = page.olds[old], page.news[new]
    first, last = was.first, was.last - 1
    cuts = [
        (first, last),
        *((cut, last) for cut in range(first + 1, last)),
        *((first, cut) for cut in range(first + 1, last)),
    ]
    body = page.after[now.first : now.last - 1]
    for start, end in cuts:
        part = page.before[start:end]
        whole = (
            kept(page.before[:start], page.after[: now.first])
            + kept(part, body)
            + kept(page.before[end:], page.after[now.last - 1 :])
        )
        if (
            whole >= len(page.line)
            and kept(*([line for line in side if line.strip()] for side in (part, body))) >= least
        ):
            return True
    return False


def dispute(
    repository: Repository, commits: tuple[str, str], page: Page, new: int, home: Page, old: int, holder: int
) -> str:
    """Why the diff's word that `old` lives on in `holder`, and not in `new`, is no evidence; empty if it is.

    `short`: a diff as short keeps as many of its lines here. `git`: another of git's own alignments takes the one for
    the other. `moved`: the diff leaves no more than half of the fence where it says, and git follows more of it here.
    """
    least = shared(home, home.line).get((holder, old), 0)
    if home is page:
        if as_short(page, new, old, max(least, 1)):
            return "short"
        for reading in READINGS:
            lines = repository.aligned(*commits, page.old_path, page.path, len(page.after), reading)
            if truth(page, shared(page, lines), rewritten=False).get(new) == old:
                return "git"
    if least * 2 > sum(1 for line in home.olds[old].lines if line.strip()):
        return ""
    fence, was = page.news[new], home.olds[old]
    followed = repository.followed(*commits, page.path)
    rows = (followed.get(row) for row, text in enumerate(fence.lines, start=fence.first + 1) if text.strip())
    here = sum(1 for row in rows if row is not None and row[0] == home.old_path and was.first < row[1] < was.last)
    return "moved" if here > least else ""


def compare(repository: Repository, old: str, new: str, *, rewritten: bool, verbose: bool) -> Counter[str]:
    """One pair of commits: how many fences were the same, how many kept their id, how many took another's."""
    count: Counter[str] = Counter()
    pages = [read_page(repository, old, new, *paths) for paths in repository.touched(old, new)]
    before = [(page, at) for page in pages for at in range(len(page.olds))]
    taken: set[str] = set()
    known: list[Trait] = []
    for page, at in before:
        given = mint(page.olds[at].trait, taken)
        taken.add(given)
        known.append(replace(page.olds[at].trait, id=given))
    owners = {trait.id: place for trait, place in zip(known, before, strict=True)}
    identities = iter(carry(known, [fence.trait for page in pages for fence in page.news]))
    told = {page.path: truth(page, shared(page, page.line), rewritten=rewritten) for page in pages}
    for page in pages:
        for at, fence in enumerate(page.news):
            home, origin = owners.get(next(identities).id, (page, -1))
            same = told[page.path].get(at, -1)
            count["fences"] += 1
            right = home is page and origin == same
            if same >= 0:
                edited = page.olds[same].trait.body_sha256 != fence.trait.body_sha256
                count["same"] += 1
                count["edited"] += edited
                count["path and line"] += page.olds[same].first == fence.first
                count["kept"] += right
                count["edited kept"] += edited and right
            wrong = origin >= 0 and not right and origin in told[home.path].values()
            count["joined"] += origin >= 0 and not right and not wrong and same >= 0
            why = "another" * wrong
            if wrong:
                holder = next(now for now, then in told[home.path].items() if then == origin)
                why = dispute(repository, (old, new), page, at, home, origin, holder) or why
            count[why] += 1
            if verbose and (wrong or (same >= 0 and not right)):
                print(f"{why.upper() or 'lost'} {new[:10]} {page.path}:{fence.first}", file=sys.stderr)
                for name, lines in (
                    ("now", fence.lines),
                    ("truth", page.olds[same].lines if same >= 0 else ()),
                    ("given", home.olds[origin].lines if origin >= 0 else ()),
                ):
                    print(f"   {name:6}", repr("\n".join(lines))[:300], file=sys.stderr)
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
    print(
        f"took another's id  {total['another']}; not counted, for git says two things: {total['short']} where a diff as"
        f" short agrees, {total['git']} where another alignment does, {total['moved']} where it follows a move"
    )
    print(f"took a gone one's  {total['joined']}")


if __name__ == "__main__":
    main()
