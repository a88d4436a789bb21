"""copy-residue: what a web page or a listing adds to code came along with it."""

import re
from collections.abc import Iterator

from auditor.compiling.diagnoses.characters import outside
from auditor.compiling.diagnoses.reading import Found, Reading
from auditor.model import Edit

KIND = "copy-residue"
_BUTTON = re.compile(
    r"\s*(?:python|py)?\s*(?:"
    r"copy(?: code| snippet| to clipboard)?|copied!?|run(?: code| cell| in colab)?|try it(?: online| yourself)?|"
    r"expand(?: code)?|show (?:more|less|code)|download(?: code)?|open in (?:colab|editor|playground)|wrap|edit|"
    r"view (?:raw|source|code)|explain(?: code)?|raw|blame|"
    r"复制(?:代码|编辑)*|拷贝|点击复制|复制成功|运行(?:代码)?|编辑|代码解读|登录后复制|收起|展开|コピー|복사"
    r")\s*[⧉📋▶]*\s*$",
    re.IGNORECASE,
)
_CALLOUT = re.compile("(?<![ \\t])[ \\t]*+[\u2460-\u2473\u24f5-\u24ff\u2776-\u2793]")
_NUMBERED = re.compile(r"[ \t]*(\d+)[.:|]?(?:[ \t]|$)")
_PROMPT = re.compile(r"[ \t]*(?:>>>|\.\.\.|In ?\[\d*\]:|   \.\.\.:)(?: |$)")


def find_copy_residue(reading: Reading) -> Found | None:
    """The first such piece, where taking all of them away is proven right."""
    for what, edits in (
        ("button", list(_buttons(reading))),
        ("line numbers", _line_numbers(reading)),
        ("prompt", list(_prompts(reading))),
        ("callout", _callouts(reading)),
    ):
        if not edits:
            continue
        first = edits[0]
        text = reading.text[first.start : first.end].strip()
        start = (
            first.start
            + len(reading.text[first.start : first.end])
            - len(reading.text[first.start : first.end].lstrip())
        )
        arguments = {"text": text, "what": what}
        proven = reading.proven(KIND, (start, start + len(text)), arguments, edits, past=first.end)
        if proven is not None and (proven.proof == "whole" or what in {"button", "callout"}):
            return proven
    return None


def _lines(reading: Reading) -> Iterator[tuple[int, int, str]]:
    for line in range(len(reading.scan.line_starts)):
        start, end = reading.scan.line_span(line)
        yield start, end, reading.text[start:end]


def _buttons(reading: Reading) -> Iterator[Edit]:
    for start, end, text in _lines(reading):
        if len(text) < 40 and _BUTTON.match(text):
            yield Edit(start, end, "")


def _callouts(reading: Reading) -> list[Edit]:
    """Circled figures behind a line, by which a book's text refers to it."""
    return [Edit(found.start(), found.end(), "") for found in outside(reading.scan, _CALLOUT)]


def _line_numbers(reading: Reading) -> list[Edit]:
    """A number before every line, each one more than the last."""
    edits: list[Edit] = []
    expected: int | None = None
    for start, _, text in _lines(reading):
        if not text.strip():
            continue
        found = _NUMBERED.match(text)
        if found is None or len(found[1]) > 6 or (expected is not None and int(found[1]) != expected):
            return []
        expected = int(found[1]) + 1
        edits.append(Edit(start, start + found.end(), ""))
    return edits if len(edits) > 1 else []


def _prompts(reading: Reading) -> Iterator[Edit]:
    """Prompts in the middle of plain code; a text that starts with one is a session and not judged here."""
    if ">>>" not in reading.text and "In" not in reading.text:
        return
    places = [(start, text, _PROMPT.match(text)) for start, _, text in _lines(reading)]
    first = next((at for at, (_, _, found) in enumerate(places) if found), len(places))
    # What stands unprompted below a prompt is what was printed: then this is no residue but a session.
    if any(found is None and text.strip() for _, text, found in places[first:]):
        return
    for start, text, found in places:
        if found and text.strip() != "...":
            yield Edit(start, start + found.end(), "")
