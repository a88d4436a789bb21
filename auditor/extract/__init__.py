"""From a source to its blocks: `extract` picks the extractor by the file's ending."""

from collections.abc import Callable, Mapping

from auditor.extract.includes import IncludeReference, include_references
from auditor.extract.options import ExtractOptions, Flavour, flavour_of
from auditor.model import Block, Diagnosis, Extraction, Source

__all__ = [
    "EXTRACTORS",
    "ExtractOptions",
    "Flavour",
    "IncludeReference",
    "closed_early",
    "extract",
    "flavour_of",
    "include_references",
]

Extractor = Callable[[Source, ExtractOptions], Extraction]


# The extractors are imported when a file of theirs comes, so that the command starts without a Markdown parser.
def _markdown(source: Source, options: ExtractOptions) -> Extraction:
    from auditor.extract.markdown import extract_markdown  # noqa: PLC0415 - loads markdown-it

    return extract_markdown(source, options)


def _python(source: Source, options: ExtractOptions) -> Extraction:
    from auditor.extract.python import extract_python  # noqa: PLC0415 - in step with the other

    return extract_python(source, options)


EXTRACTORS: Mapping[str, Extractor] = {
    ".md": _markdown,
    ".markdown": _markdown,
    ".mdx": _markdown,
    ".mdown": _markdown,
    ".mkd": _markdown,
    ".qmd": _markdown,
    ".rmd": _markdown,
    ".py": _python,
    ".pyi": _python,
    ".pyw": _python,
}


def extract(source: Source, options: ExtractOptions) -> Extraction:
    """The blocks of a source, what was left out, and the suppressions in its prose.

    Raises:
        KeyError: no extractor knows the file's ending (`EXTRACTORS` lists them, in lower case).
    """
    ending = source.path[source.path.rfind(".") :].lower()
    return EXTRACTORS[ending](source, options)


def closed_early(source: Source, block: Block) -> Diagnosis | None:
    """The diagnosis of a fence that marks inside a string closed too early, or `None`; see `auditor.extract.faults`."""
    from auditor.extract.faults import closed_early as judge  # noqa: PLC0415 - its tables are seldom needed

    return judge(source, block)
