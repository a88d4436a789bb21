"""Which of several bindings of a name is in force at a place of a page."""

from collections.abc import Sequence

from auditor.audited import BlockAudit
from auditor.project.pages import Page, frameworks_of, is_choice
from auditor.structure.shape import Bound

_ALL = frozenset({"all"})


def in_force(before: list[tuple[int, Bound]], page: Page, at: tuple[int, int]) -> list[tuple[int, Bound]]:
    """Of the bindings before a place those that may be in force there.

    It is the last one where that surely happens and stands in the same fence, or in the same section and no tab;
    elsewhere, and after a fence that shows an error, a page may well speak of an older form again.
    """
    if before:
        index, last = before[-1]
        block, here = page.audit.blocks[index], page.audit.blocks[at[0]]
        one_section = block.block.heading == here.block.heading and not any(
            is_choice(each) or "title" in each.block.attributes for each in (block, here)
        )
        if last.sure and (index == at[0] or (one_section and not block.told.fails)):
            return before[-1:]
    return before


def in_reach(bound: Sequence[tuple[int, Bound]], page: Page, here: BlockAudit) -> Sequence[tuple[int, Bound]] | None:
    """The bindings but for those in other tabs of a choice that a block is part of, or for other frameworks.

    `None` where one stands in a tab that a reader of the block need not have chosen.
    """
    bound = _for_framework(bound, page, here)
    if not page.has_tabs:
        return bound
    blocks = page.audit.blocks
    chosen = dict(here.told.choice)
    reached = []
    for index, each in bound:
        parts = blocks[index].told.choice
        if any(group not in chosen for group, _ in parts):
            return None
        if all(chosen[group] == part for group, part in parts):
            reached.append((index, each))
    return reached


def _for_framework(bound: Sequence[tuple[int, Bound]], page: Page, here: BlockAudit) -> Sequence[tuple[int, Bound]]:
    """The bindings in cells for the frameworks of a block; cells that name none are for one of their own."""
    cells = [(frameworks_of(page.audit.blocks[index]), (index, each)) for index, each in bound]
    own = frameworks_of(here) - _ALL
    if not own and not any(frameworks for frameworks, _ in cells):
        return bound
    return [
        binding
        for frameworks, binding in cells
        if frameworks >= _ALL or (not own.isdisjoint(frameworks) if own else not frameworks)
    ]
