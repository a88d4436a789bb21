"""Pattern text to Python text: what only patterns have is written as names that Python's own grammar takes.

`$X` becomes a name, `...` a name, or a starred one where only that may stand, `<... e ...>` a call, `a. ... .b` an
attribute, `f($X: T)` a call of two arguments. `patterns` turns these names back into what they mean.
"""

import re
from dataclasses import dataclass

METAVARIABLE = "MV_"
SEQUENCE = "MVS_"
DOTS = "DOTS_"
CHAIN = "CHAIN_"
DEEP = "DEEP_"
TYPED = "TYPED_"

_TOKEN = re.compile(
    r"""
      (?P<comment>\#[^\n]*)
    | (?P<string>(?P<prefix>[rRbBuUfFtT]{0,2})(?P<quote>'''|\"""|'|"))
    | (?P<deep><\.\.\.)
    | (?P<closedeep>\.\.\.>)
    | (?P<mvs>\$\.\.\.[A-Z_][A-Z_0-9]*)
    | (?P<dots>\.\.\.)
    | (?P<mv>\$[A-Z_][A-Z_0-9]*|\$[0-9]+)
    | (?P<word>\w+)
    | (?P<open>[(\[{])
    | (?P<close>[)\]}])
    | (?P<blank>\s+)
    | (?P<mark>:=|->|\*\*|.)
    """,
    re.VERBOSE | re.DOTALL,
)
_NO_CALL = frozenset(
    [
        "return",
        "in",
        "not",
        "and",
        "or",
        "if",
        "elif",
        "while",
        "yield",
        "lambda",
        "assert",
        "await",
        "except",
        "with",
        "is",
        "del",
        "raise",
        "from",
        "import",
        "for",
        "print",
        "else",
        "case",
        "match",
    ]
)
_BRACE = re.compile(r"\{\{|\}\}|[{}]")


@dataclass(slots=True)
class _Bracket:
    """An open bracket: what it holds, and what has been seen in it."""

    kind: str  # call, define, group, list, dict, set, deep
    double_star: bool = False
    keyword: bool = False
    typed: bool = False
    lambdas: int = 0


def python_of(pattern: str) -> str:
    """The pattern in Python's own grammar, as far as it can be had; never raises."""
    out: list[str] = []
    brackets: list[_Bracket] = []
    words = ["", ""]  # the last word or mark, and the one before it
    pos = 0
    defining = lambdas = 0
    in_class = False

    def say(text: str, token: str) -> None:
        out.append(text)
        words[0], words[1] = words[1], token

    def close_typed() -> None:
        if brackets and brackets[-1].typed:
            brackets[-1].typed = False
            out.append(")")

    while pos < len(pattern):
        found = _TOKEN.match(pattern, pos)
        if found is None:
            break
        kind, text = found.lastgroup, found[0]
        if kind == "quote":
            kind = "string"
        pos = found.end()
        top = brackets[-1] if brackets else None
        if kind in {"comment", "blank"}:
            out.append(text)
            if not brackets and "\n" in text:
                defining = 0
                in_class = False
                words[:] = ["", ""]
        elif kind == "string":
            end = _end_of_string(pattern, pos, found["quote"])
            literal = pattern[found.start() : end]
            if "f" in found["prefix"].lower() or "t" in found["prefix"].lower():
                literal = _formatted(literal)
            say(literal, "name")
            pos = end
        elif kind == "deep":
            brackets.append(_Bracket("deep"))
            say(f"{DEEP}(", "(")
        elif kind == "closedeep":
            close_typed()
            if brackets:
                brackets.pop()
            say(")", ")")
        elif kind in {"mv", "mvs", "dots"}:
            name = {"mv": METAVARIABLE + text[1:], "mvs": SEQUENCE + text[4:], "dots": DOTS}[kind or ""]
            if kind == "dots" and words[1] == ".":
                say(CHAIN, "name")
            elif kind == "mv" and _typed_follows(pattern, pos, top, lambdas):
                if top is not None:
                    top.typed = True
                colon = pattern.index(":", pos)
                say(f"{TYPED}({name}, ", "(")
                pos = colon + 1
            elif kind == "mv":
                say(name, "name")
            else:
                say(_ellipsis(name, top, lambdas > 0, in_class, words[1]), "name")
        elif kind == "open":
            brackets.append(_Bracket(_bracket_kind(text, words, defining, pattern, pos)))
            say(text, "(")
        elif kind == "close":
            close_typed()
            if brackets:
                brackets.pop()
            say(text, ")")
        else:
            if text == "def" and not brackets:
                defining = 1
            if text == "class" and not brackets:
                in_class = True
            if text == "lambda":
                lambdas += 1
            if text == ":" and lambdas:
                lambdas -= 1
            if text == ",":
                close_typed()
            if top is not None:
                if text == "**":
                    top.double_star = True
                elif text == "=" and words[1] not in {"=", "!", "<", ">"}:
                    top.keyword = True
            say(text, text)
    return "".join(out)


