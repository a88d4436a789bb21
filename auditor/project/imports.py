"""Imports on a page from the book's own modules of what these do not have."""

from collections.abc import Iterator

from auditor.audited import BlockAudit, SourceAudit
from auditor.model import Imported
from auditor.project.meaning import Meaning
from auditor.project.meant import is_disowned, means_another
from auditor.project.pages import COMPILES, Page
from auditor.project.voice import Remark

NOWHERE = "import-nowhere"


def remarks(page: Page, meaning: Meaning) -> Iterator[Remark]:
    """The names that a page imports from files of the run and that are nowhere in them."""
    defined = frozenset(
        each.name
        for block in page.audit.blocks
        if block.program is not None
        for each in block.program.bound
        if each.by in {"function", "class"}
    )
    for at, block in enumerate(page.audit.blocks):
        if block.names is None or block.told.fails or block.compilation.recovered:
            continue
        if block.compilation.verdict not in COMPILES:
            continue
        for imported in block.names.imports:
            name = imported.name
            if name is None or name == "*" or imported.level or name in defined:
                continue
            file = meaning.file_of(imported, page.audit.path, page)
            if (
                file is not None
                and _is_sure(block, imported)
                and _lacks(file, name, meaning)
                and not means_another(block, page.audit.path, None)
                and not is_disowned(block, imported.offset)
            ):
                facts = {"name": name, "module": imported.module}
                yield Remark(NOWHERE, block.place_of(imported), at, facts, {"where": file.path})


def _lacks(file: SourceAudit, name: str, meaning: Meaning) -> bool:
    return file.status == "read" and meaning.modules.lacks(file, name)


def _is_sure(block: BlockAudit, imported: Imported) -> bool:
    """Whether an import is made in every case: not in a `try`, an `if` or a function."""
    bound = block.program.bound if block.program is not None else ()
    return any(each.by == "import" and each.sure and each.name == imported.bound for each in bound)
