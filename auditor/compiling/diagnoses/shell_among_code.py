"""shell-among-code: a command for a shell stands among statements that are Python."""

from auditor.compiling.diagnoses.reading import Found, Reading
from auditor.compiling.diagnoses.shell_in_python import command_lines, command_span
from auditor.compiling.diagnoses.survey import Survey

KIND = "shell-among-code"


def find_shell_among_code(reading: Reading, survey: Survey) -> Found | None:
    """The command at which the compiler stopped."""
    line = reading.failure.line - 1
    if not survey.code or line >= len(survey.lines):
        return None
    commands, _ = command_lines(reading, survey)
    if line not in commands:
        return None
    start, end = command_span(reading, line)
    return reading.found(KIND, start, end, {"label": "bash", "command": reading.text[start:end][:60]})
