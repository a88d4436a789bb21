"""From audits to findings with their status: the linter, the whole set, the gate, each only where it is asked for."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from auditor.audited import SourceAudit
from auditor.cli.session import Session
from auditor.engine.sorting import in_order
from auditor.model import Finding
from auditor.project.whole import Whole, judge

if TYPE_CHECKING:
    from auditor.gate import Departed

# Diagnoses that only a run over all files can make: what defines a name may stand in a file that was not named.
_NEEDS_ALL = frozenset({"undefined-name"})


@dataclass(frozen=True, slots=True)
class Gated:
    """All findings of a run; `is_gated` tells that they have a status.

    `left` are the blocks that the base alone has, where the run was compared with one.
    """

    findings: Sequence[Finding]
    is_gated: bool = False
    left: "tuple[Departed, ...] | None" = None


def judged(
    audits: Sequence[SourceAudit], session: Session, options: argparse.Namespace
) -> tuple[Sequence[SourceAudit], Whole, Gated]:
    """The audits with what others add, what they show together, and all findings."""
    book = session.rulebook
    wishes = replace(session.project, needs=False)
    if session.named_only:
        book = book.chosen(lambda rule: rule.diagnosis not in _NEEDS_ALL)
    others = options.linters or options.interpreter
    if not others and session.base is None and not options.baseline and not session.configuration.baseline:
        whole = judge(audits, book, wishes, in_order)
        return audits, whole, Gated(whole.findings)
    from auditor.cli.gating import gate  # noqa: PLC0415 - an editor waits, and needs neither git nor a linter
    from auditor.cli.interpreters import second_look_of  # noqa: PLC0415
    from auditor.cli.linters import linter_of, source_reader  # noqa: PLC0415

    with linter_of(session, options) as linter, second_look_of(session, options) as second_look:
        if second_look is not None:
            audits = second_look.add(audits, source_reader(session))
        if linter is not None:
            audits = linter.add(audits, source_reader(session))
        whole = judge(audits, book, wishes, in_order)
        return audits, whole, gate(whole.findings, audits, session, options, linter, book, second_look)
