"""What gives each name that a fence needs, and which names nothing on the page or in its files could define."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from auditor.audited import BlockAudit
from auditor.model import Need
from auditor.project.pages import Page, left_out_before
from auditor.project.voice import Remark
from auditor.structure.builtin_names import BUILTINS, DUNDER, SINCE
from auditor.structure.hints import hinted

ResolvedBy = Literal["earlier", "later", "file", "import", "setup"]

UNDEFINED = "undefined-name"
BEFORE = "used-before-defined"
# What a notebook, a prompt or a type checker gives, and the first parameter of a method shown alone.
_GIVEN = frozenset({
    "display", "get_ipython", "In", "Out", "_", "__", "___", "reveal_type", "reveal_locals", "self", "cls",
})  # fmt: skip
# Fences that show how something is called, not code to run.
_SHOWN_ONLY = frozenset({"header-only", "signature-only", "pseudo-notation"})
# How many letters more or less a slip of the pen makes.
_SLIP = 2
_GRAMMAR = re.compile(
    r"\s*#[\s\W]*(?:(?:general|basic|python) )?(?:syntaxe?|sintax\w*|sintassi|schema|pseudo-?code)\b"
    r"|\s*#\s*(?:语法|語法|伪代码|문법|구문|構文|синтаксис|سینتکس)",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"#[^\n]*")
_ORDINAL = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Resolved:
    """A name that a block needs, and what gives it; `None` where nothing known does."""

    name: str
    by: ResolvedBy | None


def resolve(page: Page, builtins: frozenset[str] = BUILTINS) -> Mapping[int, tuple[Resolved, ...]]:
    """For each block of a page that has names, by index, its needs by name; `builtins` are those of the targets.

    Of several things that give a name the first counts: the set-up, an earlier fence (`import` where it imports the
    name), a file that belongs with the page, a later fence.
    """
    last = {
        name: at for at, block in enumerate(page.audit.blocks) if block.names is not None for name in block.names.binds
    }
    earlier: dict[str, ResolvedBy] = {}
    needs: dict[int, tuple[Resolved, ...]] = {}
    for at, block in enumerate(page.audit.blocks):
        if block.names is None:
            continue
        found: dict[str, ResolvedBy | None] = {}
        for need in block.names.needs:
            name = need.name
            if name in builtins or (name[:2] == "__" and DUNDER.fullmatch(name)):
                continue
            if name in page.setup:
                found[name] = "setup"
            elif name in earlier:
                found[name] = earlier[name]
            elif name in page.files.binds or name in page.linked.binds:
                found[name] = "file"
            else:
                found[name] = "later" if last.get(name, -1) > at else None
        needs[at] = tuple(Resolved(name, found[name]) for name in sorted(found))
        imported = {each.bound for each in block.names.imports}
        earlier.update((name, "import" if name in imported else "earlier") for name in block.names.binds)
    return needs


def remarks(page: Page, resolved: Mapping[int, tuple[Resolved, ...]]) -> Iterator[Remark]:
    """The undefined names of a page, and those that are used before they are defined."""
    if page.open:
        return
    alike: dict[str, list[str]] = {}
    for at, block in enumerate(page.audit.blocks):
        if block.names is None or not page.judged(block):
            continue
        # What nothing gives before the block, and whether something does after it.
        lacking = {each.name: each.by for each in resolved.get(at, ()) if each.by in {None, "later"}}
        for need in block.names.needs:
            if need.name not in lacking or need.name in _GIVEN:
                continue
            if lacking[need.name] is None and not page.could_bind(need.name):
                if not _is_need(block, need) or need.name in block.told.asked or _is_shown(block, need.name):
                    continue
                near = alike.get(need.name)
                if near is None:
                    near = alike[need.name] = _near(page, need.name)
                if page.unread and _may_be_excerpt(block) and not _is_slip(need.name, near):
                    continue
                hint = f" ({', '.join(near)}?)" if near else ""
                if need.name in SINCE:
                    hint = f" (Python ≥ {'.'.join(map(str, SINCE[need.name]))})"
                facts = {"name": need.name, "near": ", ".join(near)}
                yield Remark(UNDEFINED, block.place_of(need), at, facts, {"hint": hint})
            elif need.use == "now" and not page.could_bind_before(need.name, at):
                later = _later(page, at, need.name)
                if later is not None and _is_need(block, need):
                    yield Remark(BEFORE, block.place_of(need), at, {"name": need.name}, {"line": str(later.place.line)})


def _may_be_excerpt(block: BlockAudit) -> bool:
    """Whether a block may be a part of a linked file: what brings its own imports is none."""
    return block.names is None or all(each.later for each in block.names.imports)


def _is_slip(name: str, near: list[str]) -> bool:
    """Whether a name is surely another one misspelt; a plural is none."""
    return any(each.rstrip("s") != name.rstrip("s") for each in near)


def _is_need(block: BlockAudit, need: Need) -> bool:
    """Whether a need is one of running the block, and not of what it leaves out or only shows."""
    shown = any(placed.diagnosis.kind in _SHOWN_ONLY for placed in block.diagnoses)
    return not (shown or left_out_before(block, need.offset))


def _is_shown(block: BlockAudit, name: str) -> bool:
    """Whether a block says of a name that it stands for others, is defined elsewhere, or is one of newer versions."""
    code = block.block.code.text
    if "#" in code:
        if _GRAMMAR.match(code):  # the names in it stand for others
            return True
        for comment in _COMMENT.finditer(code):
            if name in hinted(comment[0].lstrip("# \t")):
                return True
    return name in SINCE and "version_info" in code


def _later(page: Page, at: int, name: str) -> BlockAudit | None:
    """The first block from `at` on that binds a name."""
    chosen = dict(page.audit.blocks[at].told.choice)
    for block in page.audit.blocks[at:]:
        if block.names is not None and name in block.names.binds:
            other_tab = any(chosen.get(group, part) != part for group, part in block.told.choice)
            return None if other_tab else block
    return None


def _near(page: Page, name: str) -> list[str]:
    """The name that is written nearly like this one, if there is one; another number is no near miss."""
    if len(name) < 4:
        return []
    letters, lower = set(name), name.lower()
    likely = sorted(
        each
        for size in range(len(name) - _SLIP, len(name) + _SLIP + 1)
        for each in page.spelled.get(size, ())
        if len(letters.symmetric_difference(each)) <= 2 * _SLIP and each.lower() != lower  # a class and its instance
    )
    if not likely:
        return []
    import difflib  # noqa: PLC0415 - few names are nearly another

    close = difflib.get_close_matches(name, likely, n=1, cutoff=0.84)
    return [each for each in close if _ORDINAL.sub("", each) != _ORDINAL.sub("", name)]
