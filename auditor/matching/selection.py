"""Rules made ready once, and found in text after text: what the rest of the tool calls.

Which rules a text can concern is told here from its words; only where there are such rules is it parsed.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from auditor.matching.needs import Needs, Touches, Words, trigger_of
from auditor.matching.rule import Rule
from auditor.matching.unreadable import may_be_unreadable
from auditor.model import Edit


@dataclass(frozen=True, slots=True)
class Bound:
    """What a metavariable stands for: its text, and its offsets in the code (-1 where it is not written there)."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Match:
    """A rule's hit: offsets in the code of what is reported, the bindings by name (`$X`), and the edits of its fix."""

    rule_id: str
    start: int
    end: int
    bindings: Mapping[str, Bound]
    fix: tuple[Edit, ...] | None = None


@dataclass(frozen=True, slots=True)
class Matches:
    """All hits in one text, by position; `not_applied` says why rules could not be applied, to all of it or in part."""

    matches: tuple[Match, ...]
    not_applied: str | None = None


@dataclass(frozen=True, slots=True)
class Ready:
    """A rule, and what a text, and a part of a text, must hold to concern it.

    `apart` tells that statements of a module are parts as well, `bare` that all simple statements and headers are.
    `trigger` are words, one of which a text must hold, and those of `triggers` words for a part that `touches`: where
    something is found, and around it.
    """

    rule: Rule
    needs: Needs
    touches: Touches | None
    apart: bool
    bare: bool
    trigger: frozenset[str] | None
    triggers: tuple[frozenset[str] | None, frozenset[str] | None]


@dataclass(frozen=True, slots=True)
class Program:
    """Rules made ready to be found; use one for many texts."""

    ready: tuple[Ready, ...] = field(repr=False)


def prepare(rules: Sequence[Rule]) -> Program:
    """Make rules ready; those that match no code (diagnoses, ledger facts) take no part."""
    from auditor.matching.parts import is_bare, lies_in_statement, parts_of  # noqa: PLC0415 — as below
    from auditor.matching.prefilter import needs_of  # noqa: PLC0415 — as below

    return Program(
        tuple(
            made_ready(rule, needs_of(rule.match), parts_of(rule), lies_in_statement(rule.match), is_bare(rule))
            for rule in rules
            if rule.match is not None
        )
    )


def made_ready(rule: Rule, needs: Needs, touches: Touches | None, apart: bool, bare: bool) -> Ready:
    """A rule with what was told of it, and what follows from that."""
    triggers = (trigger_of(touches.where), trigger_of(touches.around)) if touches is not None else (None, None)
    return Ready(rule, needs, touches, apart, bare, needs.trigger(), triggers)


def narrowed(program: Program, texts: Sequence[str]) -> Program:
    """The program with those rules alone that concern any of some texts; the words of all are looked for at once."""
    words = Words(texts)
    ready = tuple(each for each in program.ready if words.may(each.trigger) and each.needs.met(words))
    return program if len(ready) == len(program.ready) else Program(ready)


def find(
    program: Program,
    code: str,
    *,
    before: Sequence[str] = (),
    path: str = "",
    kind: str = "",
    context: str = "",
    language: str = "",
) -> Matches:
    """Find all rules of a program in a text that compiles; never raises on any text.

    `before` are earlier texts whose imports count for rules that join a document; `path` is the source's, for `paths`
    of rules; `kind`, `context` and `language` say what block it is, for `context` of rules (empty: not asked).
    """
    wanted = list(_wanted(program, Words((code,)), before))
    if path or kind or context or language:
        wanted = [ready for ready in wanted if _concerns(ready.rule, path, kind, context, language)]
    tried = may_be_unreadable(code)
    if not wanted and not tried:
        return Matches(())
    from auditor.matching.program import find_wanted, why_unreadable  # noqa: PLC0415 — loads libcst, which few texts need

    reason = why_unreadable(code) if tried else None
    return find_wanted(wanted, code, before) if reason is None else Matches((), reason)


def _wanted(program: Program, own: Words, before: Sequence[str]) -> Iterator[Ready]:
    joined: Words | None = None
    for ready in program.ready:
        words = own
        if before and ready.rule.scope.join != "none":
            words = joined = joined or Words((*own.texts, *before))
        if words.may(ready.trigger) and ready.needs.met(words):
            yield ready


def _concerns(rule: Rule, path: str, kind: str, context: str, language: str) -> bool:
    scope = rule.scope
    for asked, allowed in ((kind, scope.kinds), (context, scope.contexts), (language, scope.languages)):
        if asked and allowed and asked not in allowed:
            return False
    if path and (rule.include or rule.exclude):
        if rule.include and not any(path_matches(path, pattern) for pattern in rule.include):
            return False
        return not any(path_matches(path, pattern) for pattern in rule.exclude)
    return True


def path_matches(path: str, pattern: str) -> bool:
    """Whether a glob of `paths` takes a path: one with a slash the whole path, another any part of it."""
    pattern = pattern.replace("**/", "*/").replace("/**", "/*").lstrip("/")
    if "/" in pattern:
        return fnmatchcase(path, pattern) or fnmatchcase(f"/{path}", pattern) or fnmatchcase(path, f"*/{pattern}")
    return any(fnmatchcase(part, pattern) for part in path.split("/"))
