"""Python files: one block that is the whole text."""

import codecs
import re

from auditor.extract.options import ExtractOptions
from auditor.model import Block, Diagnosis, Extraction, MappedText, Source, Span


def extract_python(source: Source, options: ExtractOptions) -> Extraction:  # noqa: ARG001 - every extractor's signature
    """The file as one block; its line ends become LF."""
    size = len(source.text)
    code = MappedText.of(source.text, [(0, size)])
    structure = () if source.encoding == "utf-8" else _wrong_encoding(source)
    return Extraction((Block("file", "", "python", {}, (), (), code, Span(0, size), structure=structure),))


def _wrong_encoding(source: Source) -> tuple[Diagnosis, ...]:
    """The diagnosis of a coding cookie for which CPython refuses the whole file (PEP 263).

    It names no codec, or another than the byte order mark, beside which only `utf-8` itself is taken (CPython's
    `check_coding_spec`).
    """
    detail = None
    try:
        codecs.lookup(source.encoding)
    except (LookupError, UnicodeError):
        detail = f"unknown encoding: {source.encoding}"
    if source.bom:
        detail = f"encoding problem: {source.encoding} with BOM"
    if detail is None:
        return ()
    found = re.search(re.escape(source.encoding), source.text)
    span = Span(found.start(), found.end()) if found else Span(0, 0)
    return (Diagnosis("unknown-encoding", span, {"encoding": source.encoding}, detail),)
