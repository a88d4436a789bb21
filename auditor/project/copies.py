"""What a reader who copies fences one by one stumbles over: a class without the class it needs, a name defined anew."""

from collections.abc import Iterator, Mapping

from auditor.audited import BlockAudit
from auditor.model import Place
from auditor.project.names import Resolved
from auditor.project.pages import COMPILES, Page, is_choice
from auditor.project.voice import Remark
from auditor.structure.shape import Signature

WITHOUT = "copied-without-its-class"
ANEW = "redefined-with-other-signature"


def without_class(page: Page, resolved: Mapping[int, tuple[Resolved, ...]]) -> Iterator[Remark]:
    """Classes of fences that make instances of a class which stands in a file and on no fence of the page."""
    if not page.files.classes:
        return
    for at, block in enumerate(page.audit.blocks):
        if block.names is None or block.program is None or not block.program.classes:
            continue
        if not page.judged(block):
            continue
        from_file = {each.name for each in resolved.get(at, ()) if each.by == "file"} & page.files.classes
        if not from_file:
            continue
        wanted = from_file - page.audit.hinted - _shown(page)
        called = {use.name[0]: use for use in block.program.uses if len(use.name) == 1 and use.arguments is not None}
        for need in block.names.needs:
            if need.name not in wanted or need.use != "later" or need.name not in called:
                continue
            around = _class_around(block, called[need.name].offset)
            if around:
                yield Remark(WITHOUT, block.place_of(need), at, {"name": need.name, "class": around})


def _shown(page: Page) -> frozenset[str]:
    """The names that any fence of the page binds, in whatever state it is."""
    return frozenset[str]().union(
        *(block.program.stored for block in page.audit.blocks if block.program is not None),
    )


def _class_around(block: BlockAudit, offset: int) -> str:
    """The outermost class of a block around an offset of its code; empty where none is."""
    for definition, _ in block.definitions:
        if definition.kind == "class" and definition.span.start <= offset < definition.span.end:
            return definition.qualname
    return ""


def anew(page: Page) -> Iterator[Remark]:
    """Functions and classes that a later fence defines with other parameters than an earlier one.

    Of a name that a fence defines twice its last definition counts: that is what goes on.
    """
    known: dict[str, tuple[Signature, Place, BlockAudit]] = {}
    for at, block in enumerate(page.audit.blocks):
        if block.program is None or block.compilation.verdict not in COMPILES:
            continue
        places = {definition.qualname: place for definition, place in block.definitions}
        own: dict[str, tuple[Signature, Place, BlockAudit]] = {}
        for function in block.program.functions:
            name = function.qualname.removesuffix(".__init__")
            if "." in name or function.reached == "unknown" or name not in places:
                continue
            own[name] = (function.signature, places[name], block)
        for name, (signature, place, _) in own.items():
            before = known.get(name)
            if before is None or before[0] == signature or not _one_program(before[2], block):
                continue
            words = {"line": str(before[1].line), "before": shown(before[0]), "after": shown(signature)}
            yield Remark(ANEW, _head(place), at, {"name": name}, words)
        known.update(own)


def _one_program(before: BlockAudit, after: BlockAudit) -> bool:
    """Whether two fences are meant for one program: not other tabs, not to show an error, not files of other names."""
    if is_choice(before) or is_choice(after) or before.told.choice != after.told.choice:
        return False
    if before.told.fails or after.told.fails:
        return False
    titles = {block.block.attributes.get("title", "") for block in (before, after)}
    return len(titles) == 1


def _head(place: Place) -> Place:
    """The first line of a definition alone."""
    return Place(
        place.path,
        place.start,
        place.start + len(place.text) - place.column + 1,
        place.line,
        place.column,
        place.line,
        len(place.text) + 1,
        place.text,
    )


def shown(signature: Signature) -> str:
    """A signature in Python's own notation, without defaults' values."""
    parts: list[str] = []
    for number, name in enumerate(signature.positional):
        parts.append(name if number < signature.required else f"{name}=…")
        if number + 1 == signature.only_positional:
            parts.append("/")
    if signature.rest:
        parts.append("*…")
    elif signature.named:
        parts.append("*")
    parts.extend(name if name in signature.named_required else f"{name}=…" for name in signature.named)
    if signature.any_named:
        parts.append("**…")
    return f"({', '.join(parts)})"
