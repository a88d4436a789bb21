"""The clauses of a rule: what matches, and the conditions on it."""

from collections.abc import Mapping

import regex

from auditor.matching.comparison import parse_comparison
from auditor.matching.labels import read_labels
from auditor.matching.patterns import PatternError, parse_pattern
from auditor.matching.regexes import compile_regex
from auditor.matching.rule import (
    All,
    Any,
    CommentLeaf,
    Condition,
    Formula,
    Inside,
    Leaf,
    MetavariableAnalysis,
    MetavariableComparison,
    MetavariablePattern,
    MetavariableRegex,
    MetavariableType,
    Not,
    Propagator,
    RegexLeaf,
    Sequence,
    Source,
    Step,
    Taint,
    Where,
)
from auditor.matching.where import read_predicate
from auditor.rulebook.document import Entry, Item
from auditor.rulebook.keys import (
    ANALYZERS,
    CLAUSES,
    COMPARISON_KEYS,
    CONDITIONS,
    FORMULA,
    PROPAGATOR_KEYS,
    REGEX_KEYS,
    SOURCE_KEYS,
    STEP_PLACES,
    TYPE_KEYS,
    WHERE,
)  # fmt: skip
from auditor.rulebook.reading import Reader


class Formulas(Reader):
    """Reads clauses."""

    language: str | None = None
    # The rule's `at`, which a sequence asks for.
    at: str | None = None

    def formula(self, entries: Mapping[str, Entry], at: Item | Entry, key: str) -> Formula:
        """The clauses and conditions among the keys of a mapping, all of which must hold."""
        parts: list[Formula] = []
        conditions: list[Condition] = []
        focus: list[tuple[str, ...]] = []
        for entry in entries.values():
            if entry.key in CLAUSES:
                part = self._clause(entry)
                if isinstance(part, All) and entry.key == "patterns" and not parts and len(entries) > 1:
                    parts.extend(part.parts)
                    conditions.extend(part.conditions)
                    focus.extend(part.focus)
                else:
                    parts.append(part)
            elif entry.key in CONDITIONS:
                self._condition(entry, conditions, focus)
        if "sequence" in entries:
            return self._sequence(entries, parts, conditions, focus)
        if not parts and not conditions and not focus:
            self.fail(at, key, f"says nothing to match; needs one of {', '.join(sorted(CLAUSES))}")
        if len(parts) == 1 and not conditions and not focus:
            return parts[0]
        return All(tuple(parts), tuple(conditions), tuple(focus))

    def _clause(self, entry: Entry) -> Formula:
        key, item = entry.key, entry.value
        if key in {"pattern", "pattern-inside", "pattern-not", "pattern-not-inside"}:
            part = self._leaf(item, key)
        elif key in {"pattern-regex", "pattern-not-regex"}:
            part = RegexLeaf(self.regex(item, key))
        elif key == "comment":
            part = self._comment(item)
        elif key == "pattern-either":
            return Any(tuple(self._member(inner, key) for inner in self.items(item, key)))
        else:
            return self._all(item, key)
        if key == "pattern-inside":
            return Inside(part)
        if key in {"pattern-not", "pattern-not-regex"}:
            return Not(part)
        return Not(part, inside=True) if key == "pattern-not-inside" else part

    def _leaf(self, item: Item, key: str) -> Formula:
        """A pattern, or clauses in its place."""
        if item.entries is not None:
            self.only(item.entries, FORMULA)
            return self.formula(item.entries, item, key)
        pattern = self.text(item, key)
        if self.language in {None, "python", "py"}:
            try:
                parse_pattern(pattern)
            except PatternError as error:
                self.problems.say(item.block_line + error.line - 1, item.column, key, f"the pattern {error}")
        return Leaf(pattern)

    def regex(self, item: Item, key: str) -> str:
        """A regex that compiles."""
        text = self.text(item, key)
        try:
            compile_regex(text)
        except (regex.error, ValueError, OverflowError, RecursionError) as error:
            self.problems.say(item.line, item.column, key, f"the regex {error}")
        return text

    def _member(self, item: Item, key: str) -> Formula:
        entries = self.entries(item, key)
        self.only(entries, FORMULA)
        return self.formula(entries, item, key)

    def _all(self, item: Item, key: str) -> Formula:
        parts: list[Formula] = []
        conditions: list[Condition] = []
        focus: list[tuple[str, ...]] = []
        for inner in self.items(item, key):
            entries = self.entries(inner, key)
            self.only(entries, FORMULA)
            if set(entries) & CLAUSES or "sequence" in entries:
                parts.append(self.formula(entries, inner, key))
            else:
                for entry in entries.values():
                    self._condition(entry, conditions, focus)
        return All(tuple(parts), tuple(conditions), tuple(focus))

    def _comment(self, item: Item) -> Formula:
        entries = self.entries(item, "comment")
        self.only(entries, {"regex", "on"})
        wanted = entries.get("regex")
        if wanted is None:
            self.fail(item, "comment", "needs a regex")
        on = self._leaf(entries["on"].value, "on") if "on" in entries else Leaf("...")
        return CommentLeaf(self.regex(wanted.value, "regex"), on)

    def _sequence(
        self,
        entries: Mapping[str, Entry],
        parts: list[Formula],
        conditions: list[Condition],
        focus: list[tuple[str, ...]],
    ) -> Formula:
        steps = []
        for number, item in enumerate(self.items(entries["sequence"].value, "sequence"), start=1):
            inner = self.entries(item, "sequence")
            self.only(inner, FORMULA | {"as", "in"})
            label = self.text(inner["as"].value, "as") if "as" in inner else f"STEP{number}"
            anywhere = "in" in inner and self.one_of(inner["in"].value, "in", STEP_PLACES) == "file"
            clauses = {name: entry for name, entry in inner.items() if name not in {"as", "in"}}
            steps.append(Step(label, self.formula(clauses, item, "sequence"), anywhere))
        labels = [step.label for step in steps]
        if len(set(labels)) != len(labels):
            self.fail(entries["sequence"], "sequence", "two steps have one label")
        where: list[Where] = []
        if "where" in entries:
            where.extend(self._where(item, labels) for item in self.items(entries["where"].value, "where"))
        at = self.at.partition(".")[0] if self.at is not None and not self.at.startswith("$") else None
        if at is not None and at not in labels:
            self.fail(entries["sequence"], "at", f"names {at!r}, not one of {', '.join(labels)}")
        made = Sequence(tuple(steps), tuple(where), tuple(conditions), at)
        if parts or focus:
            return All((made, *parts), (), tuple(focus))
        return made

    def _where(self, item: Item, labels: list[str]) -> Where:
        entries = self.entries(item, "where")
        if len(entries) != 1:
            self.fail(item, "where", "one predicate an item")
        (entry,) = entries.values()
        known = WHERE.get(entry.key)
        if known is None:
            self.problems.unknown(entry.line, entry.column, entry.key, WHERE)
            return Where(entry.key, {})
        arguments = self.entries(entry.value, entry.key)
        self.only(arguments, known)
        given = {name: self._argument(argument) for name, argument in arguments.items()}
        try:
            read_predicate(entry.key, given, labels)
        except ValueError as error:
            self.problems.say(entry.line, entry.column, entry.key, str(error))
        return Where(entry.key, given)

    def _argument(self, entry: Entry) -> str:
        if entry.value.items is not None:
            return ", ".join(self.texts(entry.value, entry.key))
        return self.text(entry.value, entry.key)

    # Conditions

    def _condition(self, entry: Entry, conditions: list[Condition], focus: list[tuple[str, ...]]) -> None:
        key, item = entry.key, entry.value
        if key == "focus-metavariable":
            focus.append(tuple(self.metavariable(name, item, key) for name in self.texts(item, key)))
            return
        conditions.extend(self._one_condition(key, inner) for inner in (item.items or [item]))

    def metavariable(self, name: str, item: Item, key: str) -> str:
        """The name of a metavariable."""
        if not regex.fullmatch(r"\$(\.\.\.)?[A-Z_0-9]+", name):
            self.fail(item, key, f"{name!r} is no metavariable")
        return name

    def _one_condition(self, key: str, item: Item) -> Condition:
        entries = self.entries(item, key)

        def of(name: str) -> Item:
            if name not in entries:
                self.fail(item, key, f"needs {name!r}")
            return entries[name].value

        if key == "metavariable-comparison":
            self.only(entries, COMPARISON_KEYS)
            return self._comparison(entries, of("comparison"))
        variable = self.metavariable(self.text(of("metavariable"), "metavariable"), of("metavariable"), "metavariable")
        if key == "metavariable-regex":
            self.only(entries, REGEX_KEYS)
            constants = "constant-propagation" in entries and self.truth(of("constant-propagation"), key)
            return MetavariableRegex(variable, self.regex(of("regex"), "regex"), constants)
        if key == "metavariable-type":
            self.only(entries, TYPE_KEYS)
            return MetavariableType(variable, self.texts(of("types" if "types" in entries else "type"), "type"))
        if key == "metavariable-analysis":
            self.only(entries, {"metavariable", "analyzer", "options"})
            return MetavariableAnalysis(variable, self.one_of(of("analyzer"), "analyzer", ANALYZERS))
        self.only(entries, FORMULA | {"metavariable", "language"})
        language = self.text(of("language"), "language") if "language" in entries else None
        outer, self.language = self.language, language
        inner = {name: entry for name, entry in entries.items() if name not in {"metavariable", "language"}}
        part = self.formula(inner, item, key)
        self.language = outer
        return MetavariablePattern(variable, part, language)

    def _comparison(self, entries: Mapping[str, Entry], item: Item) -> MetavariableComparison:
        text = self.text(item, "comparison")
        try:
            parse_comparison(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            self.fail(item, "comparison", "is no expression")
        variable = self.text(entries["metavariable"].value, "metavariable") if "metavariable" in entries else None
        strip = "strip" in entries and self.truth(entries["strip"].value, "strip")
        base = self.number(entries["base"].value, "base") if "base" in entries else None
        return MetavariableComparison(text, variable, strip, base)

    # Taint

    def taint(self, entries: Mapping[str, Entry], at: Item) -> Taint:
        """The four lists of `mode: taint`."""
        for key in ("pattern-sources", "pattern-sinks"):
            if key not in entries:
                self.fail(at, key, "is missing")
        return Taint(
            self._sources(entries, "pattern-sources", exact=False),
            self._sources(entries, "pattern-sinks", exact=True),
            self._sources(entries, "pattern-sanitizers", exact=False),
            self._propagators(entries),
        )

    def _sources(self, entries: Mapping[str, Entry], key: str, *, exact: bool) -> tuple[Source, ...]:
        if key not in entries:
            return ()
        made = []
        for item in self.items(entries[key].value, key):
            inner = self.entries(item, key)
            self.only(inner, FORMULA | SOURCE_KEYS)
            if "control" in inner and self.truth(inner["control"].value, "control"):
                self.fail(inner["control"], "control", "taint through control flow is not followed")
            side = inner.get("by-side-effect")
            made.append(
                Source(
                    self.formula({name: one for name, one in inner.items() if name in FORMULA}, item, key),
                    self.truth(inner["exact"].value, "exact") if "exact" in inner else exact,
                    side is not None and (side.value.text == "only" or self.truth(side.value, "by-side-effect")),
                    "not_conflicting" in inner and self.truth(inner["not_conflicting"].value, "not_conflicting"),
                    self.text(inner["label"].value, "label") if "label" in inner else None,
                    self._labels(inner["requires"].value) if "requires" in inner else None,
                )
            )
        return tuple(made)

    def _labels(self, item: Item) -> str:
        text = self.text(item, "requires")
        try:
            read_labels(text)
        except ValueError as error:
            self.fail(item, "requires", str(error))
        return text

    def _propagators(self, entries: Mapping[str, Entry]) -> tuple[Propagator, ...]:
        if "pattern-propagators" not in entries:
            return ()
        made = []
        for item in self.items(entries["pattern-propagators"].value, "pattern-propagators"):
            inner = self.entries(item, "pattern-propagators")
            self.only(inner, FORMULA | PROPAGATOR_KEYS)
            ends = [
                self.text(inner[end].value, end) if end in inner else self.fail(item, end, "is missing")
                for end in ("from", "to")
            ]
            clauses = {name: one for name, one in inner.items() if name in FORMULA}
            made.append(Propagator(self.formula(clauses, item, "pattern-propagators"), ends[0], ends[1]))
        return tuple(made)
