"""shell-in-python: the block holds commands for a shell."""

from auditor.compiling.diagnoses.reading import Found, Reading
from auditor.compiling.diagnoses.shell import continues_command, is_command, is_prompted
from auditor.compiling.diagnoses.survey import Survey

KIND = "shell-in-python"


def find_shell_in_python(reading: Reading, survey: Survey) -> Found | None:
    """The first command, in a block that holds no more code than commands."""
    commands, rest = command_lines(reading, survey)
    if not commands:
        return None
    first = commands[0]
    code = sum(1 for line in rest if survey.lines[line] == "code")
    if code and (survey.code_before(first) or code >= len(commands)):
        return None
    if not code and len(rest) > 3 * len(commands) and not is_prompted(reading.scan.line_text(first)):
        # A word that is also a command may open a sentence or a line of output.
        written = [line for line in range(first) if survey.lines[line] in {"bad", "weak"}]
        if written:
            return None
    start, end = command_span(reading, first)
    return reading.found(KIND, start, end, {"label": "bash", "command": reading.text[start:end][:60]})


def command_lines(reading: Reading, survey: Survey) -> tuple[list[int], list[int]]:
    """The lines that are commands with their continuations, and the other written ones."""
    scan = reading.scan
    commands: list[int] = []
    rest: list[int] = []
    above = ""
    in_command = False
    for line, kind in enumerate(survey.lines):
        text = scan.line_text(line)
        if kind in {"blank", "comment"} and not (in_command and text.strip() and kind == "blank"):
            in_command = in_command and above.rstrip().endswith("\\")
            above = text
            continue
        if kind != "code" and is_command(text):
            commands.append(line)
            in_command = True
        elif in_command and continues_command(text, above):
            commands.append(line)
        else:
            rest.append(line)
            in_command = False
        above = text
    return commands, rest


def command_span(reading: Reading, line: int) -> tuple[int, int]:
    """Offsets of a command without the blanks around it."""
    start, end = reading.scan.line_span(line)
    text = reading.text[start:end]
    return start + len(text) - len(text.lstrip()), start + len(text.rstrip())
