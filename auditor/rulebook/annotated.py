"""Rules tested the way Semgrep's own are: code beside the rule file, `# ruleid:` above each line that is to be found.

A rule file and its targets share a folder and a name up to the first dot. `ok:` lines must not be found, `todoruleid:`
and `todook:` lines count for neither side, `x.fixed.py` is what the fixes of `x.py` must give.
"""

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from auditor.compiling.recovery import recover
from auditor.matching.lowering import Misread
from auditor.matching.program import parse
from auditor.matching.rule import Rule
from auditor.matching.selection import find, prepare
from auditor.model import Edit, apply_edits
from auditor.reading import read_regular
from auditor.rulebook import Problem, load_text, rule_files
from auditor.rulebook.bounds import MOST_BYTES

_ANNOTATION = re.compile(r"(?:#|//|<!--|\(\*) ?(ruleid|ok|todoruleid|todook):")
_PREFIXES = ("deepok", "prook", "deepruleid", "proruleid")
_TARGETS = frozenset({".py", ".pyi"})


@dataclass(frozen=True, slots=True)
class Outcome:
    """One rule on one target, or (with no rule) all fixes of a rule file on one: what was expected, and what differs.

    `expected` and `found` are 1-based lines; `difference` is a unified diff of the fixed text; `reason` says why rules
    could not be applied to the target.
    """

    rules: Path
    target: Path
    rule: str
    expected: frozenset[int] = frozenset()
    found: frozenset[int] = frozenset()
    difference: tuple[str, ...] = ()
    reason: str | None = None

    @property
    def passed(self) -> bool:
        """Whether it is as expected."""
        return self.expected == self.found and not self.difference


def annotations(text: str) -> tuple[dict[str, set[int]], dict[str, set[int]]]:
    """The lines that are to be found and those that do not count, by rule id."""
    expected: dict[str, set[int]] = {}
    ignored: dict[str, set[int]] = {}
    for number, line in enumerate(text.split("\n"), start=2):
        found = _ANNOTATION.search(line)
        if found is None or found[1] == "ok":
            continue
        names = line.strip().partition(":")[2].strip()
        for prefix in _PREFIXES:
            names = names.removeprefix(f"{prefix}:")
        for name in filter(None, (part.strip() for part in names.split(","))):
            (expected if found[1] == "ruleid" else ignored).setdefault(name, set()).add(number)
    return expected, ignored


def run_annotated(path: Path) -> Iterator[Outcome | Problem]:
    """Test every rule file below a path that has targets beside it.

    Mistakes in rule files are given as they are, and files that cannot be read as problems of their own.
    """
    for file in rule_files(path):
        try:
            text = _text(file, "utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            yield _unread(file, error)
            continue
        rules, problems = load_text(text, file.as_posix())
        yield from problems
        code_rules = [rule for rule in rules if rule.match is not None]
        for target in sorted(file.parent.iterdir()):
            if target.suffix not in _TARGETS or _stem(target) != _stem(file) or ".fixed" in target.name:
                continue
            try:
                yield from _target(file, target, code_rules)
            except (OSError, UnicodeDecodeError) as error:
                yield _unread(target, error)


def _unread(file: Path, error: OSError | UnicodeDecodeError) -> Problem:
    why = f"not UTF-8 at byte {error.start}" if isinstance(error, UnicodeDecodeError) else error.strerror or str(error)
    return Problem(file.as_posix(), 1, 1, "", f"cannot be read: {why}")


def _text(file: Path, encoding: str = "utf-8") -> str:
    """A file's text, its lines ended by a line feed."""
    return read_regular(file, MOST_BYTES).decode(encoding).replace("\r\n", "\n").replace("\r", "\n")


def _stem(path: Path) -> str:
    return path.name.split(".", 1)[0]


def _target(file: Path, target: Path, rules: list[Rule]) -> Iterator[Outcome]:
    text = _text(target)
    expected, ignored = annotations(text)
    readable, reason = _readable(text)
    for rule in rules:
        found = find(prepare([rule]), readable)
        lines = {readable.count("\n", 0, match.start) + 1 for match in found.matches}
        left_out = ignored.get(rule.id, set())
        yield Outcome(
            file,
            target,
            rule.id,
            frozenset(expected.get(rule.id, set()) - left_out),
            frozenset(lines - left_out),
            reason=found.not_applied or reason,
        )
    fixed = target.with_name(f"{target.stem}.fixed{target.suffix}")
    if fixed.exists() and any(rule.fix is not None or rule.fix_regex is not None for rule in rules):
        wanted = _text(fixed)
        difference = list(_difference(wanted, fix_all(text, rules)))
        yield Outcome(file, fixed, "", difference=tuple(difference))


def _readable(text: str) -> tuple[str, str | None]:
    """The text, or what can be kept of one that is no Python: lines stay where they are."""
    try:
        parse(text)
    except Misread as error:
        edits = recover(text) or ()
        return apply_edits(text, edits), str(error)
    return text, None


def fix_all(text: str, rules: list[Rule]) -> str:
    """The text after all fixes: of edits that overlap the first and outermost stays."""
    edits: list[Edit] = []
    found = find(prepare(rules), text).matches
    for match in sorted(found, key=lambda match: (match.start, -match.end)):
        for edit in match.fix or ():
            if edit not in edits and not any(_clash(edit, other) for other in edits):
                edits.append(edit)
    return apply_edits(text, sorted(edits, key=lambda edit: (edit.start, edit.end)))


def _clash(one: Edit, other: Edit) -> bool:
    return one.start < other.end and other.start < one.end


def _difference(wanted: str, got: str) -> Iterator[str]:
    """A unified diff; a line end at the very end does not count."""
    return difflib.unified_diff(
        wanted.rstrip("\n").split("\n"), got.rstrip("\n").split("\n"), "expected", "fixed", lineterm="", n=1
    )
