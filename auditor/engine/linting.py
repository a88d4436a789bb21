"""What a linter says of fences, as findings at their places: names of the page and of its files are known to it."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from auditor.audited import BlockAudit, SourceAudit, fingerprinted
from auditor.configuration import Book, path_matcher
from auditor.engine.ruff import Key, Remark, Ruff, Snippet
from auditor.model import Adjustment, Context, Finding, MappedText, Severity, Source
from auditor.project.books import Home, shelve
from auditor.structure.names import names

PREFIX = "ruff:"
_COMPILES = frozenset({"compiles", "compiles-in-context", "compiles-elided", "newer-python"})
# What is no fault of a fence that was written for such a place.
_BY_ADJUSTMENT: Mapping[Adjustment, frozenset[str]] = {
    "async": frozenset({"F704", "PLE1142", "invalid-syntax"}),
    "function": frozenset({"F704", "F706", "PLE0117", "invalid-syntax"}),
    "loop": frozenset({"F701", "F702", "invalid-syntax"}),
    "prompt": frozenset({"B018"}),
    "magics": frozenset({"B018", "E703"}),
}
# In these a free name is a parameter or a local of what was left out.
_INSIDE: frozenset[Context | None] = frozenset({"method", "function-body", "loop-body", "continuation", "fragment"})
_UNDEFINED, _UNUSED_IMPORT = "F821", "F401"
# What a block that nothing can read may define, by its words.
_DEFINED = re.compile(
    r"\b(?:def|class|import|as|for)[ \t]+([^\W\d]\w*)|^[ \t]*([^\W\d]\w*)[ \t]*(?:=|:[^\n]*=)", re.MULTILINE
)

# A page with more code beside it that is not audited, in characters, is not asked for undefined names.
_MOST_OF_OTHERS = 5_000_000


@dataclass(slots=True)
class Linter:
    """Adds ruff's findings to audits; what ruff said of a text is remembered, so that a base costs only what differs.

    `others` are Python files that are not audited, where only some files are, and `text_of` gives their texts.
    `severities` gives a rule's severity by id (`ruff:F821`, or `ruff` for all); the default is an error.
    """

    ruff: Ruff
    books: Sequence[Book] = ()
    severities: Mapping[str, Severity] = field(default_factory=dict)
    wanted: Callable[[str], bool] = lambda _rule: True
    others: Sequence[str] = ()
    text_of: Callable[[str], str | None] = lambda _path: None
    _said: dict[Key, tuple[Remark, ...]] = field(default_factory=dict)

    def add(self, audits: Sequence[SourceAudit], source_of: Callable[[str], Source | None]) -> tuple[SourceAudit, ...]:
        """The audits with the linter's findings among theirs. Raises `LinterError`.

        `source_of` gives a page's text again, for the places.
        """
        pages = [audit for audit in audits if any(block.block.kind != "file" for block in audit.blocks)]
        snippets = [snippet for audit in pages for snippet in _snippets(audit)]
        self._said |= self.ruff.check(
            [snippet for snippet in snippets if (snippet.path, snippet.code) not in self._said]
        )
        known = _Known(audits, self.books, self.others, self.text_of)
        return tuple(self._with_findings(audit, known, source_of) for audit in audits)

    def _with_findings(
        self, audit: SourceAudit, known: "_Known", source_of: Callable[[str], Source | None]
    ) -> SourceAudit:
        kept = [
            (snippet.index, remark)
            for snippet in _snippets(audit)
            for remark in self._said.get((snippet.path, snippet.code), ())
            if self.wanted(PREFIX + remark.code) and known.is_fault(remark, audit, snippet)
        ]
        source = source_of(audit.path) if kept else None
        if source is None:
            return audit
        texts = {source.path: source.text} | {
            target.path: target.text for target in source.includes.values() if isinstance(target, Source)
        }
        found = [
            self._finding(remark, audit.blocks[index], index, source)
            for index, remark in kept
            if _stands_there(remark, audit.blocks[index], source.path, texts)
        ]
        findings = fingerprinted(sorted(found, key=_order), audit.blocks)
        return replace(audit, findings=tuple(sorted((*audit.findings, *findings), key=_order)))

    def _finding(self, remark: Remark, block: BlockAudit, index: int, source: Source) -> Finding:
        code = _code(block)
        place = source.place(code.locate(remark.start, remark.end))
        rule = PREFIX + remark.code
        severity = self.severities.get(rule, self.severities.get(PREFIX.rstrip(":"), "error"))
        elsewhere = None if place.path == source.path else source.path
        return Finding(rule, severity, place, remark.message, index, source=elsewhere)


def native(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """The findings that no linter added."""
    return tuple(finding for finding in findings if not finding.rule.startswith(PREFIX))


def _order(finding: Finding) -> tuple[str, int, int, str]:
    return finding.place.path, finding.place.start, finding.place.end, finding.rule


def _snippets(audit: SourceAudit) -> Iterator[Snippet]:
    for index, block in enumerate(audit.blocks):
        compilation = block.compilation
        if block.block.kind != "file" and compilation.verdict in _COMPILES and compilation.code is not None:
            text = compilation.code.text
            yield Snippet(audit.path, index, text if text.endswith("\n") or not text else text + "\n")


def _code(block: BlockAudit) -> MappedText:
    code = block.compilation.code
    if code is None:
        raise ValueError("only a block that compiles is linted")
    return code


def _stands_there(remark: Remark, block: BlockAudit, page: str, texts: Mapping[str, str]) -> bool:
    """Whether the text that a remark is about is the author's own, and not what stands for an elision or a margin."""
    code = _code(block)
    line = code.text.find("\n", remark.start)
    end = min(remark.end, line if line >= 0 else len(code.text))
    span = code.locate(remark.start, end)
    text = texts.get(span.path or page)
    return text is not None and text[span.start : span.end] == code.text[remark.start : end]


