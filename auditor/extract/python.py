"""Python files: one block that is the whole text."""

from auditor.extract.options import ExtractOptions
from auditor.model import Block, Extraction, MappedText, Source, Span


def extract_python(source: Source, options: ExtractOptions) -> Extraction:  # noqa: ARG001 - every extractor's signature
    """The file as one block; its line ends become LF."""
    size = len(source.text)
    code = MappedText.of(source.text, [(0, size)])
    return Extraction((Block("file", "", "python", {}, (), (), code, Span(0, size)),))
