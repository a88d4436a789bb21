"""The oldest Python that reads a text's syntax, and the same text in syntax that the oldest host can compile.

The verdict on newer syntax must not depend on the interpreter that runs the audit: `minimum_python` says what a text
needs, and where the host's compiler is too old `newer.rewrite_newer` gives it the rest of the text.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from auditor.model import Span


@dataclass(frozen=True, slots=True)
class Feature:
    """Syntax that no CPython before `version` compiles; `span` is its first use, in the text's offsets."""

    version: str
    name: str
    span: Span


def _field(quotes: str, strings: str) -> str:
    """A replacement field that every version reads alike: no own quote, backslash or comment, one level of format."""
    value = rf"(?:[^{{}}{quotes}\\#!:]|!=|{strings})*+"
    nested = rf"\{{[^{{}}{quotes}\\#!:]*+\}}"
    return rf"\{{{value}(?:![rsa](?=[:}}]))?+(?::(?:[^{{}}{quotes}\\#]|{nested})*+)?+\}}"


def _rest(mark: str, other: str) -> str:
    plain = rf"[^{mark}\\\n{{}}]|\\[^N{{}}]|\{{\{{|\}}\}}"
    field = _field(r"\"'\n", rf"{other}[^{other}\\\n{{}}]*+{other}")
    return rf"(?!{mark}{mark})(?:{plain}|{field})*+{mark}"


def _long_rest(mark: str) -> str:
    plain = rf"[^{mark}\\{{}}]|{mark}(?!{mark}{mark})|\\[^N{{}}]|\{{\{{|\}}\}}"
    field = _field(r"\"'", r"'[^'\\\n{}]*+'(?!')|\"[^\"\\\n{}]*+\"(?!\")")
    return rf"{mark}{mark}(?:{plain}|{field})*+{mark * 3}"


def _newer_string(mark: str, other: str) -> str:
    """The first quote of a t-string, or of an f-string that is not surely old."""
    template = _behind("tT", mark, r"\w\\\"'")
    formatted = _behind("fF", mark, r"\w\\")
    return rf"{mark}(?:{template}|(?:{formatted})(?!{_long_rest(mark)}|{_rest(mark, other)}))"


def _behind(letter: str, mark: str, never: str) -> str:
    """Behind a mark: a prefix with the letter stands before it, and before that none of the characters `never`."""
    prefixes = (f"[{letter}]{mark}", f"[{letter}][rR]{mark}", f"[rR][{letter}]{mark}")
    return "|".join(f"(?<={prefix})(?<![{never}]{prefix})" for prefix in prefixes)


# What may be newer syntax, by its letters alone; most texts hold none of it and are never taken apart. Most patterns
# begin with a literal, which `re` looks for many times faster than for a word's boundary.
_NEWER_STRING = re.compile(_newer_string('"', "'") + "|" + _newer_string("'", '"'))
_Marks = tuple[tuple[str, re.Pattern[str]], ...]


def _compiled(*table: tuple[str, ...]) -> _Marks:
    """For each line letters that the text must hold, and the patterns of which it must match one then."""
    return tuple((needle, re.compile("|".join(marks), re.MULTILINE)) for needle, *marks in table)


