"""What an author left out on purpose: dots where code would stand, as edits that put something legal there."""

import re
from dataclasses import dataclass

from auditor.compiling.scanner import Scan
from auditor.model import Edit

_DOTS = r"\.{4,}|(?<![.\w)\]])\.\.(?![.\w])|\.{3}|…+|⋯+|·{3,}|\.(?:[ ]\.){2,}"
# What the walk over masked text stops at: dots, brackets, and the marks that tell one kind of list from another.
_MARK = re.compile(
    rf"(?P<dots>\[[ ]*(?:{_DOTS})[ ]*\]|{_DOTS})|(?P<open>[(\[{{])|(?P<close>[)\]}}])|(?P<mark>\*\*|[:=*,]|==)"
)
_HEADER = re.compile(r"(?:async[ \t]+)?def\b|lambda\b")
_IMPORT = re.compile(r"import\b|from\b[^\n]*\bimport\b")
# A line that is nothing but an elision, or a comment that is.
ELISION_LINE = re.compile(
    rf"^[ \t]*(?:(?:{_DOTS})|\[[ ]*(?:{_DOTS})[ ]*\]|#[ \t]*+(?:[\[(<][ ]*+)?(?:{_DOTS})[^\n]*)[ \t]*$",
    re.MULTILINE,
)
# The body of a header by its name: `...statements`, `...more of it...`.
_NAMED_BODY = re.compile(r"\.{3}[^\W\d][\w \t]*(?:\.{3})?")
# Behind one of these a value begins, before one of those it is carried on.
_WORDS = re.compile(
    r"\b(?:return|in|is|not|and|or|if|else|yield|await|for|print|lambda|del|assert|raise|as|with|from)$"
)
_OPERATORS = re.compile(r"(?:for|if|else|and|or|in|is|not|as)\b")
_ITEM_WITH_KEY = re.compile(r",[^{}\[\]()]*?:")
_MORE_THAN_WORDS = re.compile(r"[(\[{=:.\"']")
# How many characters on either side tell where dots stand.
_NEAR = 300
_CLOSER = {"(": ")", "[": "]", "{": "}"}
_BOUND = re.compile(r"(?:,[^=\n]*)?=(?!=)")


@dataclass(slots=True)
class _Level:
    """An open bracket while the text is read: what it lists, and what stands in it so far."""

    kind: str
    start: int
    keyword: bool = False
    default: bool = False
    colon: bool = False
    star: bool = False
    rest: bool = False
    parameters: int = 0


def replace_dots(code: str, scanned: Scan) -> tuple[tuple[Edit, ...], tuple[tuple[int, int], ...]]:
    """Edits for the dots that Python does not read where they stand, and the place of each.

    `...` that is legal as it is stays. Dots beside a value without a comma get one only within brackets.
    """
    edits: list[Edit] = []
    places: list[tuple[int, int]] = []
    for line in scanned.lines:
        indented = scanned.masked[line.first - 1 : line.first] in {" ", "\t"}
        if indented and _NAMED_BODY.fullmatch(scanned.masked, line.first, line.code_end):
            edits.append(Edit(line.first, line.code_end, "..."))
            places.append((line.first, line.code_end))
            continue
        _in_statement(code, scanned.masked, line.first, line.code_end, edits, places)
    return tuple(edits), tuple(places)


def _in_statement(
    code: str, masked: str, first: int, end: int, edits: list[Edit], places: list[tuple[int, int]]
) -> None:
    header = _HEADER.match(masked, first)
    imports = _IMPORT.match(masked, first, end)
    levels = [_Level("import" if imports else "statement", first)]
    for found in _MARK.finditer(masked, first, end):
        level = levels[-1]
        if found["open"]:
            levels.append(_Level(_kind(masked, found.start(), first, level, header), found.end()))
        elif found["close"]:
            if len(levels) > 1:
                levels.pop()
        elif found["mark"]:
            _note(level, found["mark"], masked, found.start())
        elif found["dots"].startswith("[") and not _is_left_out(found, level, masked):
            continue
        else:
            replacement = _instead(found, level, masked, first, end)
            if replacement is not None and found.end() == end:
                replacement += _closers(levels, masked, end)
            if replacement is not None and replacement != code[found.start() : found.end()]:
                edits.append(Edit(found.start(), found.end(), replacement))
                places.append(found.span())


