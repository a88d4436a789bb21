"""One fence as a card: what it is, what was found, which definition it shows, and the code itself."""

from collections.abc import Iterator

from auditor.ledger.entries import BlockEntry, DefinitionEntry, LinkEntry, OperationEntry
from auditor.ledger.views.detail import BlockDetail, Detail, Passage
from auditor.ledger.views.markup import TONES, attribute, badge, label, mark, text
from auditor.ledger.views.sides import Side, side_by_side
from auditor.ledger.views.words import Lang

_OPERATIONS = 12


def card(entry: BlockEntry, detail: Detail, lang: Lang, *, with_code: bool = True) -> str:
    """The card of one block; `with_code` off leaves its code out, which it then says."""
    shown = detail.blocks.get(entry.id)
    states = " ".join(dict.fromkeys(link.state for link in entry.links)) or "unlinked"
    live = sum(item.suppressed is None for item in entry.findings)
    reviews = detail.reviews.get(entry.id, ())
    review = "" if not reviews else "held" if any(holds for _, holds in reviews) else "expired"
    # Of several that may be meant the first is compared, the others are named.
    first = next((link for link in entry.links if link.state == "ambiguous"), None)
    ties = [
        _tie(link, shown, detail, lang, compared=link.state != "ambiguous" or link is first) for link in entry.links
    ]
    compared = any("<table" in tie for tie in ties)
    # What is so of most fences goes without saying: three thousand of them are to stay a small page.
    facts = "".join(
        f' data-{name}="{value}"'
        for name, value, usual in (
            ("v", entry.verdict, "compiles"),
            ("l", states, "unlinked"),
            ("f", str(min(live, 1)), "0"),
            ("r", review, ""),
        )
        if value != usual
    )
    opened = f'<article class="fence" id="{attribute(entry.id)}"{facts}>'
    parts = [
        opened,
        _head(entry, shown, lang),
        *remarks(entry, shown, lang),
        *ties,
        *_reviews(entry, detail, lang),
        _code(shown, lang, folded=compared, left_out=not with_code),
        "</article>",
    ]
    return "".join(parts)


def _head(entry: BlockEntry, shown: BlockDetail | None, lang: Lang) -> str:
    line = f"<i>{shown.line}</i>" if shown is not None else ""
    title = ", ".join(entry.defines[:4]) or (entry.heading[-1] if entry.heading else entry.info) or entry.kind
    style = ' class="name"' if entry.defines else ""
    above = entry.heading if entry.defines else entry.heading[:-1]
    crumb = f"<p>{' › '.join(text(name) for name in above[-2:])}</p>" if above else ""
    marks = [badge(TONES[entry.verdict], entry.verdict, lang)]
    if entry.context is not None and entry.context != "module":
        marks.append(badge("", entry.context, lang))
    marks.extend(badge("", name, lang) for name in entry.adjustments if name != entry.context)
    if entry.needs_python is not None:
        marks.append(f"<b>{label('needs', lang)} {text(entry.needs_python)}</b>")
    if entry.recovered:
        marks.append(badge("", "recovered", lang))
    if entry.reason is not None:
        marks.append(f"<b>{text(entry.reason)}</b>")
    return (
        f'<header>{crumb}<h3>{line}<a{style} href="#{attribute(entry.id)}">{text(title)}</a></h3>'
        f"<div>{''.join(marks)}</div></header>"
    )


def remarks(entry: BlockEntry, shown: BlockDetail | None, lang: Lang) -> Iterator[str]:
    """The findings of a block as a list, if it has any."""
    if shown is not None and shown.remarks:
        rows = [
            f'<li class="{TONES[item.severity]}{" off" if item.suppressed is not None else ""}">'
            f"<i>{item.line}</i><b>{text(item.rule)}</b> {text(item.message)}"
            f"{_suppressed(item.suppressed, lang)}"
            for item in shown.remarks
        ]
    else:
        rows = [
            f'<li class="{TONES[item.severity]}{" off" if item.suppressed is not None else ""}">'
            f"<b>{text(item.rule)}</b>"
            f"{_suppressed(item.suppressed.reason if item.suppressed is not None else None, lang)}"
            for item in entry.findings
        ]
    if rows:
        yield f'<ul class="remarks">{"".join(rows)}</ul>'


def _suppressed(reason: str | None, lang: Lang) -> str:
    return "" if reason is None else f" <i>{label('suppressed', lang)}: {text(reason)}</i>"


