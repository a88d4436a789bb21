"""The sections of the page: a chapter for each Markdown file, what is not shown, the Python files, the scope."""

from collections.abc import Iterator, Sequence

from auditor.ledger.entries import BlockEntry, DefinitionEntry, Ledger
from auditor.ledger.views.cards import card, definition_row, numbered, remarks
from auditor.ledger.views.detail import Detail
from auditor.ledger.views.frame import told
from auditor.ledger.views.markup import label, mark, text
from auditor.ledger.views.words import Lang, counted

# Past this many characters a fence without anything to say is shown without its code, and says so.
_ROOM = 9_000_000
# So many uncovered definitions are shown with their code.
_WITH_CODE = 200


def chapters(pages: dict[str, list[BlockEntry]], detail: Detail, lang: Lang) -> Iterator[str]:
    """A section for each page, with a card for each fence."""
    size = 0
    for number, (path, found) in enumerate(pages.items(), start=1):
        verdicts = [entry.verdict for entry in found]
        yield (
            f'<section class="chapter" id="_p{number}" tabindex="-1">{_title(path)}'
            f'<p class="dim">{len(found)} {counted(len(found), "fences", lang)}: {text(told(verdicts, lang))}</p>\n'
        )
        for entry in found:
            quiet = not entry.findings and all(link.state == "covers" for link in entry.links)
            drawn = card(entry, detail, lang, with_code=size < _ROOM or not quiet)
            size += len(drawn)
            yield drawn + "\n"
        yield "</section>\n"


def _title(path: str) -> str:
    folder, slash, name = path.rpartition("/")
    return f'<h2><span class="dim">{text(folder + slash)}</span>{text(name)}</h2>'


def uncovered(missing: Sequence[DefinitionEntry], detail: Detail, lang: Lang) -> str:
    """The definitions that no fence shows, with their code behind a click."""
    rows = []
    for at, entry in enumerate(missing):
        target = detail.definitions.get(entry.id)
        where = f"{text(entry.path)}{f':{target.line}' if target is not None else ''}"
        head = f'<span class="name">{text(entry.symbol)}</span> <span class="dim">{where}</span>'
        if target is not None and at < _WITH_CODE:
            rows.append(f"<li><details><summary>{head}</summary>{numbered(target)}</details>")
        else:
            rows.append(f"<li>{head}")
    body = f'<ul class="plain">{"".join(rows)}</ul>' if rows else f"<p>{label('all-covered', lang)}</p>"
    return f'<section id="_uncovered" tabindex="-1"><h2>{label("uncovered", lang)}</h2>{body}</section>\n'


def holdings(
    held: dict[str, list[DefinitionEntry]], files: dict[str, BlockEntry], detail: Detail, lang: Lang
) -> Iterator[str]:
    """A section for each Python file that has something: its findings, its definitions, the fences that show them."""
    heads = "".join(f'<th scope="col">{label(key, lang)}' for key in ("line", "definition", "coverage", "covered-by"))
    for number, path in enumerate(held, start=1):
        rows = "".join(definition_row(entry, detail, lang) for entry in held[path])
        table = f'<table class="defs"><thead><tr>{heads}<tbody>{rows}</table>' if rows else ""
        said = "".join(remarks(files[path], detail.blocks.get(files[path].id), lang)) if path in files else ""
        yield (
            f'<section class="holds" id="_f{number}" tabindex="-1">{_title(path)}'
            f'<div class="wide" tabindex="0">{said}{table}</div></section>\n'
        )


def scope(ledger: Ledger, lang: Lang) -> str:
    """What the ledger vouches for, and what it does not."""
    facts = ledger.header.scope
    verified = "".join(
        f"<li>{mark('good', 'verified', lang)} {label(claim.claim, lang)}"
        f' <span class="dim">{label(claim.how, lang)}'
        f"{_targets(claim.targets)}</span>"
        for claim in facts.verified
    )
    rest = "".join(
        f"<li>{mark('none', 'not-verified', lang)} {label(claim.claim, lang)}: {label(claim.why, lang)}"
        f' <span class="dim">{_where(claim.where)}</span>'
        for claim in facts.not_verified
    )
    rows = f'<ul class="plain">{verified}{rest}</ul>'
    return f'<section id="_scope" tabindex="-1"><h2>{label("scope", lang)}</h2>{rows}</section>\n'


def _targets(targets: Sequence[str]) -> str:
    return f" · Python {text(', '.join(targets))}" if targets else ""


def _where(paths: Sequence[str]) -> str:
    shown = ", ".join(text(path) for path in paths[:5])
    return f"{shown}, +{len(paths) - 5}" if len(paths) > 5 else shown
