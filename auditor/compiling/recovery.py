"""What can still be read of a text that does not compile: edits that keep its lines and leave a text with a tree.

Logical lines are hung under the nearest header further left and stand again at margins that agree; a line that cannot
be read alone becomes `pass`, a header that cannot be read keeps its name where it defines something. Every decision is
made by parsing small parts, never by the place or the words of an error, so that all interpreters recover the same.
"""

from collections.abc import Sequence

from auditor.compiling.compiler import silent
from auditor.compiling.damage import (
    DEFINITIONS,
    OF_CLASS,
    OWNERS,
    WORD,
    Node,
    final_colon,
    give_up,
    is_readable,
    parses,
)
from auditor.compiling.lines import is_header, logical_lines
from auditor.model import Diagnosis, Edit, apply_edits

# A larger text would cost more than its few recovered definitions are worth.
MAX_SIZE = 500_000

# Lines too far left, one after the other, that are taken for damage inside a suite rather than for its end.
_NEAR = 40


def recover(code: str, diagnoses: Sequence[Diagnosis] = ()) -> tuple[Edit, ...] | None:
    """Edits that leave a text with a tree and the same number of lines, or `None` where nothing can be kept.

    The tree may hold a `return` outside a function and the like, as the text may have. What a diagnosis calls output
    behind code is left out at once. No edits where the text has a tree already. Never raises.
    """
    if len(code) > MAX_SIZE or "\0" in code:
        return None
    with silent():
        if parses(code):
            return ()
        for diagnosis in diagnoses:
            if diagnosis.kind == "output-after-code":
                start = code.rfind("\n", 0, diagnosis.span.start) + 1
                if code[:start].strip() and parses(code[:start]):
                    return tuple(_blanks(code, start))
        return _Recovery(code).edits()


def _blanks(code: str, start: int) -> list[Edit]:
    """Edits that empty every line from an offset on."""
    edits = []
    for line in code[start:].split("\n"):
        if line:
            edits.append(Edit(start, start + len(line), ""))
        start += len(line) + 1
    return edits


