"""What is taken out of a text's way before it is diagnosed: its margin, and syntax that an older host cannot read.

Every replacement is as long as what it stands for, so that the same place is named on every interpreter.
"""

from collections.abc import Iterator

from auditor.compiling.diagnoses.indentation import movable_lines
from auditor.compiling.diagnoses.lines import Scan, Statement, Token, scan
from auditor.model import Edit, MappedText


def make_plain(code: MappedText) -> tuple[MappedText, Scan]:
    """The text without its common margin and without syntax newer than 3.11, and the scanner's view of it."""
    read = scan(code.text)
    margin = ""
    if read.statements:
        margin = read.statements[0].indent
        for statement in read.statements:
            margin = _shared(margin, statement.indent)
    edits = [*(_margin_edits(read, margin) if margin else ()), *_newer(read)]
    if not edits:
        return code, read
    plain = code.edit(sorted(edits, key=lambda edit: edit.start))
    return plain, scan(plain.text)


def _shared(margin: str, text: str) -> str:
    """The part of a margin with which a text begins."""
    while not text.startswith(margin):
        margin = margin[:-1]
    return margin


def blank_statement(read: Scan, statement: Statement) -> list[Edit] | None:
    """Edits that put something harmless for a statement, its lines and the rest of the text kept in place.

    `None` where there is no room, or where the statement may reach further than the scanner saw.
    """
    tokens = read.tokens_of(statement)
    if any(token.kind == "open-string" and "\n" in token.text for token in tokens):
        return None
    opened = set(read.unclosed)
    if any(index in opened for index in range(statement.first, statement.last)):
        return None
    harmless = "if 1:" if statement.is_header else "0"
    if statement.is_header and statement.head in {"def", "class"}:
        harmless = "if 1:"
    first_end = read.line_span(statement.line)[1]
    room = min(statement.end, first_end) - statement.start
    if room < len(harmless):
        return None
    edits = [Edit(statement.start, statement.start + room, harmless + " " * (room - len(harmless)))]
    for line in range(statement.line + 1, statement.last_line + 1):
        start, end = read.line_span(line)
        end = min(end, statement.end)
        if end > start:
            edits.append(Edit(start, end, " " * (end - start)))
    return edits


def _margin_edits(read: Scan, margin: str) -> Iterator[Edit]:
    for line in movable_lines(read, 0, len(read.line_starts) - 1):
        start, end = read.line_span(line)
        held = _shared(margin, read.text[start:end])
        if held:
            yield Edit(start, start + len(held), "")


def _newer(read: Scan) -> Iterator[Edit]:
    for token in read.tokens:
        if token.kind == "string":
            yield from _formatted(token)
    for statement in read.statements:
        yield from _type_statement(read.tokens_of(statement))


def _formatted(token: Token) -> Iterator[Edit]:
    """A formatted string that 3.11 cannot read becomes a plain one; of a template string only the prefix changes."""
    quote_at = min(at for at in (token.text.find('"'), token.text.find("'")) if at >= 0)
    prefix = token.text[:quote_at].lower()
    if not {"f", "t"} & set(prefix):
        return
    quote = token.text[quote_at]
    width = 3 if token.text.startswith(quote * 3, quote_at) else 1
    body = token.text[quote_at + width : -width]
    if (
        ("{" in body and (quote in body if width == 1 else quote * 3 in body))
        or (width == 1 and "\n" in body)
        or _has_late_field(body)
    ):
        filler = "".join("\n" if mark == "\n" else "_" for mark in token.text)
        if "\n" not in token.text:
            yield Edit(token.start, token.end, f'"{filler[2:]}"')
        elif len(filler) >= 6 and "\n" not in filler[:3] + filler[-3:]:
            yield Edit(token.start, token.end, f'"""{filler[3:-3]}"""')
    elif "t" in prefix:
        yield Edit(token.start, token.start + quote_at, prefix.replace("t", "f"))


def _has_late_field(body: str) -> bool:
    """Whether a field holds a backslash or a comment, which only 3.12 reads."""
    depth = 0
    for mark in body.replace("{{", "  ").replace("}}", "  ") if "\\" in body or "#" in body else "":
        if mark == "{":
            depth += 1
        elif mark == "}":
            depth = max(depth - 1, 0)
        elif depth and mark in "\\#":
            return True
    return False


def _type_statement(tokens: tuple[Token, ...]) -> Iterator[Edit]:
    """`type X = …` becomes an assignment to one name, and type parameters become blanks."""
    at = 1 if tokens[0].text == "async" else 0
    if len(tokens) < at + 3 or tokens[at + 1].kind != "name":
        return
    head, name, after = tokens[at : at + 3]
    if head.text == "type" and after.text in {"=", "["}:
        yield Edit(head.end, name.start, "_" * (name.start - head.end))
    elif head.text not in {"def", "class"}:
        return
    if after.text != "[":
        return
    close = next((token for token in tokens[at + 3 :] if token.text == "]" and token.depth == after.depth), None)
    if close is not None and not any("\n" in token.text for token in tokens):
        yield Edit(after.start, close.end, " " * (close.end - after.start))
