"""The baseline file: findings that somebody accepted, so that only others fail."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import starmap
from typing import Any

from auditor.model import Finding

_KEYS = ("rule", "path", "fingerprint", "count", "reason")


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
    """The entries of a baseline file, one for each rule, path and fingerprint.

    Two lines about the same, as two merged branches leave them, are one with the larger count. Raises `BaselineError`
    with the line of the first mistake.
    """
    entries: dict[tuple[str, str, str], Accepted] = {}
    for number, line in enumerate(data.split(b"\n"), start=1):
        if not line.strip():
            continue
        if line.startswith((b"<<<<<<<", b"=======", b">>>>>>>")):
            raise BaselineError(f"line {number}: a conflict that git left; keep the lines of both sides")
        try:
            record: Any = json.loads(line)
            entry = Accepted(**record)
        except (ValueError, TypeError, RecursionError):
            raise BaselineError(f"line {number}: not an object with the keys {', '.join(_KEYS)}") from None
        texts = (entry.rule, entry.path, entry.fingerprint, entry.reason)
        if not all(isinstance(text, str) for text in texts) or type(entry.count) is not int or entry.count < 1:
            raise BaselineError(f"line {number}: texts and a count above 0 are needed")
        key = _key(entry)
        other = entries.get(key)
        entries[key] = entry if other is None or entry.count > other.count else other
    return tuple(entries.values())


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
    findings: Sequence[Finding],
    accepted: Sequence[Accepted],
    there: Callable[[str], bool] = lambda _path: True,
    *,
    notes: bool = True,
) -> tuple[tuple[Finding, ...], tuple[Accepted, ...]]:
    """The findings with `baselined` or `new` as status, and the stale entries: what no finding used up.

    Of what a baseline does not hold it cannot tell whether it is new: suppressed findings keep the status that they
    have, and so do notes where the run's `notes` are not held to the gate and no entry accepts them.

    An entry for a path where nothing is any more (`there` says so) accepts the same finding under another path: a
    rename makes no finding new.
    """
    left = {_key(entry): entry.count for entry in accepted}
    waiting: list[int] = []
    status: dict[int, bool] = {}
    for at, finding in enumerate(findings):
        if finding.suppressed is None:
            key = (finding.rule, finding.place.path, finding.fingerprint)
            status[at] = left.get(key, 0) > 0
            if status[at]:
                left[key] -= 1
            else:
                waiting.append(at)
    gone: dict[tuple[str, str], list[tuple[str, str, str]]] = {}
    for key, count in left.items():
        if count and not there(key[1]):
            gone.setdefault((key[0], key[2]), []).extend([key] * count)
    for at in waiting:
        found = gone.get((findings[at].rule, findings[at].fingerprint))
        if found:
            left[found.pop()] -= 1
            status[at] = True

    def marked(at: int, finding: Finding) -> Finding:
        if status.get(at):
            return replace(finding, status="baselined")
        held = finding.suppressed is None and (notes or finding.severity != "note")
        return replace(finding, status="new") if held else finding

    stale = tuple(replace(entry, count=left[_key(entry)]) for entry in accepted if left[_key(entry)])
    return tuple(starmap(marked, enumerate(findings))), stale


def prune(accepted: Sequence[Accepted], stale: Sequence[Accepted]) -> tuple[Accepted, ...]:
    """The baseline without its stale entries."""
    gone = {_key(entry): entry.count for entry in stale}
    kept = []
    for entry in accepted:
        count = entry.count - gone.get(_key(entry), 0)
        if count > 0:
            kept.append(replace(entry, count=count))
    return tuple(kept)


def _key(entry: Accepted) -> tuple[str, str, str]:
    return entry.rule, entry.path, entry.fingerprint