def _by_words(text: str) -> Iterator[str]:
    """The names that a text may define, by its words alone."""
    return (name for groups in _DEFINED.findall(text) for name in groups if name)


class _Known:
    """The names that a page, its files and its book define."""

    def __init__(
        self,
        audits: Sequence[SourceAudit],
        books: Sequence[Book],
        others: Sequence[str],
        text_of: Callable[[str], str | None],
    ) -> None:
        self._text_of = text_of
        self._audits = {audit.path: audit for audit in audits}
        self._books = [(path_matcher(book.pages), book) for book in books]
        files = {audit.path for audit in audits if any(block.block.kind == "file" for block in audit.blocks)}
        pages = [audit.path for audit in audits if audit.path not in files]
        self._homes: Mapping[str, Home] = shelve(pages, sorted(files.union(others)), books).homes
        self._defined: dict[str, frozenset[str] | None] = {}

    def is_fault(self, remark: Remark, audit: SourceAudit, snippet: Snippet) -> bool:
        """Whether a remark is one about the page, and not only about a fence that is looked at alone."""
        compilation = audit.blocks[snippet.index].compilation
        if any(remark.code in _BY_ADJUSTMENT.get(adjustment, ()) for adjustment in compilation.adjustments):
            return False
        words = snippet.code[remark.start : remark.end]
        if remark.code == _UNDEFINED:
            defined = self.on(audit)
            inside = compilation.context in _INSIDE or (
                compilation.context == "class-body" and words in {"self", "cls"}
            )
            return not inside and defined is not None and words not in defined
        if remark.code == _UNUSED_IMPORT:
            bound = words.rpartition(" as ")[2].partition(".")[0].strip()
            return not any(
                block.names is not None and any(need.name == bound for need in block.names.needs)
                for index, block in enumerate(audit.blocks)
                if index != snippet.index
            )
        return True

    def on(self, audit: SourceAudit) -> frozenset[str] | None:
        """The names defined on a page or in its files; `None` where a star import may define any name."""
        if audit.path not in self._defined:
            self._defined[audit.path] = self._names(audit)
        return self._defined[audit.path]

    def _names(self, audit: SourceAudit) -> frozenset[str] | None:
        found: set[str] = set()
        home = self._homes.get(audit.path, Home())
        room = _MOST_OF_OTHERS
        for path in home.files:
            if path not in self._audits:
                text = self._text_of(path) or ""
                room -= len(text)
                if room < 0:
                    return None
                found.update(_by_words(text))
        read = (block for path in home.files if path in self._audits for block in self._audits[path].blocks)
        for block in (*audit.blocks, *read):
            if block.names is None or block.compilation.recovered:
                found.update(_by_words(block.block.code.text))
            if block.names is not None:
                if block.names.stars and block.block.kind != "file":
                    return None
                found.update(block.names.binds)
        for matches, book in self._books:
            if matches(audit.path):
                setup = names(book.setup) if book.setup else None
                found.update(book.names, setup.binds if setup is not None else ())
        return frozenset(found)
