"""From a text that does not compile to its verdict and its diagnoses."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from auditor.compiling.compiler import Failure, Neighbourhood
from auditor.compiling.diagnoses.inconsistent_tabs import find_inconsistent_tabs
from auditor.compiling.diagnoses.lines import scan
from auditor.compiling.diagnoses.lost_first_indent import find_lost_first_indent
from auditor.compiling.diagnoses.mixed_class_indentation import find_mixed_class_indentation
from auditor.compiling.diagnoses.printed_output import find_printed_output
from auditor.compiling.diagnoses.reading import Found, Judge, Reading
from auditor.compiling.diagnoses.survey import Survey, survey
from auditor.compiling.diagnoses.syntax_error import find_syntax_error
from auditor.compiling.diagnoses.unexpected_indent import find_unexpected_indent
from auditor.compiling.diagnoses.unindent_mismatch import find_unindent_mismatch
from auditor.compiling.diagnoses.unindented_body import find_unindented_body
from auditor.model import Diagnosis, MappedText


@dataclass(frozen=True, slots=True)
class Diagnosed:
    """Whether a text is broken code or no code, and why: offsets are those of the text."""

    verdict: Literal["broken", "not-python"]
    diagnoses: tuple[Diagnosis, ...]


# Faults of code: of those that find something the first that is proven whole wins, else the first proven in part.
DEFECTS: tuple[Callable[[Reading], Found | None], ...] = (
    find_inconsistent_tabs,
    find_mixed_class_indentation,
    find_lost_first_indent,
    find_unexpected_indent,
    find_unindented_body,
    find_unindent_mismatch,
)
# What is no code: the first that finds something wins.
OTHERS: tuple[Callable[[Reading, Survey], Found | None], ...] = (find_printed_output,)


def diagnose(code: str, failure: Failure, around: Neighbourhood) -> Diagnosed:
    """Why a text that met `failure` does not compile. Never raises; the verdict depends on the text alone."""
    work = MappedText.verbatim(code)
    judge = Judge(len(code))
    reading = Reading(work.text, scan(work.text), failure, around, judge)
    for find in DEFECTS:
        found = find(reading)
        if found is not None and found.proof == "whole":
            return Diagnosed("broken", (found.diagnosis,))
    surveyed = survey(reading)
    for tell in OTHERS:
        found = tell(reading, surveyed)
        if found is not None:
            return Diagnosed("not-python", (found.diagnosis,))
    for find in DEFECTS:
        found = find(reading)
        if found is not None:
            return Diagnosed("broken", (found.diagnosis,))
    return Diagnosed("broken", (find_syntax_error(reading).diagnosis,))