def _is_left_out(found: re.Match[str], level: _Level, masked: str) -> bool:
    """Whether `[...]` is a notation (in a signature, behind a keyword argument, alone on its line) and no list."""
    if level.kind == "parameters" or (level.kind == "call" and level.keyword):
        return True
    start = masked.rfind("\n", max(found.start() - _NEAR, 0), found.start()) + 1
    end = masked.find("\n", found.end())
    alone = not masked[start : found.start()].strip() and not masked[found.end() : end if end >= 0 else None].strip()
    return alone and level.kind in {"list", "call", "group"}


def _closers(levels: list[_Level], masked: str, end: int) -> str:
    """The brackets that the dots at a statement's end leave open, where all of it stands in one line."""
    if len(levels) == 1 or "\n" in masked[levels[0].start : end]:
        return ""
    return "".join(_CLOSER[masked[level.start - 1]] for level in reversed(levels[1:]))


def _kind(masked: str, at: int, first: int, level: _Level, header: re.Match[str] | None) -> str:
    mark = masked[at]
    if mark == "{":
        return "braces"
    if mark == "[":
        return "list"
    if header and level.kind == "statement" and "(" not in masked[first:at]:
        return "parameters"
    if level.kind == "import":
        return "import"
    before = masked[max(first, at - _NEAR) : at].rstrip()[-1:]
    return "call" if before.isalnum() or before in {"_", ")", "]", '"', "'"} else "group"


def _note(level: _Level, mark: str, masked: str, at: int) -> None:
    if mark == "**":
        level.keyword = level.star = level.rest = True
    elif mark == "*":
        level.star = True
    elif mark == "=" and masked[at : at + 2] != "==" and masked[at - 1] not in "=!<>:":
        level.keyword = level.default = True
    elif mark == ":":
        level.colon = True
    elif mark == ",":
        level.parameters += 1


def _instead(found: re.Match[str], level: _Level, masked: str, first: int, end: int) -> str | None:
    """What to put for the dots, or `None` where they mean nothing that could be left out."""
    before = masked[max(first, found.start() - _NEAR) : found.start()].rstrip()
    after = masked[found.end() : min(end, found.end() + _NEAR)].lstrip()
    joined_before = before[-1:].isalnum() or before[-1:] in {"_", ")", "]", "}", '"', "'"}
    joined_before = joined_before and not _WORDS.search(before)
    joined_after = after[:1].isalnum() or after[:1] in {"_", "(", "[", "{", '"', "'", "*"}
    joined_after = joined_after and not _OPERATORS.match(after)
    # Dots that are a value themselves, behind `=` or `:`, stand for no comma.
    joined_after = joined_after and (joined_before or before[-1:] in {"", ",", "(", "[", "{"})
    if level.kind == "import":
        return "_"
    glued = masked[found.start() - 1 : found.start()].isalnum() and masked[found.end() : found.end() + 1] == " "
    if glued and after[:1].isalpha() and not _OPERATORS.match(after):
        return None  # a sentence hesitates
    if level.kind == "parameters":
        return _parameter(level)
    if level.kind == "statement":
        if joined_before or joined_after:
            return _beside(found, before, after, masked)
        return "_" if _is_target(before, after) else "..."
    of_dictionary = level.kind == "braces" and (level.colon or _ITEM_WITH_KEY.match(after)) and before[-1:] != ":"
    of_call = level.kind == "call" and level.keyword and (joined_before or before[-1:] in {",", "("})
    value = "**..." if of_dictionary or of_call else "..."
    return f"{', ' if joined_before else ''}{value}{', ' if joined_after else ''}"


def _beside(found: re.Match[str], before: str, after: str, masked: str) -> str | None:
    """Dots behind or before all of a statement, a blank apart: a part of it is shown. Words alone are no statement."""
    if before and not after:
        apart = masked[found.start() - 1] in " \t\n"
        return "; ..." if apart and _MORE_THAN_WORDS.search(before) else None
    if after and not before:
        apart = masked[found.end()] in " \t\n"
        return "...; " if apart and _MORE_THAN_WORDS.search(after) else None
    return None


def _is_target(before: str, after: str) -> bool:
    """Whether the dots stand where a name is bound: `a, ..., b = f()`, `for ... in x`."""
    return before.endswith((" for", " as")) or before == "for" or ("=" not in before and bool(_BOUND.match(after)))


def _parameter(level: _Level) -> str:
    """A parameter that may stand here and does not stand in the way of those that follow."""
    if level.rest:
        return ""
    name = f"_{level.parameters}"
    return f"{name}=..." if level.default and not level.star else name
