"""Semgrep's newer way to write clauses: `match:` with `all`, `any`, `not`, `inside`, `where`, and `taint:`."""

from collections.abc import Mapping

from auditor.matching.rule import (
    All,
    Any,
    Condition,
    Formula,
    Inside,
    MetavariableAnalysis,
    MetavariableComparison,
    MetavariablePattern,
    MetavariableRegex,
    MetavariableType,
    Not,
    Propagator,
    RegexLeaf,
    Source,
    Taint,
)  # fmt: skip
from auditor.rulebook.document import Entry, Item
from auditor.rulebook.formulas import Formulas
from auditor.rulebook.keys import ANALYZERS, COMPARISON_KEYS, MATCH_CLAUSES, MATCH_SOURCE_KEYS, MATCH_WHERE


class Matches(Formulas):
    """Reads clauses in either way."""

    def match(self, item: Item) -> Formula:
        """A pattern, or one clause with the conditions on it."""
        if item.text is not None:
            return self._leaf(item, "match")
        entries = self.entries(item, "match")
        self.only(entries, MATCH_CLAUSES | {"where"})
        return self._match(entries, item)

    def _match(self, entries: Mapping[str, Entry], item: Item) -> Formula:
        clauses = [entry for entry in entries.values() if entry.key in MATCH_CLAUSES]
        if len(clauses) != 1:
            self.fail(item, "match", f"needs one of {', '.join(sorted(MATCH_CLAUSES))}")
        part = self._operator(clauses[0])
        if "where" not in entries:
            return part
        conditions: list[Condition] = []
        focus: list[tuple[str, ...]] = []
        for inner in self.items(entries["where"].value, "where"):
            self._where_clause(inner, conditions, focus)
        if isinstance(part, All):
            return All(part.parts, (*part.conditions, *conditions), (*part.focus, *focus))
        return All((part,), tuple(conditions), tuple(focus))

    def _operator(self, entry: Entry) -> Formula:
        key, item = entry.key, entry.value
        if key == "pattern":
            return self._leaf(item, key)
        if key == "regex":
            return RegexLeaf(self.regex(item, key))
        if key in {"all", "any"}:
            parts = tuple(self.match(inner) for inner in self.items(item, key))
            return All(parts) if key == "all" else Any(parts)
        inner = self.match(item)
        if key == "inside":
            return Inside(inner)
        return Not(inner.part, inside=True) if isinstance(inner, Inside) else Not(inner)

    def _where_clause(self, item: Item, conditions: list[Condition], focus: list[tuple[str, ...]]) -> None:
        entries = self.entries(item, "where")
        self.only(entries, MATCH_WHERE | MATCH_CLAUSES)
        if "focus" in entries:
            names = self.texts(entries["focus"].value, "focus")
            focus.append(tuple(self.metavariable(name, entries["focus"].value, "focus") for name in names))
        elif "comparison" in entries:
            own = {name: entry for name, entry in entries.items() if name in COMPARISON_KEYS}
            conditions.append(MetavariableComparison(self._comparison(own, entries["comparison"].value).comparison))
        elif "metavariable" in entries:
            conditions.append(self._on_metavariable(entries, item))
        else:
            self.fail(item, "where", "needs metavariable, focus or comparison")

    def _on_metavariable(self, entries: Mapping[str, Entry], item: Item) -> Condition:
        place = entries["metavariable"].value
        variable = self.metavariable(self.text(place, "metavariable"), place, "metavariable")
        if "regex" in entries and "language" not in entries:
            return MetavariableRegex(variable, self.regex(entries["regex"].value, "regex"))
        for key in ("type", "types"):
            if key in entries:
                return MetavariableType(variable, self.texts(entries[key].value, key))
        if "analyzer" in entries:
            return MetavariableAnalysis(variable, self.one_of(entries["analyzer"].value, "analyzer", ANALYZERS))
        language = self.text(entries["language"].value, "language") if "language" in entries else None
        outer, self.language = self.language, language
        clauses = {name: entry for name, entry in entries.items() if name in MATCH_CLAUSES | {"where"}}
        part = self._match(clauses, item)
        self.language = outer
        return MetavariablePattern(variable, part, language)

    def new_taint(self, item: Item) -> Taint:
        """`taint:` with sources, sinks, sanitizers and propagators."""
        entries = self.entries(item, "taint")
        self.only(entries, {"sources", "sinks", "sanitizers", "propagators"})
        for key in ("sources", "sinks"):
            if key not in entries:
                self.fail(item, "taint", f"needs {key!r}")
        propagators = self.items(entries["propagators"].value, "propagators") if "propagators" in entries else []
        return Taint(
            self._new_sources(entries, "sources", exact=False),
            self._new_sources(entries, "sinks", exact=True),
            self._new_sources(entries, "sanitizers", exact=False),
            tuple(self._new_propagator(inner) for inner in propagators),
        )

    def _new_sources(self, entries: Mapping[str, Entry], key: str, *, exact: bool) -> tuple[Source, ...]:
        if key not in entries:
            return ()
        return tuple(self._new_source(inner, exact=exact) for inner in self.items(entries[key].value, key))

    def _new_source(self, item: Item, *, exact: bool) -> Source:
        if item.text is not None:
            return Source(self._leaf(item, "taint"), exact)
        entries = self.entries(item, "taint")
        self.only(entries, MATCH_CLAUSES | MATCH_SOURCE_KEYS | {"where"})
        clauses = {name: entry for name, entry in entries.items() if name not in MATCH_SOURCE_KEYS}
        return Source(
            self._match(clauses, item),
            self.truth(entries["exact"].value, "exact") if "exact" in entries else exact,
            "by-side-effect" in entries and self.truth(entries["by-side-effect"].value, "by-side-effect"),
            "not-conflicting" in entries and self.truth(entries["not-conflicting"].value, "not-conflicting"),
            label=self.text(entries["label"].value, "label") if "label" in entries else None,
            requires=self._labels(entries["requires"].value) if "requires" in entries else None,
        )

    def _new_propagator(self, item: Item) -> Propagator:
        entries = self.entries(item, "propagators")
        self.only(entries, MATCH_CLAUSES | {"where", "from", "to", "by-side-effect"})
        for key in ("from", "to"):
            if key not in entries:
                self.fail(item, "propagators", f"needs {key!r}")
        clauses = {name: entry for name, entry in entries.items() if name in MATCH_CLAUSES | {"where"}}
        ends = [self.text(entries[key].value, key) for key in ("from", "to")]
        return Propagator(self._match(clauses, item), ends[0], ends[1])
