"""inconsistent-tabs: tabs and blanks set lines in, and how wide a tab is decides what the code means."""

from auditor.compiling.diagnoses.reading import Arguments, Found, Reading
from auditor.model import Edit

KIND = "inconsistent-tabs"


def find_inconsistent_tabs(reading: Reading) -> Found | None:
    """The statement at which CPython cannot tell; the repair writes every tab of an indent as blanks."""
    fault = reading.fault
    if fault is None:
        return None
    scan = reading.scan
    statement = scan.statements[fault.index]
    indents = {other.indent for other in scan.statements if other.indent}
    if not (any("\t" in indent for indent in indents) and any(" " in indent for indent in indents)):
        return None
    above = scan.statements[max(fault.index - 1, 0)]
    arguments: Arguments = {"margin_line": reading.line_argument(above.line), "indent": _spelled(statement.indent)}
    for size in (8, 4):
        edits = _expanded(reading, size)
        found = reading.proven(KIND, (statement.start, statement.end), {**arguments, "tab": size}, edits)
        if found is not None and found.proof == "whole":
            return found
    return reading.found(KIND, statement.start, statement.end, arguments) if fault.kind == "tabs" else None


def _expanded(reading: Reading, size: int) -> list[Edit]:
    edits = []
    for statement in reading.scan.statements:
        if "\t" in statement.indent:
            start = statement.start - len(statement.indent)
            edits.append(Edit(start, statement.start, statement.indent.expandtabs(size)))
    return edits


def _spelled(indent: str) -> str:
    """An indent in words, since white space cannot be seen: `1 tab, 4 blanks`."""
    parts: list[str] = []
    at = 0
    while at < len(indent):
        end = at
        while end < len(indent) and indent[end] == indent[at]:
            end += 1
        name = {"\t": "tab", " ": "blank"}.get(indent[at], "other mark")
        parts.append(f"{end - at} {name}{'s' if end - at > 1 else ''}")
        at = end
    return ", ".join(parts) or "none"
