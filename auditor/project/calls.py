"""Calls and attributes on a page against the definitions of the page and its files."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from auditor.audited import BlockAudit
from auditor.project.copies import shown
from auditor.project.fitting import Misfit, misfit
from auditor.project.meaning import At, Meaning, Meanings
from auditor.project.meant import is_disowned, is_said_to_fail, is_schematic, means_another
from auditor.project.pages import COMPILES, ELIDED, Page
from auditor.project.things import Class, Function, Instance, Missing, Module, Origin, Thing
from auditor.project.torch_module import ATTRIBUTES
from auditor.project.voice import Remark
from auditor.structure.shape import SELF, Arguments, Signature, UseShape

UNFIT = "call-does-not-fit"
NOWHERE = "attribute-nowhere"
# Bases whose classes are called otherwise than their `__init__` says.
_SPECIAL = ("Enum", "Flag", "NamedTuple", "TypedDict")


@dataclass(frozen=True, slots=True)
class _Callee:
    """What a call calls in the end, and how many of its first parameters are filled already."""

    origin: Origin
    name: str
    signature: Signature
    bound: int


class Calls:
    """Judges the uses of one page."""

    def __init__(self, page: Page, meaning: Meaning, linked: dict[int, str], lang: Literal["en", "zh"]) -> None:
        self.page = page
        self.meaning = meaning
        self.linked = linked
        self.lang = lang
        self.blocks = page.audit.blocks
        own = [block.program for block in self.blocks if block.program is not None]
        self._set_outside = frozenset[str]().union(*(program.quoted for program in own))
        self.quoted = page.files.quoted | self._set_outside
        self.handed = frozenset[str]().union(*(program.handed for program in own))

    def remarks(self) -> Iterator[Remark]:
        """What does not fit and what is nowhere, one remark for a use."""
        for at, block in enumerate(self.blocks):
            compilation = block.compilation
            if (
                block.program is None
                or not block.program.uses
                or block.told.fails
                or compilation.recovered
                or compilation.verdict not in COMPILES
                or not ELIDED.isdisjoint(compilation.adjustments)
            ):
                continue
            loose = [
                use for use in block.program.uses if use.inside == SELF or (use.name[0] == SELF and not use.inside)
            ]
            owners = self._owners(loose, at) if loose else ()
            for use in block.program.uses:
                things = self._root(use, at, block, owners)
                if things and self._set_outside.isdisjoint(use.name[1:]):
                    yield from self._use(use, at, things)

    def _use(self, use: UseShape, at: int, things: Sequence[Thing]) -> Iterator[Remark]:
        ends: list[Thing] = []
        for thing in things:
            end = self._walk(thing, use.name[1:])
            if end is None:
                return
            if isinstance(end, Missing):
                if len(things) == 1 and self._nowhere(end, use, at):
                    yield self._missing(end, use, at)
                return
            ends.extend(end)
        if use.arguments is not None and ends:
            yield from self._call(ends, use, use.arguments, at)

    def _root(self, use: UseShape, at: int, block: BlockAudit, owners: Sequence[Class]) -> Meanings:
        """What the first word of a use means."""
        if use.inside == SELF or (use.name[0] == SELF and not use.inside):
            return tuple(Instance(owner) for owner in owners) or None
        if use.inside:
            origin = self.meaning.texts.origin(self.page.audit, at)
            return (Instance(self.meaning.a_class(origin, use.inside)),) if origin is not None else None
        if self.meaning.is_unknown(self.page, use.name[0]):
            return None
        where: At = (at, use.offset) if use.now else None
        if block.names is not None and not use.now and use.name[0] in block.names.binds:
            # What a fence's function calls by a name of its own fence is that, whatever other fences call so.
            where = (at, len(block.compilation.code.text)) if block.compilation.code is not None else None
        return self.meaning.on_page(self.page, use.name[0], where, block)

    def _walk(self, thing: Thing, words: Iterable[str]) -> Meanings | Missing:
        """What a chain of attributes leads to from one thing."""
        things: tuple[Thing, ...] = (thing,)
        for word in words:
            found: list[Thing] = []
            for each in things:
                step = self.meaning.step(each, word)
                if step is None or isinstance(step, Missing):
                    return step
                found.extend(step)
            things = tuple(found)
        return things

    # Methods and statements of methods that stand without their class

    def _owners(self, uses: Sequence[UseShape], at: int) -> tuple[Class, ...]:
        """The classes that `self` may be of: the one the fence is tied to, else all that have what it uses."""
        words = {use.name[1] for use in uses if len(use.name) > 1}
        program = self.blocks[at].program
        own = {function.qualname for function in program.functions} if program is not None else set()
        tied_to = self.linked.get(at)
        names = (tied_to,) if tied_to is not None else self.meaning.texts.classes
        found: list[Class] = []
        for name in names:
            candidate = self.meaning.class_of(name)
            if candidate is None:
                continue
            line = self.meaning.line(candidate)
            given = frozenset[str]().union(*(shape.attributes for shape, _ in line.shapes))
            known = given.union(own, ATTRIBUTES if line.torch else ())
            if tied_to is not None or (words and words <= known and not words.isdisjoint(given)):
                found.append(candidate)
        return tuple(found)

    # Attributes

    def _nowhere(self, missing: Missing, use: UseShape, at: int) -> bool:
        """Whether an attribute that the texts do not show is surely not there."""
        name = missing.attribute
        if name in self.quoted or name in self.page.audit.hinted:
            return False
        owner = missing.owner
        origins = [None] if isinstance(owner, Module) else [origin for _, origin in owner.shapes]
        if self._is_meant(at, use, origins):
            return False
        if isinstance(owner, Module):
            return True
        if owner.name.partition(".")[0] in self.handed or owner.name in self.page.audit.hinted:
            return False
        if use.inside == SELF or (use.name[0] == SELF and not use.inside):
            return self.linked.get(at) == owner.name
        if use.inside and len(use.name) > 1 and use.name[1] == name:
            # A class that others are to extend may use what they bring.
            line = self.meaning.line(owner)
            made = any("__init__" in shape.attributes for shape, _ in line.shapes)
            return made and not self._is_extended(owner) and not self._is_excerpt(owner)
        return True

    def _is_excerpt(self, owner: Class) -> bool:
        """Whether a class calls several methods of its own that nobody sees: it is shown in part."""
        line = self.meaning.line(owner)
        known = frozenset[str]().union(
            ATTRIBUTES if line.torch else (), *(shape.attributes for shape, _ in line.shapes)
        )
        called = {
            use.name[1]
            for shape, origin in owner.shapes
            for use in origin.program.uses
            if use.inside == shape.qualname and use.arguments is not None and len(use.name) == 2
        }
        return len(called - known) > 1

    def _is_meant(self, at: int, use: UseShape, origins: Iterable[Origin | None]) -> bool:
        """Whether the text says that a use does not fit what is defined."""
        block, path = self.blocks[at], self.page.audit.path
        if is_said_to_fail(block.place_of(use).text) or is_disowned(block, use.offset):
            return True
        if is_schematic(block, self.page, use.end):
            return True
        return any(means_another(block, path, origin) for origin in origins)

    def _is_extended(self, owner: Class) -> bool:
        return any(
            base.rpartition(".")[2] == owner.name.rpartition(".")[2]
            for shapes in self.meaning.texts.classes.values()
            for shape, _ in shapes
            for base in shape.bases
        )

    def _missing(self, missing: Missing, use: UseShape, at: int) -> Remark:
        place = self.blocks[at].place_of(use)
        owner = missing.owner
        facts = {"name": ".".join(use.name), "attribute": missing.attribute, "owner": owner.name}
        if isinstance(owner, Module):
            return Remark(NOWHERE, place, at, facts, {"where": owner.file.path})
        shape, origin = owner.shapes[0]
        return Remark(NOWHERE, place, at, facts, {"where": self._where(origin, shape.qualname)})

    # Calls

    def _call(self, things: Sequence[Thing], use: UseShape, given: Arguments, at: int) -> Iterator[Remark]:
        worst: tuple[Misfit, _Callee] | None = None
        others: list[Origin] = []
        for thing in things:
            callees = self._callees(thing)
            if not callees:
                return
            for callee in callees:
                wrong = misfit(given, callee.signature, callee.bound)
                if wrong is None:
                    return
                worst = worst or (wrong, callee)
                others.append(callee.origin)
        if worst is None or self._is_meant(at, use, others):
            return
        wrong, callee = worst
        facts = {
            "name": ".".join(use.name),
            "definition": f"{callee.origin.path}::{callee.name}",
            "fault": wrong.fault,
            "parameters": ", ".join(wrong.names) or f"{wrong.given} > {wrong.fit}",
        }
        words = {
            "signature": shown(_rest(callee.signature, callee.bound)),
            "where": self._where(callee.origin, callee.name),
            "problem": _PROBLEMS[self.lang][wrong.fault].format(
                names=("、" if self.lang == "zh" else ", ").join(f"`{name}`" for name in wrong.names),
                given=wrong.given,
                fit=wrong.fit,
            ),
        }
        yield Remark(UNFIT, self.blocks[at].place_of(use), at, facts, words)

    def _callees(self, thing: Thing, depth: int = 0) -> tuple[_Callee, ...]:
        """The functions that a call of a thing may call; none where that is not known."""
        if isinstance(thing, Function):
            shape = thing.shape
            if shape.reached in {"unknown", "property"}:
                return ()
            return (_Callee(thing.origin, shape.qualname, shape.signature, thing.bound),)
        if isinstance(thing, Class):
            return self._made_by(thing)
        if isinstance(thing, Instance) and depth == 0:
            found: list[_Callee] = []
            for form in self.meaning.forms(thing.of):
                callees = self._called(form)
                if not callees:
                    return ()
                found.extend(callees)
            return tuple(found)
        return ()

    def _called(self, form: Class) -> tuple[_Callee, ...]:
        """What a call of an instance of one form of a class runs."""
        for name in ("__call__", *(("forward",) if self.meaning.line(form).torch else ())):
            step = self.meaning.step(Instance(form), name)
            if step is not None and not isinstance(step, Missing):
                return tuple(callee for each in step for callee in self._callees(each, 1))
        return ()

    def _made_by(self, of: Class) -> tuple[_Callee, ...]:
        """The `__init__` that a call of a class runs, for each of its forms."""
        found: list[_Callee] = []
        for form in self.meaning.forms(of):
            inits = self._inits(form)
            if not inits:
                return ()
            found.extend(inits)
        return tuple(found)

    def _inits(self, form: Class) -> tuple[_Callee, ...]:
        line = self.meaning.line(form)
        if any(
            shape.altered or "__new__" in shape.attributes or self.meaning.is_patched(shape) for shape, _ in line.shapes
        ):
            return ()
        if any(base.rpartition(".")[2].endswith(_SPECIAL) for shape, _ in line.shapes for base in shape.bases):
            return ()
        for shape, origin in line.shapes:
            if shape.fields is not None:  # of a class that extends it, what is inherited is not told
                alone = shape is line.shapes[0][0] and not shape.open
                return (_Callee(origin, shape.qualname, shape.fields, 1),) if alone else ()
            name = f"{shape.qualname}.__init__"
            inits = [each for each in origin.program.functions if each.qualname == name]
            if any(each.reached != "method" for each in inits) or (not inits and "__init__" in shape.attributes):
                return ()
            if inits:
                return tuple(_Callee(origin, name, each.signature, 1) for each in inits)
            if len(shape.bases) != 1:  # of several bases, the order of resolution decides
                return ()
        return ()

    def _where(self, origin: Origin, qualname: str) -> str:
        """The place of a definition, as a message names it."""
        lines = [place.line for definition, place in origin.block.definitions if definition.qualname == qualname]
        line = lines[-1] if lines else origin.block.place.line
        return f"{origin.path}:{line}"


def _rest(signature: Signature, bound: int) -> Signature:
    """The parameters that a caller fills."""
    return Signature(
        signature.positional[bound:],
        max(0, signature.only_positional - bound),
        max(0, signature.required - bound),
        signature.rest,
        signature.named,
        signature.named_required,
        signature.any_named,
    )


_PROBLEMS = {
    "en": {
        "missing": "nothing is given for {names}",
        "too-many": "{given} arguments stand by position where {fit} fit",
        "unknown": "there is no parameter {names}",
        "twice": "{names} is given twice",
    },
    "zh": {
        "missing": "缺少参数 {names}",
        "too-many": "按位置给了 {given} 个参数，而只能有 {fit} 个",
        "unknown": "没有参数 {names}",
        "twice": "参数 {names} 给了两次",
    },
}