def _tie(link: LinkEntry, shown: BlockDetail | None, detail: Detail, lang: Lang, *, compared: bool) -> str:
    path, _, symbol = link.definition.rpartition("::")
    target = detail.definitions.get(link.definition)
    line = f":{target.line}" if target is not None else ""
    words = [f"{label('evidence', lang)} {label(link.evidence, lang)}"]
    if link.authority is not None:
        words.append(label(f"right-{link.authority}", lang))
    if link.note is not None:
        words.append(f"{label('explained', lang)} {text(link.note)}")
    difference = f"<span>{label(link.difference, lang)}</span> " if link.difference is not None else ""
    head = (
        f'<p class="tie"><span class="name">{text(symbol)}</span> <span class="dim">{text(path)}{line}</span> '
        f'{mark(TONES[link.state], link.state, lang)} {difference}<span class="dim">{" · ".join(words)}</span></p>'
    )
    if not compared or link.difference in {None, "identical"}:
        return head
    sides = _sides(link, shown, target, lang) if shown is not None and target is not None else ""
    return head + _operations(link.operations, lang) + sides


def _operations(operations: tuple[OperationEntry, ...], lang: Lang) -> str:
    if not operations:
        return ""
    rows = []
    for item in operations[:_OPERATIONS]:
        before = f"<del>{text(item.before)}</del>" if item.before else ""
        after = f"<ins>{text(item.after)}</ins>" if item.after else ""
        arrow = " → " if before and after else " "
        where = f' <span class="dim">{text(item.path)}</span>' if item.path else ""
        rows.append(f"<li>{label(item.kind, lang)}{where} {before}{arrow}{after}")
    more = len(operations) - _OPERATIONS
    if more > 0:
        rows.append(f'<li class="dim">+{more} {label("more", lang)}')
    return f'<ul class="ops">{"".join(rows)}</ul>'


def _sides(link: LinkEntry, shown: BlockDetail, target: Passage, lang: Lang) -> str:
    own = shown.shown.get(link.definition, shown.body)
    left = Side(f"{label('fence', lang)} · {own.line}", own.line, _lines(own.text))
    name = target.path.rpartition("/")[2]
    return side_by_side(left, Side(f"{text(name)} · {target.line}", target.line, _lines(target.text)), lang)


def _lines(code: str) -> list[str]:
    return code.rstrip("\n").split("\n")


def _reviews(entry: BlockEntry, detail: Detail, lang: Lang) -> Iterator[str]:
    for review, holds in detail.reviews.get(entry.id, ()):
        state = ("good", "reviewed") if holds else ("fair", "review-expired")
        date = f" · {text(review.date)}" if review.date else ""
        yield (f'<p class="review">{mark(*state, lang)} <b>{text(review.by)}</b>{date} {text(review.note)}</p>')


def _code(shown: BlockDetail | None, lang: Lang, *, folded: bool, left_out: bool) -> str:
    if shown is None:
        return ""
    if left_out:
        return f'<p class="dim">{label("no-code", lang)}</p>'
    code = numbered(shown.body)
    if not folded:
        return code
    last = shown.body.line + max(shown.body.text.rstrip("\n").count("\n"), 0)
    return f"<details><summary>{label('lines', lang)} {shown.body.line}–{last}</summary>{code}</details>"


def numbered(passage: Passage) -> str:
    """Code; the script puts the numbers of its lines beside it, from the first one on."""
    # A line end right after the tag would be swallowed.
    code = passage.text.rstrip("\n")
    first = "\n" if code.startswith("\n") else ""
    return f"<pre data-n={passage.line}>{first}{text(code)}</pre>"


def definition_row(entry: DefinitionEntry, detail: Detail, lang: Lang) -> str:
    """A definition and the fences that show it, as a row of its file's table."""
    target = detail.definitions.get(entry.id)
    line = str(target.line) if target is not None else ""
    depth = entry.symbol.count(".")
    fences = []
    for name in entry.covered_by:
        shown = detail.blocks.get(name)
        fences.append(f'<a href="#{attribute(name)}">{shown.line if shown is not None else text(name)}</a>')
    return (
        f'<tr><td class="n">{line}<th scope="row" class="name d{min(depth, 3)}">{text(entry.symbol.rpartition(".")[2])}'
        f"<td class=marks>{badge(TONES[entry.coverage], entry.coverage, lang)}<td>{' '.join(fences)}"
    )
