"""The wishes of an extraction, and the flavour of Markdown that a file is written in."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

Flavour = Literal["commonmark", "mkdocs", "myst", "mdx"]

# What a file at some root says of the pages under its folder, the surest first.
ROOT_FLAVOURS: tuple[tuple[re.Pattern[str], Flavour], ...] = (
    (re.compile(r"mkdocs[\w.-]*\.ya?ml|zensical\.toml"), "mkdocs"),
    (re.compile(r"myst\.yml|_toc\.yml|conf\.py"), "myst"),
    # Hugging Face's doc-builder reads pages as MDX does: tags hold Markdown, and there is no indented code.
    (re.compile(r"_toctree\.yml"), "mdx"),
    (re.compile(r"docusaurus\.config\.[cm]?[jt]s|docs\.json|mint\.json"), "mdx"),
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


@lru_cache(maxsize=8)
def _folders(root_files: frozenset[str]) -> dict[str, Flavour]:
    """The flavour that each folder's own files give it."""
    folders: dict[str, tuple[int, Flavour]] = {}
    for path in root_files:
        folder, _, name = path.rpartition("/")
        for rank, (pattern, flavour) in enumerate(ROOT_FLAVOURS):
            if pattern.fullmatch(name) and rank < folders.get(folder, (len(ROOT_FLAVOURS), flavour))[0]:
                folders[folder] = rank, flavour
    return {folder: flavour for folder, (_, flavour) in folders.items()}


def flavour_of(path: str, root_files: frozenset[str]) -> Flavour:
    """The flavour of a page, from its ending and the files that are known to be in the tree.

    `path` and `root_files` are POSIX paths relative to the root; only files like `mkdocs.yml`, `conf.py`, `_toc.yml`
    or `docusaurus.config.js` matter among the latter. Each speaks for its own folder and all below; the nearest wins.
    """
    name = path.rpartition("/")[2]
    ending = name[name.rfind(".") :].lower() if "." in name else ""
    if ending in ENDING_FLAVOURS:
        return ENDING_FLAVOURS[ending]
    folders = _folders(root_files)
    folder = path.rpartition("/")[0]
    while folder and folder not in folders:
        folder = folder.rpartition("/")[0]
    return folders.get(folder, "commonmark")