def _typed_follows(pattern: str, pos: int, top: _Bracket | None, lambdas: int) -> bool:
    if top is None or top.kind not in {"call", "group", "deep"} or lambdas:
        return False
    rest = pattern[pos:].lstrip()
    return rest.startswith(":") and not rest.startswith(":=")


def _ellipsis(name: str, top: _Bracket | None, in_lambda: bool, in_class: bool, before: str) -> str:
    """How `...` is written where it stands."""
    if top is None or in_lambda or before not in {"(", ","}:
        return name
    if top.kind == "call":
        # Behind a keyword among the bases of a class only `**` may follow.
        return f"**{name}" if top.double_star or (top.keyword and in_class) else f"*{name}"
    if top.kind == "define":
        # After a parameter with a default only such may follow.
        return f"{name}={name}" if top.keyword else name
    if top.kind == "dict":
        return f"**{name}"
    return name


def _bracket_kind(text: str, words: list[str], defining: int, pattern: str, pos: int) -> str:
    if text == "[":
        return "list"
    if text == "{":
        return "dict" if _holds_colon(pattern, pos) else "set"
    if defining and words[0] == "def":
        return "define"
    before = words[1]
    if (before in {"name", ")"} or before.isidentifier()) and before not in _NO_CALL:
        return "call"
    return "group"


def _holds_colon(pattern: str, pos: int) -> bool:
    """Whether a brace opens a dict: a colon stands in it outside other brackets."""
    depth = 0
    while pos < len(pattern):
        found = _TOKEN.match(pattern, pos)
        if found is None:
            return False
        pos = found.end()
        if found["quote"]:
            pos = _end_of_string(pattern, pos, found["quote"])
        elif found["open"]:
            depth += 1
        elif found["close"]:
            if depth == 0:
                return False
            depth -= 1
        elif found["mark"] == ":" and depth == 0:
            return True
    return False


def _end_of_string(text: str, pos: int, quote: str) -> int:
    """The offset behind the closing quotes, or the end of the text."""
    while pos < len(text):
        if text[pos] == "\\":
            pos += 2
        elif text.startswith(quote, pos):
            return pos + len(quote)
        else:
            pos += 1
    return len(text)


def _formatted(literal: str) -> str:
    """An f-string literal with what stands between its braces written as Python."""
    out: list[str] = []
    pos = depth = opened = 0
    for found in _BRACE.finditer(literal):
        mark = found[0]
        if mark in {"{{", "}}"} and depth == 0:
            continue
        for one in mark:
            if one == "{":
                depth += 1
                if depth == 1:
                    out.append(literal[pos : found.start() + 1])
                    opened = found.start() + 1
            else:
                depth -= 1
                if depth == 0:
                    inner = literal[opened : found.end() - 1]
                    out.append(python_of(inner))
                    pos = found.end() - 1
    out.append(literal[pos:])
    return "".join(out)
