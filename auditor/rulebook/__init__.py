"""YAML to rules: every mistake said with its place, no mistake that silences another rule."""

import hashlib
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from auditor.matching.interpolation import interpolate
from auditor.matching.rule import Rule
from auditor.matching.selection import Program
from auditor.reading import read_regular
from auditor.rulebook.bounds import MOST_BYTES, USUAL, Bounds
from auditor.rulebook.problems import Problem
from auditor.rulebook.shipped import SHIPPED, rule_files, shipped_rules

__all__ = [
    "SHIPPED",
    "Bounds",
    "Problem",
    "Rule",
    "RuleFile",
    "Rulebook",
    "build",
    "load",
    "load_text",
    "message",
    "read_files",
    "rule_files",
    "shipped_rules",
]


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The rules of a run, in order, and what was wrong with others.

    `digest` (hex SHA-256) covers the texts of all files that were read, and which rules were chosen. `program` is what
    the matcher makes of the rules, where that is known already.
    """

    rules: tuple[Rule, ...]
    digest: str
    problems: tuple[Problem, ...] = ()
    program: Program | None = field(default=None, compare=False, repr=False)

    def chosen(self, wanted: Callable[[Rule], bool]) -> "Rulebook":
        """The rulebook with those rules alone that a predicate takes."""
        rules = tuple(rule for rule in self.rules if wanted(rule))
        if len(rules) == len(self.rules):
            return self
        named = "\n".join((self.digest, *(rule.id for rule in rules)))
        program = None
        if self.program is not None:
            left = {rule.id for rule in rules}
            program = Program(tuple(ready for ready in self.program.ready if ready.rule.id in left))
        return replace(self, rules=rules, digest=hashlib.sha256(named.encode()).hexdigest(), program=program)


@lru_cache(maxsize=256)
def load_text(text: str, path: str, bounds: Bounds = USUAL) -> tuple[tuple[Rule, ...], tuple[Problem, ...]]:
    """The rules in one file's text, and its mistakes; read once for equal texts."""
    from auditor.rulebook.reader import read_rules  # noqa: PLC0415 - loads YAML, and what reads patterns

    return read_rules(text, path, bounds)


@dataclass(frozen=True, slots=True)
class RuleFile:
    """One rule file as it was read: how it is called, and its text, or why there is none; `bounds` hold its values."""

    path: str
    text: str | None
    reason: str = ""
    bounds: Bounds = USUAL


def read_files(paths: Sequence[Path], *, builtin: bool = True, bounds: Bounds = USUAL) -> tuple[RuleFile, ...]:
    """The shipped rule files (with `builtin`) and those that files and folders name, which `bounds` hold, in order."""
    files: list[tuple[Path, str, Path | None]] = []
    if builtin:
        root = shipped_rules()
        files.extend((file, f"{SHIPPED}{file.relative_to(root).as_posix()}", None) for file in rule_files(root))
    files.extend((file, file.as_posix(), path) for path in paths for file in rule_files(path))
    return tuple(
        replace(_read_file(file, shown, path), bounds=bounds if path is not None else USUAL)
        for file, shown, path in files
    )


def _read_file(file: Path, shown: str, named: Path | None) -> RuleFile:
    """A rule file's text. `named` is the folder that it was found in: what lies outside of that is not read."""
    if named is not None and file != named:
        top = os.path.realpath(named)
        if os.path.commonpath([os.path.realpath(file), top]) != top:
            return RuleFile(shown, None, "cannot be read: a link that leads out of the folder")
    try:
        data = read_regular(file, MOST_BYTES)
        return RuleFile(shown, data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n"))
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "is no UTF-8"
        return RuleFile(shown, None, f"cannot be read: {reason}")


def load(paths: Sequence[Path], *, builtin: bool = True) -> Rulebook:
    """The shipped rules (with `builtin`) and those of files and folders; what cannot be read is among the problems."""
    return build(read_files(paths, builtin=builtin))


def build(files: Iterable[RuleFile], known: Iterable[Rule] = ()) -> Rulebook:
    """The rules that some files hold; files that `known` rules come from are not read again."""
    by_path: dict[str, list[Rule]] = {}
    for rule in known:
        by_path.setdefault(rule.path, []).append(rule)
    digest = hashlib.sha256()
    problems: list[Problem] = []
    rules: dict[str, Rule] = {}
    for file in files:
        if file.text is None:
            problems.append(Problem(file.path, 1, 1, "", file.reason))
            continue
        digest.update(hashlib.sha256(file.text.encode("utf-8", "surrogatepass")).digest())
        # A path counts once: the shipped files come first, and another may be called like one of them.
        found: Sequence[Rule] = by_path.pop(file.path, ())
        if not found:
            found, wrong = load_text(file.text, file.path, file.bounds)
            problems.extend(wrong)
        problems.extend(_add(rules, found))
    return Rulebook(tuple(rules.values()), digest.hexdigest(), tuple(problems))


def _add(rules: dict[str, Rule], found: Iterable[Rule]) -> list[Problem]:
    """Add rules by id; of two with one id the first stays."""
    wrong = []
    for rule in found:
        before = rules.get(rule.id)
        if before is not None:
            wrong.append(Problem(rule.path, rule.line, 1, "id", f"{rule.id!r} is taken by {before.path}:{before.line}"))
        else:
            rules[rule.id] = rule
    return wrong


@dataclass(frozen=True, slots=True)
class _Text:
    text: str


def message(rule: Rule, metavariables: Mapping[str, str], lang: str = "en") -> str:
    """A rule's message with `$X` put in; a diagnosis's argument `width` stands where `$WIDTH` is written."""
    bindings = {
        name if name.startswith("$") else f"${name.upper().replace('-', '_')}": _Text(value)
        for name, value in metavariables.items()
    }
    return interpolate(rule.text(lang), bindings)
