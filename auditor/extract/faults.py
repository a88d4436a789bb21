"""Faults of fences themselves: not closed, closed by the wrong marks, closed too early, code on the opener's line."""

import re

from auditor.extract.info import Info, parse_info
from auditor.extract.strings import ends_in_string, triple_strings
from auditor.model import Block, Diagnosis, MappedText, Source, Span

# Lines in a body that look like fence marks: what closed nothing, or what opened nothing.
_MARKS_LINE = re.compile(r"^[ \t>]*(?P<run>`{2,}|~{2,}|:{3,})(?P<rest>[^\n]*)$", re.MULTILINE)
_OPENER_INFO = re.compile(
    r"[ \t]*+(?:\{++[ \t]*+)?[.#]?[A-Za-z][\w+#.-]*(?:[ \t]*[{,:\[].*|[ \t]+[\w.-]+=.*|\}.*)?[ \t]*\Z"
)
_HEADING = re.compile(r"^#{2,6} +\w", re.MULTILINE)
_ATTRIBUTE_NAMES = frozenset(
    {"title", "hl_lines", "linenums", "filename", "file", "caption", "label", "name", "id", "class"}
)
_CODE_ON_INFO = re.compile(
    r"""[ \t:]+(?P<code>(?:
        from[ ]+[\w.]+[ ]+import[ ]+[\w(*]
      | import[ ]+[\w.]+(?:[ ]+as[ ]+\w+)?[ ]*(?:[,;].*)?\Z
      | (?:async[ ]+)?def[ ]+\w+[ ]*\(
      | class[ ]+\w+[ ]*(?:\(|:[ ]*\Z)
      | print[ ]*\(
      | >>>[ ]
      | (?P<name>[A-Za-z_][\w.]*)[ ]+=[ ]+\S
      | (?:for[ ].+[ ]in[ ].+|(?:if|with|while)[ ].+):[ ]*\Z
    ).*)""",
    re.VERBOSE,
)


def code_on_info_line(info: str, said: Info, at: int, opener: Span) -> Diagnosis | None:
    """Code that stands behind the language, where nobody runs it; `at` is the info string's offset in the source."""
    found = _CODE_ON_INFO.match(info, said.rest)
    if found is None or (found["name"] or "") in _ATTRIBUTE_NAMES:
        return None
    code = found["code"]
    span = Span(at + found.start("code"), at + found.start("code") + len(code))
    return Diagnosis("code-on-info-line", span, {"opener": opener, "code": code})


def _is_opener(rest: str, run: str) -> bool:
    """Whether marks with this text behind them would open a fence of their own."""
    info = rest.strip()
    return (
        bool(info) and run[0] not in info and (bool(parse_info(info).language) or _OPENER_INFO.match(info) is not None)
    )


def body_faults(
    code: MappedText, run: str, opener: Span, *, closed: bool, session: bool, beyond: Span | None = None
) -> list[Diagnosis]:
    """What the body tells of its fence: no closer, marks that closed nothing, an opener within.

    `beyond` are marks right behind the container that the fence stood in.

    Arguments: `opener` and `marks` (the opener's), `closer` (marks that should have been the closer), `swallowed` (an
    opener or a heading that fell into the body), `longer` (marks one longer than the opener's, which would mend it).
    """
    wrong: Span | None = None
    inner: Span | None = None
    hidden: Span | None = None
    text = code.text
    if "``" in text or "~~" in text or ":::" in text:
        strings = None
        shown: list[str] = []
        for found in _MARKS_LINE.finditer(text):
            marks, rest = found["run"], found["rest"].strip()
            fitting = marks[0] == run[0] and len(marks) >= len(run)
            opens = fitting and _is_opener(rest, run)
            if not fitting:
                # Marks that cannot close this fence may show another one, which ends at its own bare marks.
                if rest:
                    shown.extend(marks[0] * (len(marks) > 2))
                    continue
                if shown and shown[-1] == marks[0]:
                    shown.pop()
                    continue
                if closed and marks[0] == run[0] and len(marks) > 2:
                    continue
            if session and closed:
                continue
            strings = triple_strings(text) if strings is None else strings
            within = any(string.start < found.start("run") < string.end for string in strings)
            span = code.locate(found.start("run"), found.end("run"))
            if opens and within:
                hidden = hidden or span
            elif opens:
                inner = inner or span
            elif not within and inner is None:
                wrong = wrong or span
    diagnoses: list[Diagnosis] = []
    swallowed = inner
    if wrong is not None and inner is None and (heading := _HEADING.search(text)) is not None:
        place = code.locate(heading.start(), heading.end())
        swallowed = place if place.start > wrong.start else None
    wrong = wrong or beyond
    if not closed or wrong is not None:
        arguments: dict[str, str | int | Span] = {"opener": opener, "marks": run}
        if wrong is not None:
            arguments["closer"] = wrong
        if swallowed is not None:
            arguments["swallowed"] = swallowed
        diagnoses.append(Diagnosis("unclosed-fence", opener, arguments))
    if hidden is not None and not ends_in_string(text):
        hidden = None  # shown in a string that the fence holds whole: nothing is cut
    if inner or hidden:
        diagnoses.append(
            Diagnosis(
                "opener-inside-body",
                inner or hidden or opener,
                {"opener": opener, "marks": run, "longer": run[0] + run},
            )
        )
    return diagnoses


_OPENING_RUN = re.compile(r"`{3,}|~{3,}|:{3,}")
_CLOSING_LINE = re.compile(r"^[ \t>]*(?P<run>`{3,}|~{3,}|:{3,})[ \t]*(?=\r|\n|\Z)", re.MULTILINE)

# How far behind a closer its twin is looked for: candidates and characters.
_MOST_CANDIDATES = 40
_FARTHEST = 60_000


def closed_early(source: Source, block: Block) -> Diagnosis | None:
    """The diagnosis `fence-closed-early` of a block whose body ends within a string, where a later closer would fit.

    It points at the marks that closed the fence. Arguments: `opener`, `closer`, `end` (the marks where the fence seems
    to end in truth), `marks` (the opener's) and `longer` (marks that would mend it). `None` where the body does not end
    in an open string, or no later closer would end the string too.
    """
    if block.kind != "fence" or not block.closed or not ends_in_string(block.code.text):
        return None
    text = source.text
    run = _OPENING_RUN.match(text, block.span.start)
    if run is None:
        return None
    last = text.rfind("\n", 0, block.span.end) + 1
    closer = _CLOSING_LINE.match(text, max(last, text.rfind("\r", 0, block.span.end) + 1))
    if closer is None:
        return None
    tried = 0
    for found in _CLOSING_LINE.finditer(text, closer.end(), block.span.end + _FARTHEST):
        if found["run"][0] != run[0][0] or len(found["run"]) < len(run[0]):
            continue
        tried += 1
        if tried > _MOST_CANDIDATES:
            break
        between = text[closer.start() : found.start()]
        if not ends_in_string(block.code.text + between):
            opener = Span(run.start(), run.end())
            closing = Span(closer.start("run"), closer.end("run"))
            arguments: dict[str, str | int | Span] = {
                "opener": opener,
                "closer": closing,
                "end": Span(found.start("run"), found.end("run")),
                "marks": run[0],
                "longer": run[0][0] + run[0],
            }
            return Diagnosis("fence-closed-early", closing, arguments)
    return None
