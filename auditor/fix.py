"""The fixes of one source: disjoint edits together, audited again, withheld where the result is not better; pure."""

import ast
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from auditor.audited import SourceAudit
from auditor.compiling.compiler import Failure, parse
from auditor.model import Edit, Finding, Source, Verdict

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
# Fixes that make room for other fixes end some time; two that undo each other do not.
_MOST = 1_000


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


def fix(source: Source, look: Callable[[Source], SourceAudit], wanted: Callable[[Finding], bool]) -> Fixed:
    """Apply the fixes of the findings that `wanted` admits until none is left.

    `look` audits a source with its suppressions applied. Of overlapping fixes the outermost goes first and the others
    get their turn on the result. All that fit are tried together; where the result is worse the half of them is, down
    to the one that is withheld.
    """
    applied: list[Finding] = []
    withheld: list[Withheld] = []
    refused: set[str] = set()
    before = look(source)
    most = _MOST
    while len(applied) < _MOST:
        chosen = _disjoint(
            finding for finding in before.findings if finding.fingerprint not in refused and wanted(finding)
        )[:most]
        if not chosen:
            break
        result = replace(source, text=apply(source.text, _edits(chosen)))
        after = look(result)
        reason = _worse(before, after, chosen) or _joins(source, chosen, after, look)
        if reason is None:
            applied.extend(chosen)
            source, before, most = result, after, _MOST
        elif len(chosen) > 1:
            most = len(chosen) // 2
        else:
            refused.add(chosen[0].fingerprint)
            withheld.append(Withheld(chosen[0], reason))
            most = _MOST
    return Fixed(source, tuple(applied), tuple(withheld))


def apply(text: str, edits: Iterable[Edit]) -> str:
    """The text after disjoint edits, in any order."""
    parts = []
    at = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        parts += [text[at : edit.start], edit.replacement]
        at = edit.end
    return "".join((*parts, text[at:]))


def _edits(findings: Iterable[Finding]) -> list[Edit]:
    return [edit for finding in findings for edit in finding.fix or ()]


def _disjoint(findings: Iterable[Finding]) -> list[Finding]:
    """Findings whose fixes do not touch one another, the widest first where they do, by position."""
    kept: list[tuple[int, int, Finding]] = []
    ranged = [
        (min(edit.start for edit in finding.fix), max(edit.end for edit in finding.fix), finding)
        for finding in findings
        if finding.fix
    ]
    for start, end, finding in sorted(ranged, key=lambda item: (item[0] - item[1], item[0])):
        if all(end < other or start > stop for other, stop, _ in kept):
            kept.append((start, end, finding))
    return [finding for _, _, finding in sorted(kept, key=lambda item: item[:2])]


def _worse(before: SourceAudit, after: SourceAudit, chosen: Sequence[Finding]) -> str | None:
    """Why a result is not better than what it came from, or `None`."""
    touched = {finding.block for finding in chosen}
    if len(before.blocks) != len(after.blocks):
        # A fix of the fence itself moves its bounds: then the page as a whole must not be worse.
        return "more blocks would be broken" if _broken(after) > _broken(before) else None
    for index, (was, now) in enumerate(zip(before.blocks, after.blocks, strict=True)):
        if index in touched:
            if _RANK[now.compilation.verdict] < _RANK[was.compilation.verdict]:
                return f"the block would be {now.compilation.verdict}"
        elif was.block.code.text != now.block.code.text or was.compilation.verdict != now.compilation.verdict:
            return "another block would change"
    counts = Counter(finding.rule for finding in before.findings)
    left = Counter(finding.rule for finding in after.findings)
    stays = [finding.rule for finding in chosen if left[finding.rule] >= counts[finding.rule]]
    return f"{stays[0]} would stay" if stays else None


def _broken(audit: SourceAudit) -> int:
    return sum(_RANK[block.compilation.verdict] == 0 for block in audit.blocks)


def _joins(
    source: Source, chosen: Sequence[Finding], after: SourceAudit, look: Callable[[Source], SourceAudit]
) -> str | None:
    """Whether an expression that is put in joins with its neighbours: in parentheses it would give another tree."""
    # A repair of what does not compile has no tree to keep.
    edits = _edits(finding for finding in chosen if finding.detail is None)
    shielded = [replace(edit, replacement=f"({edit.replacement})") if _stands_alone(edit) else edit for edit in edits]
    if shielded == edits:
        return None
    shielded += _edits(finding for finding in chosen if finding.detail is not None)
    safe = look(replace(source, text=apply(source.text, shielded)))
    for index in {finding.block for finding in chosen}:
        one, other = (audit.blocks[index].compilation.code for audit in (after, safe))
        if one is not None and other is not None and _tree(one.text) != _tree(other.text):
            return "the code around the edit would be read in another way"
    return None


def _stands_alone(edit: Edit) -> bool:
    """Whether a replacement is one expression, which parentheses do not change: no list of arguments, no statement."""
    try:
        body = ast.parse(edit.replacement.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return not isinstance(body, ast.Tuple | ast.Starred)


def _tree(code: str) -> str | None:
    tree = parse(code)
    return None if isinstance(tree, Failure) else ast.dump(tree)
