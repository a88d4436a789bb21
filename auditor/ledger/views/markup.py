"""The one place where text becomes HTML: everything audited passes here, as text and never as markup."""

import html
import re

from auditor.ledger.views.words import WORDS, Lang, word

# What a browser would swallow, reorder or hide. Each is shown as its code point instead.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff]"
)


def text(value: str) -> str:
    """Text as the content of an element."""
    return html.escape(_visible(value), quote=False)


def attribute(value: str) -> str:
    """Text as the value of an attribute in double quotes."""
    return html.escape(_visible(value), quote=True)


def _visible(value: str) -> str:
    return _HIDDEN.sub(lambda found: f"⟨U+{ord(found[0]):04X}⟩", value)


def label(key: str, lang: Lang) -> str:
    """A fact's word as HTML; a fact without a word is text like any other."""
    return word(key, lang) if key in WORDS else text(key)


def badge(kind: str, key: str, lang: Lang) -> str:
    """A small mark: `kind`, a tone or nothing, decides its colour; the word says it all the same."""
    return f"<b class={kind}>{label(key, lang)}</b>" if kind else f"<b>{label(key, lang)}</b>"


def mark(kind: str, key: str, lang: Lang) -> str:
    """A badge in running text."""
    return f"<span class=marks>{badge(kind, key, lang)}</span>"


def bar(parts: "list[tuple[str, int]]", title: str) -> str:
    """A stacked bar of counts by colour class. Widths are attributes, since the page allows no inline style."""
    total = sum(count for _, count in parts)
    if not total:
        return ""
    drawn = []
    at = 0.0
    for kind, count in parts:
        width = 100 * count / total
        if count:
            drawn.append(f'<rect class="{kind}" x="{at:.2f}" width="{width:.2f}" height="4"/>')
        at += width
    return (
        f'<svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" role="img" aria-label="{attribute(title)}">'
        f"{''.join(drawn)}</svg>"
    )


# A verdict's colour: what it means for a reader who wants to type the code in.
TONES = {
    "compiles": "good",
    "compiles-in-context": "good",
    "compiles-elided": "fair",
    "newer-python": "fair",
    "broken": "bad",
    "not-python": "bad",
    "skipped": "none",
    "covers": "good",
    "outdated": "bad",
    "ambiguous": "fair",
    "orphaned": "bad",
    "full": "good",
    "partial": "fair",
    "exempt": "none",
    "none": "bad",
    "error": "bad",
    "warning": "fair",
    "note": "none",
}
ORDER = ("good", "fair", "bad", "none")
