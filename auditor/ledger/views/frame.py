"""The frame of the page: its head with the totals, the list of pages, the filters, the help."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from auditor.ledger.entries import BlockEntry, DefinitionEntry, Ledger
from auditor.ledger.views.detail import Detail
from auditor.ledger.views.markup import ORDER, TONES, bar, label, text
from auditor.ledger.views.words import Lang, counted

_KEYS = (
    ("/", "key-search"),
    ("j k", "key-next"),
    ("[ ]", "key-chapter"),
    ("?", "key-help"),
    ("Esc", "key-escape"),
)


def _tones(keys: Iterable[str]) -> list[tuple[str, int]]:
    counts = Counter(TONES[key] for key in keys)
    return [(tone, counts[tone]) for tone in ORDER]


def told(keys: Iterable[str], lang: Lang) -> str:
    """Counts in words, the most first."""
    return ", ".join(f"{count} {counted(count, key, lang)}" for key, count in Counter(keys).most_common())


def top(ledger: Ledger, blocks: Sequence[BlockEntry], detail: Detail, lang: Lang) -> str:
    """The head: title, totals with bars, what made the ledger."""
    header = ledger.header
    verdicts = [entry.verdict for entry in blocks]
    severities = [item.severity for entry in ledger.blocks for item in entry.findings if item.suppressed is None]
    states = [link.state for entry in blocks for link in entry.links]
    coverage = [entry.coverage for entry in ledger.definitions]
    tiles = "".join(
        f'<div class="tile"><p><b>{len(keys)}</b> {counted(len(keys), name, lang)}</p>'
        f"{bar(_tones(keys), told(keys, lang))}"
        f'<p class="dim">{text(told(keys, lang))}</p></div>'
        for name, keys in (
            ("fences", verdicts),
            ("findings", severities),
            ("links", states),
            ("definitions", coverage),
        )
    )
    made = [f"{label('made-by', lang)} {text(header.tool)}"]
    if header.targets:
        made.append(f"{label('target', lang)} Python {text(', '.join(header.targets))}")
    provenance = header.provenance
    if provenance is not None:
        facts = [provenance.origin, provenance.commit, provenance.licence]
        made.append(f"{label('source', lang)} {text(' · '.join(fact for fact in facts if fact))}")
    return (
        f'<header class="top">\n<div class="title"><h1>{text(detail.title(lang))}</h1>'
        f'<button type="button" class="theme js" aria-label="{label("theme", lang)}">◐</button>'
        f'<button type="button" class="help js" aria-label="{label("keys", lang)}">?</button></div>\n'
        f'<p class="lead">{label("lead", lang)}</p>\n<div class="tiles">{tiles}</div>\n'
        f'<p class="dim made">{" · ".join(made)}</p>\n</header>\n'
    )


def side(
    pages: dict[str, list[BlockEntry]],
    held: dict[str, list[DefinitionEntry]],
    missing: int,
    lang: Lang,
) -> str:
    """The list of pages and files, each with its bar."""
    rows = _listed("_p", {path: [entry.verdict for entry in found] for path, found in pages.items()}, lang)
    file_rows = _listed("_f", {path: [entry.coverage for entry in found] for path, found in held.items()}, lang)
    listed = f"<h2>{label('files', lang)}</h2><ul>{file_rows}</ul>" if file_rows else ""
    open_ones = f'<p><a href="#_uncovered">{label("uncovered", lang)}: {missing}</a></p>' if held else ""
    return (
        f'<nav class="side" aria-label="{label("pages", lang)}"><details open><summary>{label("pages", lang)}</summary>'
        f"<ul>{rows}</ul>{listed}{open_ones}"
        f'<p><a href="#_scope">{label("scope", lang)}</a></p></details></nav>\n'
    )


def _listed(mark: str, keys: Mapping[str, Sequence[str]], lang: Lang) -> str:
    """The entries of the list, each folder named once above its own."""
    rows = []
    above = ""
    for number, (path, found) in enumerate(keys.items(), start=1):
        folder, _, name = path.rpartition("/")
        if folder != above:
            rows.append(f'<li class="dim folder">{text(folder) or "/"}')
            above = folder
        rows.append(
            f'<li><a href="#{mark}{number}"><span class="file">{text(name)}</span>'
            f'<span class="count">{len(found)}</span>{bar(_tones(found), told(found, lang))}</a>'
        )
    return "".join(rows)


def filters(blocks: Sequence[BlockEntry], detail: Detail, lang: Lang) -> str:
    """The search and the chips; without script they do nothing and are not shown."""
    verdicts: Counter[str] = Counter(entry.verdict for entry in blocks)
    states: Counter[str] = Counter()
    for entry in blocks:
        states.update({*(link.state for link in entry.links)} or ["unlinked"])
    found = sum(any(item.suppressed is None for item in entry.findings) for entry in blocks)
    groups = [
        _group("v", "verdict", [(key, verdicts[key]) for key in TONES if verdicts[key]], lang),
        _group(
            "l",
            "link",
            [(key, states[key]) for key in ("covers", "outdated", "ambiguous", "orphaned", "unlinked") if states[key]],
            lang,
        ),
    ]
    if found:
        groups.append(_group("f", "findings", [("1", found)], lang, {"1": "with-findings"}))
    held = Counter(
        "held" if any(holds for _, holds in detail.reviews[entry.id]) else "expired"
        for entry in blocks
        if detail.reviews.get(entry.id)
    )
    if held:
        names = {"held": "reviewed", "expired": "review-expired"}
        groups.append(_group("r", "reviewed", [(key, held[key]) for key in names if held[key]], lang, names))
    search = (
        f'<label class="search"><span class="hidden">{label("search-label", lang)}</span><input type="search" name="q"'
        f' placeholder="{label("search", lang)}" autocomplete="off" spellcheck="false"></label>'
    )
    return (
        f'<form class="filters js" role="search">{search}{"".join(groups)}'
        f'<p class="state"><span role="status"><span class="shown">{len(blocks)}</span> / {len(blocks)} '
        f"{counted(len(blocks), 'fences', lang)}</span> "
        f'<button type="reset">{label("clear", lang)}</button></p></form>\n'
    )


def _group(
    name: str, title: str, options: Sequence[tuple[str, int]], lang: Lang, words: dict[str, str] | None = None
) -> str:
    chips = "".join(
        f'<button type="button" class="chip {TONES.get(key, "plain")}" data-k="{name}" data-o="{key}"'
        f' aria-pressed="false">'
        f"{label((words or {}).get(key, key), lang)} <span>{count}</span></button>"
        for key, count in options
    )
    return f'<fieldset><legend class="hidden">{label(title, lang)}</legend>{chips}</fieldset>' if chips else ""


def help_dialog(lang: Lang) -> str:
    """The keys."""
    rows = "".join(f"<dt><kbd>{'</kbd> <kbd>'.join(keys.split())}</kbd><dd>{label(name, lang)}" for keys, name in _KEYS)
    return (
        f'<dialog aria-label="{label("keys", lang)}"><h2>{label("keys", lang)}</h2><dl>{rows}</dl>'
        f'<form method="dialog"><button>{label("close", lang)}</button></form></dialog>\n'
    )
