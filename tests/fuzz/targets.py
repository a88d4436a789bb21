"""What is fuzzed: four functions of any bytes that raise only where a promise is broken.

Half of all inputs are taken as text, the other half as a list of pieces, a byte each, so that a fuzzer that knows
nothing of Markdown, Python or YAML gets deep into all three.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache

from auditor import matching
from auditor.compiling import CompileOptions, compile_blocks
from auditor.compiling.compiler import try_compile
from auditor.extract import ExtractOptions, Flavour, extract
from auditor.matching.patterns import PatternError, parse_pattern
from auditor.model import MappedText, Source, Span
from auditor.rulebook import load
from auditor.rulebook.reader import read_rules

FLAVOURS: tuple[Flavour, ...] = ("commonmark", "mkdocs", "myst", "mdx")
MARKDOWN = (
    "```python\n", "```\n", "````py\n", "````\n", "~~~ py\n", "~~~\n", "> ", "- ", "1. ", "    ", "  ", "\t", "\n",
    "\r\n", "\r", "# H\n", "===\n", "---\n", "<!-- ", "-->", "auditor: ignore[a] b", "auditor: id=x ", "<div>\n",
    "{/* ", "*/}", "!!! note\n", '=== "a"\n', ":::\n", "::: {note}\n", "```{code-cell} ipython3\n", "[^1]: n\n", "`",
    '--8<-- "a.py"\n', "```{note}\n", ":opt: v\n", '```py {lint="skip"}\n', "\u2028", "\f", "\0", "\ufeff", "words ",
)  # fmt: skip
PYTHON = (
    "a", "b", "self", "1", "0.5", ".5", " ", "  ", "    ", "\n", "\n    ", "\n        ", "\t", "\\\n", "'", '"', '"""',
    "(", ")", "[", "]", "{", "}", ":", ",", "=", "==", ":=", "+", "-", "*", "**", "<", ".", "...", "@", "#", "->", ";",
    "def f(", "class A:", "class A(B, ", "if ", "elif ", "else", "for ", "in ", "while ", "try", "except", "finally",
    "with ", "as ", "import ", "from ", "return ", "yield ", "await ", "async ", "lambda", "not ", "and ", "or ", "is ",
    "match ", "case ", "del ", "raise ", "assert ", "global ", "pass", "break", "print ", "f'{", "rb'", ">>> ", "... ",
    "$ ", "%", "!", "Traceback ", "x = self.norm(x)\n", "x.view(b, t, h, d)", "softmax(", "nn.Module", ".std(", "…",
    "（", "，", "“", "\u00a0", "\u200b", "\0", "\ud800", "\r", "\f", "&lt;", "\\_", "好", "type ", "except*", "!r:>",
)  # fmt: skip
YAML = (
    "rules:\n", "  - id: a\n", "    languages: [python]\n", "    severity: error\n", "    severity: note\n",
    "    message: m $X\n", "    pattern: ", "    patterns:\n", "    pattern-either:\n", "      - pattern: ",
    "      - pattern-inside: ", "      - pattern-not: ", "      - pattern-regex: ", "      - metavariable-regex:\n",
    "          metavariable: $X\n", "          regex: a+\n", "    match:\n", "      all:\n", "    mode: taint\n",
    "    pattern-sources:\n", "    pattern-sinks:\n", "    fix: $X\n", "    examples:\n", "$X", "$...A", "...",
    "$F($X)", "|\n", "\n", "        ", "  ", "- ", ": ", "[", "]", "{", "}", ", ", "&a ", "*a", "!!int ", "'", '"', "#",
    "~",
    "%", "a", "1", "(a+)+$", "<... x ...>", "\\", "\0", "\ud800", "no", "3.10", "---\n", "? ", "<<: ", "\t", ">",
    "def f", ":",
)  # fmt: skip


def text_of(data: bytes, pieces: tuple[str, ...]) -> str:
    """The text that some bytes stand for."""
    if data[:1] < b"\x80":
        return data[1:].decode("utf-8", "replace")
    return "".join(pieces[byte % len(pieces)] for byte in data[1:])


def _holds(text: str, span: Span) -> None:
    if not 0 <= span.start <= span.end <= len(text):
        raise AssertionError(f"{span} lies outside of {len(text)} characters")


def _follows(source: Source, code: MappedText) -> None:
    at = 0
    for segment in code.segments:
        if segment.start != at:
            raise AssertionError(f"a gap in the map at {at}")
        at += segment.length
        _holds(source.text, Span(segment.origin, segment.origin + segment.origin_length))
    if at != len(code.text):
        raise AssertionError("the map does not cover the code")


def extraction(data: bytes) -> None:
    """Any page has blocks in order, and every offset lies in it."""
    source = Source("p.md", text_of(data, MARKDOWN + PYTHON))
    flavour = FLAVOURS[len(data) % len(FLAVOURS)]
    found = extract(source, ExtractOptions(flavour, indented=len(data) % 3 == 0, unlabelled=len(data) % 5 == 0))
    starts = [block.span.start for block in found.blocks]
    if starts != sorted(starts):
        raise AssertionError("blocks out of order")
    for block in found.blocks:
        _holds(source.text, block.span)
        _follows(source, block.code)
    for left in found.not_audited:
        _holds(source.text, left.span)


def diagnosis(data: bytes) -> None:
    """Any fence has a verdict, and its diagnoses point into the page."""
    source = Source("p.md", f"# H\n\n~~~~~~python\n{text_of(data, PYTHON)}\n~~~~~~\n")
    blocks = extract(source, ExtractOptions()).blocks
    answers = compile_blocks(source, blocks, CompileOptions(targets=("3.11", "3.13")))
    for block, answer in zip(blocks, answers, strict=True):
        if answer.verdict in {"broken", "not-python"} and not (answer.diagnoses or block.structure):
            raise AssertionError(f"{answer.verdict} without a word")
        for said in answer.diagnoses:
            _holds(source.text, said.span)
        if answer.code is not None:
            _follows(source, answer.code)
            if try_compile(answer.code.text) is None and not answer.recovered and answer.verdict == "broken":
                raise AssertionError("broken, but what is left of it compiles")


def rules(data: bytes) -> None:
    """Any text is a rule file with rules or with problems, each on one line of it."""
    text = text_of(data, YAML)
    found, problems = read_rules(text, "f.yaml")
    for problem in problems:
        if problem.line < 1 or problem.column < 1 or "\n" in str(problem):
            raise AssertionError(f"no place or no line: {problem!s}")
    if found:
        matching.find(matching.prepare(found), "x = f(a)\nself.y = g(x, *a)\n")


@lru_cache(maxsize=1)
def _shipped() -> matching.Program:
    return matching.prepare(load([]).rules)


def matches(data: bytes) -> None:
    """Rules applied to any text that compiles hit inside of it; any text is a pattern, or said to be none."""
    text = text_of(data, PYTHON)
    with suppress(PatternError):
        parse_pattern(text)
    if "\ud800" in text or try_compile(text) is not None:
        return
    for match in matching.find(_shipped(), text).matches:
        _holds(text, Span(match.start, match.end))
        for edit in match.fix or ():
            _holds(text, Span(edit.start, edit.end))


TARGETS: Mapping[str, Callable[[bytes], None]] = {
    "extraction": extraction,
    "diagnosis": diagnosis,
    "rules": rules,
    "matches": matches,
}

# The packages that the targets reach.
ROOMS = (
    "auditor.compiling",
    "auditor.extract",
    "auditor.matching",
    "auditor.model",
    "auditor.rulebook",
    "auditor.structure",
)
