"""From the blocks of one source to their answers: a session, a file or a piece of code, judged and explained."""

import ast
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING
from warnings import WarningMessage

from auditor.compiling.candidates import Candidate, Fit, Foreign, Misfit, fit, settle_adjusted
from auditor.compiling.compiler import Failure, Neighbourhood, parse, silent
from auditor.compiling.nesting import depth_of
from auditor.compiling.options import MAX_DEPTH, TOO_DEEP, TOO_LARGE, TOO_LONG, CompileOptions, beyond
from auditor.compiling.remarks import remark
from auditor.compiling.versions import minimum_python, order
from auditor.extract import closed_early
from auditor.model import Block, Compilation, Context, Diagnosis, MappedText, Source, Span, Verdict

if TYPE_CHECKING:
    from auditor.compiling.diagnoses.diagnose import Diagnosed
    from auditor.compiling.transcripts import Transcript

# Remarks on text that compiles, or would; all other kinds are defects.
NOTES = frozenset(
    {
        "elision", "placeholder", "header-only", "signature-only", "shown-error", "needs-newer-python",
        "invalid-escape", "is-literal", "perhaps-missing-comma", "always-true-assert", "glued-number",
        "stray-return-beside-def",
    }
)  # fmt: skip
_BEHIND_THEIR_SPAN = frozenset({"header-only", "signature-only"})
_IN_CONTEXT = frozenset({"session", "notebook", "continuation", "fragment"})
_HELD: tuple[Context, ...] = ("session", "notebook")
# Where an author thought the fence closed.
_MARKS_BEHIND_CODE = re.compile(r"^[^\n`]*\S[ \t]*(?P<marks>`{3,})[ \t]*$", re.MULTILINE)
# CPython reads no line of such a file.
UNKNOWN_ENCODING = "unknown-encoding"


def compile_blocks(source: Source, blocks: Sequence[Block], options: CompileOptions) -> tuple[Compilation, ...]:
    """One answer for each block of the source, in order; never raises and never runs what it reads."""
    answers: list[Compilation] = []
    before: Block | None = None
    with silent() as caught:
        for block in blocks:
            caught.clear()
            answer = _compile_block(source, block, before, options, caught)
            if options.max_nesting < MAX_DEPTH and _nests_deeper(answer.code, options.max_nesting):
                answer = _skipped(block, TOO_DEEP, options)
            if answer.diagnoses and block.kind == "fence":
                answer = replace(answer, diagnoses=_with_fence_repairs(source, block, answer))
            answers.append(answer)
            if block.skip is None:
                before = block
    return tuple(answers)


def _with_fence_repairs(source: Source, block: Block, answer: Compilation) -> tuple[Diagnosis, ...]:
    from auditor.compiling.fence_repairs import with_fence_repairs  # noqa: PLC0415 - most fences have no fault

    return with_fence_repairs(source, block, answer)


def _compile_block(
    source: Source, block: Block, before: Block | None, options: CompileOptions, caught: Sequence[WarningMessage]
) -> Compilation:
    if block.skip is not None:
        return _skipped(block, block.skip, options)
    if any(said.kind == UNKNOWN_ENCODING for said in block.structure):
        return Compilation("broken", None, by_target=_same(options, "broken"), diagnoses=block.structure)
    code = block.code
    if len(code.text) > options.max_size:
        return _skipped(block, beyond(TOO_LARGE, len(code.text), options.max_size, "block-bytes"), options)
    longest = max(map(len, code.text.split("\n"))) if len(code.text) > options.max_line else 0
    if longest > options.max_line:
        return _skipped(block, beyond(TOO_LONG, longest, options.max_line, "line-length"), options)
    start = Candidate(code)
    if block.kind == "file":
        whole = fit(Candidate(code, context="module"), in_scope=False)
        outcome: Fit | Foreign | list[Misfit] = whole if isinstance(whole, Fit) else [whole]
    else:
        as_it_stands = fit(start)
        # `In [1]: x = 1` is an annotated assignment, too; a prompt on the first line of code still makes a session.
        if isinstance(as_it_stands, Fit) and "In [" not in code.text:
            return _accepted(block, as_it_stands, options, caught)
        from auditor.compiling.sessions import opens_session, read_examples  # noqa: PLC0415 - most code stands as it is

        if opens_session(code.text, block.language):
            from auditor.compiling.transcripts import judge_session  # noqa: PLC0415 - not every book shows sessions

            transcript = judge_session(code, read_examples(code.text))
            if transcript is not None:
                return _of_session(source, block, before, transcript, options, caught)
        outcome = as_it_stands if isinstance(as_it_stands, Fit) else _in_context(as_it_stands)
    if isinstance(outcome, Fit):
        return _accepted(block, outcome, options, caught)
    if isinstance(outcome, Foreign):
        return _skipped(block, f"cell magic {outcome.magic}", options)
    if any(misfit.failure.gave_up for misfit in outcome):
        return _skipped(block, TOO_DEEP, options)
    return _rejected(source, block, before, outcome, options)


