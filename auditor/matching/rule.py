"""A rule as the rest of the tool sees it: what to match, how to say it, how to fix it; frozen values without libcst."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from auditor.model import Severity


@dataclass(frozen=True, slots=True)
class Leaf:
    """One pattern."""

    pattern: str


@dataclass(frozen=True, slots=True)
class RegexLeaf:
    """A regex over the text."""

    regex: str


@dataclass(frozen=True, slots=True)
class CommentLeaf:
    """Statements that `on` matches and that a comment (in them, behind them, or right above) belongs to."""

    regex: str
    on: "Formula"


@dataclass(frozen=True, slots=True)
class Any:
    """Any of some clauses: `pattern-either`."""

    parts: "tuple[Formula, ...]"


@dataclass(frozen=True, slots=True)
class Inside:
    """Only where it lies inside: `pattern-inside`."""

    part: "Formula"


@dataclass(frozen=True, slots=True)
class Not:
    """Not where exactly this is: `pattern-not`; with `inside` not within it: `pattern-not-inside`."""

    part: "Formula"
    inside: bool = False


@dataclass(frozen=True, slots=True)
class MetavariableRegex:
    """What the metavariable stands for begins with the regex."""

    metavariable: str
    regex: str
    constants: bool = False


@dataclass(frozen=True, slots=True)
class MetavariablePattern:
    """What the metavariable stands for holds the clause."""

    metavariable: str
    part: "Formula"
    language: str | None = None


@dataclass(frozen=True, slots=True)
class MetavariableComparison:
    """A comparison in Python's own syntax that the metavariable's value makes true."""

    comparison: str
    metavariable: str | None = None
    strip: bool = False
    base: int | None = None


@dataclass(frozen=True, slots=True)
class MetavariableType:
    """The metavariable has one of some types, as far as annotations and literals say."""

    metavariable: str
    types: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MetavariableAnalysis:
    """What the metavariable stands for looks like a secret (`entropy`) or is a slow regex (`redos`)."""

    metavariable: str
    analyzer: str


Condition = MetavariableRegex | MetavariablePattern | MetavariableComparison | MetavariableType | MetavariableAnalysis


@dataclass(frozen=True, slots=True)
class All:
    """All of some clauses, then the conditions, then the focus: `patterns`."""

    parts: "tuple[Formula, ...]" = ()
    conditions: tuple[Condition, ...] = ()
    focus: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One clause of a sequence, under its label (`as:`; `STEP1`, `STEP2`, … where none is given).

    A step that may stand `anywhere` in the text (`in: file`) has no part in the order.
    """

    label: str
    part: "Formula"
    anywhere: bool = False


@dataclass(frozen=True, slots=True)
class Where:
    """One predicate on the labelled hits of a sequence: its name, and its arguments as they are written."""

    name: str
    arguments: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Sequence:
    """Clauses in order along the control flow of one function, the predicates on them, and what to report."""

    steps: tuple[Step, ...]
    where: tuple[Where, ...] = ()
    conditions: tuple[Condition, ...] = ()
    at: str | None = None


Formula = Leaf | RegexLeaf | CommentLeaf | Any | Inside | Not | All | Sequence


@dataclass(frozen=True, slots=True)
class Source:
    """Where taint begins, ends up, or is taken away; `exact` means the place itself and not what is inside it.

    `not_conflicting` leaves out the places of a sanitizer that are a source or a sink, too.
    """

    part: Formula
    exact: bool = False
    by_side_effect: bool = False
    not_conflicting: bool = False
    label: str | None = None
    requires: str | None = None


@dataclass(frozen=True, slots=True)
class Propagator:
    """A place at which taint goes from one metavariable to another."""

    part: Formula
    origin: str
    to: str
    by_side_effect: bool = True


@dataclass(frozen=True, slots=True)
class Taint:
    """`mode: taint`."""

    sources: tuple[Source, ...]
    sinks: tuple[Source, ...]
    sanitizers: tuple[Source, ...] = ()
    propagators: tuple[Propagator, ...] = ()


@dataclass(frozen=True, slots=True)
class FixRegex:
    """Replace what the regex finds in the matched text; `count` 0 means everywhere."""

    regex: str
    replacement: str
    count: int = 0


@dataclass(frozen=True, slots=True)
class Scope:
    """Which blocks a rule looks at; an empty tuple means all. `join` says whose imports count as the block's own."""

    kinds: tuple[str, ...] = ()
    contexts: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    join: Literal["none", "section", "document"] = "none"


@dataclass(frozen=True, slots=True)
class Example:
    """A rule's example: code (or a whole page), and the 1-based lines with a finding.

    `files` are Python files and lists of requirements that belong with the page, by their paths from its folder.
    """

    name: str
    code: str
    page: bool = False
    lines: tuple[int, ...] = ()
    after: str | None = None
    files: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Examples:
    """Examples that must be found, that must be left alone, and what a fix makes of them."""

    finding: tuple[Example, ...] = ()
    clean: tuple[Example, ...] = ()
    fixed: tuple[Example, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. `messages` and `notes` hold a text for each language (`en`, `zh`).

    Exactly one of `match` (a clause or taint), `diagnosis`, `definition` and `link` says what it is about. `path` and
    `line` say where it is written. `options` are Semgrep's; `include` and `exclude` its `paths`.
    """

    id: str
    severity: Severity
    messages: Mapping[str, str]
    notes: Mapping[str, str] = field(default_factory=dict)
    match: Formula | Taint | None = None
    diagnosis: str | None = None
    definition: Mapping[str, str] | None = None
    link: Mapping[str, str] | None = None
    scope: Scope = field(default_factory=Scope)
    options: Mapping[str, bool] = field(default_factory=dict)
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    fix: str | None = None
    fix_regex: FixRegex | None = None
    ensure_import: tuple[str, ...] = ()
    safety: Literal["safe", "unsafe"] = "safe"
    examples: Examples = field(default_factory=Examples)
    evidence: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    metadata: Mapping[str, object] = field(default_factory=dict)
    at: str | None = None
    path: str = ""
    line: int = 1

    def text(self, lang: str) -> str:
        """The message in a language, as it is written; in English where there is none in that language."""
        return _in(self.messages, lang)

    @property
    def note(self) -> str:
        """The note in English (Markdown); empty where there is none."""
        return _in(self.notes, "en")


def _in(texts: Mapping[str, str], lang: str) -> str:
    return texts.get(lang) or texts.get("en") or next(iter(texts.values()), "")