class _Recovery:
    """The lines of a text, the tree that they make, and the edits that print it."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.starts = [0]
        for physical in code.split("\n"):
            self.starts.append(self.starts[-1] + len(physical) + 1)
        self.nodes: list[Node] = []
        self.top: list[Node] = []
        for line in logical_lines(code):
            word = WORD.match(line.text)
            node = Node(line, is_header(line.text), word[1] if word else "", line.indent)
            self.nodes.append(node)
            if not line.whole:
                give_up(node)

    def edits(self) -> tuple[Edit, ...] | None:
        """Give up what shows its damage; then what cannot be read alone; then clauses, and at last whole statements."""
        for damage in (self._nothing, self._unreadable, self._clauses, self._statements):
            damage()
            self._hang()
            edits = self._print()
            if parses(apply_edits(self.code, edits)):
                return None if all(node.lost for node in self.nodes) else tuple(edits)
        return None

    def _nothing(self) -> None:
        pass

    def _unreadable(self) -> None:
        for node in self.nodes:
            if not node.lost and not is_readable(node):
                give_up(node)

    def _clauses(self) -> None:
        for group in self._faulty():
            for node in group:
                if node.clause or node.word in {"try", "match", "@"}:
                    node.instead, node.header = "pass", False

    def _statements(self) -> None:
        for group in self._faulty():
            for node in group:
                node.instead, node.header = "pass", False

    def _faulty(self) -> list[list[Node]]:
        """The outermost statements that cannot be read as printed, each with all that belongs to it."""
        text = apply_edits(self.code, self._print()).split("\n")
        groups: list[list[Node]] = []
        for node in self.nodes:
            begins = node.parent is None and not node.clause
            if begins and not (groups and groups[-1][-1].word == "@"):
                groups.append([])
            if groups:
                groups[-1].append(node)
        return [group for group in groups if not parses("\n".join(text[group[0].line.first : group[-1].line.last + 1]))]

    def _hang(self) -> None:
        """Put every line under the nearest header further left, a clause beside the nearest that can own it."""
        self.top = []
        headers: list[Node] = []
        # The last header whose children stood so far right.
        holders: dict[int, Node] = {}
        for at, node in enumerate(self.nodes):
            node.children = []
            node.after = None
            node.indent = node.line.indent
            if not self._is_stray(at):
                while headers and headers[-1].indent >= node.indent:
                    headers.pop().closed = at
            if node.clause and not self._has_owner(node, headers):
                node.instead, node.header = "pass", False
            elif not node.lost and _departs(node, self._siblings(headers[-1] if headers else None)):
                self._return(at, headers, holders)
            self._adopt(node, headers[-1] if headers else None)
            if headers and len(headers[-1].children) == 1:
                holders[node.indent] = headers[-1]
            if node.header:
                headers.append(node)
        self._place()

    def _is_stray(self, at: int) -> bool:
        """Whether a line that cannot be read ends nothing, since what follows stands further right again."""
        node = self.nodes[at]
        if not node.lost or node.header:
            return False
        following = next((later for later in self.nodes[at + 1 : at + _NEAR] if not later.lost), None)
        return following is not None and following.indent > node.indent

    def _return(self, at: int, headers: list[Node], holders: dict[int, Node]) -> None:
        """Go back under a header that a few lines too far left have closed, and take them along."""
        node = self.nodes[at]
        holder = holders.get(node.indent)
        if headers and node.word not in DEFINITIONS:
            return  # the first of its siblings may be the one that stands too far right
        if holder is None or holder in headers:
            following = self.nodes[at + 1] if at + 1 < len(self.nodes) else None
            level = self._siblings(headers[-1])[0].indent if headers else 0
            if headers and node.header and following and (following.indent <= level or following.indent < node.indent):
                # Its suite tells where it belongs.
                while headers and headers[-1].indent >= following.indent:
                    headers.pop().closed = at
                if headers:
                    node.indent = headers[-1].indent
                    headers.pop().closed = at
            elif OF_CLASS.match(node.line.text):
                depth = max((depth for depth, header in enumerate(headers) if header.word == "class"), default=None)
                del headers[len(headers) if depth is None else depth + 1 :]
            return
        strays = self.nodes[holder.closed : at]
        ahead = self.nodes[at : at + len(strays) + 1]
        if len(strays) > _NEAR or any(later.indent < node.indent for later in ahead):
            return
        chain: list[Node] = []
        around: Node | None = holder
        while around is not None:
            chain.insert(0, around)
            around = around.parent
        inside = set(map(id, strays))
        outermost = [stray for stray in strays if stray.parent is None or id(stray.parent) not in inside]
        for stray in reversed(outermost):  # the last that their parents have adopted
            siblings = self._siblings(stray.parent)
            siblings.pop()
            if siblings:
                siblings[-1].after = None
        for stray in outermost:
            self._adopt(stray, holder)
        headers[:] = chain

    def _adopt(self, node: Node, parent: Node | None) -> None:
        node.parent = parent
        siblings = self._siblings(parent)
        if siblings:
            siblings[-1].after = node
        node.after = None
        siblings.append(node)

    def _siblings(self, parent: Node | None) -> list[Node]:
        return parent.children if parent else self.top

    def _has_owner(self, node: Node, headers: list[Node]) -> bool:
        """Find what owns a clause: the statement before it, else a header around it, which then ends there."""
        owners = OWNERS[node.word]
        if node.word == "case":
            return bool(headers) and headers[-1].word in owners
        siblings = self._siblings(headers[-1] if headers else None)
        if siblings and siblings[-1].word in owners and not siblings[-1].lost:
            return True
        for depth in range(len(headers) - 1, -1, -1):
            if headers[depth].word in owners and not headers[depth].lost:
                del headers[depth:]
                return True
        return False

    def _place(self) -> None:
        """Give children the margin of the first of them, if it can be one, else their parent's and four blanks."""
        inner: dict[int, str] = {}
        for node in self.nodes:
            parent = node.parent
            if parent is None:
                node.margin = ""
                continue
            if id(parent) not in inner:
                start = self.starts[node.line.first]
                own = self.code[start : start + node.line.margin]
                deeper = len(own) > len(parent.margin) and own.startswith(parent.margin) and "\f" not in own
                inner[id(parent)] = own if deeper else parent.margin + "    "
            node.margin = inner[id(parent)]

    def _print(self) -> list[Edit]:
        edits: list[Edit] = []
        for node in self.nodes:
            line = node.line
            start = self.starts[line.first]
            body = start + line.margin
            if self.code[start:body] != node.margin:
                edits.append(Edit(start, body, node.margin))
            hollow = node.header and not node.children
            instead = self._instead(node)
            if instead is None:
                if hollow:
                    at = body + final_colon(line.text)
                    edits.append(Edit(at, at, " pass"))
                continue
            edits.append(Edit(body, self.starts[line.first + 1] - 1, instead + (" pass" if hollow else "")))
            spans = [(self.starts[below], self.starts[below + 1] - 1) for below in range(line.first + 1, line.last + 1)]
            edits.extend(Edit(start, end, "") for start, end in spans if start < end)
        return edits

    def _instead(self, node: Node) -> str | None:
        """What stands for a line: itself (`None`), or less where it or what belongs to it is missing."""
        if node.lost:
            return node.instead
        if node.word == "match" and node.header and not any(child.clause for child in node.children):
            return "if 1:"
        after = node.after
        if node.word == "@":
            return None if after and after.word in DEFINITIONS else "pass"
        if node.word == "try" and not (after and after.clause and after.word in {"except", "finally"}):
            return "if 1:" if node.header else "pass"
        return None


def _departs(node: Node, siblings: list[Node]) -> bool:
    """Whether a line stands elsewhere than the first of its siblings."""
    return bool(siblings) and siblings[0].indent != node.indent
