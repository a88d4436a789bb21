"""Rounds of fixes: what is tried together, what it leaves, and what is withheld for it."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from auditor.audited import BlockAudit, SourceAudit
from auditor.fix.edits import apply, disjoint, edits_of, shifted, stands_alone, tree_of
from auditor.model import Edit, Finding, Source, Span, Verdict

# How sound a block is: a fix must never make it less so.
_RANK: dict[Verdict, int] = {
    "broken": 0,
    "not-python": 1,
    "newer-python": 2,
    "compiles-elided": 3,
    "compiles-in-context": 4,
    "skipped": 4,
    "compiles": 4,
}
_COMPILES = 2
# Fixes that make room for other fixes end some time; two that undo each other do not.
_ROUNDS = 40
_ATTEMPTS = 100
_ENDLESS = "the fixes would not come to an end"


@dataclass(frozen=True, slots=True)
class Withheld:
    """A fix that was not applied, and why."""

    finding: Finding
    reason: str


@dataclass(frozen=True, slots=True)
class Fixed:
    """A source after its fixes: everything outside the edits is as it was, character for character."""

    source: Source
    applied: tuple[Finding, ...] = ()
    withheld: tuple[Withheld, ...] = ()


Look = Callable[[Source], SourceAudit]
# What is withheld: a block, by its offset in the first source, or one finding, by its fingerprint; and why.
Refused = dict[int | str, str]


def fix(source: Source, look: Look, wanted: Callable[[Finding], bool]) -> Fixed:
    """Apply the fixes of the findings that `wanted` admits until none is left.

    `look` audits a source with its suppressions applied. Of overlapping fixes the widest goes first and the others get
    their turn on the result. A broken block may need several, one after the other; where it does not compile in the
    end, all its fixes are withheld. In a block that compiles each fix stands for itself.
    """
    first = look(source)
    refused: Refused = {}
    apart: set[int] = set()
    for _ in range(_ATTEMPTS):
        attempt = _Attempt(source, first, look, wanted, refused, apart)
        attempt.run()
        if not attempt.failed and not attempt.doubtful:
            result = attempt.result(first)
            return replace(result, withheld=(*result.withheld, *_holding_code(source, first)))
        if attempt.failed.keys() <= refused.keys() and attempt.doubtful <= apart:
            break
        refused |= attempt.failed
        apart |= attempt.doubtful
    withheld = [Withheld(finding, _ENDLESS) for finding in first.findings if finding.fix and wanted(finding)]
    return Fixed(source, (), tuple(withheld))


def _holding_code(source: Source, first: SourceAudit) -> Iterator[Withheld]:
    """The findings that another label would mend, were there no code in the block that it would take out of sight."""
    for finding in first.findings:
        code = finding.metavariables.get("code")
        if isinstance(code, Span) and code.path is None and finding.suppressed is None:
            line = source.position(code.start).line
            yield Withheld(finding, f"line {line} is code, and nothing would audit it under another label")


class _Attempt:
    """One way through all rounds.

    A unit is a block that has fixes, named by its offset in the first source. `refused` is what is withheld; of the
    units in `apart` one finding goes at a time. `failed` and `doubtful` are what this attempt adds to the two.
    """

    def __init__(
        self,
        source: Source,
        first: SourceAudit,
        look: Look,
        wanted: Callable[[Finding], bool],
        refused: Refused,
        apart: AbstractSet[int],
    ) -> None:
        self.source = source
        self.audit = first
        self.applied: list[Finding] = []
        self.failed: Refused = {}
        self.doubtful: set[int] = set()
        self._look = look
        self._wanted = wanted
        self._refused = refused
        self._apart = apart
        # Where the units stand now: offset now → offset in the first source.
        self._units = {block.block.span.start: block.block.span.start for block in first.blocks}
        self._most = len(first.blocks) + 1

    def run(self) -> None:
        """Rounds until nothing is left to fix, something has failed, or fixes go on for ever."""
        pending: set[int] = set()
        chosen: dict[int, list[Finding]] = {}
        for _ in range(_ROUNDS):
            chosen = self._chosen()
            if not chosen:
                self.failed |= dict.fromkeys(pending, "the block would still not compile")
                return
            step = self._step(chosen)
            if self.failed or self.doubtful:
                return
            if step is not None:
                pending = (pending - chosen.keys()) | step
        self.failed |= dict.fromkeys(chosen, _ENDLESS)

    def result(self, first: SourceAudit) -> Fixed:
        """What came of it, with the fixes that were withheld."""
        withheld = []
        for finding in first.findings:
            if finding.block >= 0 and finding.fix and self._wanted(finding):
                start = first.blocks[finding.block].block.span.start
                reason = self._refused.get(start) or self._refused.get(finding.fingerprint)
                if reason is not None:
                    withheld.append(Withheld(finding, reason))
        return Fixed(self.source, tuple(self.applied), tuple(withheld))

    def _unit(self, finding: Finding) -> int:
        """The unit of a finding; a block that a fix has made is one of its own, below all others."""
        start = self.audit.blocks[finding.block].block.span.start
        return self._units.get(start, -1 - start)

    def _chosen(self) -> dict[int, list[Finding]]:
        """The fixes of this round by unit, disjoint, of as many units as are tried together."""
        findings = [
            finding
            for finding in self.audit.findings
            if finding.block >= 0
            and finding.fix
            and self._wanted(finding)
            and not {self._unit(finding), finding.fingerprint} & self._refused.keys()
        ]
        chosen: dict[int, list[Finding]] = {}
        for finding in disjoint(findings):
            unit = self._unit(finding)
            group = chosen.get(unit)
            if group is None:
                if len(chosen) < self._most:
                    chosen[unit] = [finding]
            elif unit not in self._apart:
                group.append(finding)
        return chosen

    def _step(self, chosen: Mapping[int, Sequence[Finding]]) -> set[int] | None:
        """Try the fixes: the units that need more of them, or `None` where fewer units are to be tried together."""
        findings = [finding for group in chosen.values() for finding in group]
        edits = edits_of(findings)
        result = replace(self.source, text=apply(self.source.text, edits))
        after = self._look(result)
        if not _others_stand(self.audit, after, {finding.block for finding in findings}):
            if len(chosen) > 1:
                self._most = len(chosen) // 2
                return None
            ((unit, group),) = chosen.items()
            self._fail(unit, group, "another block would change")
            return set()
        self._most = len(self.audit.blocks) + 1
        pending = set()
        shielded = self._shielded(findings)
        for unit, group in chosen.items():
            was = group[0].block
            now = _at(after, shifted(self.audit.blocks[was].block.span.start, edits))
            reason = _worse(self.audit, was, after, now, group)
            if reason is None and now is not None and shielded is not None:
                reason = self._joins(was, after.blocks[now], *shielded)
            if reason is not None:
                self._fail(unit, group, reason)
            elif now is not None and _rank(after.blocks[now]) < _COMPILES:
                pending.add(unit)
        self.applied.extend(findings)
        self._units = {shifted(now, edits): first for now, first in self._units.items()}
        self.source, self.audit = result, after
        return pending

    def _fail(self, unit: int, group: Sequence[Finding], reason: str) -> None:
        if _rank(self.audit.blocks[group[0].block]) < _COMPILES:
            self.failed[unit] = reason
        elif len(group) > 1:
            self.doubtful.add(unit)
        else:
            self.failed[group[0].fingerprint] = reason

    def _shielded(self, findings: Iterable[Finding]) -> tuple[SourceAudit, list[Edit]] | None:
        """The audit with every expression that is put in in parentheses; `None` where none is an expression."""
        edits: list[Edit] = []
        changed = False
        for finding in findings:
            for edit in finding.fix or ():
                # A repair of what does not compile has no tree to keep.
                alone = finding.detail is None and stands_alone(edit)
                edits.append(replace(edit, replacement=f"({edit.replacement})") if alone else edit)
                changed |= alone
        return (self._look(replace(self.source, text=apply(self.source.text, edits))), edits) if changed else None

    def _joins(self, was: int, now: BlockAudit, safe: SourceAudit, edits: Sequence[Edit]) -> str | None:
        """Whether what was put in joins with its neighbours: in parentheses it would give another tree."""
        other = _at(safe, shifted(self.audit.blocks[was].block.span.start, edits))
        if other is not None:
            codes = (now.compilation.code, safe.blocks[other].compilation.code)
            if codes[0] is not None and codes[1] is not None and tree_of(codes[0].text) != tree_of(codes[1].text):
                return "the code around the edit would be read in another way"
        return None


def _others_stand(before: SourceAudit, after: SourceAudit, touched: AbstractSet[int]) -> bool:
    """Whether the blocks that no fix is about are as they were.

    A fix of the fence itself may show blocks that it hid, or take in what was its own: then none more may be broken.
    """
    if len(before.blocks) != len(after.blocks):
        return sum(map(_is_broken, after.blocks)) <= sum(map(_is_broken, before.blocks))
    for index, was in enumerate(before.blocks):
        if index not in touched:
            now = after.blocks[index]
            if now.block.code.text != was.block.code.text or now.compilation.verdict != was.compilation.verdict:
                return False
    return True


def _rank(block: BlockAudit) -> int:
    return _RANK[block.compilation.verdict]


def _is_broken(block: BlockAudit) -> bool:
    return _rank(block) == 0


def _worse(before: SourceAudit, was: int, after: SourceAudit, now: int | None, chosen: Sequence[Finding]) -> str | None:
    """Why a block is not better than it was, or `None`. A block that is no Python may be gone: it has another label."""
    old = before.blocks[was]
    if now is None:
        return None if old.compilation.verdict == "not-python" else "the block would be gone"
    new = after.blocks[now]
    if _rank(new) < _rank(old):
        return f"the block would be {new.compilation.verdict}"
    said = [finding for finding in before.findings if finding.block == was]
    says = [finding for finding in after.findings if finding.block == now]
    if _rank(new) < _COMPILES:
        # The compiler tells one fault at a time: the next one stands further on.
        better = _first_fault(new) > _first_fault(old) or len(says) < len(said)
        return None if better else f"the block would still be {new.compilation.verdict}"
    counts, left = (Counter(finding.rule for finding in found) for found in (said, says))
    stays = [finding.rule for finding in chosen if left[finding.rule] >= counts[finding.rule]]
    return f"{stays[0]} would stay" if stays else None


def _first_fault(block: BlockAudit) -> tuple[int, int]:
    """How far into a block its first diagnosis stands: the line within, and the column."""
    return min(
        ((said.place.line - block.place.line, said.place.column) for said in block.diagnoses), default=(1 << 30, 0)
    )


def _at(audit: SourceAudit, start: int) -> int | None:
    """The block that begins at an offset."""
    return next((index for index, block in enumerate(audit.blocks) if block.block.span.start == start), None)
