"""CPython's compiler as a judge: text or tree in, a failure with an exact place or nothing out, never an exception."""

import ast
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from auditor.compiling.nesting import (
    BRACKETS_OF_CPYTHON,
    MAX_BRACKETS,
    bracket_depth,
    depth_of,
    finally_explodes,
    hoist_finally,
    may_be_deep,
)
from auditor.compiling.options import MAX_DEPTH, TOO_DEEP

_INDENT = re.compile(r"[ \t\f]*")
_WORDS = re.compile(r"((?<!\w)(?:\w++[ \t]++){100})((?:\w++[ \t]++){300,}+)")
_FUTURE = re.compile(r"from\s+__future__")


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a text does not compile: CPython's message and place, normalised.

    Lines and columns are 1-based, columns count code points, the end is excluded; all lie inside the text.
    `gave_up` says that the compiler met a limit of its own and judged nothing.
    """

    message: str
    line: int
    column: int
    end_line: int
    end_column: int
    gave_up: bool = False


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """What stands around a block that does not compile: weak evidence for what it is.

    `before` is the code of the nearest Python block above in the same source, `distance` the number of lines between
    that block's end and this one's start (73 % of printed output starts within three, 16 % of code does), or `None`.
    """

    before: str = ""
    distance: int | None = None


# How many of `silent` a caller stands in.
_silenced = 0


@contextmanager
def silent() -> Iterator[list[warnings.WarningMessage]]:
    """Collect the compiler's warnings instead of printing them, whatever `-W` says."""
    global _silenced  # noqa: PLW0603 - the warnings module is as global as this
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        _silenced += 1
        try:
            yield caught
        finally:
            _silenced -= 1


def parse_silently(code: str) -> ast.Module | Failure:
    """`parse` for a caller that may not stand in `silent`; to enter it once more for each text costs time."""
    if _silenced:
        return parse(code)
    with silent():
        return parse(code)


def try_compile(code: str) -> Failure | None:
    """`None` where the text compiles as one module on this interpreter, else why it does not."""
    with silent():
        return compile_text(code)


def compile_text(code: str) -> Failure | None:
    """`try_compile` for a caller that already stands in `silent`."""
    if finally_explodes(code) or may_be_deep(code):
        tree = parse(code)
        return tree if isinstance(tree, Failure) else compile_tree(tree, code)
    try:
        compile(code, "<block>", "exec", dont_inherit=True, optimize=0)
    except Exception as error:  # noqa: BLE001  any exception of the compiler is a fact about the text
        failure = parse(code)
        # Where parsing already fails its place counts code points; code generation counts bytes.
        return failure if isinstance(failure, Failure) else _read(error, code, in_bytes=True)
    return None


def parse(code: str) -> ast.Module | Failure:
    """The text's tree; deeper than every supported interpreter can read counts as a failure on each of them."""
    try:
        tree = ast.parse(code, "<block>")
    except MemoryError as error:
        # Looking for what to say of some 750 pairs of words on a line, no operator between them, each parser gives up,
        # each at another number: of fewer all say that it is no Python, at the same place.
        fewer = _WORDS.sub(lambda found: found[1] + " " * len(found[2]), code)
        return _read(error, code, in_bytes=False) if fewer == code else parse(fewer)
    except Exception as error:  # noqa: BLE001  see compile_text
        return _read(error, code, in_bytes=False)
    if may_be_deep(code) and depth_of(tree) > MAX_DEPTH:
        return _gave_up()
    return tree


def compile_tree(tree: ast.Module, code: str) -> Failure | None:
    """Judge a tree of the text, perhaps put into another scope; `finally` bodies are taken out before code is made.

    The tree is changed and must not be used afterwards.
    """
    try:
        compile(hoist_finally(tree) if "finally" in code else tree, "<block>", "exec", dont_inherit=True, optimize=0)
    except Exception as error:  # noqa: BLE001  see compile_text
        return _read(error, code, in_bytes=True)
    return None


def _gave_up() -> Failure:
    return Failure(TOO_DEEP, 1, 1, 1, 1, gave_up=True)


def _read(error: Exception, code: str, *, in_bytes: bool) -> Failure:
    """The failure that an exception of the compiler means."""
    if isinstance(error, SyntaxError):
        if len(code) > MAX_BRACKETS and MAX_BRACKETS < bracket_depth(code) < BRACKETS_OF_CPYTHON:
            return _gave_up()
        return _read_syntax_error(error, code, in_bytes=in_bytes)
    if isinstance(error, UnicodeError):
        return _at_character("a lone surrogate is no text", code, re.search("[\ud800-\udfff]", code))
    if isinstance(error, ValueError) and "\0" in code:
        return _at_character("source code cannot contain null bytes", code, re.search("\0", code))
    if isinstance(error, RecursionError | MemoryError):
        return _gave_up()
    return Failure(f"{error}" or type(error).__name__, 1, 1, 1, 1)


def _at_character(message: str, code: str, found: re.Match[str] | None) -> Failure:
    offset = found.start() if found else 0
    line = code.count("\n", 0, offset) + 1
    column = offset - code.rfind("\n", 0, offset)
    return Failure(message, line, column, line, column + 1)


def _read_syntax_error(error: SyntaxError, code: str, *, in_bytes: bool) -> Failure:
    if error.lineno is None:
        return _at_character(error.msg, code, re.search("\0", code))
    lines = code.split("\n")
    if lines[-1] == "" and len(lines) > 1:
        lines.pop()
    line = min(max(error.lineno, 1), len(lines))
    text = lines[line - 1]
    if isinstance(error, IndentationError) and "expected an indented block" not in error.msg:
        # CPython's columns for these differ from kind to kind; what is wrong is the line's indent.
        width = _INDENT.match(text).end() + 1  # type: ignore[union-attr]  # the pattern matches nothing, too
        return Failure(error.msg, line, width, line, max(len(text.rstrip()), width) + 1)
    future = _FUTURE.search(text) if in_bytes else None
    if future:  # 3.11 counts the column of these from zero and gives no end
        return Failure(error.msg, line, future.start() + 1, line, future.end() + 1)
    column = _clip(error.offset or 1, text, in_bytes=in_bytes) if error.lineno == line else len(text) + 1
    end_line = min(max(error.end_lineno or line, line), len(lines))
    end_column = _clip(error.end_offset or 0, lines[end_line - 1], in_bytes=in_bytes)
    if (end_line, end_column) <= (line, column):
        end_line, end_column = line, min(column + 1, len(text) + 1)
    return Failure(error.msg, line, column, end_line, max(end_column, column) if end_line == line else end_column)


def _clip(offset: int, text: str, *, in_bytes: bool) -> int:
    """A 1-based column inside the line, turned from UTF-8 bytes into code points where need be."""
    if in_bytes and not text.isascii():
        offset = len(text.encode("utf-8", "surrogatepass")[: max(offset - 1, 0)].decode("utf-8", "replace")) + 1
    return min(max(offset, 1), len(text) + 1)
