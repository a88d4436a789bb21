"""IPython's own syntax in a notebook cell: what becomes of `%magic`, `!command`, `name?` and `%%cell`, as edits."""

import re

from auditor.compiling.candidates import Foreign
from auditor.compiling.compiler import try_compile
from auditor.compiling.scanner import statements
from auditor.model import Edit, apply_edits

# Cell magics whose body is Python of the same namespace or at least Python.
PYTHON_CELLS = frozenset(
    {
        "time", "timeit", "capture", "prun", "tab", "python", "python3", "pypy", "px", "memit", "mprun", "lprun",
        "debug", "skip", "scalene", "heat", "mypy", "pyinstrument", "pycodestyle", "flake8", "black", "save", "notify",
    }
)  # fmt: skip
# Cell magics whose body is another language, whatever it looks like.
FOREIGN_CELLS = frozenset(
    {
        "!", "bash", "sh", "script", "system", "sx", "cmd", "powershell", "html", "HTML", "svg", "SVG", "javascript",
        "js", "latex", "markdown", "perl", "ruby", "sql", "bigquery", "R", "julia", "cython", "python2", "cpp", "cuda",
        "cu", "mermaid", "css", "graphviz", "dot", "octave", "matlab", "rust", "java", "scala", "spark_sql",
    }
)  # fmt: skip
# Line magics that take a Python statement.
_TIMED = re.compile(
    r"%(?:time|timeit|prun|memit|lprun|mprun|debug)"
    r"(?:[ \t]+(?:--[\w-]+|-[nrpsl](?:[ \t]*[\w.]+)|-[tcoq]|-f[ \t]+\S+))*[ \t]+(?=\S)"
)
_CELL = re.compile(r"%%([\w.]+|!)[ \t]*([^\n]*)")
_LINE_MAGIC = re.compile(r"%{1,2}[A-Za-z_]|!|\?{1,2}[\w*%]")
_ASSIGNED = re.compile(r"[\w \t,.\[\]\"'()*:]*[^\s=!<>:%&|^*+/@-][ \t]*=[ \t]*(?=!(?!=)|%{1,2}[A-Za-z_])")
_HELP = re.compile(r"[ \t]*%{0,2}[\w.*\[\]]+\?{1,2}[ \t]*;?[ \t]*$")


def mask_magics(code: str) -> tuple[Edit, ...] | Foreign:
    """Edits that leave the Python of a cell: each masked line stays one, so that no line moves.

    Only what begins a statement is a magic: `%` may well carry an expression on or stand in a string.
    """
    if not any(mark in code for mark in "%!?"):
        return ()
    edits: list[Edit] = []
    start = next((line.first for line in statements(code)), 0)
    cell = _CELL.match(code, start)
    if cell:
        name, rest = cell[1], cell[2]
        if _is_foreign(name, rest):
            return Foreign(f"%%{name}")
        if name not in PYTHON_CELLS and not name.startswith("write") and name != "file":
            body = mask_magics(code[cell.end() :])
            if isinstance(body, Foreign) or try_compile(apply_edits(code[cell.end() :], body)) is not None:
                return Foreign(f"%%{name}")
        edits.append(Edit(start, cell.end(), ""))
        start = cell.end()
    at = start
    while at < len(code):
        at = _mask_from(code, at, edits)
    return tuple(edits)


def _is_foreign(name: str, rest: str) -> bool:
    if name in {"writefile", "file"}:
        words = [word for word in rest.split() if not word.startswith("-")]
        return not (words and words[-1].strip("\"'").endswith((".py", ".pyi")))
    return name in FOREIGN_CELLS


def _mask_from(code: str, at: int, edits: list[Edit]) -> int:
    """Mask the magics from `at` on until the scan must begin anew behind one, since its text is not Python's."""
    for line in statements(code, at):
        first = line.first
        physical_end = _line_end(code, first)
        if _LINE_MAGIC.match(code, first):
            stop = _continued_end(code, first)
            timed = _TIMED.match(code, first)
            if timed and stop == physical_end and try_compile(code[timed.end() : line.end]) is None:
                edits.append(Edit(first, timed.end(), ""))
                continue
            _mask(code, first, stop, "pass", edits)
            return stop
        if _HELP.match(code, first, physical_end):
            _mask(code, first, physical_end, "pass", edits)
            return physical_end
        assigned = _ASSIGNED.match(code, first, physical_end)
        if assigned:
            stop = _continued_end(code, first)
            _mask(code, assigned.end(), stop, "None", edits)
            return stop
    return len(code)


def _line_end(code: str, at: int) -> int:
    end = code.find("\n", at)
    return len(code) if end < 0 else end


def _continued_end(code: str, at: int) -> int:
    """The end of the line at `at`, the lines that a backslash adds included."""
    end = _line_end(code, at)
    while end < len(code) and code[end - 1] == "\\":
        end = _line_end(code, end + 1)
    return end


def _mask(code: str, start: int, stop: int, replacement: str, edits: list[Edit]) -> None:
    """Put the replacement for the first line's rest and nothing for the lines that follow, whose ends stay."""
    end = _line_end(code, start)
    edits.append(Edit(start, min(end, stop), replacement))
    while end < stop:
        begin = end + 1
        end = _line_end(code, begin)
        if begin < end:
            edits.append(Edit(begin, end, ""))