def _in_context(as_it_stands: Misfit) -> Fit | Foreign | list[Misfit]:
    from auditor.compiling.contexts import CONTEXTS  # noqa: PLC0415 - as above

    return settle_adjusted(as_it_stands, CONTEXTS)


def _nests_deeper(code: MappedText | None, levels: int) -> bool:
    tree = parse(code.text) if code is not None else None
    return isinstance(tree, ast.Module) and depth_of(tree) > levels


def _skipped(block: Block, reason: str, options: CompileOptions) -> Compilation:
    return Compilation(
        "skipped", None, by_target=_same(options, "skipped"), diagnoses=_in_order(block.structure), reason=reason
    )


def _same(options: CompileOptions, verdict: Verdict) -> dict[str, Verdict]:
    return dict.fromkeys(options.targets, verdict)


def _in_order(diagnoses: Iterable[Diagnosis]) -> tuple[Diagnosis, ...]:
    """Defects before notes, then by position; two of one kind that begin at one place are one."""
    single = {(said.kind in NOTES, said.span.start, said.kind): said for said in diagnoses}
    return tuple(single[key] for key in sorted(single))


def _accepted(block: Block, fitted: Fit, options: CompileOptions, caught: Sequence[WarningMessage]) -> Compilation:
    candidate, context = fitted.candidate, fitted.context
    text = candidate.code.text
    diagnoses = [*block.structure, *candidate.diagnoses]
    feature = minimum_python(text)
    diagnoses.extend(said.through(candidate.code) for said in remark(text, caught, newer=feature is not None))
    verdict: Verdict = "compiles"
    if fitted.elided:
        verdict = "compiles-elided"
    elif candidate.adjustments or context in _IN_CONTEXT:
        verdict = "compiles-in-context"
    by_target = _same(options, verdict)
    if feature is not None:
        older = [target for target in options.targets if order(target) < order(feature.version)]
        for target in older:
            by_target[target] = "newer-python"
        if older:
            oldest = min(older, key=order)
            arguments = {"needs": feature.version, "target": oldest, "feature": feature.name}
            diagnoses.append(Diagnosis("needs-newer-python", feature.span, arguments).through(candidate.code))
            verdict = "newer-python"
    return Compilation(
        verdict,
        context,
        candidate.adjustments,
        candidate.code,
        feature.version if feature is not None else None,
        by_target,
        _in_order(diagnoses) if diagnoses else (),
    )


def _of_session(
    source: Source,
    block: Block,
    before: Block | None,
    transcript: "Transcript",
    options: CompileOptions,
    caught: Sequence[WarningMessage],
) -> Compilation:
    if not transcript.misfits:
        return _accepted(block, Fit(transcript.candidate, "session"), options, caught)
    if any(misfit.failure.gave_up for misfit in transcript.misfits):
        return _skipped(block, TOO_DEEP, options)
    diagnoses = [*block.structure, *transcript.candidate.diagnoses]
    around = _around(source, block, before)
    for misfit in transcript.misfits:
        diagnosed = _diagnose(misfit.candidate.code.text, misfit.failure, around)
        diagnoses.extend(said.through(misfit.candidate.code) for said in diagnosed.diagnoses)
        diagnoses.extend(misfit.candidate.diagnoses)
    code = transcript.candidate.code
    return Compilation(
        "broken",
        "session",
        transcript.candidate.adjustments,
        code if code.text.strip() else None,
        by_target=_same(options, "broken"),
        diagnoses=_in_order(diagnoses),
        recovered=bool(code.text.strip()),
    )


def _around(source: Source, block: Block, before: Block | None) -> Neighbourhood:
    if before is None:
        return Neighbourhood()
    distance = source.position(block.span.start).line - source.position(before.span.end).line
    return Neighbourhood(before.code.text, max(distance, 0))


def _rejected(
    source: Source, block: Block, before: Block | None, tried: Sequence[Misfit], options: CompileOptions
) -> Compilation:
    own = _own_part(block)
    if own is not None:
        # What an unclosed fence has swallowed says nothing of its code.
        as_it_stands = fit(Candidate(own))
        settled = as_it_stands if isinstance(as_it_stands, Fit) else _in_context(as_it_stands)
        if isinstance(settled, Fit):
            return Compilation(
                "broken",
                None,
                settled.candidate.adjustments,
                settled.candidate.code,
                by_target=_same(options, "broken"),
                diagnoses=_in_order([*block.structure, *settled.candidate.diagnoses]),
                recovered=True,
            )
        tried = settled if isinstance(settled, list) else tried
    around = _around(source, block, before)
    misfit, diagnosed = _explain(tried, around)
    code = misfit.candidate.code
    early = closed_early(source, block) if block.kind == "fence" and diagnosed.verdict == "broken" else None
    if early is not None:
        said: list[Diagnosis] = [early]
    else:
        said = [diagnosis.through(code) for diagnosis in diagnosed.diagnoses]
    recovered = _recovered(code, diagnosed) if diagnosed.verdict == "broken" else None
    held = misfit.candidate.context
    return Compilation(
        diagnosed.verdict,
        held if held in _HELD else None,
        misfit.candidate.adjustments,
        recovered,
        by_target=_same(options, diagnosed.verdict),
        diagnoses=_in_order([*block.structure, *said, *misfit.candidate.diagnoses]),
        recovered=recovered is not None,
    )


