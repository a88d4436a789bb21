"""The ledger as one HTML page that needs nothing else: no network, no script, no inline style."""

import base64
from collections import defaultdict
from hashlib import sha256
from importlib import resources

from auditor.ledger.entries import BlockEntry, DefinitionEntry, Ledger
from auditor.ledger.views.detail import Detail
from auditor.ledger.views.frame import filters, help_dialog, side, top
from auditor.ledger.views.markup import label, text
from auditor.ledger.views.sections import chapters, holdings, scope, uncovered
from auditor.ledger.views.summary import outermost_uncovered
from auditor.ledger.views.words import Lang


def html(ledger: Ledger, detail: Detail | None = None, lang: Lang = "en") -> str:
    """The page. `detail` brings texts, lines and messages; without it only the ledger's facts are shown."""
    detail = detail if detail is not None else Detail()
    style, script = (_asset(name) for name in ("page.css", "page.js"))
    policy = (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    blocks = [entry for entry in ledger.blocks if entry.kind != "file"]
    pages: dict[str, list[BlockEntry]] = defaultdict(list)
    for entry in blocks:
        pages[entry.path].append(entry)
    files = {entry.path: entry for entry in ledger.blocks if entry.kind == "file"}
    telling = {entry.path for entry in files.values() if entry.findings} | {each.path for each in ledger.definitions}
    held: dict[str, list[DefinitionEntry]] = {path: [] for path in sorted(telling)}
    for definition in ledger.definitions:
        held[definition.path].append(definition)
    missing = list(outermost_uncovered(ledger))
    return "".join(
        (
            f'<!DOCTYPE html>\n<html lang="{"zh-Hans" if lang == "zh" else "en"}">\n<head>\n<meta charset="utf-8">\n',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n',
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
            '<meta name="color-scheme" content="light dark">\n<meta name="referrer" content="no-referrer">\n',
            f"<title>{text(detail.title(lang))}</title>\n<style>{style}</style>\n</head>\n<body>\n",
            f'<a class="skip" href="#_fences">{label("skip", lang)}</a>\n',
            top(ledger, blocks, detail, lang),
            '<div class="columns">\n',
            side(pages, held, len(missing), lang),
            '<main id="_fences" tabindex="-1" translate="no">\n',
            filters(blocks, detail, lang),
            *chapters(pages, detail, lang),
            f'<p class="nothing" hidden>{label("nothing", lang)}</p>\n',
            uncovered(missing, detail, lang),
            *holdings(held, files, detail, lang),
            scope(ledger, lang),
            "</main>\n</div>\n",
            help_dialog(lang),
            f"<script>{script}</script>\n</body>\n</html>\n",
        )
    )


def _asset(name: str) -> str:
    return resources.files("auditor.ledger.views").joinpath(name).read_text(encoding="utf-8")


def _digest(content: str) -> str:
    return "sha256-" + base64.b64encode(sha256(content.encode("utf-8")).digest()).decode("ascii")
