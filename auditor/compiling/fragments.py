"""Pieces that are not whole on purpose: a clause of the fence before, a header or a signature without its body."""

import ast
import re
from bisect import bisect_left
from dataclasses import dataclass

from auditor.compiling.compiler import parse, silent, try_compile
from auditor.compiling.elisions import ELISION_LINE
from auditor.compiling.scanner import LogicalLine, Scan
from auditor.model import Context, Diagnosis, Edit, Span

_CLAUSES: dict[str, str] = {
    "except": "try:\n    pass\n",
    "finally": "try:\n    pass\n",
    "elif": "if _:\n    pass\n",
    "else": "if _:\n    pass\n",
}
_CLAUSE = re.compile(r"(?:except|finally|elif|else)\b")
_HANDLER = re.compile(r"(?:except|finally)\b")
_CASE = re.compile(r"case\b[^\n]*:")
_HEADER = re.compile(r"(?:async[ \t]+)?(?P<word>def|class|if|for|while|with|try|else|elif|except|finally|match|case)\b")
_DEFINITION = re.compile(r"(?:async[ \t]+)?(?:def|class)\b")
_BARE = re.compile(r"(?P<kind>class[ \t]+)?(?P<module>(?:\w+\.)*)(?P<name>\w+)[ \t]*(?=\()")
# Comment lines below a header that are looked at for one that stands as its body.
_COMMENTS_READ = 20
# What stands for dots around an excerpt of one line.
_DOTS_BEFORE = re.compile(r"\.\.\.[;,][ \t]*")
_DOTS_AFTER = re.compile(r"(?<![ \t])[ \t]*+[;,][ \t]*\.\.\.\Z")
_ARROW = re.compile(r"→|=>|⇒")


@dataclass(frozen=True, slots=True)
class Completion:
    """Edits that make a fragment whole, what to say of it, in the text's offsets, and where that tells it to belong."""

    edits: tuple[Edit, ...]
    diagnoses: tuple[Diagnosis, ...]
    context: Context | None = None


def complete(code: str, scanned: Scan) -> Completion | None:
    """What is missing before the text, behind its headers and at its end; `None` where nothing is."""
    if not scanned.lines:
        return None
    inside = _inside_brackets(code, scanned)
    if inside is not None:
        return Completion(inside, (), "fragment")
    edits: list[Edit] = []
    diagnoses: list[Diagnosis] = []
    continues = False
    first = scanned.lines[0]
    clause = _CLAUSE.match(code, first.first)
    if first.indent == 0 and clause:
        edits.append(Edit(0, 0, _CLAUSES[clause[0]]))
        continues = True
    elif first.indent == 0 and _CASE.match(code, first.first):
        edits.extend(_inside_match(scanned))
        continues = True
    bodies = _missing_bodies(code, scanned)
    for edit, diagnosis in bodies:
        edits.append(edit)
        diagnoses.append(diagnosis)
    if not edits:
        return None
    edits.sort(key=lambda edit: edit.start)
    return Completion(tuple(edits), tuple(diagnoses), "continuation" if continues else None)


def _inside_brackets(code: str, scanned: Scan) -> tuple[Edit, ...] | None:
    """Brackets around what stands between some: items of a dictionary, parameters, arguments. Dots may surround it."""
    first, last = scanned.lines[0].first, scanned.lines[-1].code_end
    before, after = _DOTS_BEFORE.match(code, first, last), _DOTS_AFTER.search(code, first, last)
    first, last = before.end() if before else first, after.start() if after else last
    text = code[first:last]
    if ":" not in text and "=" not in text:
        return None
    for opener, closer, are_such in (
        ("{", "}", _are_items),
        ("def _(", "): pass", _are_parameters),
        ("_(", ")", _are_arguments),
    ):
        if opener != "{" and len(scanned.lines) > 1 + bool(before) + bool(after):
            continue
        with silent():
            tree = parse(f"{opener}{text}\n{closer}")
        if isinstance(tree, ast.Module) and len(tree.body) == 1 and are_such(tree.body[0]):
            return Edit(first, first, opener), Edit(last, last, closer)
    return None


def _are_items(statement: ast.stmt) -> bool:
    """Whether it is a dictionary with texts for keys and something done in it; with values alone it may be JSON."""
    items = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(items, ast.Dict) or not all(_is_text(key) for key in items.keys):
        return False
    return any(isinstance(node, ast.Call | ast.Attribute) for value in items.values for node in ast.walk(value))


