"""Classes, functions and methods that a text defines, with hashes of their headers and of the whole."""

import ast
import re
from collections.abc import Iterator

from auditor.model import Definition, Span
from auditor.structure.normal import digest, form
from auditor.structure.reading import Reading, read

Defining = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
DEFINING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_KEYWORD = re.compile(r"\b(?:def|class)[\s\\]")


def may_define(code: str) -> bool:
    """Whether a text has what every definition begins with."""
    return ("def" in code or "class" in code) and _KEYWORD.search(code) is not None


def definitions(code: str) -> tuple[Definition, ...]:
    """The definitions of a text in its order, those in `if`, `try` and the like included, none from inside a function.

    Spans are offsets in the text and begin at the first decorator. Empty where the text has no tree; never raises.
    """
    reading = read(code) if may_define(code) else None
    if reading is None:
        return ()
    found = list(defined(reading.tree.body))
    if not found:
        return ()
    spans: dict[ast.AST, tuple[int, int]] = {}
    outermost = [node for node, name, _ in found if "." not in name]
    pieces = form(outermost, spans)
    answer = []
    for node, qualname, in_class in found:
        span = span_of(reading, node)
        first, last = spans[node]
        newer = reading.newer(span.start, span.end) if reading.edits else []
        answer.append(
            Definition(
                qualname,
                "class" if isinstance(node, ast.ClassDef) else "method" if in_class else "function",
                span,
                dedented(code, span),
                digest([*header_form(node), *header_newer(reading, node)]),
                digest([*pieces[first:last], *newer]),
            )
        )
    return tuple(answer)


def defined(body: list[ast.stmt]) -> Iterator[tuple[Defining, str, bool]]:
    """Each definition below some statements, its qualified name, and whether a class holds it, in source order."""
    stack: list[tuple[ast.AST, str, bool]] = [(node, "", False) for node in reversed(body)]
    while stack:
        node, prefix, in_class = stack.pop()
        if isinstance(node, DEFINING):
            yield node, prefix + node.name, in_class
            if isinstance(node, ast.ClassDef):
                stack.extend((inside, f"{prefix}{node.name}.", True) for inside in reversed(node.body))
        elif isinstance(
            node, ast.If | ast.Try | ast.TryStar | ast.With | ast.For | ast.While | ast.AsyncWith | ast.Match
        ):
            inner = [
                part
                for name in ("body", "handlers", "cases", "orelse", "finalbody")
                for part in getattr(node, name, ())
            ]
            stack.extend((inside, prefix, in_class) for inside in reversed(inner))
        elif isinstance(node, ast.ExceptHandler | ast.match_case):
            stack.extend((inside, prefix, in_class) for inside in reversed(node.body))


def span_of(reading: Reading, node: Defining) -> Span:
    """From the first decorator's `@` to the definition's end."""
    start = reading.start(node)
    if node.decorator_list:
        # A decorator's own brackets are no part of its node, so its `@` is the last one that a line begins with.
        start = reading.code.rfind("@", 0, reading.start(node.decorator_list[0]))
    return Span(start, reading.end(node))


def dedented(code: str, span: Span) -> str:
    """The text of a span from its first line's margin on, that margin taken from every line that has it."""
    line = code.rfind("\n", 0, span.start) + 1
    margin = code[line : span.start]
    text = code[span.start : span.end]
    return text.replace("\n" + margin, "\n") if margin and margin.isspace() else text


def header_form(node: Defining) -> list[str]:
    """The normal form of a definition's header without its name."""
    kind = type(node).__name__
    decorators = [f"{kind}@{len(node.decorator_list)}", *form(node.decorator_list)]
    if isinstance(node, ast.ClassDef):
        return [*decorators, f"({len(node.bases)}", *form(node.bases), f",{len(node.keywords)}", *form(node.keywords)]
    returns = ["->", *form([node.returns])] if node.returns else []
    return [*decorators, *form([node.args]), *returns]


def header_newer(reading: Reading, node: Defining) -> list[str]:
    """What newer syntax says in a definition's header, type parameters above all."""
    return reading.newer(span_of(reading, node).start, reading.start(node.body[0])) if reading.edits else []
