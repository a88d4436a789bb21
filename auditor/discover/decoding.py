"""A file's bytes as text: UTF-8, or what a coding cookie names; never decoded lossily."""

import codecs
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from auditor.model import Newline, Source

PYTHON = (".py", ".pyi", ".pyw")
# PEP 263, first two lines.
_COOKIE = re.compile(rb"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_BLANK_OR_COMMENT = re.compile(rb"[ \t\f]*(?:#[^\r\n]*)?(?:\r\n|\r|\n|$)")
# Codecs that decode to text, one character for each unit, without state that a fix could not write again.
_REFUSED_CODECS = frozenset(
    {"utf-7", "idna", "punycode", "raw-unicode-escape", "unicode-escape", "undefined", "mbcs", "oem"}
)


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why a file's bytes are no source."""

    reason: str


def decode(path: str, data: bytes) -> "Source | Unreadable":
    """Bytes as a source: UTF-8, or for Python what a coding cookie (PEP 263) names. Never decoded lossily."""
    bom = data.startswith(codecs.BOM_UTF8)
    if bom:
        data = data[3:]
    encoding = "utf-8"
    if path.lower().endswith(PYTHON) and b"coding" in data[:400]:
        encoding = _cookie(data) or encoding
    try:
        codec = codecs.lookup("utf-8" if bom else encoding)
    except (LookupError, UnicodeError):
        # CPython calls the whole file a syntax error; the text is still looked at, as UTF-8.
        codec = codecs.lookup("utf-8")
    if codec.name in _REFUSED_CODECS or not codec._is_text_encoding:  # noqa: SLF001 - the documented way is to let decode() fail
        return Unreadable(f"written in {encoding}, which cannot be audited")
    try:
        text = data.decode(codec.name)
    except UnicodeDecodeError as error:
        return Unreadable(f"not valid {codec.name} at byte {error.start + (3 if bom else 0)}")
    except (ValueError, LookupError) as error:
        return Unreadable(f"not valid {codec.name}: {error}")
    from auditor.model import Source  # noqa: PLC0415 - a run that finds nothing changed reads nothing

    return Source(path, text, _newline(text), encoding, bom)


def _cookie(data: bytes) -> str | None:
    """The encoding that a coding cookie in the first two lines names."""
    end = 0
    for _ in range(2):
        line = _BLANK_OR_COMMENT.match(data, end)
        if line is None:
            return None
        found = _COOKIE.match(data[end : line.end()])
        if found:
            return _normal(found[1].decode("ascii", "replace"))
        end = line.end()
    return None


def _normal(name: str) -> str:
    """A cookie's name as CPython takes it: `utf-8-unix` is `utf-8` (`get_normal_name` in its tokenizer)."""
    begins = name[:12].lower().replace("_", "-") + "-"
    if begins.startswith("utf-8-"):
        return "utf-8"
    return "iso-8859-1" if begins.startswith(("latin-1-", "iso-8859-1-", "iso-latin-1-")) else name


def _newline(text: str) -> "Newline":
    """How the lines of a text end."""
    if "\r" not in text:
        return "\n" if "\n" in text else ""
    pairs = text.count("\r\n")
    carriage, feed = text.count("\r") - pairs, text.count("\n") - pairs
    if pairs and not carriage and not feed:
        return "\r\n"
    return "\r" if carriage and not pairs and not feed else "mixed"
