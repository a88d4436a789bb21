"""Comments in code that speak to the auditor: suppressions, and those that say nothing it understands."""

import re
from collections.abc import Iterator

from auditor.model import Diagnosis, MappedText, Suppression

_IGNORE = re.compile(r"#\s*auditor:\s*ignore\[([^\]\n]*)\][ \t]*([^\n]*)")
# Not where a comment quotes one.
_MARK = re.compile(r"(?<![`\"'“])#[ \t]*auditor:[ \t]*([^#\n]*)")
_RULE_LIST = re.compile(r"[^\s,]+")
_UNCLOSED = re.compile(r"ignore\[[^\s,]*")


def ignore_comments(code: MappedText) -> Iterator[Suppression]:
    """The `# auditor: ignore[rule] reason` comments: each for its own line or, alone on it, for the next one."""
    if "auditor:" not in code.text:
        return
    for found in _IGNORE.finditer(code.text):
        start = code.text.rfind("\n", 0, found.start()) + 1
        end = code.text.find("\n", found.start())
        end = len(code.text) if end < 0 else end
        if not code.text[start : found.start()].strip():
            start = min(end + 1, len(code.text))
            end = code.text.find("\n", start)
            end = len(code.text) if end < 0 else end
        rules = tuple(_RULE_LIST.findall(found[1]))
        yield Suppression(
            rules, found[2].strip(), "code", code.locate(found.start(), found.end()), code.locate(start, end)
        )


def unknown_comments(code: MappedText) -> Iterator[Diagnosis]:
    """The faults of comments to the auditor that say nothing that is understood in code, in the source's offsets."""
    if "auditor:" not in code.text:
        return
    from auditor.compiling.scanner import scan  # noqa: PLC0415 - most code holds no such comment
    from auditor.extract.marks import first_word, unknown_mark  # noqa: PLC0415 - as above

    for start, end in scan(code.text).comments:
        for found in _MARK.finditer(code.text, start, end):
            if _IGNORE.match(code.text, found.start(), end):
                continue
            unclosed = _UNCLOSED.match(found[1])
            word = unclosed[0] if unclosed is not None else first_word(found[1])
            yield unknown_mark(word, code.locate(found.start(), end), ("ignore",))