def _is_text(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _are_parameters(statement: ast.stmt) -> bool:
    """Whether it has two parameters or more, each with its type."""
    if not isinstance(statement, ast.FunctionDef):
        return False
    parameters = [*statement.args.posonlyargs, *statement.args.args, *statement.args.kwonlyargs]
    return len(parameters) > 1 and all(parameter.annotation for parameter in parameters)


def _are_arguments(statement: ast.stmt) -> bool:
    """Whether it has two arguments or more, each with its name."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    return (
        isinstance(call, ast.Call)
        and not call.args
        and len(call.keywords) > 1
        and all(each.arg for each in call.keywords)
    )


def _inside_match(scanned: Scan) -> list[Edit]:
    """`case` clauses, moved by one blank under a `match`."""
    starts = [line.start for line in scanned.lines]
    return [Edit(at, at, "match _:\n " if at == starts[0] else " ") for at in starts]


def _missing_bodies(code: str, scanned: Scan) -> list[tuple[Edit, Diagnosis]]:
    lines = scanned.lines
    listing: bool | None = None
    found: list[tuple[Edit, Diagnosis]] = []
    for index, line in enumerate(lines):
        following = lines[index + 1] if index + 1 < len(lines) else None
        if following is not None and _width(code, following) > _width(code, line):
            continue
        header = _HEADER.match(code, line.first)
        if header and scanned.masked[line.code_end - 1] == ":":
            comment = _comment_body(code, scanned, line, following)
            if following is not None and comment is None:
                listing = _is_listing(code, scanned) if listing is None else listing
                if not listing:
                    continue
            kind = "elision" if comment is not None and ELISION_LINE.match(_line(code, comment[0])) else "header-only"
            span = Span(*comment) if comment is not None and kind == "elision" else Span(line.first, line.code_end)
            found.append(
                (
                    Edit(line.code_end, line.code_end, _body(code, line, header["word"], following)),
                    Diagnosis(kind, span),
                )
            )
        elif following is None and code[line.first] == "@":
            rest = f"\n{code[line.start : line.first]}def _(): pass"
            span = Span(line.first, line.code_end)
            found.append((Edit(line.end, line.end, rest), Diagnosis("header-only", span)))
        else:
            if following is not None:
                listing = _is_listing(code, scanned) if listing is None else listing
                if not listing:
                    continue
            signature = _signature_edit(code, scanned, line)
            if signature is None:
                continue
            found.append((signature, Diagnosis("signature-only", Span(line.first, line.code_end))))
    return found


def _width(code: str, line: LogicalLine) -> int:
    return len(code[line.start : line.first].expandtabs())


def _line(code: str, at: int) -> str:
    end = code.find("\n", at)
    return code[code.rfind("\n", 0, at) + 1 : len(code) if end < 0 else end]


def _body(code: str, line: LogicalLine, word: str, following: LogicalLine | None) -> str:
    indent = code[line.start : line.first]
    goes_on = following is not None and _HANDLER.match(code, following.first) is not None
    if word == "try" and not goes_on:
        return f" pass\n{indent}finally: pass"
    if word == "match":
        return f"\n{indent} case _: pass"
    return " pass"


def _comment_body(code: str, scanned: Scan, line: LogicalLine, following: LogicalLine | None) -> tuple[int, int] | None:
    """A comment that stands where the header's body would: further in than the header, before the next statement."""
    stop = following.start if following is not None else len(code)
    below = bisect_left(scanned.comments, (line.end, line.end))
    for start, end in scanned.comments[below : below + _COMMENTS_READ]:
        if start >= stop:
            break
        text = _line(code, start)
        if len(text.expandtabs()) - len(text.expandtabs().lstrip()) > _width(code, line):
            return start, end
    return None


def _is_listing(code: str, scanned: Scan) -> bool:
    """Whether the text lists headers and signatures and holds no other statement than docstrings and dots."""
    for line in scanned.lines:
        if _DEFINITION.match(code, line.first) or code[line.first] in "@\"'" or code.startswith("...", line.first):
            continue
        if _signature_edit(code, scanned, line) is None:
            return False
    return True


def _signature_edit(code: str, scanned: Scan, line: LogicalLine) -> Edit | None:
    """The edit that turns a signature without colon and body into a definition, or `None` where it is none."""
    text = code[line.first : line.code_end]
    if scanned.masked[line.code_end - 1] == ":":
        return None
    if _DEFINITION.match(text) and try_compile(f"{text}: pass") is None:
        return Edit(line.code_end, line.code_end, ": pass")
    bare = _BARE.match(text)
    if not bare or try_compile(text) is None:
        return None
    parameters = _ARROW.sub("->", text[bare.end() :])
    definition = f"def {bare['name']}{parameters}: pass"
    if "->" not in parameters and not bare["kind"] and not re.search(r"[(,]\s*[*/]\s*,", parameters):
        return None
    return Edit(line.first, line.code_end, definition) if try_compile(definition) is None else None
