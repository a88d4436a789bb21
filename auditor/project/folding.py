"""One finding for a file that is in Python 2, or a template, throughout: the first stays and tells of the others."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from auditor.audited import SourceAudit
from auditor.model import Finding, Suppressed

# How a folded finding is marked: like a suppressed one it is shown and not counted.
FOLDED = "file"
_REASON = "one finding for the file: its first of this kind"
# So many blocks of one kind, and one in so many blocks that could be of it, make the kind the file's own.
FEWEST = 3
SHARE = 5
_TEMPLATES = frozenset({"jinja", "handlebars"})
_OTHERS = {
    "en": "{message} So it is with {others} more of the {blocks} blocks in this file, marked and not counted.",
    "zh": "{message} 本文件的 {blocks} 个代码块中另有 {others} 个如此，已标记，不再计数。",
}


def fold(findings: Sequence[Finding], source: SourceAudit, lang: str) -> Sequence[Finding]:
    """The findings of a source in their order, those that only repeat what holds for the whole file marked.

    What somebody suppressed is left alone, so that a mark on the first finding shows the next.
    """
    groups: dict[str, list[int]] = {}
    for at, finding in enumerate(findings):
        kind = _kind(finding)
        if kind is not None and finding.suppressed is None and finding.block >= 0:
            groups.setdefault(kind, []).append(at)
    folded: dict[int, Finding] = {}
    for group in groups.values():
        if len(group) >= FEWEST:
            folded.update(_folded(findings, group, source, lang))
    return [folded.get(at, finding) for at, finding in enumerate(findings)] if folded else findings


def _kind(finding: Finding) -> str | None:
    if finding.rule == "python2-syntax":
        return finding.rule
    is_template = finding.rule == "wrong-language" and finding.metavariables.get("label") in _TEMPLATES
    return "template" if is_template else None


def _folded(findings: Sequence[Finding], group: Sequence[int], source: SourceAudit, lang: str) -> Mapping[int, Finding]:
    first, *rest = group
    blocks = {findings[at].block for at in group}
    of_python_2 = findings[first].rule == "python2-syntax"
    # What a program printed is in no Python, old or new.
    beside = {"skipped", "not-python"} if of_python_2 else {"skipped"}
    could = sum(judged.compilation.verdict not in beside for judged in source.blocks)
    if len(blocks) < FEWEST or len(blocks) * SHARE < could:
        return {}
    told = _OTHERS[lang].format(message=findings[first].message, others=len(blocks) - 1, blocks=could)
    changed = {at: replace(findings[at], suppressed=Suppressed(_REASON, FOLDED)) for at in rest}
    return {**changed, first: replace(findings[first], message=told)}
