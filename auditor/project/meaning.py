"""What the names of pages and files mean, followed from binding to binding as far as the text shows it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from auditor.audited import BlockAudit, SourceAudit
from auditor.model import Imported
from auditor.project.force import in_force, in_reach
from auditor.project.modules import Modules, may_bind
from auditor.project.pages import ELIDED, Page
from auditor.project.texts import FEW, Texts
from auditor.project.things import Class, Function, Instance, Line, Missing, Module, Origin, Thing
from auditor.project.torch_module import ATTRIBUTES, is_torch
from auditor.structure.shape import Bound, ClassShape, FunctionShape

# Several things where a name may mean each of them; `None` where it may mean something nobody sees.
Meanings = tuple[Thing, ...] | None
# Where a name is used: the block's index and the offset in its code; `None` for a function's body, which runs later.
At = tuple[int, int] | None
# How many bindings are followed from one name to what it means.
_DEEP = 12
# What Python makes of a private name (`__level` in `Tank`) for those who ask for it from outside.
_MANGLED = re.compile(r"_[^\W_]\w*__\w+")
_PLAIN_BASES = frozenset({"object", "ABC", "abc.ABC", "Generic", "typing.Generic", "Protocol", "typing.Protocol"})


@dataclass(slots=True)
class _Known:
    """What was found out once, of the files or of one page."""

    classes: dict[tuple[int, str], Class] = field(default_factory=dict)  # origins are kept, so that ids stay theirs
    forms: dict[int, tuple[Class, tuple[Class, ...]]] = field(default_factory=dict)
    lines: dict[int, tuple[Class, Line]] = field(default_factory=dict)


class Meaning:
    """Looks names up on one page after the other; what was found of files is kept for all of them.

    `patched` are the last words of names that are handed to a decorator anywhere in the run.
    """

    def __init__(self, modules: Modules, patched: frozenset[str]) -> None:
        self.modules = modules
        self._patched = patched
        self.texts = Texts()
        self._in_files: dict[tuple[str, str], Meanings] = {}
        self._of_files = _Known()
        self._of_page = _Known()
        self._unknown: dict[str, bool] = {}

    def turn_to(self, page: Page) -> None:
        """Look at a page and forget the one before: nothing that is known of files holds on to a page."""
        self.texts.turn_to(page)
        self._of_page = _Known()
        self._unknown = {}

    def _known(self, *paths: str) -> _Known:
        """Where that is kept which rests on texts at some paths."""
        return self._of_page if any(self.texts.page_at(path) is not None for path in paths) else self._of_files

    # Names

    def is_unknown(self, page: Page, name: str) -> bool:
        """Whether a name means nothing known at any place of the page at hand: most are of modules nobody sees."""
        known = self._unknown.get(name)
        if known is None:
            self._unknown[name] = False  # as long as it is not known otherwise, for names that lead to each other
            bound = self.texts.bindings.get(name)
            if name in page.setup or name in page.audit.hinted:
                known = True
            elif bound is None:
                known = self._beside(page, name, 0) is None
            else:
                known = all(self._is_nothing(page, index, each) for index, each in bound)
            self._unknown[name] = known
        return known

    def _is_nothing(self, page: Page, index: int, bound: Bound) -> bool:
        """Whether a binding gives its name no known meaning, whichever others are in force."""
        if bound.by == "made":
            return self.is_unknown(page, bound.target.partition(".")[0])
        if bound.by == "import":
            origin = self.texts.origin(page.audit, index)
            return origin is None or self._imported(origin, bound.name, page, 1) is None
        return bound.by == "other"

    def on_page(self, page: Page, name: str, at: At, block: BlockAudit, depth: int = 0) -> Meanings:
        """What a name may mean at a place of a page, which stands in a block."""
        if depth > _DEEP or name in page.setup or name in page.audit.hinted:
            return None
        bound = self.texts.bindings.get(name)
        if bound is None:
            return self._beside(page, name, depth)
        bound = in_reach(bound, page, block)
        if not bound:
            return None
        if at is not None:
            bound = in_force([(index, each) for index, each in bound if (index, each.offset) < at], page, at) or bound
        found: list[Thing] = []
        for index, each in bound:
            block = page.audit.blocks[index]
            if not ELIDED.isdisjoint(block.compilation.adjustments):
                return None
            origin = self.texts.origin(page.audit, index)
            if origin is None:
                return None
            meant = self._bound(origin, each, page, (index, each.offset), depth + 1)
            if meant is None:
                return None
            found.extend(meant)
        return tuple(found)

    def in_file(self, file: SourceAudit, name: str, depth: int = 0) -> Meanings:
        """What a name of a file's outermost level may mean to those who import it."""
        key = (file.path, name)
        if key in self._in_files:
            return self._in_files[key]
        self._in_files[key] = None  # a name that leads to itself means nothing known
        found: list[Thing] = []
        if depth <= _DEEP:
            for index, _ in enumerate(file.blocks):
                origin = self.texts.origin(file, index)
                if origin is None:
                    return None
                for each in origin.program.bound:
                    if each.name == name:
                        meant = self._bound(origin, each, None, None, depth + 1)
                        if meant is None:
                            return None
                        found.extend(meant)
        self._in_files[key] = tuple(found) or None
        return self._in_files[key]

    def _beside(self, page: Page, name: str, depth: int) -> Meanings:
        """What a name that the page does not bind means in its files; only where one of few has it."""
        if len(page.files.audits) > FEW or page.open:
            return None
        holders = [
            file
            for file in page.files.audits
            if any(block.names is not None and name in block.names.binds for block in file.blocks)
        ]
        return self.in_file(holders[0], name, depth + 1) if len(holders) == 1 else None

    def dotted(self, origin: Origin, name: str, at: At, depth: int = 0) -> Meanings:
        """What a dotted name means where a definition stands."""
        first, *rest = name.split(".")
        page = self.texts.page_at(origin.path)
        if page is not None:
            meant = self.on_page(page, first, at, origin.block, depth)
        else:
            file = self.modules.files.get(origin.path)
            meant = self.in_file(file, first, depth) if file is not None else None
        for word in rest:
            if meant is None:
                return None
            steps = [self.step(thing, word, depth + 1) for thing in meant]
            found: list[Thing] = []
            for each in steps:
                if each is None or isinstance(each, Missing):
                    return None
                found.extend(each)
            meant = tuple(found)
        return meant

    def _bound(self, origin: Origin, bound: Bound, page: Page | None, at: At, depth: int) -> Meanings:
        if bound.by == "function":
            if origin.block.compilation.context == "class-body":
                return None  # a method that a fence shows without its class is called through what nobody sees
            shapes = [shape for shape in origin.program.functions if shape.qualname == bound.name]
            return tuple(Function(shape, origin) for shape in shapes) or None
        if bound.by == "class":
            return (self.a_class(origin, bound.name),)
        if bound.by == "import":
            return self._imported(origin, bound.name, page, depth)
        if bound.by == "made":
            meant = self.dotted(origin, bound.target, at, depth)
            if meant and all(isinstance(thing, Class) for thing in meant):
                return tuple(Instance(thing) for thing in meant if isinstance(thing, Class))
        return None

    def a_class(self, origin: Origin, name: str) -> Class:
        """A class with every text that defines it: on all fences of its page and, for a page, in its files."""
        known = self._known(origin.path).classes
        kept = known.get((id(origin), name))
        if kept is not None:
            return kept
        found: Sequence[tuple[ClassShape, Origin]]
        if self.texts.page_at(origin.path) is not None:
            found = self.texts.classes.get(name, ())
        else:
            found = [(shape, origin) for shape in origin.program.classes if shape.qualname == name]
        own = [pair for pair in found if pair[1] is origin]
        made = Class((*own, *(pair for pair in found if pair[1] is not origin)))
        known[id(origin), name] = made
        return made

    def _imported(self, origin: Origin, name: str, page: Page | None, depth: int) -> Meanings:
        names = origin.block.names
        found = [each for each in names.imports if each.bound == name] if names is not None else []
        meant: list[Thing] = []
        for each in found:
            if each.later:
                continue
            things = self.imported(each, origin.path, page, depth)
            if not things:
                return None
            meant.extend(things)
        return tuple(meant) or None

    def file_of(
        self, imported: Imported, path: str, page: Page | None, module: str | None = None
    ) -> SourceAudit | None:
        """The file of the run that the module of an import is."""
        module = imported.module if module is None else module
        if page is None:
            return self.modules.beside(path, module, imported.level)
        return self.modules.find(module, path, page.home) if not imported.level and module else None

    def imported(self, imported: Imported, path: str, page: Page | None, depth: int = 0) -> Meanings:
        """What an import binds."""
        if imported.name is None:
            if "." in imported.module and imported.bound == imported.module.partition(".")[0]:
                return None
            file = self.file_of(imported, path, page)
            return (Module(imported.module, file),) if file is not None else None
        file = self.file_of(imported, path, page)
        if file is None:
            return None
        meant = self.in_file(file, imported.name, depth + 1)
        if meant is None and file.path.endswith("/__init__.py") and not may_bind(file, imported.name):
            submodule = f"{imported.module}.{imported.name}".lstrip(".")
            inner = self.file_of(imported, path, page, submodule)
            return (Module(submodule, inner),) if inner is not None else None
        return meant

    def class_of(self, name: str) -> Class | None:
        """The class of a qualified name on the page at hand or in its files, in all of its forms."""
        own = self.texts.classes.get(name)
        return Class(tuple(own)) if own else None

    def forms(self, of: Class) -> tuple[Class, ...]:
        """Each text that defines a class, as a class of its own: a page may show one class in several forms."""
        known = self._known(*(origin.path for _, origin in of.shapes)).forms
        kept = known.get(id(of))
        if kept is None or kept[0] is not of:
            kept = known[id(of)] = (of, tuple(Class((pair,)) for pair in of.shapes))
        return kept[1]

    # Attributes

    def step(self, thing: Thing, attribute: str, depth: int = 0) -> "Meanings | Missing":
        """What an attribute of a thing means."""
        if depth > _DEEP or isinstance(thing, Function):
            return None
        if isinstance(thing, Module):
            known = self.in_file(thing.file, attribute, depth + 1)
            return Missing(thing, attribute) if known is None and self.modules.lacks(thing.file, attribute) else known
        if isinstance(thing, Class) and attribute == "mro":
            return None  # every class has it from `type`
        of = thing.of if isinstance(thing, Instance) else thing
        found: list[Thing] = []
        for form in self.forms(of):
            meant = self._member(form, attribute, depth, by_instance=isinstance(thing, Instance))
            if meant is None:
                return None
            if not isinstance(meant, Missing):
                found.extend(meant)
        return tuple(found) or Missing(of, attribute)

    def _member(self, form: Class, attribute: str, depth: int, *, by_instance: bool) -> "Meanings | Missing":
        """What an attribute of one form of a class means."""
        line = self.line(form)
        for shape, origin in line.shapes:
            if self.is_patched(shape):
                return None
            found = [each for each in origin.program.functions if each.qualname == f"{shape.qualname}.{attribute}"]
            if found:
                return self._methods(found, origin, by_instance=by_instance)
            if attribute in shape.makes and by_instance:
                meant = self.dotted(origin, shape.makes[attribute], None, depth + 1)
                if meant and all(isinstance(each, Class) for each in meant):
                    return tuple(Instance(each) for each in meant if isinstance(each, Class))
                return None
            if attribute in shape.attributes:
                return None
        closed = line.known and not any(shape.open or shape.altered for shape, _ in line.shapes)
        if (
            not closed
            or attribute.startswith("__")
            or _MANGLED.fullmatch(attribute)
            or (line.torch and (attribute in ATTRIBUTES or attribute[0] == "_"))
        ):
            return None
        return Missing(form, attribute)

    def is_patched(self, shape: ClassShape) -> bool:
        """Whether a decorator somewhere in the run may give a class what the class itself does not show."""
        return shape.qualname.rpartition(".")[2] in self._patched

    def _methods(self, found: Sequence[FunctionShape], origin: Origin, *, by_instance: bool) -> Meanings:
        things: list[Thing] = []
        for shape in found:
            if shape.reached in {"unknown", "property"}:
                return None
            bound = 1 if shape.reached == "class" or (shape.reached == "method" and by_instance) else 0
            things.append(Function(shape, origin, bound))
        return tuple(things)

    def line(self, of: Class) -> Line:
        """A class with its bases."""
        known_lines = self._known(*(origin.path for _, origin in of.shapes)).lines
        kept = known_lines.get(id(of.shapes))
        if kept is not None and kept[0].shapes is of.shapes:
            return kept[1]
        shapes: list[tuple[ClassShape, Origin]] = []
        known, torch = True, False
        queue = list(of.shapes)
        seen: set[tuple[int, str]] = set()
        while queue:
            shape, origin = queue.pop(0)
            if (id(origin), shape.qualname) in seen or len(seen) > 10 * _DEEP:
                continue
            seen.add((id(origin), shape.qualname))
            shapes.append((shape, origin))
            for base in shape.bases:
                if base in _PLAIN_BASES:
                    continue
                page = self.texts.page_at(origin.path)
                if is_torch(base, page.audit.blocks if page is not None else (origin.block,)):
                    torch = True
                    continue
                meant = self.dotted(origin, base, None) if base and base != shape.qualname else None
                if meant and all(isinstance(each, Class) for each in meant):
                    queue.extend(pair for each in meant if isinstance(each, Class) for pair in each.shapes)
                else:
                    # A class that extends itself under its own name is shown in parts, as far as texts tell.
                    known = known and base == shape.qualname and len(of.shapes) > 1
        line = Line(tuple(shapes), known, torch)
        known_lines[id(of.shapes)] = (of, line)
        return line
