"""Characters that are no Python outside strings and comments, and what was meant by them."""

import re
import unicodedata
from collections.abc import Iterator

from auditor.compiling.diagnoses.lines import Scan
from auditor.compiling.diagnoses.reading import Arguments
from auditor.model import Edit

# Curly and angled quotation marks, primes and the full-width forms, by the mark that Python knows.
QUOTES = {
    **dict.fromkeys("“”„‟″＂", '"'),
    **dict.fromkeys("‘’‚‛′＇", "'"),
}
DASHES = dict.fromkeys("‐‑‒–—―−﹣", "-")
# U+FF01 to U+FF5E stand 0xFEE0 above their ASCII twins.
FULLWIDTH = {
    **{chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F) if chr(code - 0xFEE0) not in "\"'-"},
    "－": "-",
    **dict(zip("、。【】《》〈〉「」『』〔〕｡､", ",.[]<><>\"\"''[].,", strict=True)),
}
# White space that the tokenizer refuses, marks without width, and controls.
INVISIBLE = {
    **dict.fromkeys(
        "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " "
    ),
    **dict.fromkeys("\u2028\u2029\u0085\u000b", " "),
    **dict.fromkeys(
        "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200c\u200d\u200e\u200f\ufeff\ufffc\ufffd", ""
    ),
    **dict.fromkeys("\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069", ""),
    **dict.fromkeys((chr(code) for code in range(0x20) if chr(code) not in "\t\n\v\f\r"), ""),
    **dict.fromkeys((chr(code) for code in range(0x7F, 0xA0) if code != 0x85), ""),
}


def pattern_of(table: dict[str, str]) -> re.Pattern[str]:
    """A pattern that finds each of a table's characters."""
    return re.compile("[" + re.escape("".join(table)) + "]")


def outside(scan: Scan, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """The pattern's matches that start outside strings and comments, in order."""
    shaded = scan.shaded()
    at = 0
    for found in pattern.finditer(scan.text):
        while at < len(shaded) and shaded[at][1] <= found.start():
            at += 1
        if at == len(shaded) or found.start() < shaded[at][0]:
            yield found


def replacements(scan: Scan, pattern: re.Pattern[str], table: dict[str, str]) -> list[Edit]:
    """Edits that put what was meant for every such character outside strings and comments."""
    return [Edit(found.start(), found.end(), table[found[0]]) for found in outside(scan, pattern)]


def describe(character: str, meant: str, count: int) -> Arguments:
    """The arguments that a message about a character needs."""
    return {
        "character": character,
        "code_point": f"U+{ord(character):04X}",
        "name": name_of(character),
        "ascii": meant,
        "count": count,
    }


def name_of(character: str) -> str:
    """The character's Unicode name, or what it is where it has none."""
    fallback = "a lone surrogate" if "\ud800" <= character <= "\udfff" else "a control character"
    return unicodedata.name(character, fallback)
