"""Reads the files in which books record their requirements: the declared ones, and those beside what is audited."""

import os
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from auditor.configuration import Book
from auditor.discover import Candidate, Discovery, read
from auditor.model import Source
from auditor.project.requirements import NAMES


def requirement_texts(discovery: Discovery, books: Sequence[Book], limit: int) -> dict[str, str]:
    """The texts by path, relative to the root; what cannot be read or lies outside of the root is left out."""
    found: dict[str, str] = {}
    top = discovery.root.resolve()
    for path in requirement_files(discovery, books):
        file = discovery.root / path
        if not _inside(file, top):
            continue
        source = read(Candidate(path, file), limit)
        if isinstance(source, Source):
            found[path] = source.text
    return found


def requirement_files(discovery: Discovery, books: Sequence[Book]) -> list[str]:
    """Where requirements may be recorded, by path; most of these files are not there."""
    declared = {book.requirements for book in books if book.requirements}
    folders = {folder for each in discovery.candidates for folder in PurePosixPath(each.path).parents}
    return sorted(declared | {(folder / name).as_posix() for folder in folders for name in NAMES})


def _inside(file: Path, top: Path) -> bool:
    try:
        return file.resolve().is_relative_to(top) and os.path.isfile(file)
    except (OSError, ValueError):
        return False
