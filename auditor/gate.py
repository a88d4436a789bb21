"""Which findings are new: the multiset difference of stable fingerprints, and the baseline file."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from auditor.model import Finding

_KEYS = ("rule", "path", "fingerprint", "count", "reason")


def against(findings: Iterable[Finding], base: Iterable[Finding], renamed: Mapping[str, str]) -> tuple[Finding, ...]:
    """The findings with `new` or `existing` as status.

    A finding exists where the base has one with the same fingerprint under the same path, or under the path that was
    renamed to it (`renamed`: path now → path in the base). Equal fingerprints count: a second one is new. A finding
    that the base suppressed and the tree does not is new.
    """
    known = Counter((finding.place.path, finding.fingerprint) for finding in base if finding.suppressed is None)
    marked = []
    for finding in findings:
        path = finding.place.path
        key = (renamed.get(path, path), finding.fingerprint)
        exists = known[key] > 0
        if exists and finding.suppressed is None:
            known[key] -= 1
        marked.append(replace(finding, status="existing" if exists else "new"))
    return tuple(marked)


@dataclass(frozen=True, slots=True)
class Accepted:
    """One line of a baseline: `count` findings of a rule with one fingerprint under one path, and why they stay."""

    rule: str
    path: str
    fingerprint: str
    count: int = 1
    reason: str = ""


class BaselineError(Exception):
    """A baseline that cannot be read; the message names its line."""


def load_baseline(data: bytes) -> tuple[Accepted, ...]:
    """The entries of a baseline file. Raises `BaselineError` with the line of the first mistake."""
    entries = []
    for number, line in enumerate(data.split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            record: Any = json.loads(line)
            entry = Accepted(**record)
        except (ValueError, TypeError, RecursionError):
            raise BaselineError(f"line {number}: not an object with the keys {', '.join(_KEYS)}") from None
        texts = (entry.rule, entry.path, entry.fingerprint, entry.reason)
        if not all(isinstance(text, str) for text in texts) or type(entry.count) is not int or entry.count < 1:
            raise BaselineError(f"line {number}: texts and a count above 0 are needed")
        entries.append(entry)
    return tuple(entries)


def dump_baseline(entries: Iterable[Accepted]) -> bytes:
    """One sorted JSON line an entry, so that two branches' baselines merge line by line."""
    lines = {
        json.dumps({key: getattr(entry, key) for key in _KEYS}, ensure_ascii=False, sort_keys=True) + "\n"
        for entry in entries
    }
    return "".join(sorted(lines)).encode("utf-8", "surrogatepass")


def accept(findings: Iterable[Finding], before: Sequence[Accepted] = (), reason: str = "") -> tuple[Accepted, ...]:
    """The baseline that accepts these findings; what was accepted before keeps its reason."""
    reasons = {(entry.path, entry.fingerprint): entry.reason for entry in before}
    counts = Counter(
        (finding.rule, finding.place.path, finding.fingerprint) for finding in findings if finding.suppressed is None
    )
    return tuple(
        Accepted(rule, path, fingerprint, count, reasons.get((path, fingerprint), reason))
        for (rule, path, fingerprint), count in counts.items()
    )


def under_baseline(
    findings: Iterable[Finding], accepted: Sequence[Accepted]
) -> tuple[tuple[Finding, ...], tuple[Accepted, ...]]:
    """The findings with `baselined` or `new` as status, and the stale entries: what no finding used up."""
    left = Counter[tuple[str, str]]()
    for entry in accepted:
        left[entry.path, entry.fingerprint] += entry.count
    marked = []
    for finding in findings:
        key = (finding.place.path, finding.fingerprint)
        known = finding.suppressed is None and left[key] > 0
        if known:
            left[key] -= 1
        marked.append(replace(finding, status="baselined" if known else "new"))
    stale = tuple(
        replace(entry, count=min(entry.count, left[entry.path, entry.fingerprint]))
        for entry in accepted
        if left[entry.path, entry.fingerprint] > 0
    )
    return tuple(marked), stale


def prune(accepted: Sequence[Accepted], stale: Sequence[Accepted]) -> tuple[Accepted, ...]:
    """The baseline without its stale entries."""
    gone = {(entry.path, entry.fingerprint): entry.count for entry in stale}
    kept = []
    for entry in accepted:
        count = entry.count - gone.get((entry.path, entry.fingerprint), 0)
        if count > 0:
            kept.append(replace(entry, count=count))
    return tuple(kept)
