"""wrong-language: the block is in another language than Python, and `label` names it."""

import json
import re

from auditor.compiling.diagnoses.languages import LANGUAGES, Language, is_typescript, shape
from auditor.compiling.diagnoses.reading import Found, Reading
from auditor.compiling.diagnoses.survey import Survey

KIND = "wrong-language"
# Types show early in a text that has them.
MOST_READ = 20_000
_ONLY_PYTHON = re.compile(
    r"\s*(?:def \w+\(.*:\s*$|from [\w.]+ import \w|import [\w.]+(?: as \w+)?\s*$"
    r"|class \w+.*:\s*$|elif\b|@\w|async def )"
)
_JSON_WORD = re.compile(r"[{,\[:]\s*\"|\b(?:true|false|null)\b")
_JSON_COMMENT = re.compile(r'("(?:[^"\\\n]|\\.)*+")|//[^\n]*')
_TRAILING_COMMA = re.compile(r",(?=\s*[}\]])")


def find_wrong_language(reading: Reading, survey: Survey) -> Found | None:
    """The first line that only the other language has."""
    if _is_json(reading.text):
        start = len(reading.text) - len(reading.text.lstrip())
        return _found(reading, "json", reading.scan.line_of(start))
    scan = reading.scan
    written = [line for line, kind in enumerate(survey.lines) if kind in {"bad", "weak", "code"}]
    texts = {line: scan.line_text(line)[:600] for line in written}
    python = sum(1 for line in written if survey.lines[line] == "code" and _ONLY_PYTHON.match(texts[line]))
    best: tuple[int, Language, int] | None = None
    for language in LANGUAGES:
        sure = [line for line in written if survey.lines[line] != "code" and shape(language.sure).match(texts[line])]
        if not sure:
            continue
        likely = [line for line in written if line not in sure and shape(language.likely).match(texts[line])]
        bad = [line for line in written if survey.lines[line] == "bad"]
        hit = set(sure) | set(likely)
        explained = sum(1 for line in bad if line in hit)
        if explained * 2 < len(bad) or (python > len(sure) and language.label != "jinja"):
            continue
        score = 3 * len(sure) + len(likely)
        if best is None or score > best[0]:
            best = (score, language, sure[0])
    if best is None:
        return None
    _, language, first = best
    label = (
        "typescript" if language.label == "javascript" and is_typescript(reading.text[:MOST_READ]) else language.label
    )
    return _found(reading, label, first)


def _found(reading: Reading, label: str, line: int) -> Found:
    start, end = reading.scan.line_span(line)
    text = reading.text[start:end]
    return reading.found(KIND, start + len(text) - len(text.lstrip()), start + len(text.rstrip()), {"label": label})


def _is_json(text: str) -> bool:
    """Whether the text is JSON but for comments and commas at the end, and Python no dictionary of it."""
    stripped = text.strip()
    if stripped[:1] not in {"{", "["} or not _JSON_WORD.search(stripped) or len(stripped) > 200_000:
        return False
    bare = _TRAILING_COMMA.sub("", _JSON_COMMENT.sub(lambda found: found[1] or "", stripped))
    try:
        json.loads(bare)
    except (ValueError, RecursionError):
        return False
    return True
