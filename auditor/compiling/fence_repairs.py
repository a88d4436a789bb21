"""Repairs outside of the code: another label, a split, longer marks, a closer, code moved off the opener's line."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from auditor.model import Block, Compilation, Diagnosis, Edit, Source, Span

_MARKS = re.compile(r"`{3,}|~{3,}")
# A label that is only a label: `python`, `py title=…`, `{.python .annotate}`. What is run (`{python}`) is not touched.
_LABEL = re.compile(r"[ \t]*(?:\{[ \t]*\.)?(?P<word>[A-Za-z][\w+#-]*)(?=[\s,{}.:]|$)")
_LINE_END = re.compile(r"\r\n|\n|\r")
# What is audited under another name is not lost.
_PYTHON_LABELS = frozenset({"pycon", "ipython"})
_KEPT_IN_PREFIX = frozenset(" \t>")


def with_fence_repairs(source: Source, block: Block, answer: Compilation) -> tuple[Diagnosis, ...]:
    """An answer's diagnoses, in the source's offsets, with a repair where an edit of the fence mends them."""
    diagnoses = answer.diagnoses
    if block.kind != "fence":
        return diagnoses
    fence: _Fence | None = None
    found = []
    for said in diagnoses:
        make = _REPAIRS.get(said.kind)
        if make is _relabel and answer.verdict != "not-python":
            make = None  # one example of a session may be output; the label is right for the others
        if make is not None and said.repair is None and said.span.path is None:
            fence = fence or _Fence.of(source, block)
            code = _code_behind(source, block, said)
            if code is not None:
                found.append(replace(said, arguments={**said.arguments, "code": code}))
                continue
            edits = make(fence, said) if fence is not None else None
            found.append(said if edits is None else replace(said, repair=edits))
        else:
            found.append(said)
    return tuple(found)


def _code_behind(source: Source, block: Block, said: Diagnosis) -> Span | None:
    """The first line of code that the label of a diagnosis would take out of the audit; `None` where there is none."""
    label = said.arguments.get("label")
    if not isinstance(label, str) or label in _PYTHON_LABELS:
        return None
    from auditor.compiling.diagnoses.held_code import held_code  # noqa: PLC0415 - few fences are relabelled or split

    text = block.code.text
    start = 0
    if _REPAIRS[said.kind] is _split:
        line = source.position(said.span.start).line
        while start < len(text) and source.position(block.code.locate(start).start).line < line:
            start = text.find("\n", start) + 1 or len(text)
    at = held_code(text[start:], label)
    return None if at is None else block.code.locate(start + at)


@dataclass(frozen=True, slots=True)
class _Fence:
    """A fence's opener: its marks and the prefix of its lines, of which only quote marks and blanks go on below it."""

    source: Source
    block: Block
    marks: str
    prefix: str

    @classmethod
    def of(cls, source: Source, block: Block) -> "_Fence | None":
        marks = _MARKS.match(source.text, block.span.start)
        if marks is None:
            return None
        before = source.text[source.line_starts[source.position(block.span.start).line - 1] : block.span.start]
        prefix = "".join(character if character in _KEPT_IN_PREFIX else " " for character in before)
        return cls(source, block, marks[0], prefix)

    @property
    def newline(self) -> str:
        """The line end of the opener, for lines that are put in."""
        found = _LINE_END.search(self.source.text, self.block.span.start)
        return found[0] if found else "\n"


_Repair = Callable[[_Fence, Diagnosis], tuple[Edit, ...] | None]


def _relabel(fence: _Fence, said: Diagnosis) -> tuple[Edit, ...] | None:
    """The label that the diagnosis names instead of the one that says Python."""
    label = said.arguments.get("label")
    start = fence.block.span.start + len(fence.marks)
    end = _LINE_END.search(fence.source.text, start)
    found = _LABEL.match(fence.source.text, start, end.start() if end else len(fence.source.text))
    if not isinstance(label, str) or found is None or not fence.block.closed:
        return None
    return (Edit(found.start("word"), found.end("word"), label),)


def _split(fence: _Fence, said: Diagnosis) -> tuple[Edit, ...] | None:
    """Two fences, the second for what was printed, where the first one compiles without it."""
    label = said.arguments.get("label")
    at = fence.source.line_starts[fence.source.position(said.span.start).line - 1]
    if not isinstance(label, str) or not fence.block.closed:
        return None
    lines = (f"{fence.prefix}{fence.marks}", fence.prefix.rstrip(), f"{fence.prefix}{fence.marks}{label}", "")
    return (Edit(at, at, fence.newline.join(lines)),)


def _lengthen(fence: _Fence, said: Diagnosis) -> tuple[Edit, ...] | None:
    """Marks one longer at both ends, where the true end is known."""
    opener, end, longer = (said.arguments.get(name) for name in ("opener", "end", "longer"))
    if not isinstance(opener, Span) or not isinstance(end, Span) or not isinstance(longer, str):
        return None
    if fence.source.text[opener.start : opener.end] != fence.marks:
        return None
    return Edit(opener.start, opener.end, longer), Edit(end.start, end.end, longer)


def _close(fence: _Fence, said: Diagnosis) -> tuple[Edit, ...] | None:
    """The opener's own marks instead of wrong ones, or at the end of a page that only the fence fills."""
    closer = said.arguments.get("closer")
    text, span = fence.source.text, fence.block.span
    if isinstance(closer, Span):
        inside = span.start < closer.start and closer.end <= span.end
        return (Edit(closer.start, closer.end, fence.marks),) if inside else None
    if "swallowed" in said.arguments or fence.block.closed or text[span.end :].strip():
        return None
    end = len(text)
    lead = "" if text.endswith(("\n", "\r")) else fence.newline
    return (Edit(end, end, f"{lead}{fence.prefix}{fence.marks}{fence.newline}"),)


def _move_down(fence: _Fence, said: Diagnosis) -> tuple[Edit, ...] | None:
    """Code of the opener's line on a line of its own."""
    text, start = fence.source.text, said.span.start
    blanks = start
    while text[blanks - 1] in " \t":
        blanks -= 1
    return (Edit(blanks, start, f"{fence.newline}{fence.prefix}"),) if blanks < start else None


# Each diagnosis that an edit of the fence mends; the edits of the code are its own diagnosis's business.
_REPAIRS: Mapping[str, _Repair] = {
    "printed-output": _relabel,
    "shell-in-python": _relabel,
    "wrong-language": _relabel,
    "prose-in-fence": _relabel,
    "diff-markers": _relabel,
    "output-after-code": _split,
    "session-after-code": _split,
    "fence-closed-early": _lengthen,
    "unclosed-fence": _close,
    "code-on-info-line": _move_down,
}
