"""One rule out of its mapping."""

import typing
from collections.abc import Mapping

from auditor.matching.rule import Example, Examples, FixRegex, Formula, Rule, Scope, Taint
from auditor.model import BlockKind, Context
from auditor.rulebook.bindings import bound_by, unbound
from auditor.rulebook.document import Entry, Item
from auditor.rulebook.keys import (
    CONTEXT_KEYS,
    EXAMPLE_KEYS,
    FACTS_OF,
    FORMULA,
    JOINS,
    MATCH_KEYS,
    OPTIONS,
    PYTHON,
    RULE_KEYS,
    SEVERITIES,
    TAINT_KEYS,
)  # fmt: skip
from auditor.rulebook.matches import Matches
from auditor.rulebook.problems import Mistake

_KINDS = frozenset(typing.get_args(BlockKind))
_CONTEXTS = frozenset(typing.get_args(Context))


class Rules(Matches):
    """Reads rules."""

    def rule(self, item: Item) -> Rule | None:
        """The rule in a mapping; None for one that has mistakes (they are noted) or is for other languages."""
        mistakes = len(self.problems.found)
        try:
            made = self._rule(item)
        except Mistake:
            return None
        return made if len(self.problems.found) == mistakes else None

    def _rule(self, item: Item) -> Rule | None:
        entries = self.entries(item, "rules")
        if "languages" in entries:
            names = self.texts(entries["languages"].value, "languages")
            if not PYTHON & {name.lower() for name in names}:
                return None
        self.only(entries, RULE_KEYS)
        for key in ("id", "message", "severity"):
            if key not in entries:
                self.fail(item, key, "is missing")
        severity = self.one_of(entries["severity"].value, "severity", SEVERITIES)
        self.at = self.text(entries["at"].value, "at") if "at" in entries else None
        match, diagnosis, definition, link = self._about(entries, item)
        fixes = self._fixes(entries)
        if fixes[0] is not None and match is not None:
            for name in unbound(fixes[0], bound_by(match)):
                fix = entries["fix"].value
                self.problems.say(fix.line, fix.column, "fix", f"{name} is bound by no clause")
        include, exclude = self._paths(entries)
        return Rule(
            id=self.text(entries["id"].value, "id"),
            severity=SEVERITIES[severity],
            messages=self._languages(entries["message"].value, "message"),
            notes=self._languages(entries["note"].value, "note") if "note" in entries else {},
            match=match,
            diagnosis=diagnosis,
            definition=definition,
            link=link,
            scope=self._scope(entries),
            options=self._options(entries),
            include=include,
            exclude=exclude,
            fix=fixes[0],
            fix_regex=fixes[1],
            ensure_import=self._texts(entries, "ensure-import"),
            safety="unsafe" if self._word(entries, "safety", {"safe", "unsafe"}, "safe") == "unsafe" else "safe",
            examples=self._examples(entries),
            evidence=self._texts(entries, "evidence"),
            links=self._texts(entries, "links"),
            metadata=self._metadata(entries),
            at=self.at,
            path=self.problems.path,
            line=item.line,
        )

    def _about(
        self, entries: Mapping[str, Entry], item: Item
    ) -> tuple[Formula | Taint | None, str | None, Mapping[str, str] | None, Mapping[str, str] | None]:
        mode = self._word(entries, "mode", {"search", "taint"}, "taint" if TAINT_KEYS & set(entries) else "search")
        groups = [
            name
            for name, there in (
                ("a pattern", bool(MATCH_KEYS & set(entries))),
                ("diagnosis", "diagnosis" in entries),
                ("definition", "definition" in entries),
                ("link", "link" in entries),
            )
            if there
        ]
        if len(groups) != 1:
            what = f"is about {' and '.join(groups)} at once" if groups else "says nothing to match"
            self.fail(item, "rules", f"the rule {what}")
        if groups[0] == "a pattern":
            newer = {"match", "taint"} & set(entries)
            if newer and len(set(entries) & (FORMULA | TAINT_KEYS)) + len(newer) > 1:
                self.fail(item, "rules", "the rule is written in the newer and in the older way at once")
            if "match" in entries:
                return self.match(entries["match"].value), None, None, None
            if "taint" in entries:
                return self.new_taint(entries["taint"].value), None, None, None
            if mode == "taint":
                return self.taint(entries, item), None, None, None
            clauses = {name: entry for name, entry in entries.items() if name in FORMULA}
            return self.formula(clauses, item, "rules"), None, None, None
        if groups[0] == "diagnosis":
            return None, self.text(entries["diagnosis"].value, "diagnosis"), None, None
        facts = self.entries(entries[groups[0]].value, groups[0])
        self.only(facts, FACTS_OF[groups[0]])
        texts = {name: self.text(entry.value, name) for name, entry in facts.items()}
        return (None, None, texts, None) if groups[0] == "definition" else (None, None, None, texts)

    def _word(self, entries: Mapping[str, Entry], key: str, known: set[str], default: str) -> str:
        return self.one_of(entries[key].value, key, known) if key in entries else default

    def _texts(self, entries: Mapping[str, Entry], key: str) -> tuple[str, ...]:
        return self.texts(entries[key].value, key) if key in entries else ()

    def _languages(self, item: Item, key: str) -> Mapping[str, str]:
        if item.entries is None:
            return {"en": self.text(item, key).strip()}
        self.only(item.entries, {"en", "zh"})
        return {name: self.text(entry.value, key).strip() for name, entry in item.entries.items()}

    def _scope(self, entries: Mapping[str, Entry]) -> Scope:
        if "context" not in entries:
            return Scope()
        inner = self.entries(entries["context"].value, "context")
        self.only(inner, CONTEXT_KEYS)
        for key, known in (("kinds", _KINDS), ("contexts", _CONTEXTS)):
            for word in self._texts(inner, key):
                if word not in known:
                    self.fail(inner[key], key, f"has {word!r}, not one of {', '.join(sorted(known))}")
        join = self._word(inner, "join", set(JOINS), "none")
        return Scope(
            self._texts(inner, "kinds"),
            self._texts(inner, "contexts"),
            self._texts(inner, "languages"),
            "document" if join == "document" else "section" if join == "section" else "none",
        )

    def _options(self, entries: Mapping[str, Entry]) -> Mapping[str, bool]:
        if "options" not in entries:
            return {}
        inner = self.entries(entries["options"].value, "options")
        self.only(inner, OPTIONS)
        # Options that are no switch are other engines' business.
        switches = (entry for entry in inner.values() if (entry.value.text or "").lower() in {"true", "false"})
        return {entry.key: self.truth(entry.value, entry.key) for entry in switches}

    def _paths(self, entries: Mapping[str, Entry]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        if "paths" not in entries:
            return (), ()
        inner = self.entries(entries["paths"].value, "paths")
        self.only(inner, {"include", "exclude"})
        return self._texts(inner, "include"), self._texts(inner, "exclude")

    def _fixes(self, entries: Mapping[str, Entry]) -> tuple[str | None, FixRegex | None]:
        fix = self.any_text(entries["fix"].value, "fix") if "fix" in entries else None
        if "fix-regex" not in entries:
            return fix, None
        if fix is not None:
            self.fail(entries["fix-regex"], "fix-regex", "stands beside fix; one of them")
        inner = self.entries(entries["fix-regex"].value, "fix-regex")
        self.only(inner, {"regex", "replacement", "count"})
        for key in ("regex", "replacement"):
            if key not in inner:
                self.fail(entries["fix-regex"], "fix-regex", f"needs {key!r}")
        count = self.number(inner["count"].value, "count") if "count" in inner else 0
        return None, FixRegex(
            self.regex(inner["regex"].value, "regex"), self.any_text(inner["replacement"].value, "replacement"), count
        )

    def _examples(self, entries: Mapping[str, Entry]) -> Examples:
        if "examples" not in entries:
            return Examples()
        inner = self.entries(entries["examples"].value, "examples")
        self.only(inner, {"finding", "clean", "fixed"})
        made = {
            group: tuple(self._example(item, group) for item in self.items(entry.value, group))
            for group, entry in inner.items()
        }
        return Examples(made.get("finding", ()), made.get("clean", ()), made.get("fixed", ()))

    def _example(self, item: Item, group: str) -> Example:
        inner = self.entries(item, group)
        self.only(inner, EXAMPLE_KEYS)
        key = next((key for key in ("code", "page", "before") if key in inner), None)
        if key is None:
            self.fail(item, group, "an example needs code, page or before")
        lines: tuple[int, ...] = ()
        if "lines" in inner:
            lines = tuple(self.number(part, "lines") for part in self.items(inner["lines"].value, "lines"))
        after = self.any_text(inner["after"].value, "after") if "after" in inner else None
        name = self.text(inner["name"].value, "name") if "name" in inner else ""
        files: dict[str, str] = {}
        if "files" in inner:
            entries = self.entries(inner["files"].value, "files")
            files = {path: self.any_text(entry.value, "files") for path, entry in entries.items()}
        return Example(name, self.any_text(inner[key].value, key), key == "page", lines, after, files)

    def _metadata(self, entries: Mapping[str, Entry]) -> Mapping[str, object]:
        return {} if "metadata" not in entries else {"": plain(entries["metadata"].value)}


def plain(item: Item) -> object:
    """A value as plain lists, dicts and texts."""
    if item.entries is not None:
        return {key: plain(entry.value) for key, entry in item.entries.items()}
    if item.items is not None:
        return [plain(part) for part in item.items]
    return item.text