def _own_part(block: Block) -> MappedText | None:
    """The code without what is not the fence's own: what it has swallowed unclosed, another fence inside it.

    Of a fence that begins with the opener of another the rest is its own.
    """
    from auditor.compiling.excerpts import excerpt, offset_of  # noqa: PLC0415 - sound code needs none

    for fault in block.structure:
        if fault.kind == "opener-inside-body":
            inner = offset_of(block.code, fault.span.start)
            end = block.code.text.rfind("\n", 0, inner) + 1
            marks = _MARKS_BEHIND_CODE.search(block.code.text, 0, end)
            above = excerpt(block.code, 0, marks.start("marks") if marks else end)
            if above.text.strip():
                return above
            line_end = block.code.text.find("\n", inner)
            return excerpt(block.code, line_end + 1, len(block.code.text)) if line_end >= 0 else None
        if fault.kind == "unclosed-fence":
            place = fault.arguments.get("closer") or fault.arguments.get("swallowed")
            if isinstance(place, Span):
                return excerpt(block.code, 0, offset_of(block.code, place.start))
    return None


def _diagnose(code: str, failure: Failure, around: Neighbourhood) -> "Diagnosed":
    from auditor.compiling.diagnoses.diagnose import diagnose  # noqa: PLC0415 - most pages are sound

    return diagnose(code, failure, around)


def _explain(tried: Sequence[Misfit], around: Neighbourhood) -> "tuple[Misfit, Diagnosed]":
    """The text that tells most: what was adjusted counts only where the compiler then comes further.

    Dots and angle brackets are evidence, too, so that the text before their repair may say that it is no Python.
    """
    plain = _furthest([misfit for misfit in tried if not _is_repaired(misfit)])
    diagnosed = _diagnose(plain.candidate.code.text, plain.failure, around)
    if diagnosed.verdict == "broken":
        failed_at = _failed_at(plain.candidate.code, plain.failure)
        repaired = max(
            (misfit for misfit in tried if _is_repaired(misfit)),
            key=lambda misfit: (_repairs(misfit, failed_at), _failed_at(misfit.candidate.code, misfit.failure)),
            default=plain,
        )
        further = _failed_at(repaired.candidate.code, repaired.failure) > failed_at
        if repaired is not plain and (further or _repairs(repaired, failed_at)):
            return repaired, _diagnose(repaired.candidate.code.text, repaired.failure, around)
        if repaired is not plain and _leaves_unexplained(diagnosed):
            # What an author left out behind the defect is no second one.
            behind = _diagnose(repaired.candidate.code.text, repaired.failure, around)
            if behind.verdict == "broken" and not _leaves_unexplained(behind):
                return repaired, behind
    return plain, diagnosed


def _leaves_unexplained(diagnosed: "Diagnosed") -> bool:
    return any(said.kind == "syntax-error" for said in diagnosed.diagnoses)


def _is_repaired(misfit: Misfit) -> bool:
    return misfit.candidate.context == "continuation" or bool(misfit.candidate.diagnoses)


def _repairs(misfit: Misfit, failed_at: int) -> bool:
    """Whether what was put in stands where the text failed before; a body or a colon stands behind its header."""
    return any(
        said.span.start <= failed_at <= said.span.end
        for said in misfit.candidate.diagnoses
        if said.kind not in _BEHIND_THEIR_SPAN
    )


def _furthest(misfits: Sequence[Misfit]) -> Misfit:
    """The one whose failure stands last in the source; the first of equals."""
    return max(misfits, key=lambda misfit: _failed_at(misfit.candidate.code, misfit.failure))


def _failed_at(code: MappedText, failure: Failure) -> int:
    lines = code.text.split("\n", failure.line - 1)
    offset = len(code.text) - len(lines[-1]) + failure.column - 1
    return code.locate(min(offset, len(code.text))).start


def _recovered(code: MappedText, diagnosed: "Diagnosed") -> MappedText | None:
    """What can be read of a broken text: as mended where its diagnoses prove how, else without the parts at fault."""
    repair = sorted(
        (edit for said in diagnosed.diagnoses for edit in said.repair or ()), key=lambda edit: (edit.start, edit.end)
    )
    if repair and all(before.end <= after.start for before, after in pairwise(repair)):
        mended = code.edit(repair)
        if isinstance(fit(Candidate(mended)), Fit):
            return mended
    from auditor.compiling.recovery import recover  # noqa: PLC0415 - sound code needs none

    edits = recover(code.text, diagnosed.diagnoses)
    return code.edit(edits) if edits is not None else None
