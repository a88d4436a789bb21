"""pseudo-notation: formulas and grammar in a Python-like spelling, meant for readers alone."""

import re

from auditor.compiling.diagnoses.characters import outside
from auditor.compiling.diagnoses.lines import Scan, Statement
from auditor.compiling.diagnoses.reading import Found, Reading
from auditor.compiling.diagnoses.signs import is_sign_table
from auditor.compiling.diagnoses.survey import Survey, stands_alone
from auditor.model import Edit, apply_edits

KIND = "pseudo-notation"
_SIGNS = re.compile(
    r"[∀∃∈∉∑∏∫√∂∇≈≠≤≥≡→⇒↔⟶⊗⊕∪∩∧∨¬∞±×÷·ℝ²³ᵀ]|==>|<=>|::=|:=|\s=>\s|-->|<->|\^\{|_\{|\\(?:alpha|beta|gamma|delta|theta|lambda|mu|sigma|omega|pi|phi|sum|prod|int|frac|sqrt|mathcal|mathbf|mathbb|sin|cos|exp|log|in|times|cdot|dot|hat|bar|vec|to|rightarrow|text)\b"
)
# What a manual writes for an argument that may be left out: `match(pattern, string[, flags])`.
_OPTIONAL = re.compile(r"[\w>]\s*\[\s*,\s*[\w<\"']")
# A body by its name: `...statements`, `...more of it...`.
_GLUED_DOTS = re.compile(r"\.{3}[^\W\d][\w \t]*(?:\.{3})?$")
# Slices and bindings where Python has none: `[low:high]` alone, `grid(-1:.5:1)`, `N[NUM=pl]`.
_BARE_SLICE = re.compile(r"\[[^\[\]{}()\"']*:[^\[\]{}()\"']*\]$")
_RANGE = re.compile(r"[(,]\s*-?[\w.]+:-?[\w.]+(?::-?[\w.]+)?\s*(?=[,)])")
_BOUND_INSIDE = re.compile(r"\[\s*\w+\s*=(?!=)[^\[\]]*\]")
_DOTTED_SIGNATURE = re.compile(r"(?:async\s+)?def\s+\w+(?:\.\w+)+\s*\(")
_HOLE = re.compile(r"<[^\W\d]\w*(?:[ -]\w+)*>")
_PLAIN_ARGUMENTS = re.compile(r"[^\W\d]\w*(?:\([\w\s,.*+-]*\))+$")


def find_pseudo_notation(reading: Reading, survey: Survey) -> Found | None:
    """The first statement that is notation, in a block where every statement that is no Python is."""
    scan = reading.scan
    failing = [
        statement
        for statement in scan.statements
        if survey.lines[statement.line] == "bad" and not stands_alone(reading, statement)
    ]
    if not failing:
        return None
    if lists_notation(reading):
        return reading.found(KIND, failing[0].start, failing[0].end, {})
    if not all(_is_notation(scan, statement) for statement in failing):
        return _template(reading)
    sound = {statement.head for statement in scan.statements if statement not in failing}
    if sound & {"import", "from", "class", "def", "return", "with"}:
        return None
    first = failing[0]
    return reading.found(KIND, first.start, first.end, {})


def lists_notation(reading: Reading) -> bool:
    """Whether every line is a sign of Python's or stands for statements: nobody's output, whatever stands above."""
    scan = reading.scan
    lines = [line for at in range(len(scan.line_starts)) if (line := scan.line_text(at).strip())]
    return bool(lines) and (is_sign_table(lines) or all(_GLUED_DOTS.match(line) for line in lines))


def _template(reading: Reading) -> Found | None:
    """A form to fill in (`while <condition>:`): the whole compiles once every pair of angle brackets is a name."""
    holes = list(outside(reading.scan, _HOLE))
    if not holes or len(holes) < len(reading.scan.statements) / 2:
        return None
    edits = [Edit(hole.start(), hole.end(), "_") for hole in holes]
    if not reading.provable or not reading.judge.accepts(apply_edits(reading.text, edits)):
        return None
    return reading.found(KIND, holes[0].start(), holes[0].end(), {})


def _is_notation(scan: Scan, statement: Statement) -> bool:
    """Whether a statement defines by example (`f(x) = …`) or holds signs that mathematics has and Python has not."""
    tokens = scan.tokens_of(statement)
    text = scan.text[statement.start : statement.end]
    equals = next((at for at, token in enumerate(tokens) if token.text == "=" and token.depth == 0), None)
    if equals:
        left = scan.text[statement.start : tokens[equals - 1].end]
        if _PLAIN_ARGUMENTS.match(left) and "()" not in left and "." not in left.split("(")[0]:
            return True
    if statement.head in {"import", "from", "class", "return", "with"}:
        return False
    if statement.head == "def":
        return _DOTTED_SIGNATURE.match(text) is not None
    if tokens[0].text == "=" or (len(tokens) > 1 and all(token.kind == "operator" for token in tokens)):
        return True
    if _BARE_SLICE.match(text) or _BOUND_INSIDE.search(text) or _RANGE.search(text):
        return True
    if any(token.text == "->" for token in tokens):
        return True
    return _SIGNS.search(text) is not None or _OPTIONAL.search(text) is not None
