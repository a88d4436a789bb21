"""What is no code, and code with something else in its block: asked where no defect explains the whole text."""

from collections.abc import Callable

from auditor.compiling.diagnoses.diff_markers import find_diff_markers
from auditor.compiling.diagnoses.output_after_code import find_output_after_code
from auditor.compiling.diagnoses.printed_output import find_printed_output
from auditor.compiling.diagnoses.prose_among_code import find_prose_among_code
from auditor.compiling.diagnoses.prose_in_fence import find_prose_in_fence
from auditor.compiling.diagnoses.pseudo_notation import find_pseudo_notation
from auditor.compiling.diagnoses.reading import Found, Reading
from auditor.compiling.diagnoses.session_after_code import find_session_after_code
from auditor.compiling.diagnoses.shell_among_code import find_shell_among_code
from auditor.compiling.diagnoses.shell_in_python import find_shell_in_python
from auditor.compiling.diagnoses.survey import Survey
from auditor.compiling.diagnoses.wrong_language import find_wrong_language

# What is no code: the first that finds something wins.
OTHERS: tuple[Callable[[Reading, Survey], Found | None], ...] = (
    find_diff_markers,
    find_shell_in_python,
    find_wrong_language,
    find_printed_output,
    find_pseudo_notation,
    find_prose_in_fence,
)
# Code with something else in the same block, which no edit of one place mends.
MIXTURES: tuple[Callable[[Reading, Survey], Found | None], ...] = (
    find_shell_among_code,
    find_session_after_code,
    find_output_after_code,
    find_prose_among_code,
)
