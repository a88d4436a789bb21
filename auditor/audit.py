"""One source, from its text to its findings: the straight line for one file, pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from auditor import matching, rulebook
from auditor.audited import (
    AuditOptions,
    BlockAudit,
    Lines,
    PlacedDiagnosis,
    PlacedNotAudited,
    SourceAudit,
    fingerprinted,
)
from auditor.compiling import GAVE_UP, compile_blocks
from auditor.compiling.compiler import silent
from auditor.extract import extract
from auditor.matching.regexes import searching_for
from auditor.matching.selection import narrowed
from auditor.model import (
    Argument,
    Block,
    Compilation,
    Definition,
    Diagnosis,
    Edit,
    Finding,
    MappedText,
    Place,
    Severity,
    Source,
    Span,
)
from auditor.rulebook import Rule, Rulebook
from auditor.structure.definitions import definitions as definitions_of
from auditor.structure.definitions import may_define
from auditor.structure.hints import hinted
from auditor.structure.linked import linked
from auditor.structure.marks import ignore_comments, unknown_comments
from auditor.structure.names import names as names_of
from auditor.structure.program import program as program_of
from auditor.structure.surroundings import Surroundings

# The diagnosis whose severity depends on the run: an error where the user named the targets, else a remark.
_BY_TARGET = "needs-newer-python"
_NOT_APPLIED = "rules-not-applied"
# Characters of the code behind a metavariable that a finding quotes.
_MOST_QUOTED = 500


@dataclass(frozen=True, slots=True)
class _Prepared:
    """The rules made ready once for a process."""

    program: matching.Program
    by_id: Mapping[str, Rule]
    by_diagnosis: Mapping[str, Rule]


_PREPARED: dict[str, _Prepared] = {}


def _prepare(book: Rulebook) -> _Prepared:
    ready = _PREPARED.get(book.digest)
    if ready is None:
        ready = _PREPARED[book.digest] = _Prepared(
            book.program if book.program is not None else matching.prepare(book.rules),
            {rule.id: rule for rule in book.rules},
            {rule.diagnosis: rule for rule in book.rules if rule.diagnosis is not None},
        )
    return ready


def audit(source: Source, book: Rulebook, options: AuditOptions) -> SourceAudit:
    """Everything that one source's text, the rules and the options decide. Never raises for any text.

    What a parser warns of while it reads is no warning of the run's, whatever `-W` says.
    """
    with silent(), searching_for(options.regex_seconds):
        return _audit(source, book, options)


def _audit(source: Source, book: Rulebook, options: AuditOptions) -> SourceAudit:
    extraction = extract(source, options.extract)
    compilations = compile_blocks(source, extraction.blocks, options.compile)
    rules = _prepare(book)
    codes = [compilation.code.text for compilation in compilations if compilation.code is not None]
    if len(compilations) > 1:
        rules = replace(rules, program=narrowed(rules.program, codes))
    around = Surroundings(source.path, source.text, [block.span.start for block in extraction.blocks])
    line = _Line(source, rules, options, around, options.files or any(map(may_define, codes)))
    blocks: list[BlockAudit] = []
    findings: list[Finding] = []
    before: list[str] = []
    suppressions = list(extraction.suppressions)
    faults = list(extraction.faults)
    for index, (block, compilation) in enumerate(zip(extraction.blocks, compilations, strict=True)):
        judged, found = line.judge(index, block, compilation, before)
        blocks.append(judged)
        findings.extend(found)
        suppressions.extend(ignore_comments(block.code))
        faults.extend(unknown_comments(block.code))
        if compilation.code is not None:
            before.append(compilation.code.text)
    findings.extend(line.about_marks(faults))
    findings.sort(key=lambda finding: (finding.place.path, finding.place.start, finding.place.end, finding.rule))
    over = len(findings) - options.most_findings
    if over > 0:
        del findings[options.most_findings :]
    is_page = bool(blocks) and not any(block.kind == "file" for block in extraction.blocks)
    return SourceAudit(
        source.path,
        source.sha256,
        blocks=tuple(blocks),
        findings=tuple(fingerprinted(findings, blocks)),
        not_audited=tuple(
            PlacedNotAudited(left.kind, source.place(left.span), left.reason) for left in extraction.not_audited
        ),
        suppressions=tuple((suppression, source.place(suppression.span)) for suppression in suppressions),
        incomplete=(
            *(
                f"{source.path}:{judged.place.line}: {judged.compilation.reason}"
                for judged in blocks
                if (judged.compilation.reason or "").startswith(GAVE_UP)
            ),
            *([f"{source.path}: more findings than the limit, {over} are left out"] if over > 0 else ()),
        ),
        hinted=_hinted(source, extraction.blocks, compilations) if is_page else frozenset(),
        linked=linked(source.text) if is_page else (),
    )


def _hinted(source: Source, blocks: Sequence[Block], compilations: Sequence[Compilation]) -> frozenset[str]:
    """The names that a page's text, its unread code included, seems to define."""
    read = [
        (block.span.start, block.span.end)
        for block, compilation in zip(blocks, compilations, strict=True)
        if compilation.code is not None and not compilation.recovered
    ]
    return hinted(source.text, read)


