"""Whether a committed ledger is still true, and if not, whose doing it is: the content's, the tool's, a review's."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from auditor.ledger.entries import BlockEntry, Ledger, Review
from auditor.ledger.store import canonical, records

Cause = Literal["content", "tool", "review"]


@dataclass(frozen=True, slots=True)
class Stale:
    """One thing that the committed ledger no longer says rightly; `what` is a fact in one line.

    `path` is the file that it stands in, or stood in; none for what is true of the whole ledger.
    """

    cause: Cause
    subject: str
    what: str
    path: str | None = None


def check(committed: Ledger, fresh: Ledger, reviews: Sequence[Review] = ()) -> tuple[Stale, ...]:
    """What is out of date, by cause; nothing where the committed ledger is true and every review still holds.

    `fresh` was built with `committed` as its previous ledger. With the same tool, rules and settings a difference comes
    from the content. With others it does so where a file it is about changed; elsewhere the tool says something else.
    """
    return (*_of_ledger(committed, fresh), *(_expired(fresh, reviews)))


def _of_ledger(committed: Ledger, fresh: Ledger) -> Iterator[Stale]:
    old, new = _by_key(committed), _by_key(fresh)
    hashes = {entry.path: entry.sha256 for entry in committed.sources}
    changed = {entry.path for entry in fresh.sources if hashes.get(entry.path) != entry.sha256}
    changed |= hashes.keys() - {entry.path for entry in fresh.sources}
    for name, was, now in (
        ("tool", committed.header.tool, fresh.header.tool),
        ("rules", committed.header.ruleset_digest, fresh.header.ruleset_digest),
        ("configuration", committed.header.config_digest, fresh.header.config_digest),
        ("targets", " ".join(committed.header.targets), " ".join(fresh.header.targets)),
    ):
        if was != now:
            yield Stale("tool", name, f"{was} -> {now}")
    same_maker = _maker(committed) == _maker(fresh)
    if same_maker and committed.header != fresh.header:
        what = "scope" if committed.header.scope != fresh.header.scope else "provenance"
        yield Stale("content" if changed or what == "provenance" else "tool", what, "changed")
    ties = _ties(committed, fresh)
    for key in sorted(old.keys() | new.keys()):
        if old.get(key) == new.get(key):
            continue
        record, subject, path = key
        what = "missing" if key not in old else "gone" if key not in new else _changed(old[key], new[key])
        about = {path, *ties.get(subject, ())}
        cause: Cause = "content" if changed and (same_maker or about & changed) else "tool"
        yield Stale(cause, subject, f"{record} {what}", path)


def _changed(old: str, new: str) -> str:
    """What of a record changed: the names of its fields."""
    was, now = json.loads(old), json.loads(new)
    return f"changed: {', '.join(name for name in sorted(was.keys() | now.keys()) if was.get(name) != now.get(name))}"


def _maker(ledger: Ledger) -> object:
    return replace(ledger.header, scope=type(ledger.header.scope)(), provenance=None)


def _by_key(ledger: Ledger) -> Mapping[tuple[str, str, str], str]:
    """Every record but the header as its line, by kind, identity and path."""
    lines: dict[tuple[str, str, str], str] = {}
    for record in records(ledger):
        name = record["record"]
        if name == "source":
            lines[name, record["path"], record["path"]] = canonical(record)
        elif name == "block":
            lines[name, record["id"], record["path"]] = canonical(record)
        elif name == "definition":
            lines[name, record["id"], record["id"].rpartition("::")[0]] = canonical(record)
    return lines


def _ties(*ledgers: Ledger) -> Mapping[str, set[str]]:
    """For each block and definition the files at the other end of its ties."""
    ties: dict[str, set[str]] = defaultdict(set)
    for ledger in ledgers:
        for entry in ledger.blocks:
            for link in entry.links:
                ties[entry.id].add(link.definition.rpartition("::")[0])
                ties[link.definition].add(entry.path)
    return ties


def review_of(ledger: Ledger, block: str, by: str, note: str, date: str | None = None) -> Review:
    """A person's review of a block as it now is. Raises `KeyError` for an id that the ledger does not hold."""
    entry = next((entry for entry in ledger.blocks if entry.id == block), None)
    if entry is None:
        raise KeyError(block)
    return Review(block, by, note, entry.body_sha256, _seen(ledger, entry), date)


def _seen(ledger: Ledger, entry: BlockEntry) -> dict[str, str]:
    """The linked definitions' hashes; one that is gone has an empty one."""
    hashes = {definition.id: definition.structure_sha256 for definition in ledger.definitions}
    return {link.definition: hashes.get(link.definition, "") for link in entry.links}


def holds(review: Review, ledger: Ledger) -> bool:
    """Whether the block and its definitions are still what the reviewer saw."""
    entry = next((entry for entry in ledger.blocks if entry.id == review.block), None)
    return entry is not None and entry.body_sha256 == review.body_sha256 and _seen(ledger, entry) == review.definitions


def _expired(ledger: Ledger, reviews: Sequence[Review]) -> Iterator[Stale]:
    # A later review of a block takes the place of an earlier one that expired.
    held = {review.block for review in reviews if holds(review, ledger)}
    paths = {entry.id: entry.path for entry in ledger.blocks}
    for review in sorted(reviews, key=lambda review: (review.block, review.by, review.note)):
        if review.block not in held:
            yield Stale("review", review.block, f"by {review.by}", paths.get(review.block))
