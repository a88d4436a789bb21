"""From a text that does not compile to its verdict and its diagnoses."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from auditor.compiling.compiler import Failure, Neighbourhood
from auditor.compiling.diagnoses.broken_continuation import find_broken_continuation
from auditor.compiling.diagnoses.broken_import import find_broken_import
from auditor.compiling.diagnoses.broken_line import find_broken_line
from auditor.compiling.diagnoses.chopped_text import find_chopped_text
from auditor.compiling.diagnoses.compiler_limit import find_compiler_limit
from auditor.compiling.diagnoses.copy_residue import find_copy_residue
from auditor.compiling.diagnoses.diff_markers import find_two_sided_diff
from auditor.compiling.diagnoses.equals_for_comparison import find_equals_for_comparison
from auditor.compiling.diagnoses.escape_artefact import find_escape_artefact
from auditor.compiling.diagnoses.fullwidth_punctuation import find_fullwidth_punctuation
from auditor.compiling.diagnoses.hyphenated_name import find_hyphenated_name
from auditor.compiling.diagnoses.inconsistent_tabs import find_inconsistent_tabs
from auditor.compiling.diagnoses.invalid_target import find_invalid_target
from auditor.compiling.diagnoses.invisible_character import find_invisible_character
from auditor.compiling.diagnoses.leaked_emphasis import find_leaked_emphasis
from auditor.compiling.diagnoses.lines import Scan, scan
from auditor.compiling.diagnoses.lost_first_indent import find_lost_first_indent
from auditor.compiling.diagnoses.miscased_keyword import find_miscased_keyword
from auditor.compiling.diagnoses.missing_colon import find_missing_colon
from auditor.compiling.diagnoses.missing_comma import find_missing_comma
from auditor.compiling.diagnoses.missing_operator import find_missing_operator
from auditor.compiling.diagnoses.missing_value import find_missing_value
from auditor.compiling.diagnoses.mixed_class_indentation import find_mixed_class_indentation
from auditor.compiling.diagnoses.orphan_clause import find_orphan_clause
from auditor.compiling.diagnoses.plain import blank_statement, make_plain
from auditor.compiling.diagnoses.positional_after_keyword import find_positional_after_keyword
from auditor.compiling.diagnoses.printed_output import find_printed_record
from auditor.compiling.diagnoses.python2_syntax import find_python2_syntax
from auditor.compiling.diagnoses.reading import Found, Judge, Reading, read
from auditor.compiling.diagnoses.repeated_argument import find_repeated_argument
from auditor.compiling.diagnoses.smart_quotes import find_smart_quotes
from auditor.compiling.diagnoses.split_name import find_split_name
from auditor.compiling.diagnoses.stray_character import find_stray_character
from auditor.compiling.diagnoses.survey import is_substantive, survey
from auditor.compiling.diagnoses.syntax_error import find_syntax_error
from auditor.compiling.diagnoses.typographic_dash import find_typographic_dash
from auditor.compiling.diagnoses.unclosed_bracket import find_unclosed_bracket
from auditor.compiling.diagnoses.unexpected_indent import find_unexpected_indent
from auditor.compiling.diagnoses.unindent_mismatch import find_unindent_mismatch
from auditor.compiling.diagnoses.unindented_body import find_unindented_body
from auditor.compiling.diagnoses.unmatched_bracket import find_unmatched_bracket
from auditor.compiling.diagnoses.unterminated_string import find_unterminated_string
from auditor.model import Diagnosis, Edit, MappedText, apply_edits

# Defects named in one block at most.
MOST = 12
# Beyond so many statements that nothing explains a block is one riddle, not many.
MOST_UNEXPLAINED = 3


@dataclass(frozen=True, slots=True)
class Diagnosed:
    """Whether a text is broken code or no code, and why: offsets are those of the text."""

    verdict: Literal["broken", "not-python"]
    diagnoses: tuple[Diagnosis, ...]


# Faults of code. Of those that find something the first that is proven whole wins, then the first that is proven to
# move the compiler on, then the first that the text shows.
DEFECTS: tuple[Callable[[Reading], Found | None], ...] = (
    find_smart_quotes,
    find_invisible_character,
    find_fullwidth_punctuation,
    find_typographic_dash,
    find_escape_artefact,
    find_leaked_emphasis,
    find_copy_residue,
    find_python2_syntax,
    find_chopped_text,
    find_stray_character,
    find_miscased_keyword,
    find_broken_line,
    find_inconsistent_tabs,
    find_mixed_class_indentation,
    find_lost_first_indent,
    find_unexpected_indent,
    find_unindented_body,
    find_unindent_mismatch,
    find_repeated_argument,
    find_missing_colon,
    find_missing_comma,
    find_missing_value,
    find_broken_continuation,
    find_split_name,
    find_missing_operator,
    find_hyphenated_name,
    find_unterminated_string,
    find_unmatched_bracket,
    find_unclosed_bracket,
    find_orphan_clause,
    find_broken_import,
    find_positional_after_keyword,
    find_equals_for_comparison,
    find_invalid_target,
    find_compiler_limit,
)
# What is no code although an edit or two would make it compile.
AT_ONCE: tuple[Callable[[Reading], Found | None], ...] = (find_two_sided_diff, find_printed_record)


def diagnose(code: str, failure: Failure, around: Neighbourhood) -> Diagnosed:
    """Why a text that met `failure` does not compile. Never raises; the verdict depends on the text alone."""
    judge = Judge(len(code))
    work, scanned = make_plain(MappedText.verbatim(code))
    refused = judge.failure(work.text) if work.text != code else failure
    reading = read(scanned, refused or failure, around, judge)
    if reading.failure.gave_up:
        return Diagnosed("broken", (find_syntax_error(reading).diagnosis.through(work),))
    for tell_at_once in AT_ONCE:
        other = tell_at_once(reading)
        if other is not None:
            return Diagnosed("not-python", (other.diagnosis.through(work),))
    walk = _Walk(reading, work)
    walk.mend()
    if walk.is_whole and _says_something(scan(walk.text)):
        return Diagnosed("broken", _in_order(walk.named))
    from auditor.compiling.diagnoses.others import MIXTURES, OTHERS  # noqa: PLC0415 - not needed where defects tell all

    surveyed = survey(reading)
    for tell in OTHERS:
        other = tell(reading, surveyed)
        if other is not None:
            return Diagnosed("not-python", (other.diagnosis.through(work),))
    for tell in MIXTURES:
        other = tell(reading, surveyed)
        if other is not None:
            return Diagnosed("broken", (other.diagnosis.through(work),))
    walk.name_rest()
    return Diagnosed("broken", _in_order(walk.named))


class _Walk:
    """From one defect to the next: each that is named is mended or blanked, and the compiler asked again."""

    def __init__(self, reading: Reading, work: MappedText) -> None:
        self.reading = reading
        self.work = work
        self.named: list[Diagnosis] = []
        self.is_whole = False
        self.text = ""  # what compiles, once the whole does
        self.next = _best(reading)

    def mend(self) -> None:
        """Name defects as long as each is proven."""
        while not self.is_whole and len(self.named) < MOST:
            if self.next is None or self.next.proof == "shown" or not self._take(self.next):
                return

    def name_rest(self) -> None:
        """Name what stops the compiler, proven or not, and look beyond it."""
        unexplained: list[int] = []
        while not self.is_whole and len(self.named) < MOST:
            found = self.next
            if found is None:
                if len(unexplained) == MOST_UNEXPLAINED or (self.named and _is_cut_off(self.reading)):
                    break
                unexplained.append(len(self.named))
                found = find_syntax_error(self.reading)
            if not self._take(found):
                return
        if not self.is_whole and len(unexplained) == MOST_UNEXPLAINED:
            del self.named[unexplained[0] + 1 :]

    def _take(self, found: Found) -> bool:
        """Keep a diagnosis and read on behind it; answers whether that is possible."""
        reading = self.reading
        diagnosis = found.diagnosis if _is_untouched(self.work) else found.diagnosis.through(self.work)
        if any(diagnosis.kind == other.kind and diagnosis.span == other.span for other in self.named):
            return False
        self.named.append(diagnosis)
        if found.proof == "whole":
            self.is_whole = True
            self.text = apply_edits(reading.text, found.diagnosis.repair or ())
            return True
        edits: Sequence[Edit] | None = found.diagnosis.repair
        if edits is None and reading.statement is not None:
            edits = blank_statement(reading.scan, reading.statement)
        if not edits:
            return False
        work = self.work.edit(edits)
        failure = reading.judge.failure(work.text)
        if failure is None:
            self.is_whole = True
            self.text = work.text
            return True
        # Nothing new: the same place again, or a limit.
        is_back = failure.line <= reading.failure.line and not reading.is_lexical
        if failure.gave_up or (found.diagnosis.repair is None and is_back):
            return False
        if not reading.judge.allows_reading(work.text):
            return False
        self.reading, self.work = read(scan(work.text), failure, reading.around, reading.judge), work
        self.next = _best(self.reading)
        return True


def _is_untouched(work: MappedText) -> bool:
    """Whether offsets in the text are still those of the code."""
    return len(work.segments) == 1 and work.segments[0].start == work.segments[0].origin


def _best(reading: Reading) -> Found | None:
    """The first defect that is proven whole, else the first that moves the compiler on, else the first shown."""
    moved: Found | None = None
    shown: Found | None = None
    for find in DEFECTS:
        found = find(reading)
        if found is None:
            continue
        if found.proof == "whole":
            return found
        if found.proof == "moved":
            moved = moved or found
        else:
            shown = shown or found
    return moved or shown


def _is_cut_off(reading: Reading) -> bool:
    """Whether the text ends in a header without a body, which is an elision and no fault."""
    return reading.failure.message.startswith("expected an indented block") and reading.fault is None


def _says_something(read: Scan) -> bool:
    """Whether a text is more than names, figures and strings, which any text may hold."""
    return any(is_substantive(read, statement) for statement in read.statements)


def _in_order(diagnoses: list[Diagnosis]) -> tuple[Diagnosis, ...]:
    return tuple(sorted(diagnoses, key=lambda diagnosis: (diagnosis.span.start, diagnosis.kind)))
