"""A rule's examples, run as its tests: in a file, inside a fence, and through its fix; pure."""

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType

from auditor.audit import audit
from auditor.audited import AuditOptions, SourceAudit
from auditor.compiling import CompileOptions
from auditor.fix import fix
from auditor.matching.rule import Example, Rule
from auditor.model import Finding, Source
from auditor.project.whole import ProjectOptions, judge
from auditor.rulebook import Rulebook

# Examples are written for the oldest Python that a current book may still be for.
_OPTIONS = AuditOptions(compile=CompileOptions(targets=("3.10",)))


@dataclass(frozen=True, slots=True)
class Outcome:
    """One example of a rule as it was run.

    `form` is `file`, `fence`, `page` or a fix in one of them. `wrong` says what differs, in lines of the example; empty
    where it holds.
    """

    rule: str
    example: str
    form: str
    wrong: tuple[str, ...] = field(default=())


def run_examples(rule: Rule, book: Rulebook) -> Iterator[Outcome]:
    """Every example of a rule: a `finding` on exactly its lines, a `clean` one silent, a `fixed` one to the letter.

    Code of a rule on patterns is looked at as a file and inside a fence, code of a rule on diagnoses inside a fence.
    """
    for example in (*rule.examples.finding, *rule.examples.clean):
        for form in _forms(rule, example.page):
            found = _findings(rule, book, form, example)
            got = sorted({finding.place.line - form.above for finding in found})
            want = sorted(set(example.lines))
            wrong = () if got == want else (f"found {_shown(got)}, expected {_shown(want)}",)
            yield Outcome(rule.id, example.name, form.name, wrong)
    for example in rule.examples.fixed:
        for form in _forms(rule, example.page):
            wanted = form.text(example.after or "")
            fixed = fix(form.source(example.code), partial(_look, book), lambda finding: finding.rule == rule.id)
            yield Outcome(rule.id, example.name, f"fix in a {form.name}", _difference(wanted, fixed.source.text))


@dataclass(frozen=True, slots=True)
class _Form:
    """A way to look at an example: its name, what stands around the code, and how many lines stand above it."""

    name: str
    path: str
    around: tuple[str, str] = ("", "")
    above: int = 0

    def text(self, code: str) -> str:
        before, after = self.around
        return f"{before}{code if code.endswith(chr(10)) else code + chr(10)}{after}"

    def source(self, code: str) -> Source:
        return Source(self.path, self.text(code))


_FILE = _Form("file", "example.py")
_FENCE = _Form("fence", "example.md", ("```python\n", "```\n"), 1)
_PAGE = _Form("page", "example.md")


def _forms(rule: Rule, page: bool) -> tuple[_Form, ...]:
    if page:
        return (_PAGE,)
    return (_FENCE,) if rule.match is None else (_FILE, _FENCE)


def _look(book: Rulebook, source: Source, files: Mapping[str, str] = MappingProxyType({})) -> SourceAudit:
    found = audit(source, book, _OPTIONS)
    code = {path: text for path, text in files.items() if path.endswith(".py")}
    beside = [audit(Source(path, text), book, _OPTIONS) for path, text in sorted(code.items())]
    lists = {path: text for path, text in files.items() if path not in code}
    known = frozenset(rule.id for rule in book.rules)
    whole = judge((found, *beside), book, ProjectOptions(known, requirements=lists))
    return replace(found, findings=tuple(each for each in whole.findings if each.place.path == source.path))


def _findings(rule: Rule, book: Rulebook, form: _Form, example: Example) -> list[Finding]:
    found = _look(book, form.source(example.code), example.files).findings
    return [finding for finding in found if finding.rule == rule.id and finding.suppressed is None]


def _shown(lines: Sequence[int]) -> str:
    return f"lines {', '.join(map(str, lines))}" if lines else "nothing"


def _difference(wanted: str, got: str) -> tuple[str, ...]:
    return tuple(difflib.unified_diff(wanted.split("\n"), got.split("\n"), "expected", "found", lineterm=""))
