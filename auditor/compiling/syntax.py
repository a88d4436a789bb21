"""Which newer syntax a text uses and where: one walk over its tokens against a table of features.

Tokens suffice, are read in linear time, and never overflow a stack; every feature below is decided by its own few
tokens, whatever stands around it. A text that no Python reads gives answers, too, which then mean nothing.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from types import MappingProxyType

from auditor.compiling.tokens import Statement, Token, Tokens, is_operand

# Feature → the first CPython that compiles it, found out with compilers 3.8 to 3.14 and the "What's New" pages.
FEATURES = MappingProxyType(
    {
        "relaxed-decorator": "3.9",
        "parenthesized-with": "3.9",  # documented for 3.10, read by 3.9's parser
        "starred-for": "3.9",
        "starred-augmented-assignment": "3.9",
        "walrus-in-set": "3.9",
        "match-statement": "3.10",
        "walrus-in-index": "3.10",
        "except-star": "3.11",
        "starred-index": "3.11",
        "starred-annotation": "3.11",
        "nested-async-comprehension": "3.11",
        "type-statement": "3.12",
        "type-parameters": "3.12",
        "f-string-quotes": "3.12",
        "f-string-backslash": "3.12",
        "f-string-comment": "3.12",
        "f-string-line-break": "3.12",
        "f-string-nesting": "3.12",
        "f-string-conversion-blank": "3.12",
        "type-parameter-default": "3.13",
        "except-without-parentheses": "3.14",
        "template-string": "3.14",
        "comprehension-unpacking": "3.15",
        "lazy-import": "3.15",
    }
)


@dataclass(frozen=True, slots=True)
class Use:
    """A feature in use at tokens `first` to `last` (excluded)."""

    feature: str
    first: int
    last: int


_AUGMENTED = frozenset({"+=", "-=", "*=", "/=", "//=", "%=", "@=", "&=", "|=", "^=", ">>=", "<<=", "**="})
_STARS = frozenset({"*", "**"})


def uses_of(tokens: Tokens) -> Iterator[Use]:
    """Every use of a feature of the table, in no certain order."""
    statements = list(tokens.statements())
    for statement in statements:
        yield from _in_statement(tokens, statement)
    yield from _in_brackets(tokens, _pattern_brackets(tokens, statements))
    yield from _in_formatted(tokens)


def _text(tokens: Tokens, index: int) -> str:
    return tokens.all[index].text if 0 <= index < len(tokens.all) else ""


def _is_name(tokens: Tokens, index: int) -> bool:
    return index < len(tokens.all) and tokens.all[index].kind == "name"


def _in_statement(tokens: Tokens, statement: Statement) -> Iterator[Use]:
    """Features that the first token of a statement announces."""
    first, last = statement.first, statement.last
    word = _text(tokens, first)
    if word == "async" and last > first + 1:
        first += 1
        word = _text(tokens, first)
    if word == "@":
        yield from _decorator(tokens, first, last)
    elif word in {"def", "class"}:
        yield from _definition(tokens, first, last)
    elif word == "with":
        yield from _with(tokens, first, last)
    elif word == "for":
        yield from _for(tokens, first, last)
    elif word == "except":
        yield from _except(tokens, first, last)
    elif word == "match":
        if last - first > 2 and _text(tokens, last - 1) == ":" and _ends_line(tokens, last):
            yield Use("match-statement", first, last)
    elif word == "type":
        if _is_name(tokens, first + 1) and _text(tokens, first + 2) in {"=", "["} and last > first + 3:
            yield Use("type-statement", first, last)
            yield from _type_parameters(tokens, first + 2)
    elif word == "lazy":
        if _text(tokens, first + 1) in {"import", "from"}:
            yield Use("lazy-import", first, last)
    else:
        yield from _augmented(tokens, first, last)


def _ends_line(tokens: Tokens, index: int) -> bool:
    return index >= len(tokens.all) or tokens.all[index].kind == "newline"


def _decorator(tokens: Tokens, first: int, last: int) -> Iterator[Use]:
    """Before 3.9 a decorator was a dotted name with at most one call."""
    index = first + 1
    while index + 1 < last and _is_name(tokens, index) and _text(tokens, index + 1) == ".":
        index += 2
    named = _is_name(tokens, index) and _text(tokens, index) not in {"lambda", "not", "await", "None", "True", "False"}
    end = index + 1
    if named and end < last and _text(tokens, end) == "(":
        end = tokens.partner.get(end, end) + 1
    if last > first + 1 and (not named or end != last):
        yield Use("relaxed-decorator", first, last)


def _definition(tokens: Tokens, first: int, last: int) -> Iterator[Use]:
    index = first + 2
    if index >= last or not _is_name(tokens, first + 1):
        return
    if _text(tokens, index) == "[":
        yield from _type_parameters(tokens, index)
        index = tokens.partner.get(index, index) + 1
    if _text(tokens, first) == "def" and _text(tokens, index) == "(" and index in tokens.partner:
        inside = list(tokens.children(index + 1, tokens.partner[index]))
        for star, _name, colon, second in zip(inside, inside[1:], inside[2:], inside[3:], strict=False):
            marks = (_text(tokens, star), _text(tokens, colon), _text(tokens, second))
            if marks == ("*", ":", "*"):
                yield Use("starred-annotation", second, second + 1)


def _type_parameters(tokens: Tokens, opener: int) -> Iterator[Use]:
    if _text(tokens, opener) != "[" or opener not in tokens.partner:
        return
    closer = tokens.partner[opener]
    yield Use("type-parameters", opener, closer + 1)
    for index in tokens.children(opener + 1, closer):
        if _text(tokens, index) == "=":
            yield Use("type-parameter-default", index, index + 1)
            return


def _with(tokens: Tokens, first: int, last: int) -> Iterator[Use]:
    opener = first + 1
    closer = tokens.partner.get(opener, -1)
    if _text(tokens, opener) != "(" or closer + 1 >= last or _text(tokens, closer + 1) != ":":
        return
    if any(_text(tokens, index) == "as" for index in tokens.children(opener + 1, closer)):
        yield Use("parenthesized-with", opener, closer + 1)


def _for(tokens: Tokens, first: int, last: int) -> Iterator[Use]:
    seen = False
    before = ""
    for index in tokens.children(first + 1, last):
        text = _text(tokens, index)
        if text == "lambda":
            return
        if seen and text == "*" and before in {"in", ","}:
            yield Use("starred-for", index, index + 1)
            return
        seen = seen or text == "in"
        before = text


def _except(tokens: Tokens, first: int, last: int) -> Iterator[Use]:
    if _text(tokens, first + 1) == "*":
        yield Use("except-star", first, first + 2)
    inside = [(index, _text(tokens, index)) for index in tokens.children(first + 1, last)]
    commas = [index for index, text in inside if text == ","]
    if not commas or any(text == "as" for _, text in inside):
        return
    # `except OSError, e:` is what Python 2 wrote for `as e`; a class is not called by one small word.
    bound = [text for index, text in inside if index > commas[0] and text.strip() and text != ":"]
    if len(commas) > 1 or len(bound) != 1 or not bound[0][0].islower():
        yield Use("except-without-parentheses", first, last)


def _augmented(tokens: Tokens, first: int, last: int) -> Iterator[Use]:
    seen = False
    before = ""
    for index in tokens.children(first, last):
        text = _text(tokens, index)
        if text == "lambda":
            return
        if seen and text == "*" and (before in _AUGMENTED or before == ","):
            yield Use("starred-augmented-assignment", index, index + 1)
            return
        seen = seen or text in _AUGMENTED
        before = text


@dataclass(slots=True)
class _Comprehension:
    """A comprehension that is open: its last token, its first iterable, and whether it is async by itself."""

    end: int
    first_iterable: tuple[int, int] | None
    is_async: bool


def _in_brackets(tokens: Tokens, patterns: frozenset[int]) -> Iterator[Use]:
    """Features that stand directly inside one pair of brackets."""
    around: list[_Comprehension] = []
    for opener, token in enumerate(tokens.all):
        while around and around[-1].end < opener:
            around.pop()
        closer = tokens.partner.get(opener)
        if closer is None or token.kind != "op":
            continue
        inside = list(tokens.children(opener + 1, closer))
        subscript = token.text == "[" and opener > 0 and is_operand(tokens.all[opener - 1]) and opener not in patterns
        words = [tokens.all[index].text for index in inside]
        if subscript:
            yield from _in_index(inside, words)
        elif token.text == "{" and ":=" in words:
            at = inside[words.index(":=")]
            yield Use("walrus-in-set", at, at + 1)
        if "for" in words:
            if words[0] in _STARS:
                yield Use("comprehension-unpacking", inside[0], inside[0] + 1)
            is_async = "async" in words
            if is_async and token.text != "(" and _in_plain_comprehension(around, opener):
                at = inside[words.index("async")]
                yield Use("nested-async-comprehension", at, at + 2)
            around.append(_Comprehension(closer, _first_iterable(inside, words), is_async or "await" in words))


def _pattern_brackets(tokens: Tokens, statements: list[Statement]) -> frozenset[int]:
    """Brackets right after `match` or `case`, which open a list there."""
    return frozenset(
        statement.first + 1
        for statement in statements
        if _text(tokens, statement.first) in {"match", "case"} and _text(tokens, statement.last - 1) == ":"
    )


def _in_index(inside: list[int], words: list[str]) -> Iterator[Use]:
    if ":=" in words:
        at = inside[words.index(":=")]
        yield Use("walrus-in-index", at, at + 1)
    for position, (index, word) in enumerate(zip(inside, words, strict=True)):
        if word == "lambda":
            return
        if word == "*" and (position == 0 or words[position - 1] == ","):
            yield Use("starred-index", index, index + 1)
            return


def _first_iterable(inside: list[int], words: list[str]) -> tuple[int, int] | None:
    """The tokens of the iterable that a comprehension evaluates outside its own scope."""
    if "in" not in words[words.index("for") :]:
        return None
    begin = words.index("in", words.index("for"))
    for position in range(begin + 1, len(words)):
        if words[position] in {"for", "async", "if"}:
            return inside[begin], inside[position]
    return inside[begin], inside[-1] + 1


def _in_plain_comprehension(around: list[_Comprehension], index: int) -> bool:
    """Whether the nearest comprehension whose scope holds the token is not async by itself."""
    for comprehension in reversed(around):
        if index >= comprehension.end:
            continue
        outside = comprehension.first_iterable
        if outside is None or not outside[0] <= index < outside[1]:
            return not comprehension.is_async
    return False


def _in_formatted(tokens: Tokens) -> Iterator[Use]:
    """What f-strings could not hold while they were strings that were read a second time."""
    quotes: list[str] = []
    levels: list[int] = []
    end = 0
    before = ""
    for index, token in enumerate(tokens.all):
        kind = token.kind
        if quotes:
            if before == "conversion" and token.start > end:
                yield Use("f-string-conversion-blank", index - 1, index)
            feature = _in_field(token, tokens.code[end : token.start], quotes, levels)
            if feature:
                yield Use(feature, index, index + 1)
        end, before = token.end, kind
        if kind == "fstart":
            text = token.text.lower()
            if "t" in text:
                yield Use("template-string", index, index + 1)
            quotes.append(text.lstrip("frt"))
            levels.append(0)
        elif not quotes:
            continue
        elif kind == "fend" or (kind == "error" and not token.text):
            quotes.pop()
            levels.pop()
        elif kind == "open":
            levels[-1] += 1
            if levels[-1] > 2:  # a field in the format of a field in a format
                yield Use("f-string-nesting", index, index + 1)
        elif kind == "close":
            levels[-1] -= 1


def _in_field(token: Token, gap: str, quotes: list[str], levels: list[int]) -> str | None:
    """The feature that a token uses by standing in a field of the innermost or another open f-string."""
    kind, text = token.kind, token.text
    # The parts of an f-string itself stand in the fields of those around it only.
    around = quotes[:-1] if kind in {"fmiddle", "fend"} else quotes if levels[-1] else quotes[:-1]
    if not around:
        return None
    if any(len(quote) == 1 for quote in around) and ("\n" in gap or "\n" in text):
        return "f-string-line-break"
    if kind == "comment":
        return "f-string-comment" if text[0] == "#" else "f-string-backslash"
    if kind in {"string", "fmiddle", "fstart", "fend"}:
        if any(quote in text for quote in around):
            return "f-string-quotes"
        if "\\" in text:
            return "f-string-backslash"
    return None