_MARKS = _compiled(
    # decorators that are more than a dotted name and one call
    (
        "@",
        r"@(?<!\S@)(?<!\S[ \t]@)(?![ \t]*[\w.]+[ \t]*(?:\(|[\r\n#]|\Z))",
        r"@(?<!\S@)(?<!\S[ \t]@)[^\r\n]{0,300}\)[ \t]*[^\s#,)\]}]",
    ),
    (")", r"\)(?<!\S\))[ \t]*(?!->)[^\s#,:)\]}][^\r\n]{0,300}[\r\n]+[ \t]*(?:@|def\b|class\b|async\b)"),
    # with and except
    ("with", r"with(?<!\wwith)[ \t]*[\\(]"),
    (
        "except",
        r"except(?<!\Sexcept)[ \t]*[*\\]",
        r"except(?<!\Sexcept)(?![ \t]*\([\w.,\s]*\)[ \t]*(?::|as\b))[^\r\n]{0,300},[^\r\n]{0,300}:",
    ),
    # a walrus in an index or a set
    (":=", r"[\[{,][^\[\](){}]{0,200}:="),
    # match, type, lazy, type parameters
    ("case", r"match(?<!\Smatch)\b(?![ \t]*[=.,)\]])[^\r\n]{0,300}[:(\[{\\]"),
    ("type", r"type(?<!\wtype)[ \t]*(?:\\|(?<=[ \t])\w+[ \t]*[=\[\\])"),
    ("lazy", r"lazy(?<!\wlazy)[ \t\\]+(?:import|from)\b"),
    ("def", r"def(?<!\wdef)[ \t]*(?:\\|(?<=[ \t])\w+[ \t]*[\[\\])"),
    ("class", r"class(?<!\wclass)[ \t]*(?:\\|(?<=[ \t])\w+[ \t]*[\[\\])"),
    # async comprehensions
    ("async", r"async[ \t]+for\b(?![^\r\n\[\]{}]*:[ \t]*(?:#[^\r\n]{0,300})?(?:[\r\n]|\Z))"),
)
# Stars in a `for`, in an augmented assignment, in an index, in an annotation, and unpacking in comprehensions.
_MARKS_OF_STARS = _compiled(
    ("in", r"in(?<!\win)[ \t]*\*"),
    ("for", r"for\b[^\r\n]{0,200}\bin\b[^\r\n]{0,200},[ \t]*\*"),
    ("=", r"[-+*/%&|^@<>]=(?:[^\r\n]{0,200},)?[ \t]*\*"),
    ("[", r"\[(?<=[\w)\]\"'} \t]\[)(?:[^\[\]]{0,200},)?(?:[\s\\]|#[^\r\n]*)*+\*"),
    ("]", r"\][ \t]*,\s*\*(?!\*)"),
    (":", r"\*[ \t]*\w+[ \t]*:[ \t]*\*"),
    ("for", r"[\[({](?:\s*+\*[^\[\](){}:=]{0,200}|[ \t]*\*[^\r\n:]{0,200})\bfor\b"),
)
# Comments, and strings as they were before 3.12; one that is not closed goes to its line's or the text's end.
_TEXT = re.compile(
    r"""\#[^\r\n]*"""
    r"""|'(?:''(?:[^\\']|\\.|'(?!''))*+(?:'{3}|\\?\Z)|(?:[^\\'\n]|\\.)*+'?)"""
    r"""|"(?:""(?:[^\\"]|\\.|"(?!""))*+(?:"{3}|\\?\Z)|(?:[^\\"\n]|\\.)*+"?)""",
    re.DOTALL,
)
_FORMATTED = re.compile(r"(?<!\w)(?:[fFtT][rR]?|[rR][fFtT])\Z")


def _may_be_newer(code: str) -> bool:
    return _any(_MARKS, code) or ("*" in code and _any(_MARKS_OF_STARS, code))


def _any(marks: _Marks, code: str) -> bool:
    return any(needle in code and mark.search(code) for needle, mark in marks)


def _without_texts(code: str) -> str:
    """The text with its comments left out and plain strings emptied: most of what looks like newer syntax is prose."""
    return _TEXT.sub(_emptied, code)


def _emptied(found: re.Match[str]) -> str:
    if found[0][0] == "#":
        return ""
    start = found.start()
    return found[0] if _FORMATTED.search(found.string, max(0, start - 2), start) else '""'


def order(version: str) -> tuple[int, ...]:
    """A version such as `3.10` as numbers that compare."""
    return tuple(int(part) for part in version.split("."))


# A page's blocks are compiled one after the other, and then read one after the other.
@lru_cache(maxsize=128)
def minimum_python(code: str) -> Feature | None:
    """The newest syntax that the text needs, or `None` where CPython 3.8 reads it.

    The answer means something for text that some Python compiles; it is the same on every host, and never raises.
    """
    if not _NEWER_STRING.search(code) and not (_may_be_newer(code) and _may_be_newer(_without_texts(code))):
        return None
    from auditor.compiling.syntax import FEATURES, uses_of  # noqa: PLC0415 - most texts hold nothing that looks newer
    from auditor.compiling.tokens import Tokens  # noqa: PLC0415 - as above

    tokens = Tokens(code)
    newest = max(uses_of(tokens), key=lambda use: (order(FEATURES[use.feature]), -use.first), default=None)
    if newest is None:
        return None
    span = Span(tokens.all[newest.first].start, tokens.all[newest.last - 1].end)
    return Feature(FEATURES[newest.feature], newest.feature, span)
