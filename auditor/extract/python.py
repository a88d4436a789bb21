"""Python files: one block that is the whole text."""

import codecs
import re

from auditor.extract.options import ExtractOptions
from auditor.model import Block, Diagnosis, Extraction, MappedText, Source, Span


def extract_python(source: Source, options: ExtractOptions) -> Extraction:  # noqa: ARG001 - every extractor's signature
    """The file as one block; its line ends become LF."""
    size = len(source.text)
    code = MappedText.of(source.text, [(0, size)])
    structure = () if source.encoding == "utf-8" else _unknown_encoding(source)
    return Extraction((Block("file", "", "python", {}, (), (), code, Span(0, size), structure=structure),))


def _unknown_encoding(source: Source) -> tuple[Diagnosis, ...]:
    """The diagnosis of a coding cookie that names no codec: CPython refuses the whole file for it (PEP 263)."""
    try:
        codecs.lookup(source.encoding)
    except (LookupError, UnicodeError):
        found = re.search(re.escape(source.encoding), source.text)
        span = Span(found.start(), found.end()) if found else Span(0, 0)
        detail = f"unknown encoding: {source.encoding}"
        return (Diagnosis("unknown-encoding", span, {"encoding": source.encoding}, detail),)
    return ()
