"""Pieces of code in a source, what was made of them, and why."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from auditor.model.mapping import MappedText
from auditor.model.text import Edit, Span

BlockKind = Literal["fence", "file", "cell", "doctest", "indented", "docstring"]
Context = Literal[
    "module", "class-body", "method", "function-body", "loop-body", "async",
    "session", "notebook", "continuation", "fragment",
]  # fmt: skip
Verdict = Literal[
    "compiles", "compiles-in-context", "compiles-elided", "newer-python", "broken", "not-python", "skipped"
]
Adjustment = Literal["margin", "magics", "prompt", "async", "function", "loop", "elision", "placeholder"]

# What a diagnosis says beside its kind: words, numbers, and spans, which a message shows as a line of the user's file.
Argument = str | int | Span


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Why a block does not compile, or what a careful reader would remark of it.

    `kind` is kebab-case and the id of the rule under `rules/fences/` that words it. `detail` is CPython's message.
    `repair` is set only where those edits prove the diagnosis. Offsets are the code's while it is diagnosed and the
    source's from `through` on.
    """

    kind: str
    span: Span
    arguments: Mapping[str, Argument] = field(default_factory=dict)
    detail: str | None = None
    repair: tuple[Edit, ...] | None = None

    def through(self, code: MappedText) -> "Diagnosis":
        """The same diagnosis with the code's offsets turned into the source's."""

        def located(argument: Argument) -> Argument:
            return code.locate(argument.start, argument.end) if isinstance(argument, Span) else argument

        repair = None
        if self.repair is not None:
            spans = [(code.locate(edit.start, edit.end), edit.replacement) for edit in self.repair]
            repair = tuple(Edit(span.start, span.end, replacement) for span, replacement in spans)
        return Diagnosis(
            self.kind,
            code.locate(self.span.start, self.span.end),
            {name: located(argument) for name, argument in self.arguments.items()},
            self.detail,
            repair,
        )


@dataclass(frozen=True, slots=True)
class Suppression:
    """Somebody's word that some findings are meant: `rules` are ids, or `*` for all; `where` is how it was said.

    `span` is the mark itself; `covers` is what it speaks for.
    """

    rules: tuple[str, ...]
    reason: str
    where: Literal["comment", "code", "attribute", "path"]
    span: Span
    covers: Span


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of code in a source.

    `info` is the info string as written, `language` its normal form (`python`, `pycon`, `ipython`), `attributes` what
    else it says. `container` names what the block stands in, outermost first (`list`, `quote`, `admonition`, `tab`, …),
    `heading` the headings above it, outermost first. `span` runs from the opener's first mark to the closer's end.
    `skip` is the reason why the body is not judged as Python (labelled output). `structure` are the faults of the fence
    itself, in the source's offsets. `marks` are explicit words of the authors: `id`, `implements`.
    """

    kind: BlockKind
    info: str
    language: str
    attributes: Mapping[str, str]
    container: tuple[str, ...]
    heading: tuple[str, ...]
    code: MappedText
    span: Span
    closed: bool = True
    skip: str | None = None
    structure: tuple[Diagnosis, ...] = ()
    marks: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NotAudited:
    """Something that may hold Python and was not audited, with its reason: nothing is passed over in silence."""

    kind: str
    span: Span
    reason: str


@dataclass(frozen=True, slots=True)
class Extraction:
    """What one source holds: blocks in order, what was left out, and the suppressions written in its prose.

    `faults` are those of marks that no block has part in, in the source's offsets.
    """

    blocks: tuple[Block, ...]
    not_audited: tuple[NotAudited, ...] = ()
    suppressions: tuple[Suppression, ...] = ()
    faults: tuple[Diagnosis, ...] = ()


@dataclass(frozen=True, slots=True)
class Compilation:
    """The answer to "is this Python, and where does it belong?".

    `code` is the text that compiled, after every adjustment, mapped to the source; rules are matched on it. Of a block
    that does not compile it holds what could be recovered, with `recovered` set, or is `None`. `needs_python` is the
    oldest version that reads the code, where that is newer than 3.8. `by_target` gives the verdict for each target.
    `diagnoses` are in the source's offsets, defects before notes, then by position. `reason` says why a block is
    `skipped`.
    """

    verdict: Verdict
    context: Context | None
    adjustments: tuple[Adjustment, ...] = ()
    code: MappedText | None = None
    needs_python: str | None = None
    by_target: Mapping[str, Verdict] = field(default_factory=dict)
    diagnoses: tuple[Diagnosis, ...] = ()
    reason: str | None = None
    recovered: bool = False