@dataclass(frozen=True, slots=True)
class _Line:
    """The fixed part of one audit: the source, the rules made ready, the options, the text around the blocks.

    `uses` tells that there may be definitions to hold the uses of a page against.
    """

    source: Source
    rules: _Prepared
    options: AuditOptions
    around: Surroundings
    uses: bool

    def judge(
        self, index: int, block: Block, compilation: Compilation, before: Sequence[str]
    ) -> tuple[BlockAudit, list[Finding]]:
        """One block's audit and its findings; `before` is the code of the blocks above it."""
        place = self.source.place(block.span)
        placed = tuple(self._placed(diagnosis) for diagnosis in compilation.diagnoses)
        findings = [found for item in placed if (found := self._diagnosed(item, index)) is not None]
        code = compilation.code
        if code is None:
            return BlockAudit(block, compilation, place, placed), findings
        matches = matching.find(
            self.rules.program,
            code.text,
            before=before,
            path=self.source.path,
            kind=block.kind,
            context=compilation.context or "",
            language=block.language,
        )
        findings.extend(self._matched(match, code, index) for match in matches.matches)
        if matches.not_applied is not None:
            diagnosis = Diagnosis(_NOT_APPLIED, code.locate(0), {"reason": matches.not_applied})
            placed = (*placed, self._placed(diagnosis))
            findings.extend(found for found in (self._diagnosed(placed[-1], index),) if found is not None)
        asked = self.options.outsides or block.kind != "file"
        definitions: tuple[tuple[Definition, Place], ...] = ()
        if asked or findings:  # a finding is told apart by the definition that it stands in
            definitions = tuple(
                (definition, self.source.place(code.locate(definition.span.start, definition.span.end)))
                for definition in definitions_of(code.text)
            )
        if not asked:
            return BlockAudit(block, compilation, place, placed, definitions), findings
        names = names_of(code.text)
        page = block.kind != "file"
        program = program_of(code.text, uses=page and self.uses)
        if not page or names is None or program is None:
            return BlockAudit(block, compilation, place, placed, definitions, names, program), findings
        lines = tuple(self._lines(code))
        told = self.around.told(block.span.start, block.span.end, block.heading, (need.name for need in names.needs))
        return BlockAudit(block, compilation, place, placed, definitions, names, program, lines, told), findings

    def about_marks(self, faults: Sequence[Diagnosis]) -> list[Finding]:
        """The findings of marks that are wrong themselves; they are about no block."""
        placed = map(self._placed, faults)
        return [found for item in placed if (found := self._diagnosed(item, -1)) is not None]

    def _lines(self, code: MappedText) -> Iterator[Lines]:
        """The lines that a block's code comes from, of this source and of those that it includes."""
        spans: dict[str | None, tuple[int, int]] = {}
        for segment in code.segments:
            end = segment.origin + segment.origin_length
            low, high = spans.get(segment.path, (segment.origin, end))
            spans[segment.path] = min(low, segment.origin), max(high, end)
        for path, (start, end) in spans.items():
            source = self.source.named(path)
            if source is not None:
                yield Lines.of(source, start, end)

    def _placed(self, diagnosis: Diagnosis) -> PlacedDiagnosis:
        rule = self.rules.by_diagnosis.get(diagnosis.kind)
        if rule is None:
            message = diagnosis.detail or diagnosis.kind
        else:
            message = rulebook.message(rule, self._shown(diagnosis.arguments), self.options.lang)
        return PlacedDiagnosis(diagnosis, self.source.place(diagnosis.span), message)

    def _shown(self, arguments: Mapping[str, Argument]) -> dict[str, str]:
        """Arguments as a message shows them: a span as its line in the user's file."""
        return {
            name: str(self.source.place(argument).line) if isinstance(argument, Span) else str(argument)
            for name, argument in arguments.items()
        }

    def _diagnosed(self, placed: PlacedDiagnosis, index: int) -> Finding | None:
        """The finding of a diagnosis; none where its rule was left out."""
        diagnosis = placed.diagnosis
        rule = self.rules.by_diagnosis.get(diagnosis.kind)
        if rule is None:
            return None
        severity = self._severity(rule)
        if diagnosis.kind == _BY_TARGET and self.options.targets_named and rule.id not in self.options.severities:
            severity = "error"
        return Finding(
            rule.id,
            severity,
            placed.place,
            placed.message,
            index,
            source=self._elsewhere(placed.place),
            metavariables=diagnosis.arguments,
            detail=diagnosis.detail,
            fix=diagnosis.repair if placed.place.path == self.source.path else None,
            fix_safety=rule.safety,
        )

    def _matched(self, match: matching.Match, code: MappedText, index: int) -> Finding:
        rule = self.rules.by_id[match.rule_id]
        place = self.source.place(code.locate(match.start, match.end))
        bound = {name: _clipped(value.text) for name, value in match.bindings.items()}
        fix = None
        if match.fix is not None and place.path == self.source.path:
            spans = [(code.locate(edit.start, edit.end), edit.replacement) for edit in match.fix]
            fix = tuple(Edit(span.start, span.end, replacement) for span, replacement in spans)
        return Finding(
            rule.id,
            self._severity(rule),
            place,
            rulebook.message(rule, bound, self.options.lang),
            index,
            source=self._elsewhere(place),
            metavariables=bound,
            fix=fix,
            fix_safety=rule.safety,
        )

    def _severity(self, rule: Rule) -> Severity:
        return self.options.severities.get(rule.id, rule.severity)

    def _elsewhere(self, place: Place) -> str | None:
        """The page's path where a place lies in a file that the page includes."""
        return None if place.path == self.source.path else self.source.path


def _clipped(text: str) -> str:
    """What a metavariable stands for, as it is quoted: a literal may be a megabyte long, and match many times."""
    return text if len(text) <= _MOST_QUOTED else f"{text[:_MOST_QUOTED]}…"
