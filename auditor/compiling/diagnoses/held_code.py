"""Which line of a text is Python although the text is to be labelled as something else: no label may lose it."""

import ast

from auditor.compiling.compiler import Failure, Neighbourhood, parse, try_compile
from auditor.compiling.diagnoses.lines import Statement, scan
from auditor.compiling.diagnoses.outputs import is_output
from auditor.compiling.diagnoses.reading import Judge, Reading
from auditor.compiling.diagnoses.survey import MOST_STATEMENTS, is_substantive, opens_with_keyword, stands_alone
from auditor.compiling.sessions import read_examples

# What holds lines of Python by right: a difference, data with Python's signs, a template, a page, a larger language.
_HOLD_PYTHON = frozenset({"diff", "json", "jinja", "handlebars", "markdown", "cython"})
# In no other language than Python's kin these open a line that also parses as Python.
_ONLY_PYTHON = frozenset({"async", "class", "def", "elif", "except", "for", "from", "if", "while", "with"})
_LITERALS = (
    ast.Constant,
    ast.List,
    ast.Tuple,
    ast.Dict,
    ast.Set,
    ast.UnaryOp,
    ast.unaryop,
    ast.expr_context,
    ast.keyword,
)
# What numbers and tables print themselves as; classes begin with a capital.
_REPRS = frozenset(
    {"array", "tensor", "matrix", "masked_array", "deque", "dict_items", "dict_keys", "dict_values", "range"}
)


def held_code(text: str, label: str) -> int | None:
    """The offset of the first line of Python in a text that is to have another label; `None` where none is lost."""
    if label in _HOLD_PYTHON:
        return None
    asked = first_input(text)
    if asked is not None:
        return asked
    scanned = scan(text)
    reading = Reading(text, scanned, Failure("", 1, 1, 1, 1), Neighbourhood(), Judge(len(text)))
    for statement in scanned.statements[:MOST_STATEMENTS]:
        if _is_python(reading, statement, label) and stands_alone(reading, statement):
            return statement.start
    return None


def first_input(text: str) -> int | None:
    """The offset of the first input behind a prompt that compiles; `None` where no prompt has one."""
    for example in read_examples(text):
        asked = example.source(text)
        if asked.strip() and try_compile(asked) is None:
            return example.inputs[0][0]
    return None


def _is_python(reading: Reading, statement: Statement, label: str) -> bool:
    """Whether a statement, if it compiles alone, is code and nothing that the other language or a program writes."""
    scanned = reading.scan
    if label not in {"text", "bash"}:
        return scanned.tokens[statement.first].text in _ONLY_PYTHON
    if opens_with_keyword(scanned, statement):
        return True
    text = reading.text[statement.start : statement.end]
    if not is_substantive(scanned, statement):
        return False
    if label == "bash":
        return " = " in text or "=" not in text  # a shell stores without blanks
    return not is_output(scanned.line_text(statement.line)) and not _is_printed(text)


def _is_printed(text: str) -> bool:
    """Whether an expression is what an object prints of itself: a class or an array, called with values."""
    tree = parse(text)
    if isinstance(tree, Failure) or len(tree.body) != 1 or not isinstance(tree.body[0], ast.Expr):
        return False
    for node in ast.walk(tree.body[0].value):
        if isinstance(node, ast.Call):
            called = node.func
            name = (
                called.id if isinstance(called, ast.Name) else called.attr if isinstance(called, ast.Attribute) else ""
            )
            if not name[:1].isupper() and name not in _REPRS:
                return False
        elif not isinstance(node, (*_LITERALS, ast.Name, ast.Attribute)):
            return False
    return True
