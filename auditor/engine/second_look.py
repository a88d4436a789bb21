"""Blocks whose verdict rests on syntax newer than some host, compiled by an interpreter that the user names.

Every host gives such a block the same verdict, from a list of features and from the rest of the text in older words.
What only a compiler that knows the syntax can reject, it rejects here.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from auditor import rulebook
from auditor.audited import BlockAudit, PlacedDiagnosis, SourceAudit, fingerprinted
from auditor.compiling.interpreter import Interpreter, Question, Refusal
from auditor.compiling.remarks import Lines
from auditor.model import Diagnosis, Finding, MappedText, Severity, Source, Span
from auditor.rulebook import Rule, Rulebook

KIND = "syntax-error"
_READ = frozenset({"compiles", "compiles-in-context", "compiles-elided", "newer-python"})


@dataclass(frozen=True, slots=True)
class SecondLook:
    """Asks an interpreter about audits; `severities` overrides a rule's own by its id."""

    interpreter: Interpreter
    book: Rulebook
    lang: str = "en"
    severities: Mapping[str, Severity] | None = None

    def add(self, audits: Sequence[SourceAudit], source_of: Callable[[str], Source | None]) -> tuple[SourceAudit, ...]:
        """The audits, with blocks that the interpreter refuses as broken. Raises `InterpreterError`.

        `source_of` gives a source's text again, for the places.
        """
        asked = [(at, index, question) for at, audit in enumerate(audits) for index, question in self._about(audit)]
        refused: dict[int, dict[int, Refusal]] = {}
        answers = self.interpreter.refusals([question for _, _, question in asked])
        for (at, index, _), refusal in zip(asked, answers, strict=True):
            if refusal is not None:
                refused.setdefault(at, {})[index] = refusal
        changed = list(audits)
        for at, refusals in refused.items():
            source = source_of(audits[at].path)
            if source is not None:
                changed[at] = self._refused(audits[at], source, refusals)
        return tuple(changed)

    def _about(self, audit: SourceAudit) -> Iterator[tuple[int, Question]]:
        for index, block in enumerate(audit.blocks):
            said = block.compilation
            if said.needs_python is None or said.verdict not in _READ or said.code is None:
                continue
            if self.interpreter.reads(said.needs_python):
                yield index, Question(said.code.text, said.adjustments)

    def _refused(self, audit: SourceAudit, source: Source, refusals: Mapping[int, Refusal]) -> SourceAudit:
        rule = next((rule for rule in self.book.rules if rule.diagnosis == KIND), None)
        blocks = list(audit.blocks)
        found: list[Finding] = []
        for index, refusal in refusals.items():
            blocks[index] = block = self._broken(blocks[index], source, refusal, rule)
            if rule is not None:
                found.append(self._finding(block.diagnoses[0], rule, index, source))
        findings = sorted((*audit.findings, *fingerprinted(found, blocks)), key=_order)
        return replace(audit, blocks=tuple(blocks), findings=tuple(findings))

    def _broken(self, block: BlockAudit, source: Source, refusal: Refusal, rule: Rule | None) -> BlockAudit:
        said = block.compilation
        code = said.code
        if code is None:
            raise ValueError("only a block that was read is asked about")
        detail = f"{refusal.message} (Python {self.interpreter.version})"
        diagnosis = Diagnosis(KIND, _place(code, refusal), detail=detail)
        message = rulebook.message(rule, {}, self.lang) if rule is not None else detail
        placed = PlacedDiagnosis(diagnosis, source.place(diagnosis.span), message)
        compilation = replace(
            said,
            verdict="broken",
            context=said.context if said.context in {"session", "notebook"} else None,
            by_target=dict.fromkeys(said.by_target, "broken"),
            diagnoses=(diagnosis, *said.diagnoses),
            recovered=True,
        )
        return replace(block, compilation=compilation, diagnoses=(placed, *block.diagnoses))

    def _finding(self, placed: PlacedDiagnosis, rule: Rule, index: int, source: Source) -> Finding:
        severity = (self.severities or {}).get(rule.id, rule.severity)
        elsewhere = None if placed.place.path == source.path else source.path
        detail = placed.diagnosis.detail
        return Finding(rule.id, severity, placed.place, placed.message, index, source=elsewhere, detail=detail)


def _place(code: MappedText, refusal: Refusal) -> Span:
    """One character wide at the compiler's place."""
    if refusal.in_bytes:
        start = Lines(code.text).offset(refusal.line, refusal.column - 1)
    else:
        lines = code.text.split("\n")
        line = min(refusal.line, len(lines)) - 1
        start = sum(len(text) + 1 for text in lines[:line]) + min(refusal.column - 1, len(lines[line]))
    start = min(start, len(code.text))
    return code.locate(start, min(start + 1, len(code.text)))


def _order(finding: Finding) -> tuple[str, int, int, str]:
    return finding.place.path, finding.place.start, finding.place.end, finding.rule
