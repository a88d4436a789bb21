"""Pattern text to a template: a tree like the code's own, in which some nodes stand for anything of a kind.

Kinds that only templates have: `Mv` (`$X`), `Dots` (`...`), `MvDots` (`$...X`), `Deep` (`<... e ...>`), `Chain`
(`a. ...`), `Typed` (`$X: T`), `AnyStr` (`"..."`), `MvStr` (`"$X"`), `ReStr` (`"=~/re/"`), `MvStmt` and `DotsStmt` (in
statements' place).
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from textwrap import dedent

import libcst as cst

from auditor.matching.guard import refused_pattern
from auditor.matching.lowering import lower
from auditor.matching.pattern_text import CHAIN, DEEP, DOTS, METAVARIABLE, SEQUENCE, TYPED, python_of
from auditor.matching.tree import ASSIGNMENTS, Node, Tree

_MV_TEXT = re.compile(r"\$([A-Z_][A-Z_0-9]*|[0-9]+)\Z")
_MVS_TEXT = re.compile(r"\$\.\.\.([A-Z_][A-Z_0-9]*)\Z")
_RE_TEXT = re.compile(r"=~/(.*)/([im]*)\Z", re.DOTALL)
_DECORATED = f"\ndef {METAVARIABLE}_({DOTS}):\n  {DOTS}\n"
_ANY_TEXT = re.compile(r"\.\.\.\Z")


class PatternError(ValueError):
    """A pattern that is no Python; `line` (1-based) and `column` (1-based) lie in the pattern's text."""

    def __init__(self, message: str, line: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


@dataclass(frozen=True, slots=True, eq=False)
class Pattern:
    """A parsed pattern: one expression, one statement, or several.

    `form` is "expression" (also an assignment), "statement", "statements" or "decorator". `words` are names that any
    text that it matches must hold.
    """

    text: str
    form: str
    nodes: tuple[Node, ...]
    tree: Tree
    words: frozenset[str]


@lru_cache(maxsize=20_000)
def parse_pattern(text: str) -> Pattern:
    """Parse a pattern; raises `PatternError`."""
    python = dedent(python_of(text)).strip("\n ") + "\n"
    reason = refused_pattern(python)
    if reason is not None:
        raise PatternError(f"is {reason}")
    failure: PatternError | None = None
    for attempt in _completions(python):
        try:
            module = cst.parse_module(attempt)
            tree = lower(module, attempt)
        except cst.ParserSyntaxError as error:
            failure = failure or PatternError("is no Python", error.raw_line, error.raw_column + 1)
        except Exception as error:  # noqa: BLE001 - libcst fails in many ways on what is no Python
            failure = failure or PatternError(f"cannot be read ({' '.join(str(error).split())})")
        else:
            return _template(text, tree, decorator=attempt.endswith(_DECORATED))
    raise failure or PatternError("is empty")


def pattern_of(text: str) -> Pattern | None:
    """The pattern of a text; `None` where it is none."""
    try:
        return parse_pattern(text)
    except PatternError:
        return None


def _completions(python: str) -> Iterator[str]:
    """The text, and the ways to complete it where it is a part of a statement."""
    yield python
    stripped = python.rstrip()
    if stripped.endswith(":"):
        yield f"{stripped}\n  {DOTS}\n"
        if stripped.startswith(("else", "except", "finally")):
            yield f"try:\n  {DOTS}\n{stripped}\n  {DOTS}\n"
    else:
        yield f"{stripped}:\n  {DOTS}\n"
    if stripped.startswith("@"):
        yield f"{stripped}{_DECORATED}"
    if stripped.startswith(("except", "finally")):
        yield f"try:\n  {DOTS}\n{stripped}\n"
    if stripped.startswith(("elif", "else")):
        yield f"if {DOTS}:\n  {DOTS}\n{stripped}\n"


def _template(text: str, tree: Tree, *, decorator: bool) -> Pattern:
    for node in tree.nodes:
        _rewrite(node)
    unasked = {id(part) for node in tree.of_kind("Call") if node.kind == "Typed" for part in tree.within(node.kids[1])}
    words = words_of(node for node in tree.nodes if id(node) not in unasked)
    statements = tree.root.kids
    if not statements:
        raise PatternError("is empty")
    only = statements[0]
    if decorator and only.kind == "Def" and len(only.kids) == 5:
        return Pattern(text, "decorator", only.kids[4].kids, tree, words)
    if len(statements) > 1:
        return Pattern(text, "statements", statements, tree, words)
    if only.kind == "ExprStmt":
        return Pattern(text, "expression", (only.kids[0],), tree, words)
    if only.kind == "MvStmt":
        only.kind = "Mv"
        return Pattern(text, "expression", (only,), tree, words)
    if only.kind == "DotsStmt":
        only.kind = "Dots"
        return Pattern(text, "expression", (only,), tree, words)
    form = "expression" if only.kind in ASSIGNMENTS else "statement"
    return Pattern(text, form, (only,), tree, words)


def words_of(nodes: Iterable[Node]) -> frozenset[str]:
    """The names among some nodes of a template."""
    words: set[str] = set()
    for node in nodes:
        if node.kind in {"Name", "Ident"}:
            words.add(node.value)
        elif node.kind in {"Dotted", "ImportFrom"}:
            words.update(part for part in node.value.split(".") if part and not part.startswith(METAVARIABLE))
    return frozenset(words)


def _rewrite(node: Node) -> None:
    """Turn one node into what it stands for; its children are done already."""
    kind = node.kind
    if kind in {"Name", "Ident"}:
        _rewrite_name(node)
    elif kind == "Str":
        _rewrite_string(node)
    elif kind == "FText":
        _rewrite_text(node)
    elif (kind in {"Star", "DStar"} and node.kids[0].kind in {"Dots", "MvDots"}) or (
        kind == "Param" and node.kids[0].kind in {"Dots", "MvDots"} and not node.value
    ):
        node.kind, node.value, node.kids = node.kids[0].kind, node.kids[0].value, ()
    elif kind == "Call" and node.kids[0].kind == "Name" and node.kids[0].value == DEEP and len(node.kids) == 2:
        node.kids[0].kind = "Dropped"
        node.kind, node.kids = "Deep", node.kids[1:]
    elif kind == "Call" and node.kids[0].kind == "Name" and node.kids[0].value == TYPED and len(node.kids) == 3:
        node.kids[0].kind = "Dropped"
        node.kind, node.kids = "Typed", node.kids[1:]
    elif kind == "Attr" and node.kids[1].value == CHAIN:
        node.kind, node.kids = "Chain", node.kids[:1]
    elif kind == "ExprStmt" and node.kids[0].kind == "Dots":
        node.kind, node.kids = "DotsStmt", ()
    elif kind == "ExprStmt" and node.kids[0].kind == "Mv":
        node.kind, node.value, node.kids = "MvStmt", node.kids[0].value, ()
    elif kind == "ExprStmt" and node.kids[0].kind == "MvDots":
        node.kind, node.value, node.kids = "MvDotsStmt", node.kids[0].value, ()


def _rewrite_name(node: Node) -> None:
    value = node.value
    if value.startswith(METAVARIABLE):
        node.kind, node.value = "Mv", "$" + value[len(METAVARIABLE) :]
    elif value.startswith(SEQUENCE):
        node.kind, node.value = "MvDots", "$..." + value[len(SEQUENCE) :]
    elif value == DOTS:
        node.kind, node.value = "Dots", ""
    elif value == CHAIN:
        node.kind = "Chained"


def _rewrite_string(node: Node) -> None:
    if _ANY_TEXT.match(node.value):
        node.kind = "AnyStr"
    elif found := _MV_TEXT.match(node.value):
        node.kind, node.value = "MvStr", "$" + found[1]
    elif found := _MVS_TEXT.match(node.value):
        node.kind, node.value = "MvStr", "$..." + found[1]
    elif found := _RE_TEXT.match(node.value):
        node.kind, node.value = "ReStr", ("(?i)" if "i" in found[2] else "") + found[1]


def _rewrite_text(node: Node) -> None:
    """The text between the holes of an f-string."""
    if _ANY_TEXT.match(node.value):
        node.kind, node.value = "Dots", ""
    elif found := _MV_TEXT.match(node.value):
        node.kind, node.value = "Mv", "$" + found[1]


@lru_cache(maxsize=20_000)
def metavariables_in(pattern: Pattern) -> frozenset[str]:
    """The metavariables that stand for what is written; `"$X"` may stand for a string that is put together."""
    contents = {node.value for node in pattern.tree.nodes if node.kind == "MvStr"}
    return frozenset(node.value for node in pattern.tree.nodes if node.kind in {"Mv", "MvStmt"}) - contents
