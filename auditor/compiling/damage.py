"""One logical line of damaged text: whether it can be read alone, and the least that can stand for it."""

import keyword
import re
from dataclasses import dataclass, field

from auditor.compiling.compiler import Failure, parse
from auditor.compiling.lines import Line
from auditor.compiling.newer import rewrite_newer

DEFINITIONS = frozenset({"def", "class", "@"})
# What can own a clause, by the word that opens it.
OWNERS = {
    "elif": frozenset({"if", "elif"}),
    "else": frozenset({"if", "elif", "for", "while", "except"}),
    "except": frozenset({"try", "except"}),
    "finally": frozenset({"try", "except", "else"}),
    "case": frozenset({"match"}),
}
# What a clause needs in front of it, and `try`, `match` and a decorator behind them, to be read alone.
_BEFORE = {"elif": "if 1: 1\n", "else": "if 1: 1\n", "except": "try: 1\n", "finally": "try: 1\n", "case": "match 1:\n "}
_BEHIND = {"try": " 1\nfinally: 1", "match": "\n case 1: 1", "@": "\ndef f(): 1"}
WORD = re.compile(r"(?:async\s+)?(\w+|@)")
_DEFINES = re.compile(r"(?:async\s+)?(?:def\s+[^\W\d]\w*\s*[(\[]|class\s+[^\W\d]\w*\s*(?:[(:\[]|\Z))")
_NAMED = re.compile(r"(?:async\s+)?(def|class)\s+\w+")
OF_CLASS = re.compile(r"(?:async\s+)?def\s+\w+\s*\(\s*(?:self|cls)\b")
_BINDS = re.compile(r"([^\W\d]\w*)\s*=(?!=)")
_CASE = re.compile(r"case\b(?!\s*[=.,)\]:]).*:", re.DOTALL)
_FINAL_COLON = re.compile(r":(?=[ \t]*(?:#.*)?\Z)")


def parses(text: str) -> bool:
    """Whether the text has a tree on this host, its newer syntax put in older words where need be."""
    if not isinstance(parse(text), Failure):
        return True
    older = rewrite_newer(text)
    return older != text and not isinstance(parse(older), Failure)


@dataclass(slots=True, eq=False)
class Node:
    """A logical line in its place in the tree.

    `instead` stands for it where it cannot be read. `margin` is what it is printed behind; at the node numbered
    `closed` its suite ended.
    """

    line: Line
    header: bool
    word: str
    indent: int = 0
    instead: str | None = None
    parent: "Node | None" = None
    after: "Node | None" = None
    children: "list[Node]" = field(default_factory=list)
    margin: str = ""
    closed: int = 0

    @property
    def lost(self) -> bool:
        """Whether something else stands for the line."""
        return self.instead is not None

    @property
    def clause(self) -> bool:
        """Whether the line goes on with a statement before it."""
        return self.instead is None and self.word in OWNERS and (self.word != "case" or _is_case(self.line.text))


def _is_case(text: str) -> bool:
    return _CASE.match(text) is not None


def final_colon(text: str) -> int:
    """The offset behind the colon that ends a header; the text's end where there is none."""
    found = _FINAL_COLON.search(text, text.rfind("\n") + 1)
    return found.end() if found else len(text)


def give_up(node: Node) -> None:
    """Put in the place of what cannot be read the least that can: a definition's name, a binding, or `pass`."""
    text = node.line.text
    named = _NAMED.match(text)
    binds = _BINDS.match(text)
    node.header = False
    if named and _DEFINES.match(text):
        node.instead = named[0] + ("(*_, **__):" if named[1] == "def" else ":")
        node.header = True
    elif binds and not keyword.iskeyword(binds[1]):
        node.instead = f"{binds[1]} = ..."
    else:
        node.instead = "pass"


def is_readable(node: Node) -> bool:
    """Whether a line has a tree by itself, with what its kind needs around it."""
    behind = _BEHIND.get(node.word, " 1" if node.header else "")
    if node.word in {"try", "match"} and not node.header:
        behind = ""
    text = node.line.text
    colon = final_colon(text) if node.header else len(text)
    text = text[:colon] + behind + text[colon:] if node.header else text + behind
    return parses((_BEFORE[node.word] if node.clause else "") + text)
