"""The ledger as a Markdown summary: a page's worth for a pull request or a wiki."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from auditor.ledger.entries import BlockEntry, DefinitionEntry, Ledger
from auditor.ledger.views.detail import Detail
from auditor.ledger.views.words import WORDS, Lang, counted, word

# What ends a code span or a table's cell.
_HARD = re.compile(r"[`|\\]")
_ACTIVE = re.compile(r"[\\`*_{}\[\]()#+!|<>&~$@:-]")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]+")
# A step summary over 1,024 KiB is lost as a whole.
_LIMIT = 900_000


def markdown(ledger: Ledger, detail: Detail | None = None, lang: Lang = "en") -> str:
    """The summary: totals, a row a page, what drifted, what is uncovered, the scope. Cut, and said so, near 900 kB."""
    parts: list[str] = []
    size = 0
    for line in _lines(ledger, detail, lang):
        size += len(line.encode("utf-8", "replace")) + 1
        if size > _LIMIT:
            parts.append(f"\n… {word('more', lang)}")
            break
        parts.append(line)
    return "\n".join(parts) + "\n"


def literal(text: str) -> str:
    """Audited text on one line that Markdown shows and does not act on: a code span, or character references."""
    text = _CONTROL.sub(" ", text).strip()
    if not text or _HARD.search(text):
        return _ACTIVE.sub(lambda found: f"&#{ord(found[0])};", text)
    return f"`{text}`"


def _lines(ledger: Ledger, detail: Detail | None, lang: Lang) -> Iterator[str]:
    blocks = [entry for entry in ledger.blocks if entry.kind != "file"]
    yield f"# {literal(detail.book)} · {word('title', lang)}" if detail and detail.book else f"# {word('title', lang)}"
    yield ""
    counts = Counter(entry.verdict for entry in blocks)
    told = ", ".join(f"{count} {counted(count, verdict, lang)}" for verdict, count in counts.most_common())
    yield f"{len(blocks)} {counted(len(blocks), 'fences', lang)}: {told}." if blocks else f"0 {word('fences', lang)}."
    yield ""
    yield from _pages(blocks, lang)
    yield from _drifted(blocks, detail, lang)
    yield from _uncovered(ledger, lang)
    yield from _scope(ledger, lang)


def _table(names: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield "| " + " | ".join(names) + " |"
    yield "|" + " --- |" * len(names)
    for row in rows:
        yield "| " + " | ".join(row) + " |"
    yield ""


def _pages(blocks: Sequence[BlockEntry], lang: Lang) -> Iterator[str]:
    by_path: dict[str, list[BlockEntry]] = defaultdict(list)
    for entry in blocks:
        by_path[entry.path].append(entry)
    rows = [
        (
            literal(path),
            str(len(found)),
            str(sum(entry.verdict in {"compiles", "compiles-in-context", "compiles-elided"} for entry in found)),
            str(sum(entry.verdict in {"broken", "not-python"} for entry in found)),
            str(sum(bool(entry.links) for entry in found)),
            str(sum(item.suppressed is None for entry in found for item in entry.findings)),
        )
        for path, found in by_path.items()
    ]
    names = ("in-page", "fences", "compiles", "broken", "link", "findings")
    yield from _table([word(name, lang) for name in names], rows)


def _drifted(blocks: Sequence[BlockEntry], detail: Detail | None, lang: Lang) -> Iterator[str]:
    rows = []
    for entry in blocks:
        shown = detail.blocks.get(entry.id) if detail is not None else None
        for link in entry.links:
            if link.state == "covers":
                continue
            operations = "; ".join(
                _operation(item.kind, item.path, item.before, item.after, lang) for item in link.operations[:4]
            )
            rows.append(
                (
                    f"{literal(entry.path)}{f':{shown.line}' if shown is not None else ''}",
                    literal(link.definition),
                    word(link.state, lang),
                    word(link.difference or "", lang),
                    operations,
                )
            )
    if rows:
        yield f"## {word('outdated', lang)}"
        yield ""
        names = ("fence", "definition", "status", "what", "more")
        yield from _table([word(name, lang) for name in names], rows)


def _operation(kind: str, path: str, before: str | None, after: str | None, lang: Lang) -> str:
    sides = " → ".join(literal(side) for side in (before, after) if side)
    return f"{word(kind, lang)} {literal(path)}: {sides}" if sides else f"{word(kind, lang)} {literal(path)}"


def _uncovered(ledger: Ledger, lang: Lang) -> Iterator[str]:
    names = [entry.id for entry in outermost_uncovered(ledger)]
    yield f"## {word('uncovered', lang)}"
    yield ""
    if not names:
        yield word("all-covered", lang)
    yield from (f"- {literal(name)}" for name in names)
    yield ""


def outermost_uncovered(ledger: Ledger) -> Iterator[DefinitionEntry]:
    """The definitions that no fence shows, without those inside one that is listed already."""
    listed: set[str] = set()
    for entry in ledger.definitions:
        if entry.coverage == "none":
            outer = entry.id.rpartition(".")[0] if "." in entry.symbol else ""
            if outer not in listed:
                yield entry
            listed.add(entry.id)


def _scope(ledger: Ledger, lang: Lang) -> Iterator[str]:
    scope = ledger.header.scope
    yield f"## {word('scope', lang)}"
    yield ""
    for claim in scope.verified:
        targets = f" ({', '.join(claim.targets)})" if claim.targets else ""
        yield f"- {word('verified', lang)}: {word(claim.claim, lang)}{targets}"
    for open_claim in scope.not_verified:
        where = (
            f" ({len(open_claim.where)} {counted(len(open_claim.where), 'in-files', lang)})" if open_claim.where else ""
        )
        why = word(open_claim.why, lang) if open_claim.why in WORDS else literal(open_claim.why)
        yield f"- {word('not-verified', lang)}: {word(open_claim.claim, lang)}: {why}{where}"
