"""The wishes of an extraction, and the flavour of Markdown that a file is written in."""

from dataclasses import dataclass
from typing import Literal

Flavour = Literal["commonmark", "mkdocs", "myst", "mdx"]

# What a root file says of the pages beside it, the surest first.
ROOT_FLAVOURS: tuple[tuple[str, Flavour], ...] = (
    ("mkdocs.yml", "mkdocs"),
    ("mkdocs.yaml", "mkdocs"),
    ("zensical.toml", "mkdocs"),
    ("_toc.yml", "myst"),
    ("_config.yml+_toc.yml", "myst"),
    ("myst.yml", "myst"),
    ("conf.py", "myst"),
    ("docusaurus.config.js", "mdx"),
    ("docusaurus.config.ts", "mdx"),
    ("docs.json", "mdx"),
    ("mint.json", "mdx"),
)

# Quarto and R Markdown read Pandoc's Markdown, whose blocks are CommonMark's as far as fences go.
ENDING_FLAVOURS: dict[str, Flavour] = {".mdx": "mdx", ".qmd": "commonmark", ".rmd": "commonmark"}


@dataclass(frozen=True, slots=True)
class ExtractOptions:
    """What to look for. `indented` and `unlabelled` ask for code that no author called Python.

    `indented`: indented code that looks like Python becomes blocks, instead of a line in what was not audited.
    `unlabelled`: fences without an info string that are surely Python are listed among what was not audited.
    """

    flavour: Flavour = "commonmark"
    indented: bool = False
    unlabelled: bool = False


def flavour_of(path: str, root_files: frozenset[str]) -> Flavour:
    """The flavour of a page, from its ending and the files (names or paths) known at its root and above it.

    A file deeper in the tree speaks only for the pages under its folder; MkDocs' and Docusaurus' pages stand in a
    folder beside theirs, so that theirs speaks for its whole folder too. The nearest one wins.
    """
    ending = path[path.rfind(".") :].lower() if "." in path else ""
    if ending in ENDING_FLAVOURS:
        return ENDING_FLAVOURS[ending]
    folder = path.rpartition("/")[0]
    while True:
        prefix = f"{folder}/" if folder else ""
        for name, flavour in ROOT_FLAVOURS:
            if prefix + name in root_files:
                return flavour
        if not folder:
            return "commonmark"
        folder = folder.rpartition("/")[0]
